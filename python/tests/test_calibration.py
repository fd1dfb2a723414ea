"""Calibration: truth that NumPy draws, files, and what is refused.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d

CIF = """data_Al
_cell_length_a 4.0495
_cell_length_b 4.0495
_cell_length_c 4.0495
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
"""
STRETCH = np.array([[1.015, 0.004], [0.004, 0.99]])  # what the detector does to places about the origin


def vectors_of(places_of, scan=(6, 9), sigma=0.03, seed=1):
    """Disks at places about the origin, as one call gives them for each pattern, stretched and shifted."""
    draw = np.random.default_rng(seed)
    first, row, col, height = [0], [], [], []
    for y in range(scan[0]):
        for x in range(scan[1]):
            places, heights = places_of(draw)
            at = places @ STRETCH.T + [120 + 0.6 * y - 0.2 * x, 131 + 0.5 * x]
            at += draw.normal(0, sigma, at.shape)
            keep = np.all((at > 0) & (at < 255), axis=1)
            order = np.argsort(-heights[keep])
            row.extend(at[keep][order, 0]), col.extend(at[keep][order, 1]), height.extend(heights[keep][order])
            first.append(len(row))
    n = len(row)
    return stem4d.BraggVectors(scan, (256, 256), first, row=row, col=col, intensity=height,
                               var_row=np.full(n, sigma**2), var_col=np.full(n, sigma**2), cov_row_col=np.zeros(n))


def square(draw):
    h, k = np.mgrid[-4:5, -4:5].reshape(2, -1)
    turn = np.deg2rad(17)
    g = 2 / 4.0495 * 60 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.stack([h, k], 1) @ g.T, np.where((h == 0) & (k == 0), 9.0, draw.uniform(0.2, 1, h.size))


def powder(draw):
    radii = np.sqrt([3, 4, 8, 11, 12, 16, 19, 20]) / 4.0495 * 90
    r, t = draw.choice(radii, 40), draw.uniform(0, 2 * np.pi, 40)
    places = np.stack([r * np.cos(t), r * np.sin(t)], 1)
    return np.vstack([[0, 0], places]), np.append(9.0, draw.uniform(0.2, 1, 40))


def truth():
    """Ratio and angle of the ellipse that a circle becomes, by NumPy."""
    axes, lengths, _ = np.linalg.svd(STRETCH)
    return lengths[0] / lengths[1], np.degrees(np.arctan2(axes[1, 0], axes[0, 0])) % 180


@pytest.fixture(scope="module")
def cif(tmp_path_factory):
    path = tmp_path_factory.mktemp("cif") / "al.cif"
    path.write_text(CIF)
    return path


@pytest.mark.parametrize("places, scale", [(square, 60), (powder, 90)])
def test_a_known_crystal_tells_pixel_size_and_ellipse(places, scale, cif):
    made = stem4d.calibrate(vectors_of(places), crystal=cif)
    ratio, angle = truth()
    size = 1 / (scale * np.sqrt(np.linalg.det(STRETCH)))
    assert abs(made.pixel_size / size - 1) < 1e-3
    assert abs(made.pixel_size - size) < 5 * made.pixel_size_error
    assert abs(made.distortion.ratio - ratio) < max(5 * made.distortion.ratio_error, 1e-4)
    assert abs(made.distortion.angle_degrees - angle) < 1
    assert made.rings[0].name in ("(1 1 1)", "(2 0 0)", "(0 2 0)") and made.origins.reason.max() == 0
    y, x = np.mgrid[:6, :9]
    expected = np.stack([120 + 0.6 * y - 0.2 * x, 131 + 0.5 * x], -1)
    assert np.abs(made.origin_fit.values - expected).max() < 5 * made.origin_fit.errors.max()
    # What it sees with C and what is true are one but for a turn and a size.
    seen = made.distortion.correction @ STRETCH
    assert np.allclose(seen.T @ seen, np.linalg.det(STRETCH) * np.eye(2), atol=2e-3)


def test_it_is_applied_undone_saved_and_loaded(cif, tmp_path):
    vectors = vectors_of(square)
    made = stem4d.calibrate(vectors, crystal=cif, rotation=(12.5, True))
    made.save(tmp_path / "c.json")
    back = stem4d.load_calibration(tmp_path / "c.json")
    assert back.rotation == (12.5, True) and back.pixel_size == made.pixel_size and back.notes == made.notes
    one, two = stem4d.apply_calibration(vectors, made), stem4d.apply_calibration(vectors, back)
    assert np.array_equal(one.vectors.row, two.vectors.row)
    # All lattices are one square about the centre.
    about = np.stack([one.vectors.row - made.center[0], one.vectors.col - made.center[1]], 1)
    at = np.abs(np.linalg.norm(about, axis=1) * made.pixel_size * 4.0495 / 2)**2
    assert np.abs(at - np.round(at)).max() < 0.1
    undone = stem4d.remove_calibration(one)
    for name in ("row", "col", "var_row", "var_col", "cov_row_col"):
        assert getattr(undone, name).tobytes() == getattr(vectors, name).tobytes()
    assert stem4d.radial_histogram(vectors, made).sum() == len(vectors)


def test_strain_from_theory_is_absolute(cif):
    made = stem4d.calibrate(vectors_of(square), crystal=cif, zone=(0, 0, 1))
    fit = stem4d.fit_lattice(stem4d.apply_calibration(vectors_of(square, seed=2), made).vectors)
    maps = stem4d.strain(fit, reference=stem4d.theory_of(made, fit.basis))
    for e in (maps.e_xx, maps.e_yy, maps.e_xy):
        assert abs(e.mean()) < 2e-4


def test_cells_have_spacings_and_reflections(cif):
    cell = stem4d.load_cif(cif)
    assert cell.axes == (4.0495, 4.0495, 4.0495) and cell.atoms == 0 and cell.notes
    assert abs(cell.spacing((1, 1, 1)) - 4.0495 / np.sqrt(3)) < 1e-12
    all_ = cell.reflections(0.8)
    parities = all_["hkl"] % 2
    assert all_["hkl"].shape == (26, 3) and np.all(parities == parities[:, :1])
    assert np.allclose(all_["frequency"], np.linalg.norm(all_["hkl"], axis=1) / 4.0495)


def test_what_does_not_fit_is_refused(cif, tmp_path):
    vectors = vectors_of(square)
    with pytest.raises(sluice.InvalidArgument, match="no zone"):
        stem4d.calibrate(vectors, crystal=cif, zone=(1, 1, 1))
    with pytest.raises(sluice.InvalidArgument, match="UnitCell"):
        stem4d.calibrate(vectors, crystal=3)
    with pytest.raises(sluice.InvalidArgument, match="three whole numbers"):
        stem4d.calibrate(vectors, zone=(0, 1))
    with pytest.raises(sluice.InvalidArgument, match="give one"):
        stem4d.calibrate(vectors, crystal=cif, spacings=[2.0])
    with pytest.raises(sluice.InvalidArgument, match="frames"):
        stem4d.measure_origins(vectors, method="mass")
    with pytest.raises(sluice.InvalidArgument, match="a cut of nan"):
        stem4d.fit_origins(stem4d.measure_origins(vectors), cut=float("nan"))
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(sluice.Error, match="no calibration"):
        stem4d.load_calibration(tmp_path / "bad.json")
    bare = stem4d.calibrate(vectors)
    assert bare.pixel_size == 0 and bare.distortion is None
    with pytest.raises(sluice.InvalidArgument, match="knows no lattice"):
        stem4d.theory_of(bare, stem4d.find_basis(vectors))
