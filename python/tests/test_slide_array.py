"""Slides as lazy arrays, beside NumPy's indices of the same planes.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import pickle

import numpy as np
import pytest
import slide_files
from hypothesis import given, settings
from hypothesis import strategies as st
from slide_files import mosaic, truth, write

import sluice
from sluice import slide as slides
from sluice.slide._array_reads import _bands
from sluice.slide._levels import complete_levels

PLANES = [dict(C=c, Z=z, T=0) for c in range(2) for z in range(3)]
SHAPE = (2, 3, 112, 115)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("arrays")


@pytest.fixture(scope="module")
def stack(folder):
    tiles = mosaic(PLANES, "u2", scenes=2)
    write(folder / "stack.czi", tiles)
    values = np.zeros(SHAPE, "u2")
    for plane in PLANES:
        values[plane["C"], plane["Z"]] = truth(tiles, 1, **plane)[0]
    return folder / "stack.czi", values


@pytest.fixture(scope="module")
def color(folder):
    tiles = mosaic([{}], "u1", (3,))
    return write(folder / "color.czi", tiles), truth(tiles)[0]


def axis(size):
    return st.one_of(st.integers(-size, size - 1), st.slices(size))


@st.composite
def indices(draw):
    parts = [draw(axis(size)) for size in SHAPE]
    kind = draw(st.sampled_from(["none", "list", "mask"]))
    if kind != "none":
        parts = [p if isinstance(p, slice) else slice(None) for p in parts]
        one = draw(st.integers(0, 3))
        size = SHAPE[one]
        parts[one] = (np.array(draw(st.lists(st.integers(-size, size - 1), max_size=9)), dtype=int)
                      if kind == "list" else
                      np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))))
    count = draw(st.integers(0, 4))
    return tuple(parts[:count]) if count else ...


@settings(max_examples=150, deadline=None)
@given(index=indices())
def test_indices_are_numpys(stack, index):
    path, values = stack
    found = slides.open(path).array(1)[index]
    assert found.shape == values[index].shape and found.dtype == values.dtype
    assert np.array_equal(found, values[index])


def test_colours(color):
    path, values = color
    array = slides.open(path).array()
    assert array.axes == "YXS" and array.shape == values.shape
    for index in (..., 5, np.s_[:, 3], np.s_[2:9, ::-1, 1], np.s_[..., ::-1], np.s_[:, :, [2, 0]],
                  np.s_[4, 5, 2], np.s_[::7, 1:90:13]):
        assert np.array_equal(array[index], values[index])


@pytest.mark.parametrize("index", [2, (0, 3), (0, 0, 112), (0,) * 5, None, "a", 1.5, (..., ...),
                                   [[0, 1]], np.ones(5, bool), True, ([0], [0])])
def test_what_is_no_index(stack, index):
    with pytest.raises(IndexError):
        slides.open(stack[0]).array(1)[index]


def test_it_is_an_array(stack):
    path, values = stack
    array = slides.open(path).array(scene=1)
    assert (array.axes, array.shape, array.ndim) == ("CZYX", SHAPE, 4)
    assert array.size == values.size and array.nbytes == values.nbytes and len(array) == 2
    assert np.array_equal(np.asarray(array, dtype=float), values)
    assert [a.shape for a in array] == [SHAPE[1:]] * 2
    with pytest.raises(ValueError, match="copy"):
        np.array(array, copy=False)
    one = slides.open(path).array(1, C=1, Z=2)
    assert one.axes == "YX" and np.array_equal(one[...], values[1, 2])
    assert "CZYX 2x3x112x115 uint16" in repr(array)
    assert array.bounds == (280, -23, 115, 112)


def test_it_reads_only_what_is_asked(stack):
    path, _ = stack
    slide = slides.open(path)
    hit = slide.tiles_in(scene=1, C=1, Z=1, region=(0, 0, 10, 10))
    data = bytearray(path.read_bytes())
    for tile in range(len(slide.tiles)):  # break all others
        if tile not in hit:
            at = _position(data, tile)
            data[at + 32 + 8:at + 32 + 16] = (1 << 50).to_bytes(8, "little")
    broken = path.with_name("broken.czi")
    broken.write_bytes(data)
    array = slides.open(broken, trust_directory=True).array(1)
    assert np.array_equal(array[1, 1, :10, :10], slide.array(1)[1, 1, :10, :10])
    with pytest.raises(sluice.Error):
        array[0]


def _position(data, tile):
    at = -1
    for _ in range(tile + 1):
        at = data.index(b"ZISRAWSUBBLOCK", at + 1)
    return at


@pytest.fixture(scope="module")
def pyramid(folder):
    path = folder / "pyramid.czi"
    if not slide_files.make_czi(path, "--size", "777x505", "--tile", "128x96", "--pyramid",
                                "--scenes", 2, "--compression", "zstd1", "--channels", 2,
                                "--slices", 3, "--pixel", "gray16"):
        pytest.skip("make_czi is not built")
    return path


@pytest.mark.parametrize("scene", [None, 0, 1])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_levels_are_what_read_gives(pyramid, scene, level):
    slide = slides.open(pyramid)
    array = slide.array(scene, level)
    right = slide.read_planes(scene=scene, level=level, Z="all")
    assert right.axes == array.axes == "CZYX"
    assert np.array_equal(array.to_numpy(), right)
    dask = array.to_dask(chunks=(1, 2, 37, 41))
    assert np.array_equal(dask.compute(scheduler="threads"), right)
    assert np.array_equal(array[1, ::2, 3::5, ::-7], np.asarray(right)[1, ::2, 3::5, ::-7])


def test_levels_of_a_pyramid_that_lacks_tiles_are_left_out(folder):
    tiles = mosaic([{}], "u1", side=(40, 60))
    path = write(folder / "whole.czi", slide_files.pyramid(list(tiles)))
    assert complete_levels(slides.open(path), None) == [0, 1]
    path = write(folder / "part.czi", slide_files.pyramid(list(tiles))[:-2])
    assert complete_levels(slides.open(path), None) == [0]


def test_chunks_follow_the_tiles(pyramid):
    slide = slides.open(pyramid)
    array = slide.array(0)
    pitch = array._pitch()
    assert pitch == (84, 116)  # 12 pixels overlap
    assert array.chunks == array.shape  # it is small
    for most in (1, 2 * 84 * 116, 10 ** 5, 4 * 10 ** 5, 3 * 10 ** 6):
        chunks = array.chunks_of(most)
        size = int(np.prod(chunks)) * 2
        assert size <= max(most, 2 * 84 * 116)
        for at, step in zip(chunks[2:], pitch):
            assert at % step == 0 or at in array.shape
    assert array.chunks_of(10 ** 6)[:2] == (1, 1)
    assert array.chunks_of(10 ** 9, planes=False)[:2] == (1, 1)
    assert slide.array(0, 1)._pitch() == (96, 128)  # levels do not overlap


def test_dask(stack):
    path, values = stack
    array = slides.open(path).array(1).to_dask(chunks=(1, 1, 50, 60))
    assert np.array_equal(array[0, 1:, 30:80].compute(), values[0, 1:, 30:80])
    assert array.name == slides.open(path).array(1).to_dask(chunks=(1, 1, 50, 60)).name
    assert array.name != slides.open(path).array(0).to_dask(chunks=(1, 1, 50, 60)).name
    again = pickle.loads(pickle.dumps(array))
    assert np.array_equal(again.max(axis=(2, 3)).compute(), values.max((2, 3)))


def _sum(array):
    return int(array.sum(dtype="u8").compute(scheduler="synchronous"))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_workers_open_the_file_by_its_path(stack):
    path, values = stack
    array = slides.open(path).array(1).to_dask()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(_sum, [array] * 4, timeout=60)) == [values.sum(dtype="u8")] * 4


def test_xarray_has_units(pyramid, stack):
    pytest.importorskip("xarray")
    array = slides.open(pyramid).array(0, 1).to_xarray()
    assert array.dims == ("C", "Z", "Y", "X") and array.X.attrs["units"] == "um"
    assert np.allclose(array.X.values[:2], [0.11, 0.55])  # centres, in pixels of level 0: 0.5, 2.5
    assert list(array.C.values) == ["C1", "C2"] and list(array.Z.values) == [0, 1, 2]
    assert array.attrs["scene"] == 0 and array.attrs["level"] == 1
    bare = slides.open(stack[0]).array(1).to_xarray()
    assert not bare.coords and np.array_equal(bare.values, stack[1])


def test_channels_of_different_types(folder):
    tiles = mosaic([dict(C=0)], "u1") + mosaic([dict(C=1)], "u2")
    path = write(folder / "types.czi", tiles)
    slide = slides.open(path)
    with pytest.raises(sluice.Unsupported, match="Gray8, Gray16"):
        slide.array()
    assert slide.array(C=1).dtype == np.uint16
    assert np.array_equal(slide.array(C=1)[...], truth(tiles, C=1)[0])


def test_gaps_are_background(folder):
    tiles = mosaic([{}], "u1")[::3]
    slide = slides.open(write(folder / "gaps.czi", tiles))
    want = truth(tiles, background=5)[0]
    assert np.array_equal(slide.array(background=5)[...], want)
    assert np.array_equal(slide.array(background=5).to_dask(chunks=(20, 20)).compute(), want)


def test_more_than_there_is_memory(folder):
    tiles = mosaic([{}], "u1")[:1]
    far = dict(tiles[0], x=2_000_000, y=2_000_000)
    array = slides.open(write(folder / "far.czi", [tiles[0], far])).array()
    with pytest.raises(MemoryError, match="to_dask"):
        array[...]
    assert np.array_equal(array[:40, :60], tiles[0]["pixels"])


def test_rows_with_gaps_are_read_in_bands():
    assert list(_bands(np.array([0, 5, 9, 100, 101]), 10)) == [(0, 3), (3, 5)]
    assert list(_bands(np.array([9, 3, 50]), 1)) == [(0, 1), (1, 2), (2, 3)]
