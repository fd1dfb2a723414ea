"""Products of scans, beside what NumPy makes of the same frames.

SPDX-License-Identifier: Apache-2.0
"""
import pickle

import numpy as np
import pytest

import sluice
from sluice import stem4d

SYNTHETIC = "synthetic:stem4d?scan=7x9&detector=32x40&seed=5"


@pytest.fixture(scope="module")
def scan():
    return sluice.load(SYNTHETIC)


@pytest.fixture(scope="module")
def frames(scan):
    return scan.to_numpy()


def test_masks_and_weights_are_sums(scan, frames):
    rng = np.random.default_rng(1)
    mask = rng.random((32, 40)) < 0.3
    weights = rng.random((32, 40)).astype(np.float32)
    found = stem4d.virtual_image(scan, [mask, weights])
    assert np.array_equal(found.values[0], frames[:, :, mask].sum(-1))
    np.testing.assert_allclose(found.values[1], (frames * weights.astype(float)).sum((2, 3)),
                               rtol=1e-12)
    assert found.valid_pixels[0] == mask.sum()


def test_shapes_are_what_their_geometry_says(scan, frames):
    row, col = np.mgrid[:32, :40].astype(float)
    r2 = (row - 15) ** 2 + (col - 20) ** 2
    wanted = {"disk": r2 <= 25, "ring": (r2 >= 36) & (r2 <= 81),
              "square": (abs(row - 15) <= 3) & (abs(col - 20) <= 3),
              "rows": (row >= 2) & (row <= 9) & (col >= 30) & (col <= 35)}
    center = (15, 20)
    found = stem4d.virtual_image(scan, [
        stem4d.disk(5, center, "disk"), stem4d.annulus(6, 9, center, "ring"),
        stem4d.square(3, center, "square"), stem4d.rectangle((2, 30), (9, 35), "rows")])
    for name, inside in wanted.items():
        assert np.array_equal(found[name], frames[:, :, inside].sum(-1)), name


def test_moments(scan, frames):
    com = stem4d.center_of_mass(scan)
    total = frames.sum((2, 3), dtype=float)
    row = (frames * np.arange(32.0)[:, None]).sum((2, 3)) / total
    np.testing.assert_allclose(com.row, row, rtol=1e-12)
    assert np.array_equal(com.sum, total)
    phase = stem4d.phase_contrast(com, stem4d.Rotation(30.0))
    assert phase.icom.shape == (7, 9) and np.isfinite(phase.icom).all()
    np.testing.assert_allclose(stem4d.rotate(com.row, com.col, stem4d.Rotation(30.0))[0],
                               phase.row, atol=1e-12)


@pytest.mark.parametrize("kind", ["sum", "mean", "max", "variance"])
def test_patterns(scan, frames, kind):
    take = np.random.default_rng(2).random((7, 9)) < 0.5
    some = frames[take].astype(float)
    right = {"sum": some.sum(0), "mean": some.mean(0), "max": some.max(0),
             "variance": some.var(0)}[kind]
    found = stem4d.diffraction_pattern(scan, kind, take)
    np.testing.assert_allclose(found.values, right, rtol=1e-12, atol=1e-12)
    assert found.frames == take.sum()


def test_one_pass_gives_the_same_bits(scan):
    both = stem4d.products(scan, detectors=["bf", "adf"], center_of_mass=True, patterns=["max"])
    assert np.array_equal(both.images.values, stem4d.virtual_image(scan, ["bf", "adf"]).values)
    assert np.array_equal(both.center_of_mass.row, stem4d.center_of_mass(scan).row)
    assert both.images.disk == stem4d.find_disk(scan)


def test_radial_cache(scan, frames):
    cache = stem4d.RadialCache(scan, (15, 20))
    row, col = np.mgrid[:32, :40].astype(float)
    r2 = (row - 15) ** 2 + (col - 20) ** 2
    inside = (r2 >= 16) & (r2 <= 64)
    assert np.array_equal(cache.annulus(4, 8), frames[:, :, inside].sum(-1))


def test_devices_agree(scan):
    fast = stem4d.virtual_image(scan, "adf").values
    for device in ("reference", "cpu:avx2", "fake"):
        try:
            slow = stem4d.virtual_image(scan, "adf", device=device).values
        except sluice.Unavailable:
            continue
        assert np.array_equal(fast, slow), device


def test_detectors_of_text_keep_their_fields():
    d = stem4d.parse_detector("ring=annulus:r=40..90,center=3:4")
    assert (d.name, d.shape, d.inner, d.outer, d.center) == ("ring", "annulus", 40, 90, (3, 4))
    assert stem4d.parse_detector("bf").unit == "disk_radii"


