"""Orientation maps: their files, their grains and boundaries, and their figures.

SPDX-License-Identifier: Apache-2.0
"""
import json

import numpy as np
import pytest

import sluice
from sluice import stem4d
from test_orientation import PIXEL, bunge, degrees_between, gold, library, scan_of  # noqa: F401


@pytest.fixture(scope="module")
def grains():
    """Two halves of a scan of 16 x 8 patterns, 40 degrees apart about the beam."""
    return [bunge((10, 35, 20)), bunge((50, 35, 20))]


@pytest.fixture(scope="module")
def calibration(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")
    # Two orientations make no rings: a calibration as a user writes it who knows the pixel size.
    (folder / "c.json").write_text(json.dumps({
        "kind": "crystal calibration", "version": 1, "scan_shape": [16, 8], "detector_shape": [401, 401],
        "pixel_size": PIXEL, "pixel_size_error": 0.0, "origins": {
            "surface": "mean", "order": 2, "row": [200.0], "col": [200.0], "covariance": [0.0], "sigma_row": 0.0,
            "sigma_col": 0.0, "used": 128, "left_out": 0}}))
    return stem4d.load_calibration(folder / "c.json")


@pytest.fixture(scope="module")
def found(grains, library, calibration):  # noqa: F811
    vectors = scan_of([grains[n // 8 // 8] for n in range(128)])
    return stem4d.orientation(vectors, library, calibration, grains=2, least_probability=0.5)


COLUMNS = ("reason", "phase", "quaternion", "covariance", "score", "residual", "probability", "disks")


def test_hdf5_keeps_all(found, tmp_path):
    assert found.kilovolts == 300 and found.step_nm == 0
    stepped = found.with_step(2.5)
    stepped.save(tmp_path / "map.h5")
    back = stem4d.load_orientations(tmp_path / "map.h5")
    assert (back.step_nm, back.kilovolts) == (2.5, 300)
    assert (back.common_factor, back.common_factor_error) == (found.common_factor, found.common_factor_error)
    assert back.phases == found.phases and back.notes == found.notes
    assert len(back.overlapping) == 1
    for a, b in ((found, back), (found.overlapping[0], back.overlapping[0])):
        for name in COLUMNS:
            assert getattr(a, name).tobytes() == getattr(b, name).tobytes(), name
    with pytest.raises(sluice.InvalidArgument, match="step"):
        found.with_step(-1)
    with pytest.raises(sluice.InvalidArgument, match=".ctf"):
        found.save(tmp_path / "map.txt")
    (tmp_path / "map.h5").write_bytes(b"nothing")
    with pytest.raises(sluice.Error):
        stem4d.load_orientations(tmp_path / "map.h5")


def test_texts_say_step_and_energy(found, tmp_path):
    found.with_step(2.5).save(tmp_path / "map.ctf")
    found.with_step(2.5).save(tmp_path / "map.ang")
    lines = (tmp_path / "map.ctf").read_text().splitlines()
    assert "XStep\t0.002500" in lines and any("\tKV\t300\t" in line for line in lines)
    text = (tmp_path / "map.ang").read_text()
    assert "# XSTEP: 0.002500\n" in text and "# electrons of 300 kV\n" in text and "in µm" in text
    last = [line for line in text.splitlines() if line[:1] != "#"][-1].split()
    assert (float(last[3]), float(last[4])) == (7 * 0.0025, 15 * 0.0025)
    found.save(tmp_path / "plain.ctf")
    found.save(tmp_path / "plain.ang")
    assert "the step is not known" in (tmp_path / "plain.ctf").read_text()
    assert "the step is not known" in (tmp_path / "plain.ang").read_text()


def test_grains_and_boundaries(found, grains):
    made = stem4d.find_orientation_grains(found.with_step(2))
    assert len(made.grains) == 2
    for n, grain in enumerate(made.grains):
        assert grain.phase == 0 and grain.patterns > 40
        mine = int(grain.row >= 8)
        assert degrees_between(bunge(grain.euler), grains[mine]) < 0.5
        assert grain.diameter_nm == pytest.approx(2 * 2 * (grain.patterns / np.pi)**0.5)
        assert (made.grain == n).sum() == grain.patterns
        assert np.nanmax(made.from_mean[made.grain == n]) == pytest.approx(grain.farthest_degrees)
    apart = degrees_between(*grains)
    pairs, degrees = stem4d.orientation_boundaries(found, 5)
    both = (found.reason[7] == 0) & (found.reason[8] == 0)
    assert pairs.shape == (both.sum(), 2) and (pairs[:, 1] - pairs[:, 0] == 8).all()
    assert degrees == pytest.approx(apart, abs=1.5)
    spread = stem4d.disorientation_histogram(found, bin_degrees=2)
    assert sum(spread.random) * 2 == pytest.approx(1) and sum(spread.neighbours) * 2 == pytest.approx(1)
    assert spread.drawn[int(apart / 2) - 1:int(apart / 2) + 2].sum() * 2 > 0.3
    kernel = stem4d.kernel_average_misorientation(found)
    assert np.nanmax(kernel) < 1.5


def test_figures(found, grains, tmp_path):
    colors = stem4d.ipf_colors(found)
    assert colors.shape == (16, 8, 3) and (colors[found.reason != 0] == 0).all()
    assert (stem4d.ipf_colors(found, white=True)[found.reason != 0] == 255).all()
    # A pole of each grain is where its normal points: x to the right, y down, the upper half of -z.
    density = stem4d.pole_density(found, (1, 1, 1), halfwidth_degrees=3)
    side = density.values.shape[0]
    assert density.patterns == (found.reason == 0).sum() and density.largest > 20
    for m in grains:
        normal = m.T @ np.array([1, 1, 1]) / 3**0.5
        x, y, up = normal * (-np.sign(normal[2]) or 1) * [1, 1, -1]
        place = np.array([y, x]) / (1 + up)**0.5
        row, col = ((place + 1) * side / 2).astype(int)
        assert density.values[row, col] > 0.3 * density.largest
    inverse = stem4d.inverse_pole_density(found, (0, 0, 1))
    assert inverse.patterns == density.patterns
    stem4d.save_ipf_map(tmp_path / "ipf.png", found, boundary_degrees=15)
    stem4d.save_pole_figures(tmp_path / "poles.svg", found, [(0, 0, 1), (1, 1, 1)], projection="stereographic")
    stem4d.save_inverse_pole_figures(tmp_path / "inverse.pdf", found)
    for name in ("ipf.png", "poles.svg", "inverse.pdf"):
        assert (tmp_path / name).stat().st_size > 1000


def test_what_is_refused(found, tmp_path):
    with pytest.raises(sluice.InvalidArgument, match="map is 3; give OrientationMap"):
        stem4d.find_orientation_grains(3)
    with pytest.raises(sluice.InvalidArgument, match="a direction is"):
        stem4d.ipf_colors(found, (1, 2))
    with pytest.raises(sluice.InvalidArgument, match="no length"):
        stem4d.ipf_colors(found, (0, 0, 0))
    with pytest.raises(sluice.InvalidArgument, match="no normal"):
        stem4d.pole_density(found, (0, 0, 0))
    with pytest.raises(sluice.InvalidArgument, match="there is no phase 3"):
        stem4d.pole_density(found, (1, 1, 1), 3)
    with pytest.raises(sluice.InvalidArgument, match="equal-area"):
        stem4d.save_pole_figures(tmp_path / "a.png", found, [(1, 1, 1)], projection="flat")
    with pytest.raises(sluice.InvalidArgument, match="halfwidth"):
        stem4d.inverse_pole_density(found, halfwidth_degrees=0)
    with pytest.raises(sluice.InvalidArgument, match="three whole numbers"):
        stem4d.save_pole_figures(tmp_path / "a.png", found, [(1, 1)])
    assert not list(tmp_path.iterdir())


def test_numbers_that_are_none_have_no_say(grains, library, calibration):  # noqa: F811
    """Files refuse them; a caller's columns may have them."""
    good = scan_of([grains[n // 8 // 8] for n in range(128)])
    columns = {name: np.array(getattr(good, name)) for name in
               ("row", "col", "intensity", "intensity_error", "var_row", "var_col", "cov_row_col")}
    first = np.array(good.first)
    columns["row"][first[3]], columns["intensity"][first[4]] = np.nan, np.inf
    columns["intensity"][first[5]], columns["cov_row_col"][first[6]] = np.nan, np.nan
    bad = stem4d.BraggVectors(good.scan_shape, good.detector_shape, first, **columns)
    made = stem4d.orientation(bad, library, calibration, least_probability=0.5)
    whole = stem4d.orientation(good, library, calibration, least_probability=0.5)
    fewer = (whole.disks - made.disks).ravel()
    assert fewer[:8].tolist() == [0, 0, 0, 1, 1, 1, 0, 0] and not fewer[8:].any()
    assert (made.reason == whole.reason).mean() > 0.9 and np.isfinite(made.score).all()
