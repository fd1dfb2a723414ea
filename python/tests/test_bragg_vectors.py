"""Bragg vectors: columns, patterns, files, and arrays that do not agree.

SPDX-License-Identifier: Apache-2.0
"""
import pickle

import numpy as np
import pytest

import sluice
from sluice import stem4d


def some(scan=(3, 4), most=6, seed=1):
    rng = np.random.default_rng(seed)
    count = rng.integers(0, most + 1, scan[0] * scan[1])
    first = np.concatenate([[0], np.cumsum(count)])
    columns = {name: rng.random(first[-1]).astype("f4") * 20 for name in
               ("row", "col", "intensity", "background", "var_row", "var_col", "cov_row_col",
                "intensity_error", "score")}
    reason = np.where(count > 0, 0, 5).reshape(scan)
    return stem4d.BraggVectors(scan, (24, 30), first, reason, **columns), first, columns


def equal(a, b):
    return pickle.dumps(a.__getstate__()) == pickle.dumps(b.__getstate__())


def test_columns_and_patterns():
    vectors, first, columns = some()
    assert len(vectors) == first[-1]
    assert vectors.scan_shape == (3, 4) and vectors.detector_shape == (24, 30)
    assert np.array_equal(vectors.first, first)
    assert np.array_equal(vectors.count.ravel(), np.diff(first))
    for name, values in columns.items():
        assert np.array_equal(getattr(vectors, name), values)
    for row, col in np.ndindex(3, 4):
        place = slice(*first[row * 4 + col:][:2])
        disks = vectors[row, col]
        for name, values in columns.items():
            assert np.array_equal(disks[name], values[place])
        assert np.array_equal(vectors[row - 3, col - 4], disks)
    assert stem4d.DISK_REASONS[vectors.reason[0, 0]] in stem4d.DISK_REASONS
    assert "12 patterns" not in repr(vectors) and "3x4" in repr(vectors)
    with pytest.raises(IndexError):
        vectors[3, 0]
    for wrong in (3, (1,), (0.5, 1), "ab"):
        with pytest.raises(sluice.InvalidArgument):
            vectors[wrong]


def test_what_is_not_given():
    vectors = stem4d.BraggVectors((1, 2), (8, 8), [0, 0, 1], row=[1], col=[2], intensity=[3])
    assert np.isnan(vectors.score).all() and np.isnan(vectors.var_row).all()
    assert [stem4d.DISK_REASONS[r] for r in vectors.reason.ravel()] == [
        "no candidate above the noise", "found"]


def test_arrays_cannot_be_written_and_outlive_the_vectors():
    vectors, first, columns = some()
    row, begins = vectors.row, vectors.first
    for array in (row, begins, vectors.reason, vectors.score):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[...] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True
    del vectors
    assert np.array_equal(row, columns["row"]) and np.array_equal(begins, first)


@pytest.mark.parametrize("end", [".h5", ".npy"])
def test_round_trip(tmp_path, end):
    vectors, _, _ = some()
    vectors.save(tmp_path / ("a" + end), {"note": "by hand"})
    assert equal(stem4d.load_vectors(tmp_path / ("a" + end)), vectors)
    assert equal(pickle.loads(pickle.dumps(vectors)), vectors)


def test_files_of_numpy(tmp_path):
    vectors, _, columns = some()
    vectors.save(tmp_path / "a.npy")
    records = np.load(tmp_path / "a.npy")
    for name, values in columns.items():
        assert np.array_equal(records[name], values)
    assert np.array_equal(records["pattern_row"] * 4 + records["pattern_col"],
                          np.repeat(np.arange(12), vectors.count.ravel()))
    vectors.save(tmp_path / "a.csv")
    table = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True)
    assert np.array_equal(table["row"].astype("f4"), columns["row"])


def test_hdf5_lists(tmp_path):
    h5py = pytest.importorskip("h5py")
    vectors, _, _ = some()
    vectors.save(tmp_path / "a.h5", {"note": "by hand"})
    with h5py.File(tmp_path / "a.h5") as file:
        assert file.attrs["note"] == "by hand"
        lists = file["braggvectors_root/braggvectors/_v_uncal/data"]
        for row, col in np.ndindex(3, 4):
            assert np.array_equal(lists[row, col]["qx"], vectors[row, col]["row"])


def test_map():
    vectors = stem4d.BraggVectors((1, 1), (4, 6), [0, 1], row=[1.25], col=[2.5], intensity=[8])
    picture = stem4d.vector_map(vectors)
    assert picture.shape == (4, 6) and picture[1, 2] == 3 and picture[2, 3] == 1
    assert stem4d.vector_map(vectors, 3, weighted=False).sum() == pytest.approx(1)
    for sampling in (0, 65):
        with pytest.raises(sluice.InvalidArgument):
            stem4d.vector_map(vectors, sampling)
    with pytest.raises(sluice.InvalidArgument):
        stem4d.vector_map("vectors")


@pytest.mark.parametrize("change", [
    {"first": [0, 2, 1, 3]}, {"first": [0, 1]}, {"first": [1, 2, 3]}, {"first": [0, 1, 99]},
    {"first": [0, -1, 3]}, {"first": [0.0, 1.0, 3.0]}, {"first": [[0, 1, 3]]}, {"first": []},
    {"first": np.array([0, 2**64 - 1, 3], np.uint64)},
    {"reason": [0]}, {"reason": [0, 8]}, {"reason": [0, -1]}, {"reason": [0.0, 0.0]},
    {"row": [1, 2]}, {"row": [1, 2, 3, 4]}, {"row": [[1, 2, 3]]}, {"row": None},
    {"row": ["a", "b", "c"]}, {"score": [1]}, {"other": [1, 2, 3]},
    {"scan_shape": (0, 2)}, {"scan_shape": (2, 2)}, {"scan_shape": (-1, -2)}, {"scan_shape": 2},
    {"scan_shape": (2**62, 4)}, {"detector_shape": (0, 8)}, {"detector_shape": (8,)},
])
def test_what_does_not_agree(change):
    given = {"scan_shape": (1, 2), "detector_shape": (8, 8), "first": [0, 1, 3],
             "row": [1, 2, 3], "col": [1, 2, 3], "intensity": [1, 2, 3]}
    stem4d.BraggVectors(**given)
    with pytest.raises(sluice.InvalidArgument):
        stem4d.BraggVectors(**{**given, **change})


def test_shapes_whose_product_overflows():
    for shape in ((2**32, 2**32), (2**63 - 1, 2), (2**62, 4)):
        with pytest.raises(sluice.InvalidArgument):
            stem4d.BraggVectors(shape, (8, 8), [0], row=[], col=[], intensity=[])


def test_files_that_are_none(tmp_path):
    vectors, _, _ = some()
    with pytest.raises(sluice.InvalidArgument):
        vectors.save(tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())
    np.save(tmp_path / "a.npy", np.zeros((2, 2)))
    with pytest.raises(sluice.Error):
        stem4d.load_vectors(tmp_path / "a.npy")
    with pytest.raises(sluice.Error):
        stem4d.load_vectors(tmp_path / "nothing.h5")
