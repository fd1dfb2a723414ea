"""The widget over a comm that the tests play: what JupyterLab and its page do is done here.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import gc
import json
import os
import threading
import time

import numpy as np
import pytest

import sluice
from sluice import stem4d

pytest.importorskip("anywidget")
import comm  # noqa: E402
from comm.base_comm import BaseComm  # noqa: E402

SYNTHETIC = "synthetic:stem4d?scan=7x9&detector=32x40&seed=5"


class FakeComm(BaseComm):
    """Keeps what the kernel sends."""

    made = []

    def __init__(self, *args, **kwargs):
        self.sent = []
        self.arrived = threading.Condition()
        FakeComm.made.append(self)
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        with self.arrived:
            self.sent.append((msg_type, data or {}, buffers))
            self.arrived.notify_all()


class Page:
    """What a page in a notebook is: it asks, and waits for answers of its own key."""

    def __init__(self, widget, key="page"):
        self.widget, self.key, self.comm, self.read = widget, key, widget.comm, 0
        self.ids = 0

    def say(self, content, buffers=()):
        message = {"content": {"data": {"method": "custom",
                                        "content": {**content, "from": self.key}}},
                   "buffers": list(buffers)}
        self.comm.handle_msg(message)

    def hear(self, wanted, seconds=60):
        """The first message for this page that is wanted: its content, header and buffers."""
        end = time.monotonic() + seconds
        with self.comm.arrived:
            while True:
                while self.read < len(self.comm.sent):
                    kind, data, buffers = self.comm.sent[self.read]
                    self.read += 1
                    content = data.get("content", {}) if data.get("method") == "custom" else {}
                    if content.get("to") not in (self.key, "*"):
                        continue
                    header = json.loads(content.get("header", "{}"))
                    if wanted(content, header):
                        return content, header, buffers
                if not self.comm.arrived.wait(max(0, end - time.monotonic())):
                    raise AssertionError("nothing came")

    def open(self):
        self.say({"op": "open"})
        return self.hear(lambda _, header: header.get("op") == "hello")[1]

    def ask(self, op, slot="s", **fields):
        self.ids += 1
        self.say({"op": "ask", "request": json.dumps(
            {"op": op, "id": self.ids, "slot": slot, **fields})})
        return self.ids

    def answer(self, number):
        return self.hear(lambda _, header: header.get("id") == number
                         and header["op"] != "progress")


@pytest.fixture(autouse=True)
def notebook(monkeypatch):
    FakeComm.made.clear()
    monkeypatch.setattr(comm, "create_comm", FakeComm)
    yield
    FakeComm.made.clear()


@pytest.fixture
def widget():
    w = stem4d.show(SYNTHETIC)
    yield w
    w.close()


def test_a_page_is_greeted_and_answered(widget):
    page = Page(widget)
    hello = page.open()
    assert hello["protocol"] == 1 and hello["datasets"][0]["path"] == SYNTHETIC
    widget.load(20)
    content, header, [payload] = page.answer(page.ask(
        "image", dataset="d1", mode="sum", rotation="none",
        detectors=[{"shape": "disk", "center": [15, 20], "outer": 5}]))
    assert content["op"] == "say" and header["step"] == 1
    [array] = header["arrays"]
    values = np.frombuffer(payload, array["dtype"], 63, array["offset"])
    wanted = stem4d.virtual_image(sluice.load(SYNTHETIC), stem4d.disk(5, (15, 20))).values[0]
    assert np.array_equal(values.reshape(array["shape"])[0], wanted)


def test_pages_hear_only_their_own_answers(widget):
    one, other = Page(widget, "one"), Page(widget, "other")
    one.open()
    other.open()
    widget.load(20)
    number = one.ask("frame", dataset="d1", row=1, col=2)
    assert one.answer(number)[1]["op"] == "frame"
    other.answer(other.ask("ping"))
    assert not [c for _, d, _ in other.comm.sent for c in [d.get("content", {})]
                if c.get("to") == "other" and '"frame"' in c.get("header", "")]


def test_of_a_slot_the_newest_is_answered(widget):
    page = Page(widget)
    page.open()
    widget.load(20)
    numbers = [page.ask("frame", dataset="d1", row=i % 7, col=i % 9) for i in range(200)]
    assert page.answer(numbers[-1])[1]["request"]["row"] == 199 % 7


def test_mistakes_are_told_and_too_many_close(widget):
    page = Page(widget)
    page.open()
    _, header, _ = page.answer(page.ask("fly"))
    assert header["op"] == "error" and header["code"] == "invalid_argument"
    for _ in range(5):
        page.ask("fly")
    content, _, _ = page.hear(lambda content, _: content["op"] == "closed")
    assert content["final"] is False
    page.open()


def test_what_is_set_here_reaches_pages_and_those_that_open_later(widget):
    page = Page(widget)
    assert page.open()["session"] is None
    widget.detectors = ["adf", stem4d.disk(4, (10, 12), "mine")]
    widget.selected = 1
    content, _, _ = page.hear(lambda content, _: content["op"] == "state"
                              and content["state"].get("selected") == "p1")
    region = content["state"]["detectors"][1]["region"]
    assert region == {"shape": "disk", "center": [10, 12], "outer": 4}
    widget.probe = (3, 4)
    session = Page(widget, "later").open()["session"]
    assert session["scan"]["probe"] == [3, 4] and session["detectors"][1]["name"] == "mine"


def test_what_is_set_in_a_page_is_read_here(widget):
    widget.load(20)
    page, heard = Page(widget), []
    page.open()
    stop = widget.on("probe", heard.append)
    state = {**widget.session, "mode": "com_row",
             "detectors": [{"key": "d7", "name": "BF", "color": "#fff", "region": {
                 "shape": "annulus", "center": [16.5, 20], "inner": 2, "outer": 6}}],
             "selected": "d7", "scan": {"probe": [5, 6], "region": None, "regionKind": "max",
                                        "source": "probe"}}
    before = len(page.comm.sent)
    page.say({"op": "state", "revision": 0, "state": state})
    assert widget.mode == "com_row" and widget.probe == (5, 6) and heard == [(5, 6)]
    assert widget.detectors == [stem4d.annulus(2, 6, (16.5, 20), "BF")]
    assert widget.source == "probe" and widget.region_kind == "max"
    # Pages are not told what a page said.
    assert not [d for _, d, _ in page.comm.sent[before:]
                if d.get("content", {}).get("op") == "state"]
    widget.mode = "sum"
    page.say({"op": "state", "revision": 0, "state": state})
    assert widget.mode == "sum", "a page that has not heard of it yet changes nothing back"
    stop()
    widget.probe = (0, 0)
    assert heard == [(5, 6)]


def test_images_are_those_of_the_library(widget):
    scan = sluice.load(SYNTHETIC)
    frames = scan.to_numpy()
    for name in ("bf", "adf"):
        widget.detectors = name
        assert np.array_equal(widget.image, stem4d.virtual_image(scan, name).values[0])
    widget.apply_preset("bf")
    assert np.array_equal(widget.image, stem4d.virtual_image(scan, "bf").values[0])
    widget.probe = (2, 8)
    assert np.array_equal(widget.frame, frames[2, 8])
    widget.source = "max"
    assert np.array_equal(widget.pattern, frames.max((0, 1)))
    widget.region, widget.source = stem4d.rectangle((1, 1), (2, 3)), "region"
    np.testing.assert_allclose(widget.pattern, frames[1:3, 1:4].mean((0, 1)), rtol=1e-6)
    widget.mode, widget.descan = "com_row", "mean"
    com = stem4d.center_of_mass(scan)
    np.testing.assert_allclose(widget.image, com.row - com.row.mean(), atol=1e-4)


def test_lengths_are_of_the_full_detector():
    w = stem4d.show(SYNTHETIC, det_bin=2, detectors=stem4d.disk(6, (15.5, 19.5)))
    try:
        scan = sluice.load(SYNTHETIC, det_bin=2)
        assert w.detector_shape == (16, 20)
        assert np.array_equal(w.image, stem4d.virtual_image(scan, w.detectors[0]).values[0])
        assert w.disk.radius == pytest.approx(stem4d.find_disk(scan).radius)
        [of_page] = w.session["detectors"]
        assert of_page["region"] == {"shape": "disk", "center": [7.5, 9.5], "outer": 3}
    finally:
        w.close()


def test_arrays_series_and_scans_that_are_loaded():
    rng = np.random.default_rng(1)
    series = rng.poisson(3, (2, 4, 5, 16, 16)).astype(np.uint16)
    floats = rng.random((4, 5, 16, 16)).astype(np.float32)
    scan = sluice.load(SYNTHETIC)
    w = stem4d.show(series, [floats, scan], detectors=stem4d.disk(3, (8, 8)))
    try:
        assert len({one["path"] for one in w.datasets}) == 4
        for index, frames in enumerate([series[0], series[1], floats]):
            w.index = index
            wanted = stem4d.virtual_image(sluice.from_array(frames), w.detectors[0]).values[0]
            np.testing.assert_allclose(w.image, wanted, rtol=1e-6)
        w.index = 3
        w.load(20)
        assert w.datasets[3]["state"] == "ready" and w.image.shape == (7, 9)
    finally:
        w.close()


def test_what_cannot_be_set_is_refused(widget):
    with pytest.raises(sluice.InvalidArgument, match="the viewer shows the shapes"):
        widget.detectors = stem4d.mask(np.ones((32, 40)))
    with pytest.raises(sluice.InvalidArgument, match="the scan has 7 x 9"):
        widget.probe = (7, 0)
    with pytest.raises(Exception, match="mode"):
        widget.mode = "dark"
    with pytest.raises(sluice.InvalidArgument, match="no event"):
        widget.on("colour", print)
    with pytest.raises(FileNotFoundError):
        stem4d.show("/nowhere/a.h5")
    with pytest.raises(sluice.InvalidArgument, match="nothing to show"):
        stem4d.show()


def rss():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_free_gives_the_memory_back_and_pages_say_so():
    # Random bits, so that planes are as large as the array.
    frames = np.random.default_rng(0).integers(0, 256, (64, 64, 128, 128), dtype=np.uint8)
    w = stem4d.show(frames)
    page = Page(w)
    page.open()
    w.load(60)
    assert w.image.shape == (64, 64)
    full = rss()
    assert w.datasets[0]["bytes"]["resident"] > 60e6
    w.free()
    gc.collect()
    assert rss() < full - 50e6
    assert page.hear(lambda content, _: content["op"] == "closed")[0]["final"] is True
    page.say({"op": "open"})
    assert page.hear(lambda content, _: content["op"] == "closed")[0]["final"] is True
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        w.image
    w.free()
    w.close()


def test_the_saved_state_is_small_and_the_picture_is_kept(widget):
    page = Page(widget)
    page.open()
    page.say({"op": "picture"}, [memoryview(b"\x89PNG")])
    assert widget.png == b"\x89PNG"
    state = widget.get_state()
    assert len(state.pop("_esm")) < 1_000_000
    assert len(repr(state)) < 10_000


def test_pages_that_never_close_are_forgotten(widget):
    pages = [Page(widget, f"p{i}") for i in range(20)]
    for page in pages:
        page.open()
    pages[0].ask("ping")
    assert pages[0].hear(lambda content, _: content["op"] == "closed")[0]["final"] is False
    assert pages[19].answer(pages[19].ask("ping"))[1]["op"] == "pong"


def write_slide(folder):
    """An OME-Zarr folder of one image [channel, row, column]."""
    level = folder / "0"
    level.mkdir(parents=True)
    axes = [{"name": "c", "type": "channel"}] + [
        {"name": name, "type": "space", "unit": "micrometer"} for name in "yx"]
    scale = [{"type": "scale", "scale": [1, 0.5, 0.5]}]
    (folder / ".zgroup").write_text('{"zarr_format": 2}')
    (folder / ".zattrs").write_text(json.dumps({"multiscales": [{
        "version": "0.4", "name": "slide", "axes": axes,
        "datasets": [{"path": "0", "coordinateTransformations": scale}]}]}))
    (level / ".zarray").write_text(json.dumps({
        "zarr_format": 2, "shape": [1, 40, 50], "chunks": [1, 40, 50], "dtype": "<u2",
        "compressor": None, "filters": None, "fill_value": 0, "order": "C",
        "dimension_separator": "/"}))
    pixels = np.arange(2000, dtype="<u2").reshape(1, 40, 50)
    (level / "0/0").mkdir(parents=True)
    (level / "0/0/0").write_bytes(pixels.tobytes())
    return pixels[0]


def test_slides_are_shown_by_their_paths(tmp_path):
    pixels = write_slide(tmp_path / "a.zarr")
    w = sluice.slide.show(tmp_path / "a.zarr")
    try:
        page = Page(w)
        hello = page.open()
        assert hello["slides"] == w.slides and w.slides[0]["bounds"][2:] == [50, 40]
        _, header, [payload] = page.answer(page.ask("tile", slide=w.slides[0]["id"], zoom=0, row=0,
                                                    col=0, plane={}))
        [array] = header["arrays"]
        found = np.frombuffer(payload, array["dtype"], 2000, array["offset"])
        assert np.array_equal(found.reshape(40, 50), pixels)
    finally:
        w.close()
    with pytest.raises(sluice.InvalidArgument, match="shown by their files"):
        sluice.slide.show(pixels)


def test_volumes_are_shown_by_their_paths(tmp_path):
    values = np.arange(60, dtype="<f4").reshape(3, 4, 5)
    (tmp_path / "dose.mha").write_bytes(
        b"ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_FLOAT\n"
        b"ElementSpacing = 1 1 2\nOffset = 0 0 0\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        b"ElementDataFile = LOCAL\n" + values.tobytes())
    w = sluice.proton.show(tmp_path / "dose.mha")
    try:
        page = Page(w)
        page.open()
        which = w.volumes[0]["id"]
        _, header, [payload] = page.answer(page.ask(
            "plane", volume=which, onto=which, across="x", down="y", at=2))
        [array] = header["arrays"]
        found = np.frombuffer(payload, array["dtype"], 20, array["offset"])
        assert np.array_equal(found.reshape(4, 5), values[1])
    finally:
        w.close()


@pytest.fixture(scope="module")
def reconstructed():
    counts = np.random.default_rng(3).poisson(20, (16, 16, 16)).astype(np.uint8)
    places = [(4 * r, 4 * c) for r in range(4) for c in range(4)]
    return stem4d.ptychography(
        stem4d.Patterns(counts, places, wavelength_nm=0.002, pixel_nm=0.01),
        stem4d.PtychographyStage("lsqml", 2, refine_positions=True), modes=2,
        probe=np.ones((16, 16)) + 0j, progress=False)


def test_results_of_ptychography_are_shown_as_objects_and_by_their_paths(tmp_path, reconstructed):
    reconstructed.save(tmp_path / "a.h5")
    w = stem4d.show(tmp_path / "a.h5", reconstructed)
    try:
        page = Page(w)
        assert [one["job"]["name"] for one in page.open()["results"]] == ["a.h5", "result"]
        for number in (1, 2):
            told = w.results[number - 1]
            assert told["state"]["state"] == "saved" and told["state"]["iteration"] == 2
            assert told["job"]["pixel_nm"] == 0.01 and told["job"]["stages"][0]["refines"]
            assert ["modes", "2"] in told["job"]["settings"]
            _, header, [payload] = page.answer(page.ask("object", slice=0, job=number))
            [array] = header["arrays"]
            found = np.frombuffer(payload, array["dtype"]).reshape(array["shape"])
            assert np.array_equal(found[0] + 1j * found[1], reconstructed.object[0])
            _, header, [payload] = page.answer(page.ask("positions", job=number))
            started, moved = header["arrays"]
            first = np.frombuffer(payload, "f8", 32, started["offset"]).reshape(16, 2)
            by = np.frombuffer(payload, "f4", 32, moved["offset"]).reshape(16, 2)
            assert np.array_equal(first, reconstructed.started)
            assert np.allclose(first + by, reconstructed.positions, atol=1e-5)
        assert w.results[0]["job"]["path"] == str(tmp_path / "a.h5")
        assert w.results[1]["job"]["path"] == ""
        # The last picture stays in the notebook.
        page.say({"op": "picture"}, [memoryview(b"a picture")])
        assert w.png == b"a picture"
    finally:
        w.close()


def test_results_and_scans_are_kept_apart(tmp_path, reconstructed):
    with pytest.raises(sluice.InvalidArgument, match="not shown together"):
        stem4d.show(reconstructed, SYNTHETIC)
    with pytest.raises(sluice.InvalidArgument, match="options of scans"):
        stem4d.show(reconstructed, detectors="bf")
    odd = dataclasses.replace(reconstructed, started=reconstructed.started[:3])
    with pytest.raises(sluice.InvalidArgument, match="started has 3 entries"):
        stem4d.show(odd)
    reconstructed.save(tmp_path / "a.h5")
    (tmp_path / "a.h5").write_bytes((tmp_path / "a.h5").read_bytes()[:5000])
    with pytest.raises(sluice.Error):
        stem4d.show(tmp_path / "a.h5")


def test_two_threads_ask_at_once(widget):
    widget.load(20)
    found = []

    def ask(detector):
        _, arrays = widget._viewer.ask({
            "op": "image", "dataset": "d1", "mode": "sum", "rotation": "none",
            "detectors": [{"shape": "disk", "center": [15, 20], "outer": detector}]}, 20)
        found.append((detector, arrays["images"][0].sum()))
    threads = [threading.Thread(target=ask, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sums = [value for _, value in sorted(found)]
    assert len(sums) == 8 and sums == sorted(sums) and sums[0] < sums[-1]


def test_without_anywidget_it_says_what_to_install(monkeypatch):
    import sys

    from sluice._view import _widget
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.setattr(_widget, "base", _widget.base.__wrapped__)
    with pytest.raises(ImportError, match=r"pip install 'sluice\[notebook\]'"):
        _widget.base()


CRYSTAL = ("synthetic:crystal?scan=6x9&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=8000&masked=0&field=step&"
           "strain=0.02,0,0,1")


def test_disks_and_strain_in_the_page_are_those_of_python():
    scan = sluice.load(CRYSTAL)
    plan = stem4d.plan_disks(scan, least_score=60)
    vectors = stem4d.find_disks(scan, plan)
    widget = stem4d.show(scan)
    try:
        page = Page(widget)
        page.open()
        options = {"least_score": 60}
        for row, col in ((0, 0), (3, 7)):
            _, header, [payload] = page.answer(page.ask("disks", dataset="d1", row=row, col=col, disks=options))
            assert header["plan"]["why"] == list(plan.why)
            want = vectors[row, col]
            assert len(want) > 5 and header["arrays"][0]["shape"] == [len(want), 9]
            found = np.frombuffer(payload, np.float32, 9 * len(want)).reshape(-1, 9)
            for i, name in enumerate(("row", "col", "intensity", "background", "var_row", "var_col")):
                assert np.array_equal(found[:, i], want[name])
            assert np.array_equal(found[:, 8], want["score"])
            # Of one pattern alone the bits may differ, the numbers do not.
            alone = stem4d.find_disks(np.asarray(stem4d.frame(scan, row, col), float), plan)[0, 0]
            assert np.allclose(alone["row"], want["row"], atol=1e-4)
        _, header, [payload] = page.answer(page.ask("strain", dataset="d1", disks=options,
                                                    strain={"axis_degrees": 20}))
        maps = stem4d.strain(stem4d.refine_lattice(scan, stem4d.know_lattice(scan, plan))[1], axis_degrees=20)
        values = np.frombuffer(payload, np.float32, 4 * 54, header["arrays"][0]["offset"]).reshape(4, 6, 9)
        for i, one in enumerate((maps.e_xx, maps.e_yy, maps.e_xy, maps.omega)):
            assert np.array_equal(values[i], np.asarray(one).astype(np.float32), equal_nan=True)
    finally:
        widget.close()
