"""Indices of files beside NumPy's, and arrays for other packages.

SPDX-License-Identifier: Apache-2.0
"""
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sluice

SYNTHETIC = "synthetic:stem4d?scan=9x11&detector=16x24&seed=2&dtype=uint16&sentinel=0"
SHAPE = (9, 11, 16, 24)


@pytest.fixture(scope="module", params=["dataset", "planes", "dense", "lines", "stream"])
def lazy(request):
    dataset = sluice.open(SYNTHETIC)
    if request.param == "dataset":
        return dataset
    if request.param == "stream":
        return dataset.load(stream=True, pixel_mask=False)
    return dataset.load(layout=request.param, pixel_mask=False)


ARRAY = sluice.open(SYNTHETIC).load(layout="dense", pixel_mask=False).to_numpy()


def axis(size):
    numbers = st.integers(-size, size - 1)
    whole = st.slices(size)
    return st.one_of(numbers, whole)


@st.composite
def indices(draw):
    parts = [draw(axis(size)) for size in SHAPE]
    one = draw(st.integers(0, 3))
    kind = draw(st.sampled_from(["none", "list", "mask"]))
    if kind != "none":  # beside slices alone
        parts = [p if isinstance(p, slice) else slice(None) for p in parts]
        size = SHAPE[one]
        if kind == "list":
            parts[one] = draw(st.lists(st.integers(-size, size - 1), max_size=7))
            if not parts[one]:
                parts[one] = np.zeros(0, dtype=int)
        else:
            parts[one] = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    count = draw(st.integers(0, 4))
    if count < 4 and draw(st.booleans()):
        return (*parts[:count], ..., *parts[4 - draw(st.integers(0, 4 - count)):]) \
            if count < 4 else tuple(parts)
    return tuple(parts[:count]) if count else ...


@settings(max_examples=120, deadline=None)
@given(index=indices())
def test_indices_are_numpys(lazy, index):
    right = ARRAY[index]
    found = lazy[index]
    assert found.shape == right.shape and found.dtype == right.dtype
    assert np.array_equal(found, right)


@pytest.mark.parametrize("index", [9, -10, (0, 11), (0, 0, 0, 24), (0,) * 5, (..., ...), None,
                                   "a", 1.5, [0.5], [[0, 1]], np.ones(3, bool), True,
                                   ([0, 1], [0, 1]), (0, slice(None), [0, 1]), [99]])
def test_what_is_no_index(lazy, index):
    with pytest.raises(IndexError):
        lazy[index]


def test_it_is_an_array(lazy):
    assert lazy.shape == SHAPE and lazy.ndim == 4 and lazy.nbytes == ARRAY.nbytes
    assert len(lazy) == 9 and len(list(lazy)) == 9
    assert np.array_equal(np.asarray(lazy, dtype=float), ARRAY)
    with pytest.raises(ValueError, match="copy"):
        np.array(lazy, copy=False)


def test_dask_reads_what_is_computed():
    da = pytest.importorskip("dask.array")
    dataset = sluice.open(SYNTHETIC)
    array = dataset.to_dask(chunks=(4, 11, 16, 24))
    assert array.chunks[0] == (4, 4, 1) and array.dtype == ARRAY.dtype
    assert np.array_equal(array[2:7, :, ::2].compute(), ARRAY[2:7, :, ::2])
    assert dataset.to_dask().name == sluice.open(SYNTHETIC).to_dask().name
    again = pickle.loads(pickle.dumps(array))
    assert np.array_equal(da.mean(again, axis=(2, 3)).compute(), ARRAY.mean((2, 3)))
    with pytest.raises(TypeError, match="does not travel"):
        pickle.dumps(sluice.from_array(ARRAY).to_dask())
    with pytest.raises(TypeError, match="does not travel"):
        pickle.dumps(sluice.from_array(ARRAY))


def test_xarray_has_units():
    xr = pytest.importorskip("xarray")
    array = sluice.open(SYNTHETIC).to_xarray()
    assert array.dims == ("scan_row", "scan_col", "detector_row", "detector_col")
    assert np.array_equal(array[3, 4].values, ARRAY[3, 4])
    known = sluice.open(SYNTHETIC)
    for name, step in (("scan_row", known.scan_step_nm), ("detector_col", known.detector_step_mrad)):
        assert (name in array.coords) == (step > 0)
    assert isinstance(array, xr.DataArray)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "int64", "float32", "float64",
                                   ">u2", "bool"])
