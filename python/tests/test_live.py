"""Scans that are measured: looks at them, what is lost, several scans, recordings, files, Ctrl-C.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sluice
from sluice import stem4d

SECONDS = 60
DISK = stem4d.Disk((12.0, 12.0), 5.0)


def counts(scan=(6, 9), dtype=np.uint16):
    rng = np.random.default_rng(5)
    return rng.poisson(2, (*scan, 24, 26)).astype(dtype)


@pytest.fixture
def data():
    return counts()


def simulated(data, **options):
    return stem4d.simulate_detector(sluice.from_array(data), wait_s=SECONDS, **options)


def live(detector, **options):
    return stem4d.live(detector.address, wait_s=SECONDS, scans=options.pop("scans", 1), **options)


def same(ours, theirs):
    return np.array_equal(np.asarray(ours), np.asarray(theirs), equal_nan=True)


def test_the_last_look_has_the_bits_of_the_scan(data):
    with simulated(data, rate=2000) as detector, live(detector) as stream:
        for scan in stream:
            assert scan.scan_shape == (6, 9) and scan.detector_shape == (24, 26)
            looks = list(scan.looks(["bf", "adf"], every=0.005, disk=DISK, patterns=["sum", "max"]))
        assert detector.wait()["sent"] == 54
    last = looks[-1]
    assert last.state.ended and (last.state.received, last.state.lost, last.state.ready) == (54, 0, 54)
    assert [look.state.ready for look in looks] == sorted({look.state.ready for look in looks})
    want = stem4d.products(sluice.from_array(data), detectors=["bf", "adf"], center_of_mass=True, disk=DISK,
                           patterns=["sum", "max"])
    assert same(last.images.values, want.images.values)
    assert same(last.center_of_mass.row, want.center_of_mass.row)
    assert same(last.patterns["max"].values, want.patterns[1].values)


def test_dark_and_gain_have_the_bits_of_the_scan(data):
    rng = np.random.default_rng(2)
    references = {"dark": rng.random((24, 26), np.float32), "gain": 0.5 + rng.random((24, 26), np.float32)}
    with simulated(data, rate=2000) as detector, live(detector) as stream:
        for scan in stream:
            looks = list(scan.looks(["bf", "adf"], every=0.005, disk=DISK, patterns=["mean"], **references))
        detector.wait()
    want = stem4d.products(sluice.from_array(data), detectors=["bf", "adf"], center_of_mass=True, disk=DISK,
                           patterns=["mean"], **references)
    assert same(looks[-1].images.values, want.images.values) and want.images.corrected
    assert same(looks[-1].center_of_mass.row, want.center_of_mass.row)
    assert same(looks[-1].patterns["mean"].values, want.patterns[0].values)


def test_points_that_have_not_come_are_nan_and_so_far_is_a_scan(data):
    with simulated(data, rate=5000, stop_at=33) as detector, live(detector, patience_s=SECONDS) as stream:
        scan = next(stream)
        until = time.monotonic() + SECONDS
        while scan.state.ready < 33 and time.monotonic() < until:
            assert not scan.wait(0.01)
        part = scan.so_far()
        image = stem4d.virtual_image(part, "bf", disk=DISK)["bf"].ravel()
        whole = stem4d.virtual_image(sluice.from_array(data), "bf", disk=DISK)["bf"].ravel()
        assert same(image[:33], whole[:33]) and np.isnan(image[33:]).all()
        assert part.shape == data.shape and np.array_equal(part[2, 3], data[2, 3])
        with pytest.raises(sluice.Unsupported, match="so_far"):
            scan.dataset[0, 0]
        scan.stop("enough")
        assert scan.wait(SECONDS) and scan.why_ended == "enough"
        assert scan.finish().shape == data.shape and scan.state.lost == 21
        assert scan.gaps == [(33, 21)]
    assert same(stem4d.virtual_image(part, "bf", disk=DISK)["bf"].ravel()[:33], whole[:33])
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        scan.so_far()


def test_paths_and_what_is_lost(data):
    with simulated(data, rate=5000, order="serpentine", flyback=2, drop=0.2, duplicate=0.2, seed=4) as detector:
        with live(detector, scan=(6, 9), order="serpentine", flyback=2) as stream:
            scan = next(stream)
            image = stem4d.virtual_image(scan.finish(), "bf", disk=DISK)["bf"]
            assert any(p.what == "images that came twice" for p in scan.problems)
            assert 0 < scan.state.lost == np.isnan(image).sum()
    whole = stem4d.virtual_image(sluice.from_array(data), "bf", disk=DISK)["bf"]
    assert same(image[~np.isnan(image)], whole[~np.isnan(image)])


def test_positions_are_any_path(data):
    order = np.random.default_rng(1).permutation(54)
    shuffled = data.reshape(54, 24, 26)[order].reshape(data.shape)
    with simulated(shuffled, rate=5000) as detector:
        places = np.stack(np.unravel_index(order, (6, 9)), axis=1)
        with live(detector, scan=(6, 9), positions=places) as stream:
            assert np.array_equal(next(stream).finish()[...], data)


def test_scans_follow_each_other_and_are_recorded(data, tmp_path):
    prefix = str(tmp_path / "run")
    with simulated(data, rate=5000, repeat=2) as detector, live(detector, scans=2, record=prefix) as stream:
        recorded = []
        for scan in stream:
            scan.finish()
            recorded.append(scan.recording)
    assert [r.recorded for r in recorded] == [54, 54] and not recorded[0].error
    for r in recorded:
        assert np.array_equal(sluice.open(r.files[-1])[...], data)
    with pytest.raises(sluice.InvalidArgument, match="not replaced"):
        stem4d.live("ipc:///nobody", scans=2, record=prefix)


def test_a_scan_that_is_left_ends_and_its_recording_is_whole(data, tmp_path):
    prefix = str(tmp_path / "run")
    with simulated(data, rate=200) as detector:
        with live(detector, record=prefix) as stream:
            for scan in stream:
                for look in scan.looks("bf", every=0, disk=DISK):
                    break
        assert np.array_equal(look.scan[0, 0], data[0, 0])
    there = sluice.open(prefix + "_master.h5", allow_incomplete=True)
    assert 16 <= 54 - there.missing <= 54


def test_what_cannot_be_is_refused(data):
    with pytest.raises(sluice.InvalidArgument, match="address"):
        stem4d.live("127.0.0.1:31001")
    with pytest.raises(sluice.InvalidArgument, match="give one of"):
        stem4d.live("ipc:///nobody", order="spiral")
    with pytest.raises(sluice.InvalidArgument, match="row, column"):
        stem4d.live("ipc:///nobody", positions=np.zeros((4, 3)))
    with pytest.raises(sluice.InvalidArgument, match="scans is 0"):
        stem4d.live("ipc:///nobody", scans=0)
    with pytest.raises(sluice.Unavailable, match="no scan began"):
        next(stem4d.live("ipc:///nobody", wait_s=0.05))
    with simulated(data, rate=5000) as detector, live(detector, scan=(1, 1 << 30)) as stream:
        with pytest.raises(sluice.InvalidArgument, match="points"):
            next(stream)


def test_other_threads_work_while_one_waits(data):
    with simulated(data, rate=1000, stop_at=20) as detector, live(detector, patience_s=SECONDS) as stream:
        scan = next(stream)
        threading.Timer(0.05, scan.stop).start()
        assert scan.wait(SECONDS)


SCRIPT = """
import sys
import numpy as np
import sluice
from sluice import stem4d
data = np.ones((32, 32, 24, 24), np.uint16)
with stem4d.simulate_detector(sluice.from_array(data), rate=20, wait_s=1) as detector:
    with stem4d.live(detector.address, scans=2, record=sys.argv[2]) as stream:
        for scan in stream:
            print("begun", flush=True)
            WAY
