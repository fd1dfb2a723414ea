"""Slides, beside what NumPy makes of the tiles that were written.

SPDX-License-Identifier: Apache-2.0
"""
import json
import logging
import pathlib
import pickle

import numpy as np
import pytest
import slide_files
from slide_files import mosaic, truth, write

import sluice
from sluice import slide as slides

PLANES = [dict(C=c, Z=z, T=t) for t in range(2) for c in range(2) for z in range(3)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("slides")


@pytest.fixture(scope="module")
def gray(folder):
    """Two scenes of two channels, three slices, two times: the tiles and the path."""
    tiles = mosaic(PLANES, "u2", scenes=2)
    return tiles, write(folder / "gray.czi", tiles)


@pytest.fixture(scope="module")
def color(folder):
    tiles = mosaic([{}], "u1", (3,))
    return tiles, write(folder / "color.czi", tiles)


@pytest.fixture(scope="module")
def pyramid(folder):
    """A texture with levels and units, by the writer of the repository's tests."""
    path = folder / "pyramid.czi"
    if not slide_files.make_czi(path, "--grid", "3x2", "--tile", "128x96", "--pyramid",
                                "--scenes", 2, "--compression", "zstd1"):
        pytest.skip("make_czi is not built")
    return path


def damaged(path, to):
    """A copy whose first tile says it has more bytes than its segment."""
    data = bytearray(pathlib.Path(path).read_bytes())
    at = data.index(b"ZISRAWSUBBLOCK") + 32
    data[at + 8:at + 16] = (1 << 50).to_bytes(8, "little")
    to.write_bytes(data)
    return to


@pytest.mark.parametrize("scene", [None, 0, 1])
def test_every_plane_is_what_was_written(gray, scene):
    tiles, path = gray
    with slides.open(path) as slide:
        for plane in PLANES:
            want, covered = truth(tiles, scene, 9, **plane)
            got = slide.read(scene=scene, background=9, **plane)
            assert got.dtype == want.dtype and np.array_equal(got, want), plane
            assert got.stats.pixels_background == np.count_nonzero(~covered)
            assert bool(got.notes) == bool((~covered).any())


def test_colours_are_r_g_b(color):
    tiles, path = color
    got = slides.open(path).read()
    assert got.axes == "YXS" and np.array_equal(got, truth(tiles)[0])
    first = tiles[0]
    assert tuple(slides.open(path).read_tile(0)[0, 0]) == tuple(first["pixels"][0, 0])


def test_regions(gray):
    tiles, path = gray
    slide = slides.open(path)
    want = truth(tiles, 1, C=1)[0]
    bounds = slide.scenes[1].bounds
    assert bounds == (280, -23, 115, 112)
    part = dict(scene=1, C=1)
    assert np.array_equal(slide.read(region=(10, 20, 30, 40), **part), want[20:60, 10:40])
    assert np.array_equal(slide.read(rect=(bounds.x + 10, bounds.y + 20, 30, 40), **part),
                          want[20:60, 10:40])
    beyond = slide.read(region=(-5, -5, 10, 10), background=3, **part)
    assert np.array_equal(beyond[5:, 5:], want[:5, :5]) and (beyond[:5] == 3).all()
    assert "75 of 100 pixels" in beyond.notes[0]
    assert slide.shape(region=(10, 20, 30, 41), **part) == (41, 30)
    assert slide.shape(scene=1, zoom=0.5) == (56, 57)


def test_planes_at_once(gray):
    tiles, path = gray
    slide = slides.open(path)
    stack = slide.read_planes(scene=0, Z=range(1, 3), T="all")
    assert stack.axes == "TCZYX" and stack.shape[:3] == (2, 2, 2)
    for t in range(2):
        for c in range(2):
            for z in (1, 2):
                assert np.array_equal(stack[t, c, z - 1], truth(tiles, 0, C=c, Z=z, T=t)[0])
    assert slide.read_planes(scene=0, C=1, Z=2).axes == "YX"
    with pytest.raises(sluice.NotFound, match="no tile"):
        slide.read_planes(region=(150, 60, 5, 5))


def test_tiles(gray):
    tiles, path = gray
    slide = slides.open(path)
    assert len(slide.tiles) == len(tiles) == len(list(slide.tiles))
    for number in (0, 17, -1):
        told, was = slide.tiles[number], tiles[number]
        assert (told.rect.x, told.rect.y) == (was["x"], was["y"])
        assert told.scene == was["scene"] and told.pixel_type == "Gray16"
        assert {d: told.at[d] for d in "TCZ"} == was["plane"]
        assert np.array_equal(slide.read_tile(number % len(tiles)), was["pixels"])
    assert [t.order for t in slide.tiles[2:4]] == list(slide.tiles.column("order")[2:4])
    here = slide.tiles_in(scene=0, C=1, Z=2, region=(0, 0, 50, 30))
    assert here == [i for i, t in enumerate(tiles) if t["scene"] == 0 and
                    t["plane"] == dict(C=1, Z=2, T=0) and t["x"] < 30 and t["y"] < 37]
    stack = slide.read_tile_stack([5, 3])
    assert stack.axes == "NYX" and np.array_equal(stack[1], tiles[3]["pixels"])
    assert slide.compression(0) == "none" and slide.pixel_type(C=1) == "Gray16"
    slide.compare_all()
    assert slide.check(pixels=True, progress=False) == [] or all(
        v.note or v.rule != "pixels" for v in slide.check(pixels=True, progress=False))


def test_mapped_tiles_are_views(color):
    tiles, path = color
    slide = slides.open(path, map=True)
    view = slide.view_tile(3)
    assert not view.flags.writeable
    assert np.array_equal(view.reshape(40, 60, 3)[..., ::-1], tiles[3]["pixels"])
    slide.close()
    assert view[0] == tiles[3]["pixels"][0, 0, 2]  # the view keeps the file
    with pytest.raises(sluice.Unsupported, match="mapped"):
        slides.open(path).view_tile(0)


def test_memory_is_ones_own(color):
    _, path = color
    slide = slides.open(path)
    one, two = slide.read(), slide.read()
    one[...] = 0
    assert two.any() and one.flags.writeable and one.flags.c_contiguous
    slide.close()
    assert two.any()


def test_what_reads_return_is_a_plain_array_but_for_its_notes(color):
    got = slides.open(color[1]).read(region=(-1, 0, 5, 5))
    assert isinstance(got, np.ndarray) and got.notes
    assert type(got[1:]) is np.ndarray and type(got + 1) is np.ndarray
    assert isinstance(got.mean(), float) and type(np.sqrt(got)) is np.ndarray
    again = pickle.loads(pickle.dumps(got))
    assert np.array_equal(again, got) and again.notes == got.notes and again.stats == got.stats
    assert got.copy().notes == [] and got.reshape(-1).notes == []


def test_levels_and_zooms(pyramid):
    slide = slides.open(pyramid)
    assert [level.factor for level in slide.levels] == [1, 2, 4]
    whole = slide.read(scene=0)
    for level in (1, 2):
        got = slide.read(scene=0, level=level)
        assert got.shape == (180 // 2 ** level, 360 // 2 ** level, 3)
        small = whole[:, :].reshape(got.shape[0], 2 ** level, got.shape[1], 2 ** level,
                                    3).mean((1, 3))
        assert np.corrcoef(got.ravel(), small.ravel())[0, 1] > 0.95
    assert slide.read(scene=0, zoom=0.25).shape == (45, 90, 3)
    assert np.array_equal(slide.read(scene=0, zoom=0.5), slide.read(scene=0, level=1))
    assert slide.read(scene=0, zoom=0.3, reduced=True).shape == (54, 108, 3)
    about = slide.metadata
    assert abs(about.x_um - 0.22) < 1e-12 and about.channels[0].name == "C1"
    assert [s.name for s in about.scenes] == ["Scene1", "Scene2"]
    assert about.sizes == {"C": 1, "Z": 1, "T": 1}


def test_means_of_what_a_pixel_covers(gray):
    tiles, path = gray
    got = slides.open(path).read(scene=0, region=(0, 0, 110, 108), zoom=0.5)
    want = truth(tiles, 0)[0][:108, :110].reshape(54, 2, 55, 2).mean((1, 3))
    assert abs(got - want).max() <= 0.51


def test_jpeg_xr_reduced(folder):
    path = folder / "xr.czi"
    if not slide_files.make_czi(path, "--grid", "2x2", "--tile", "128"):
        pytest.skip("make_czi is not built")
    slide = slides.open(path)
    assert slide.read(reduction=4).shape == tuple(
        -(-n // 4) for n in slide.read().shape[:2]) + (3,)


def test_damaged_tiles(color, folder):
    tiles, path = color
    slide = slides.open(damaged(path, folder / "damaged.czi"))
    with pytest.raises(sluice.Error, match="damaged.czi"):
        slide.read()
    got = slide.read(fill_bad=200)
    assert got.stats.tiles_bad == 1 and [b.tile for b in got.bad] == [0]
    assert isinstance(got.bad[0].error, sluice.Error)
    assert any("damaged" in note for note in got.notes)
    assert (got[:30, :50] == 200).all()
    want = truth(tiles)[0]
    assert np.array_equal(got[40:], want[40:])
    assert np.array_equal(slide.read(region=(60, 40, 20, 20)), want[40:60, 60:80])
    assert [v.rule for v in slide.check(pixels=True, progress=False) if not v.note][-1] == "pixels"


def test_the_lazy_array_logs_what_it_fills(color, folder, caplog):
    slide = slides.open(damaged(color[1], folder / "damaged2.czi"))
    with pytest.raises(sluice.Error):
        slide.array()[0]
    with caplog.at_level(logging.WARNING, "sluice"):
        assert (slide.array(fill_bad=7)[0, :50] == 7).all()
    assert "filled with 7" in caplog.text


def test_a_cache_keeps_tiles(pyramid):
    slide = slides.open(pyramid)
    cache = slides.TileCache(1 << 24)
    first = slide.read(cache=cache)
    second = slide.read(cache=cache)
    assert np.array_equal(first, second) and second.stats.bytes_read == 0


def test_traces(color):
    trace = slides.Trace(2)
    slides.open(color[1]).read(trace=trace, threads=2)
    assert any(span[0] == "read" for span in trace.spans())
    assert json.loads(trace.events())["traceEvents"]


def test_it_travels_by_its_path(gray):
    tiles, path = gray
    slide = slides.open(path)
    again = pickle.loads(pickle.dumps(slide))
    assert np.array_equal(again.read(C=1), slide.read(C=1))
    assert again.__dask_tokenize__() == slide.__dask_tokenize__()
    mapped = pickle.loads(pickle.dumps(slides.open(path, map=True)))
    assert mapped._how == (str(path), {"map": True})


def test_convert_and_read_again(gray, pyramid, folder):
    tiles, path = gray
    told = []
    report = slides.convert(path, folder / "gray.zarr", chunk=64, verify=True,
                            progress=lambda *n: told.append(n))
    assert told and report.chunks_verified > 0 and len(report.images) == 2
    assert report.images[1].shape == (2, 2, 3, 112, 115)
    parts = slides.slides_in(folder / "gray.zarr")
    assert len(parts) == 2 and slides.slides_in(path) == [str(path)]
    with slides.open(parts[1]) as converted:
        assert converted.format == "ome-zarr" and converted.attachments == []
        stack = converted.array()
        assert stack.axes == "TCZYX"
        for plane in PLANES:
            want = truth(tiles, 1, **plane)[0]
            assert np.array_equal(stack[plane["T"], plane["C"], plane["Z"]], want)
        for call in (converted.xml, lambda: converted.attachment("Label"), converted.check,
                     lambda: converted.header, lambda: converted.convert(folder / "no.zarr"),
                     converted.profile):
            with pytest.raises(sluice.Unsupported, match="CZI"):
                call()
    with slides.open(pyramid) as slide:
        report = slide.convert(folder / "color.zarr", ngff="0.5", shard=512, chunk=128,
                               codec="zstd", layout="merged",
                               provenance={"who": "a test"})
        assert report.path.endswith("color.zarr")
    with pytest.raises(sluice.InvalidArgument, match="exists"):
        slides.convert(path, folder / "gray.zarr")
    slides.convert(path, folder / "gray.zarr", force=True, codec="none", channels=[1])


def test_a_conversion_given_up_leaves_nothing(gray, folder):
    _, path = gray
    place = folder / "up"
    place.mkdir()
    with pytest.raises(sluice.Cancelled):
        slides.convert(path, place / "a.zarr", progress=lambda *_: False)
    assert list(place.iterdir()) == []
    with pytest.raises(ZeroDivisionError):
        slides.convert(path, place / "a.zarr", progress=lambda *_: 1 / 0)
    assert list(place.iterdir()) == []
    with pytest.raises(sluice.Cancelled):
        slides.convert(path, place / "a.zarr", progress=lambda *_: False, resume=True)
    assert [p.name for p in place.iterdir()] == ["a.zarr.part"]
    assert slides.convert(path, place / "a.zarr", resume=True).resumed
    assert [p.name for p in place.iterdir()] == ["a.zarr"]
    other = place / "b.zarr.part"
    other.mkdir()
    (other / "mine.txt").write_text("keep")
    with pytest.raises(sluice.InvalidArgument):
        slides.convert(path, place / "b.zarr", force=True)
    assert (other / "mine.txt").read_text() == "keep"


def test_profile(pyramid):
    found = slides.profile(pyramid, scene=0, threads=[1, 2], cold=False, progress=False)
    assert [r.threads for r in found.reads] == [1, 2] and found.cold_read is None
    assert found.findings and found.findings[0].text
    assert found.reads[0].stats.tiles_decoded > 0 and found.shape[2] == 3
    assert json.loads(found.trace_events())["traceEvents"]
    assert found.order_svg().startswith("<svg") or "<svg" in found.order_svg()


def test_attachments(folder):
    if not slide_files.DATA:
        pytest.skip("SLUICE_DATA is not set: no file with attachments")
    for path in sorted(pathlib.Path(slide_files.DATA, "czi").glob("*.czi")):
        with slides.open(path) as slide:
            for a in slide.attachments:
                if not a.problem and [b.name for b in slide.attachments].count(a.name) == 1:
                    assert len(slide.attachment(a.name)) == a.size
            with pytest.raises(sluice.NotFound, match="no attachment"):
                slide.attachment("nothing")


def test_files_of_microscopes():
    if not slide_files.DATA:
        pytest.skip("SLUICE_DATA is not set: no files of microscopes")
    paths = sorted(pathlib.Path(slide_files.DATA, "czi").glob("*.czi"))
    assert paths
    for path in paths:
        with slides.open(path) as slide:
            assert slide.metadata.notes == slide.metadata.notes and repr(slide)
            scene = slide.scenes[0]
            at = slide.tiles[0].rect
            got = slide.read(rect=(at.x, at.y, min(at.width, 64), min(at.height, 64)),
                             **{d: slide.tiles[0].at[d] for d in "CZT"})
            assert got.size and scene.tiles > 0, path


CALLS = {
    "missing file": lambda s: slides.open("/nowhere/a.czi"),
    "folder": lambda s: slides.open("/tmp"),
    "bytes": lambda s: slides.open(b"/nowhere"),
    "number": lambda s: slides.open(3),
    "both": lambda s: slides.open(s.path, recover=True, trust_directory=True),
    "slides_in": lambda s: slides.slides_in(None),
    "letter": lambda s: s.read(Q=1), "channel": lambda s: s.read(C=9),
    "channel type": lambda s: s.read(C="red"), "float": lambda s: s.read(C=0.5),
    "huge": lambda s: s.read(C=2 ** 40), "negative": lambda s: s.read(Z=-1),
    "scene": lambda s: s.read(scene=7), "scene region": lambda s: s.read(scene=7,
                                                                          region=(0, 0, 1, 1)),
    "scene type": lambda s: s.read(scene="Scene1"),
    "level": lambda s: s.read(level=9), "level type": lambda s: s.read(level="0"),
    "level below": lambda s: s.read(level=-1),
    "zoom": lambda s: s.read(zoom=0), "zoom 2": lambda s: s.read(zoom=2),
    "zoom nan": lambda s: s.read(zoom=float("nan")),
    "zoom and level": lambda s: s.read(zoom=0.5, level=1),
    "region outside": lambda s: s.read(region=(10 ** 6, 0, 5, 5)),
    "region far": lambda s: s.read(region=(2 ** 62, 0, 5, 5)),
    "region empty": lambda s: s.read(region=(0, 0, 0, 5)),
    "region three": lambda s: s.read(region=(0, 0, 5)),
    "region floats": lambda s: s.read(region=(0, 0, 5.5, 5)),
    "region text": lambda s: s.read(region="0,0,5,5"),
    "region number": lambda s: s.read(region=5),
    "region wide": lambda s: s.read(region=(0, 0, 2 ** 39, 2 ** 39)),
    "region and rect": lambda s: s.read(region=(0, 0, 5, 5), rect=(0, 0, 5, 5)),
    "reduction": lambda s: s.read(reduction=3), "threads": lambda s: s.read(threads=-1),
    "threads many": lambda s: s.read(threads=10 ** 6),
    "background": lambda s: s.read(background="black"),
    "background big": lambda s: s.read(region=(-1, 0, 4, 4), background=1e9),
    "fill": lambda s: s.read(fill_bad=-1), "cache": lambda s: s.read(cache=3),
    "trace": lambda s: s.read(trace="t.json"), "progress": lambda s: s.read(progress="yes"),
    "planes letter": lambda s: s.read_planes(Q=1),
    "planes range": lambda s: s.read_planes(Z=range(0, 3, 2)),
    "planes none": lambda s: s.read_planes(Z=range(0)),
    "planes beyond": lambda s: s.read_planes(Z=range(1, 99)),
    "planes text": lambda s: s.read_planes(C="every"),
    "planes many": lambda s: s.read_planes(T=range(2 ** 31 - 1)),
    "tile": lambda s: s.read_tile(10 ** 6), "tile below": lambda s: s.read_tile(-1),
    "tile type": lambda s: s.read_tile("first"), "tile none": lambda s: s.read_tile_stack([]),
    "tile stack": lambda s: s.read_tile_stack([0, 10 ** 6]),
    "tile stack type": lambda s: s.read_tile_stack(5),
    "tiles_in": lambda s: s.tiles_in(level=9), "tiles_in C": lambda s: s.tiles_in(C=4),
    "tiles index": lambda s: s.tiles[10 ** 6], "tiles column": lambda s: s.tiles.column("colour"),
    "view": lambda s: s.view_tile(10 ** 6), "compression": lambda s: s.compression(10 ** 6),
    "compression below": lambda s: s.compression(-3),
    "pixel type": lambda s: s.pixel_type(C=9), "attachment": lambda s: s.attachment("Label"),
    "attachment type": lambda s: s.attachment(4),
    "array scene": lambda s: s.array(9), "array level": lambda s: s.array(level=9),
    "array plane": lambda s: s.array(C=9), "array letter": lambda s: s.array(Q=0),
    "array index": lambda s: s.array()[99], "array fill": lambda s: s.array(fill_bad="no"),
    "cache bytes": lambda s: slides.TileCache(-1), "cache none": lambda s: slides.TileCache(None),
    "trace workers": lambda s: slides.Trace(0),
    "convert source": lambda s: slides.convert(5, "/tmp/x"),
    "convert path": lambda s: s.convert(None), "convert into a file": lambda s: s.convert(s.path + "/a"),
    "convert chunk": lambda s: s.convert("/tmp/never", chunk=63),
    "convert codec": lambda s: s.convert("/tmp/never", codec="rar"),
    "convert level": lambda s: s.convert("/tmp/never", codec_level=99),
    "convert layout": lambda s: s.convert("/tmp/never", layout="heap"),
    "convert ngff": lambda s: s.convert("/tmp/never", ngff="0.9"),
    "convert scene": lambda s: s.convert("/tmp/never", scenes=[7]),
    "convert channel": lambda s: s.convert("/tmp/never", channels=[7]),
    "convert plane": lambda s: s.convert("/tmp/never", plane={"HH": 1}),
    "convert letter": lambda s: s.convert("/tmp/never", plane={"X": 1}),
    "convert shard": lambda s: s.convert("/tmp/never", shard=100),
    "convert device": lambda s: s.convert("/tmp/never", device="gpu9"),
    "convert memory": lambda s: s.convert("/tmp/never", memory_limit=0),
    "convert fill": lambda s: s.convert("/tmp/never", background=-7),
    "convert option": lambda s: s.convert("/tmp/never", colour=1),
    "profile source": lambda s: slides.profile(5), "profile level": lambda s: s.profile(level=9),
    "profile threads": lambda s: s.profile(threads=[0]),
    "profile number": lambda s: s.profile(threads=4),
    "profile tiles": lambda s: s.profile(max_tiles=-1),
    "profile region": lambda s: s.profile(region=(10 ** 6, 0, 5, 5)),
}


@pytest.mark.parametrize("what", CALLS)
def test_what_makes_no_sense_is_an_exception(gray, what):
    slide = slides.open(gray[1])
    with pytest.raises((sluice.Error, TypeError, ValueError, IndexError)) as raised:
        CALLS[what](slide)
    assert str(raised.value)
    assert "incompatible function arguments" not in str(raised.value) or what in (
        "slides_in", "attachment type"), str(raised.value)


@pytest.mark.parametrize("call", [
    lambda s: s.read(), lambda s: s.tiles, lambda s: s.levels, lambda s: s.scenes,
    lambda s: s.bounds, lambda s: s.first, lambda s: s.counts, lambda s: s.notes,
    lambda s: s.metadata, lambda s: s.attachments, lambda s: s.time_stamps, lambda s: s.header,
    lambda s: s.xml(), lambda s: s.attachment("a"), lambda s: s.check(),
    lambda s: s.compare_all(), lambda s: s.pixel_type(), lambda s: s.compression(0),
    lambda s: s.shape(), lambda s: s.read_planes(), lambda s: s.read_tile(0),
    lambda s: s.read_tile_stack([0]), lambda s: s.tiles_in(), lambda s: s.view_tile(0),
    lambda s: s.array(), lambda s: s.convert("/tmp/never"), lambda s: s.profile()])
def test_a_closed_slide(gray, call):
    slide = slides.open(gray[1])
    array = slide.array()
    slide.close()
    assert "closed" in repr(slide)
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        call(slide)
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        array[0]


def test_what_is_no_slide(folder):
    for name, content in (("empty.czi", b""), ("text.czi", b"no slide" * 100),
                          ("cut.czi", b"ZISRAWFILE" + bytes(20))):
        path = folder / name
        path.write_bytes(content)
        with pytest.raises(sluice.Error, match=name):
            slides.open(path)