def test_arrays_in_are_not_copied(dtype):
    rng = np.random.default_rng(3)
    array = rng.integers(0, 2 if dtype == "bool" else 200, (3, 4, 8, 8)).astype(dtype)
    try:
        dataset = sluice.from_array(array)
    except sluice.Unsupported:
        assert dtype == "bool"
        return
    assert np.array_equal(dataset.to_numpy(), array)
    if dtype in ("uint16", "float32"):
        array[1, 2, 3, 4] = 77  # the same memory
        assert dataset[1, 2, 3, 4] == 77


def test_strides_and_lifetime():
    base = np.arange(4 * 5 * 8 * 6, dtype=np.uint16).reshape(4, 5, 8, 6)
    for view in (base[::-1, ::2], base[:, :, ::-1, ::-2], base.transpose(2, 3, 0, 1), base[:, 1:3]):
        assert np.array_equal(sluice.from_array(view).to_numpy(), view)
    dataset = sluice.from_array(base.copy())  # nobody else keeps it
    base = base.copy()
    assert np.array_equal(dataset.to_numpy(), base)
    scan = dataset.load()
    dataset.close()
    assert np.array_equal(scan.to_numpy(), base)
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        dataset[0]


@pytest.mark.parametrize("array, why", [
    (np.zeros((2, 2)), "2 axes"), (np.zeros((2, 0, 4, 4)), "0"),
    (np.empty((1, 1, 2, 2), object), "objects"), (np.zeros((1, 1, 2, 2), complex), "complex"),
    (np.zeros((1, 1, 2, 2), "U3"), "dtype"), (np.zeros((1, 1, 2, 2), "M8[s]"), "dtype"), ("text", "axes"),
    (None, "objects"), (3, "axes")])
def test_what_is_no_dataset(array, why):
    with pytest.raises(sluice.Error, match=why):
        sluice.from_array(array)


def test_stored_values_are_all_there():
    array = np.ones((2, 2, 4, 4), np.float32)
    array[0, 1, 2, 3], array[1, 1, 0, 0] = np.nan, np.inf
    dataset = sluice.from_array(array)
    assert np.array_equal(dataset.to_numpy(), array, equal_nan=True)
    scan = dataset.load()
    assert np.isnan(scan[0, 1, 2, 3]) and any("NaN" in n or "finite" in n for n in scan.notes)
    marked = sluice.open("synthetic:stem4d?scan=3x3&detector=32x32&sentinel=1")
    raw, loaded = marked.to_numpy(), marked.load().to_numpy()
    assert (raw == 65535).any() and not (loaded == 65535).any()
    assert np.array_equal(raw[raw < 65535], loaded[raw < 65535])
    assert np.array_equal(marked.load(as_stored=True, stream=False).to_numpy(), raw)


def test_series(tmp_path):
    rng = np.random.default_rng(1)
    five = rng.integers(0, 9, (3, 2, 4, 8, 8)).astype(np.uint16)
    series = sluice.open_series(five)
    assert series.shape == five.shape and len(series) == 3
    for member, right in zip(series, five):
        assert np.array_equal(member.to_numpy(), right)
    for i, right in enumerate(five):
        np.save(tmp_path / f"scan{i}.npy", right)
    for source in (tmp_path, [tmp_path / f"scan{i}.npy" for i in range(3)]):
        series = sluice.open_series(source)
        assert [m.path for m in series] == sluice.list_members(tmp_path)
        assert all(np.array_equal(m.to_numpy(), a) for m, a in zip(series, five))
    assert np.array_equal(pickle.loads(pickle.dumps(series[1])).to_numpy(), five[1])
    np.save(tmp_path / "scan9.npy", five[0, :1])
    with pytest.raises(sluice.Error):
        sluice.open_series(tmp_path)
    assert sluice.open_series(tmp_path, skip_bad=True).skipped
    with pytest.raises(sluice.Error):
        sluice.open_series(tmp_path / "nowhere")
    with pytest.raises(sluice.InvalidArgument, match="five"):
        sluice.open_series(five[0])
