"""The control port of a detector, and live scans for which it is armed.

SPDX-License-Identifier: Apache-2.0
"""
import time

import numpy as np
import pytest

import sluice
from sluice import stem4d

SECONDS = 60
SCAN = (6, 9)


@pytest.fixture
def data():
    return np.random.default_rng(5).poisson(2, (*SCAN, 24, 26)).astype(np.uint16)


def simulated(data, **options):
    return stem4d.simulate_detector(sluice.from_array(data), control="http://127.0.0.1:*", rate=5000, wait_s=SECONDS,
                                    **options)


def live(detector, **arm):
    arm = stem4d.Arm(control=detector.control, trigger="software", **arm)
    return stem4d.live(detector.address, scan=SCAN, scans=1, wait_s=SECONDS, arm=arm)


def test_a_scan_is_armed_and_let_go_of(data):
    heard = []
    with simulated(data) as detector:
        arm = {"dwell_s": 1e-3, "set": {"stream/header_detail": "all"},
               "on_armed": lambda armed: heard.append((armed.series, armed.scan_shape, armed.images, armed.wanted()))}
        with live(detector, **arm) as stream:
            scan = next(stream)
            whole = scan.finish()
            control = scan.control
    np.testing.assert_array_equal(stem4d.diffraction_pattern(whole, "sum").values, data.sum((0, 1)))
    assert heard == [("1", SCAN, data[..., 0, 0].size, True)]
    assert (control.series, control.software, control.ended, control.error) == ("1", "SIMPLON 1.8.0", "disarmed", "")
    changed = {one.name: (one.before, one.after) for one in control.changes}
    assert changed["frame_time"] == ("0.0002", "0.001")
    assert changed["stream/header_detail"] == ("basic", "all")


def test_what_the_hook_raises_cancels(data):
    def fails(_):
        raise RuntimeError("no stage")
    with simulated(data) as detector:
        with live(detector, on_armed=fails) as stream, pytest.raises(OSError, match="no stage"):
            next(stream).finish()


def test_a_scan_that_is_left_ends_the_hook(data):
    ended = []

    def waits(armed):
        while armed.wanted():
            time.sleep(0.001)
        ended.append(armed.series)

    with simulated(data) as detector:
        stream = live(detector, on_armed=waits)
        scan = next(stream)
        scan.stop()
        del scan, stream
    assert ended == ["1"]


def test_a_control_port(data):
    with simulated(data) as detector:
        control = stem4d.DetectorControl(detector.control)
        assert control.status() == stem4d.DetectorStatus("simplon", "SIMPLON 1.8.0", "idle", "idle")
        assert control.set("nimages", 5) == [stem4d.DetectorChange("nimages", "54", "5")]
        assert control.get("nimages") == "5"
        assert control.arm() == 1
        assert control.status().state == "armed"
        with live(detector) as stream, pytest.raises(sluice.Unavailable, match="armed already"):
            next(stream)
        control.cancel()
    with pytest.raises(sluice.InvalidArgument, match="does not say which detector"):
        stem4d.DetectorControl("tcp://127.0.0.1:1")


def test_a_scan_is_needed():
    with pytest.raises(sluice.InvalidArgument, match="scan"):
        stem4d.live("tcp://127.0.0.1:1", arm=stem4d.Arm())
