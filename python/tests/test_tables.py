"""Files of tables beside scans: the same answers as from the frames, and none where anything changed.

SPDX-License-Identifier: Apache-2.0
"""
import os

import numpy as np
import pytest

import sluice
from sluice import stem4d


@pytest.fixture
def path(tmp_path):
    counts = np.random.default_rng(3).poisson(2, (19, 21, 24, 28)).astype(np.uint16)
    np.save(tmp_path / "scan.npy", counts)
    return tmp_path / "scan.npy"


def answers(scan):
    images = (stem4d.virtual_image(scan, detector, progress=False)
              for detector in ("disk:r=7,center=12:14", "annulus:r=3..9,center=12:14"))
    return [np.asarray(found) for found in
            (*images, stem4d.center_of_mass(scan, progress=False).row,
             stem4d.diffraction_pattern(scan, progress=False))]


def test_answers_are_those_of_the_frames(path):
    made = stem4d.tables(path, center=(12, 14), progress=False)
    assert made.file == f"{path}.sluice-tables" and made.bytes == os.path.getsize(made.file)
    assert made.center == (12, 14) and made.patterns
    scan = sluice.load(path, stream=True)
    assert scan.tables_notes == []
    for found, expected in zip(answers(scan), answers(sluice.load(path, tables="none", stream=True))):
        assert np.array_equal(found, expected)


def test_a_scan_that_changed_says_so(path):
    stem4d.tables(path, center=(12, 14), progress=False)
    os.utime(path, (1, 1))
    [note] = sluice.load(path, stream=True).tables_notes
    assert "scan.npy has another size or time" in note and "the answer comes from the frames" in note


def test_elsewhere_it_is_found_by_name(path, tmp_path):
    other = tmp_path / "other"
    stem4d.tables(sluice.load(path, hot_pixels=True), other, center=(12, 14), progress=False)
    assert sluice.load(path, stream=True, hot_pixels=True, tables_file=other).tables_notes == []
    [note] = sluice.load(path, stream=True, tables_file=other).tables_notes
    assert "the search for hot pixels differs" in note


def test_what_has_no_file_has_no_tables():
    with pytest.raises(sluice.Unsupported, match="no files"):
        stem4d.tables("synthetic:stem4d?scan=4x4&detector=16x16", progress=False)


def two_arrays(kind, folder):
    """Two scans of one shape in one file; the file, and their names."""
    rng = np.random.default_rng(4)
    one, other = (rng.poisson(2, (5, 7, 16, 20)).astype(np.uint16) for _ in range(2))
    path = folder / f"two.{kind}"
    if kind == "npz":
        np.savez(path, one=one, other=other)
        return path, "one", "other"
    if kind == "h5":
        h5py = pytest.importorskip("h5py")
        with h5py.File(path, "w") as file:
            for name, data in (("one", one), ("other", other)):
                file.create_dataset(name, data=data, chunks=(1, 1, 16, 20))
        return path, "one", "other"
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(path, mode="w")
    for name, data in (("one", one), ("other", other)):
        group.create_array(name, data=data, chunks=(1, 7, 16, 20), compressors=None)
    return path, "one", "other"


@pytest.mark.parametrize("kind", ["npz", "h5", "zarr"])
def test_another_array_of_the_file_is_not_answered(kind, tmp_path):
    path, one, other = two_arrays(kind, tmp_path)
    stem4d.tables(sluice.load(path, dataset=one), center=(8, 10), progress=False)
    assert sluice.load(path, dataset=one, stream=True).tables_notes == []
    scan = sluice.load(path, dataset=other, stream=True)
    found = answers(scan)
    [note] = scan.tables_notes
    assert "differs" in note
    for a, b in zip(found, answers(sluice.load(path, dataset=other, tables="none", stream=True))):
        assert np.array_equal(a, b)


def test_a_scan_in_memory_of_a_file_that_changed_has_no_tables(path):
    scan = sluice.load(path)
    data = np.load(path)
    np.save(path, data[::-1].copy())
    with pytest.raises(sluice.Error, match="has changed since it was opened"):
        stem4d.tables(scan, center=(12, 14), progress=False)
    assert not os.path.exists(f"{path}.sluice-tables")


def test_a_folder_may_be_named_with_a_slash(tmp_path):
    path, one, _ = two_arrays("zarr", tmp_path)
    made = stem4d.tables(sluice.load(f"{path}/", dataset=one), center=(8, 10), progress=False)
    assert made.file == f"{path}.sluice-tables"
    assert sluice.load(path, dataset=one, stream=True).tables_notes == []
    with pytest.raises(sluice.Error, match="in the scan's own folder"):
        stem4d.tables(sluice.load(path, dataset=one), path / "tables", center=(8, 10), progress=False)


def test_tables_are_no_member_of_a_series(tmp_path):
    frames = np.random.default_rng(5).poisson(2, (6, 8, 16, 16)).astype(np.uint16)
    raw = {"raw_frame": (16, 16), "raw_dtype": "uint16", "scan_shape": (6, 8)}
    frames.tofile(tmp_path / "a.raw")
    stem4d.tables(sluice.load(tmp_path / "a.raw", **raw), center=(8, 8), progress=False)
    assert len(sluice.open_series(tmp_path, **raw)) == 1
