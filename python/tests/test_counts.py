"""Whole numbers of any type are counts where they fit; nothing is rounded without a word.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d

WHOLE = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i8", "?"]
PLACES = [(0, 0), (0, 2), (2, 0), (2, 2)]


def counts():
    return np.random.default_rng(1).poisson(2, (4, 5, 16, 16))


@pytest.mark.parametrize("kind", WHOLE)
def test_whole_numbers_are_counts(kind):
    given = np.minimum(counts(), 1 if kind == "?" else 99).astype(kind)
    scan = sluice.load(given, layout="planes")
    assert scan.dtype.kind == "u" and not any("float32" in note for note in scan.notes)
    assert np.array_equal(scan[...], given)


@pytest.mark.parametrize("guise", [lambda a: a[:, ::-1, ::2], lambda a: a.T.copy().T,
                                   lambda a: np.flip(a, 3), lambda a: a[:1, :1, :1, :1], lambda a: a.tolist()])
def test_strides_do_not_matter(guise):
    given = guise(counts())
    assert sluice.from_array(given).dtype == np.uint32
    assert np.array_equal(sluice.from_array(given)[...], given)


def test_nothing_is_copied():
    given = counts()
    dataset = sluice.from_array(given)
    given[0, 0, 0, 0] = 77
    assert dataset[0, 0, 0, 0] == 77


@pytest.mark.parametrize("value", [-1, 2**32, 2**33 + 1, -2**63])
def test_what_does_not_fit_is_said(value):
    given = counts()
    given[3, 2, 1, 0] = value
    dataset = sluice.from_array(given)
    assert dataset.dtype == np.float32 and "read as float32" in dataset.notes[0]


def test_the_largest_count_fits():
    given = counts()
    given[3, 2, 1, 0] = 2**32 - 1
    assert sluice.from_array(given)[3, 2, 1, 0] == 2**32 - 1


def test_what_is_left_out_does_not_decide():
    given = counts()
    given[:, :, 3, 4] = -1
    scan = sluice.load(np.ma.masked_equal(given, -1))
    assert scan.dtype == np.uint32 and scan.bad_pixels[3, 4]
    given[:, :, 3, 4] = 0
    assert np.array_equal(scan[...], given)


def test_members_of_a_series_have_one_type():
    given = np.stack([counts(), counts()])
    assert [m.dtype for m in sluice.open_series(given)] == [np.uint32] * 2
    given[1, 0, 0, 0, 0] = -5
    assert [m.dtype for m in sluice.open_series(given)] == [np.float32] * 2


@pytest.mark.parametrize("most, kind", [(200, np.uint8), (60000, np.uint16), (70000, np.float32),
                                        (2**24, np.float32), (3 * 2**40, np.float32)])
@pytest.mark.parametrize("given", ["i8", "u8", "f8"])
def test_patterns_take_what_fits(most, kind, given):
    array = np.ones((4, 8, 8), given)
    array[1, 2, 3] = most
    made = stem4d.Patterns(array, PLACES, centred=False)
    assert made.counts.dtype == (np.float32 if given == "f8" else kind)
    assert np.array_equal(made.counts, array)


@pytest.mark.parametrize("array, says", [
    (np.full((4, 8, 8), 2**24 + 1), "16777217"), (np.full((4, 8, 8), 2**63 + 1, np.uint64), "does not hold 256"),
    (np.full((4, 8, 8), 0.1), "float64"), (np.full((4, 8, 8), 1e300), "float64"),
    (np.ones((4, 8, 8), complex), "real numbers")])
def test_patterns_refuse_what_would_be_rounded(array, says):
    with pytest.raises(sluice.InvalidArgument, match=says):
        stem4d.Patterns(array, PLACES)


def test_patterns_below_0_are_counted_as_before():
    array = np.ones((4, 8, 8), np.int64)
    array[0, 0, 0] = -3
    assert any("below 0" in note for note in stem4d.Patterns(array, PLACES).notes)
    array = np.ones((4, 8, 8))
    array[0, 0, 0] = np.nan
    assert stem4d.Patterns(array, PLACES, centred=False).counts.dtype == np.float32
