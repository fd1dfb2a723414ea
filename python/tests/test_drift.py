"""Drift between images, against shifts that are known and against scikit-image where it is there; jitter; riCOM.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d


def specimen(seed=0, count=60):
    rng = np.random.default_rng(seed)
    places, sizes = rng.uniform(-10, 74, (count, 2)), rng.uniform(1.5, 4, count)

    def image(shift=(0, 0), shape=(64, 64)):
        rows, cols = np.mgrid[:shape[0], :shape[1]]
        out = np.full(shape, 0.3)
        for (row, col), size in zip(places, sizes):
            out += np.exp(-((rows - row - shift[0]) ** 2 + (cols - col - shift[1]) ** 2) / (2 * size ** 2))
        return out
    return image


def test_a_shift_is_found_and_what_cannot_be_told_is_nan():
    image = specimen()
    found = stem4d.image_shift(image(), image((2.3, -4.6)))
    assert found.known and found.other is None and found.correlation > 0.9
    assert np.allclose(found.by, (2.3, -4.6), atol=0.02)
    noise = np.random.default_rng(1).normal(size=(2, 64, 64))
    nothing = stem4d.image_shift(*noise)
    assert not nothing.known and np.isnan(nothing.by).all() and "chance" in nothing.why
    assert nothing.significance < nothing.needed
    with pytest.raises(sluice.InvalidArgument, match="one shape"):
        stem4d.image_shift(image(), image()[1:])
    with pytest.raises(sluice.InvalidArgument, match="most_part"):
        stem4d.image_shift(image(), image(), most_part=2)


def test_scikit_image_finds_the_same():
    registration = pytest.importorskip("skimage.registration")
    rng = np.random.default_rng(3)
    for seed in range(5):
        image, by = specimen(seed), rng.uniform(-3, 3, 2)
        a, b = rng.poisson(300 * image()), rng.poisson(300 * image(by))
        ours = stem4d.image_shift(a.astype(float), b.astype(float)).by
        window = np.outer(np.hanning(64), np.hanning(64))
        theirs = registration.phase_cross_correlation((a - a.mean()) * window, (b - b.mean()) * window,
                                                      upsample_factor=50, normalization=None)[0]
        # Theirs says how to move the image back, and a window that stays pulls it to no shift.
        assert np.abs(np.add(ours, theirs)).max() < 0.35
        assert np.abs(ours - by).max() < 0.1


def test_a_series_has_drift_and_a_mean_without_it():
    image = specimen(4)
    drift = stem4d.drift(image((0.5 * i, -0.8 * i)) for i in range(4))
    assert drift.drift.shape == (4, 2) and np.allclose(drift.drift[3], (1.5, -2.4), atol=0.02)
    mean, images = drift.mean()
    assert drift.taken == 4 and images.max() == 4 and np.nanmax(np.abs(mean - image())) < 0.03
    with pytest.raises(sluice.InvalidArgument, match="shape"):
        drift.add(np.zeros((3, 3)))
    with pytest.raises(sluice.InvalidArgument, match="no image"):
        stem4d.DriftSeries().mean()


def test_rows_that_jitter():
    image = specimen(5)()
    rng = np.random.default_rng(2)
    shifts = rng.normal(0, 0.5, 64)
    moved = np.stack([np.interp(np.arange(64) - by, np.arange(64), row) for by, row in zip(shifts, image)])
    found = stem4d.line_jitter(moved)
    assert found.known and abs(found.rms - 0.5) < 0.15
    assert not stem4d.line_jitter(np.ones((64, 64))).known


def test_fields_of_part_of_a_scan():
    rng = np.random.default_rng(6)
    row, col = rng.normal(size=(2, 20, 16))
    whole = stem4d.icom(row[:12], col[:12])
    row[12:], col[12:] = np.nan, np.nan
    part = stem4d.icom(row, col)
    assert np.array_equal(part[:12], whole) and np.isnan(part[12:]).all()
    near = stem4d.ricom(row, col, 3)
    assert np.isnan(near[12:]).all() and np.allclose(near[:12], stem4d.ricom(row[:12], col[:12], 3))
    u, v = row[:12] - row[:12].mean(), col[:12] - col[:12].mean()
    steps = [(i, j) for i in range(-3, 4) for j in range(-3, 4) if i or j]
    assert np.isclose(near[6, 8], sum((u[6 - i, 8 - j] * i + v[6 - i, 8 - j] * j) / (2 * np.pi * (i * i + j * j))
                                      for i, j in steps))
    with pytest.raises(sluice.InvalidArgument, match="kernel"):
        stem4d.ricom(row, col, 0)