"""


@pytest.mark.parametrize("way", ["scan.wait()", "list(scan.looks('bf', every=50, disk=stem4d.Disk((9, 9), 4)))",
                                 "scan.finish()", "scan.find_disk(9999)", "next(stream)"])
def test_ctrl_c_is_a_keyboard_interrupt_and_what_came_is_recorded(way, tmp_path):
    prefix = str(tmp_path / "run")
    run = subprocess.Popen([sys.executable, "-c", SCRIPT.replace("WAY", way), "-", prefix], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    try:
        assert run.stdout.readline() == "begun\n"
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=SECONDS)
    finally:
        run.kill()
    assert run.returncode == -signal.SIGINT and said.rstrip().endswith("KeyboardInterrupt"), said
    assert pathlib.Path(prefix + "_0001_master.h5").exists(), os.listdir(tmp_path)


def test_a_file_that_grows_is_a_live_scan(data, tmp_path):
    path = tmp_path / "scan.npy"
    np.save(tmp_path / "whole.npy", data)
    content = (tmp_path / "whole.npy").read_bytes()

    def write():
        with open(path, "wb", buffering=0) as file:
            for begin in range(0, len(content), 7001):
                file.write(content[begin:begin + 7001])

    writer = threading.Thread(target=write)
    writer.start()
    with stem4d.live(path, wait_s=SECONDS, scans=1) as stream:
        scan = next(stream)
        found = scan.finish()
        assert (scan.series, scan.why_ended, scan.state.received) == ("scan", "", 54)
    writer.join()
    assert np.array_equal(found[:, :], data)
    with pytest.raises(sluice.InvalidArgument, match="record"):
        stem4d.live(path, record=str(tmp_path / "again"))


def test_a_folder_gives_what_is_there_only_when_asked(data, tmp_path):
    data.tofile(tmp_path / "old.raw")
    options = dict(raw_dtype="uint16", raw_frame=(24, 26), scan=(6, 9), patience_s=0.5)
    with stem4d.live(tmp_path, wait_s=0.2, **options) as stream:
        with pytest.raises(sluice.Unavailable, match="no scan began"):
            next(stream)
    with stem4d.live(tmp_path, wait_s=SECONDS, existing=True, **options) as stream:
        assert np.array_equal(next(stream).finish()[:, :], data)
