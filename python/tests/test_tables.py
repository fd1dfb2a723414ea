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
    return (stem4d.virtual_image(scan, ["disk:r=7,center=12:14", "annulus:r=3..9,center=12:14"], progress=False).values,
            stem4d.center_of_mass(scan, progress=False).row.values,
            stem4d.diffraction_pattern(scan, progress=False).values)


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