def test_detectors_in_mrad_are_those_in_pixels():
    scan = sluice.load("synthetic:stem4d?scan=5x6&detector=32x32", progress=False)
    step = scan.detector_step_mrad
    assert stem4d.parse_detector("adf:60..200mrad").unit == "mrad"
    pixels = stem4d.virtual_image(scan, [stem4d.annulus(3, 6.5), stem4d.square(3)]).values
    angles = stem4d.virtual_image(scan, [f"adf:{3 * step!r}..{6.5 * step!r}mrad",
                                         stem4d.square(3 * step, unit="mrad")])
    assert np.array_equal(pixels, angles.values)
    counts = np.ones((3, 3, 16, 16), np.uint16)
    with pytest.raises(sluice.InvalidArgument, match="angle of a detector pixel"):
        stem4d.virtual_image(counts, "disk:r=3mrad,center=8:8")
    given = sluice.load(counts, detector_step_mrad=1.5, progress=False)
    assert stem4d.virtual_image(given, "disk:r=3mrad,center=8:8").valid_pixels[0] == 13


def test_errors_say_what_to_do(scan):
    with pytest.raises(sluice.InvalidArgument, match="covers no pixel|no pixel"):
        stem4d.virtual_image(scan, stem4d.disk(1, (500, 500)))
    with pytest.raises(ValueError, match="kind is 'median'; give one of sum, mean"):
        stem4d.diffraction_pattern(scan, "median")
    with pytest.raises(sluice.InvalidArgument, match="32x40"):
        stem4d.virtual_image(scan, np.ones((3, 3)))
    with pytest.raises(sluice.InvalidArgument, match="scan has 7x9"):
        stem4d.diffraction_pattern(scan, "sum", np.ones((2, 2)))
    with pytest.raises(sluice.InvalidArgument, match="objects"):
        stem4d.virtual_image(scan, [np.array([[object()]])])
    with pytest.raises(FileNotFoundError) as raised:
        sluice.open("/nowhere/a.h5")
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.file == "/nowhere/a.h5"


@pytest.fixture(scope="module")
def references():
    rng = np.random.default_rng(4)
    dark = rng.random((32, 40)).astype(np.float32)
    gain = (0.5 + rng.random((32, 40))).astype(np.float32)
    gain[3, 4] = gain[16, 20] = 0
    return dark, gain


def test_dark_and_gain_correct_every_product(scan, frames, references, tmp_path):
    dark, gain = references
    corrected = (frames - dark.astype(float)) * np.where(scan.bad_pixels, 0, gain.astype(float))
    mask = np.random.default_rng(1).random((32, 40)) < 0.3
    found = stem4d.products(scan, detectors=mask, center_of_mass=True, patterns=["mean", "variance"],
                            dark=dark, gain=gain)
    np.testing.assert_allclose(found.images.values[0], corrected[:, :, mask].sum(-1), rtol=1e-5)
    assert found.images.corrected and found.images.valid_pixels[0] == (mask & (gain > 0) & ~scan.bad_pixels).sum()
    total = corrected.sum((2, 3))
    row, col = np.mgrid[:32, :40].astype(float)
    np.testing.assert_allclose(found.center_of_mass.row, (corrected * row).sum((2, 3)) / total, rtol=1e-5)
    np.testing.assert_allclose(found.center_of_mass.col, (corrected * col).sum((2, 3)) / total, rtol=1e-5)
    np.testing.assert_allclose(found.patterns[0].values, corrected.mean((0, 1)), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.patterns[1].values, corrected.var((0, 1)), rtol=1e-7, atol=1e-10)
    np.save(tmp_path / "dark.npy", dark)
    np.save(tmp_path / "gain.npy", gain)
    read = stem4d.virtual_image(scan, mask, dark=tmp_path / "dark.npy", gain=str(tmp_path / "gain.npy"))
    assert np.array_equal(read.values, found.images.values)
    assert any("dark.npy" in note and "gain.npy" in note for note in read.notes)


@pytest.mark.parametrize("given, said", [
    ({"dark": np.zeros((32, 39))}, "32x39 pixels"), ({"gain": -np.ones((32, 40))}, "gain reference .* -1 at row 0"),
    ({"dark": np.full((32, 40), np.nan)}, "dark reference .* nan at row 0"), ({"gain": np.zeros((32, 40))}, "every pixel"),
    ({"gain": np.zeros((0, 40))}, "no pixel"), ({"dark": np.zeros(40)}, "axes"), ({"dark": "absent.npy"}, "absent")])
def test_references_that_do_not_fit_are_refused(scan, given, said):
    with pytest.raises((sluice.Error, OSError), match=said):
        stem4d.virtual_image(scan, "disk:r=5,center=16:20", **given)
