"""Templates, disks, lattices and strain: truth that NumPy draws, what the command line finds, and what is refused.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import pickle

import numpy as np
import pytest

import sluice
from sluice import stem4d

A, B = np.array([20.0, 3.0]), np.array([-4.0, 19.0])


def crystal(path, dose=60.0, scan=(3, 7)):
    """Saves patterns of logistic disks on a lattice that is stretched from column to column: e_row_row."""
    draw = np.random.default_rng(5)
    y, x = np.mgrid[:112, :112]
    frames = np.zeros((*scan, 112, 112), np.uint16)
    stretch = np.linspace(-0.01, 0.01, scan[1])
    for row in range(scan[0]):
        for col in range(scan[1]):
            mean = np.full(y.shape, 0.5)
            for h in range(-3, 4):
                for k in range(-3, 4):
                    at = 55.4 + np.array([h * A[0] + k * B[0], h * A[1] + k * B[1]])
                    # Atoms stretched by 1 + e along the rows have a lattice that is as much shorter there.
                    at[0] = 55.4 + (at[0] - 55.4) / (1 + stretch[col])
                    if np.all((at > -6) & (at < 118)):
                        height = 3 * dose if h == k == 0 else dose * draw.uniform(0.2, 1)
                        mean += height / (1 + np.exp(4 * (np.hypot(y - at[0], x - at[1]) - 5.5)))
            frames[row, col] = draw.poisson(mean)
    np.save(path, frames)
    return stretch


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("crystal") / "scan.npy"
    stretch = crystal(path)
    scan = sluice.load(path)
    return scan, stretch, stem4d.find_disks(scan)


def test_strain_is_that_of_the_drawn_crystal_within_its_errors(made):
    scan, stretch, vectors = made
    fit = stem4d.fit_lattice(vectors)
    maps = stem4d.strain(fit)
    assert not fit.reason.any() and maps.notes[0].startswith("convention sluice")
    away = maps.e_xx - stretch
    away -= np.median(away)
    chi2 = ((away / maps.errors["e_xx"])**2).mean()
    assert 0.4 < chi2 < 2.0
    assert np.abs(maps.e_yy).max() < 6 * maps.errors["e_yy"].max()
    # Absolute strain: theory knows the lattice in units of the pixel.
    lengths = [1 / np.linalg.norm(v) for v in (fit.basis.a, fit.basis.b)]
    cosine = np.dot(fit.basis.a, fit.basis.b) * lengths[0] * lengths[1]
    theory = stem4d.theoretical_basis(*lengths, np.degrees(np.arccos(cosine)), 1.0, fit.basis)
    absolute = stem4d.strain(fit, reference=theory)
    assert np.allclose(absolute.e_xx - absolute.e_xx.mean(), maps.e_xx - maps.e_xx.mean(), atol=2e-4)


@pytest.mark.parametrize("ending", ["h5", "npy", "csv"])
def test_disks_that_are_written_as_they_come_are_the_same_file(made, tmp_path, ending):
    scan, _, vectors = made
    vectors.save(tmp_path / f"all.{ending}")
    written = stem4d.find_disks(scan, out=tmp_path / f"come.{ending}")
    if ending == "h5":  # which says what wrote it
        come = stem4d.load_vectors(tmp_path / "come.h5")
        assert come.reason.tobytes() == vectors.reason.tobytes() and come.score.tobytes() == vectors.score.tobytes()
    else:
        assert (tmp_path / f"come.{ending}").read_bytes() == (tmp_path / f"all.{ending}").read_bytes()
    assert written.disks == len(vectors) and written.scan_shape == vectors.scan_shape
    assert written.reasons["found"] == 21 and sum(written.reasons.values()) == 21
    with pytest.raises(sluice.InvalidArgument, match="end it with"):
        stem4d.find_disks(scan, out=tmp_path / "disks.tif")


def test_plans_travel(made):
    scan, _, vectors = made
    plan = pickle.loads(pickle.dumps(stem4d.plan_disks(scan)))
    assert stem4d.find_disks(scan, plan).row.tobytes() == vectors.row.tobytes()
    known = stem4d.know_lattice(scan, plan)
    again = pickle.loads(pickle.dumps(known))
    assert again.lattice == known.lattice and again.why == known.why and again.template.radius == plan.template.radius
    assert stem4d.find_disks(scan, again).col.tobytes() == stem4d.find_disks(scan, known).col.tobytes()


def test_one_pattern_has_the_disks_that_the_scan_has_there(made):
    scan, _, vectors = made
    plan = stem4d.plan_disks(scan)
    alone = stem4d.find_disks(stem4d.frame(scan, 1, 4).astype(float), plan)
    assert np.array_equal(alone[0, 0]["row"], vectors[1, 4]["row"])
    assert len(plan.why) >= 3 and plan.background.shape == (112, 112)


def test_devices_agree(made):
    scan, _, vectors = made
    plain = stem4d.find_disks(scan, device="reference")
    assert np.array_equal(plain.count, vectors.count)
    assert np.abs(plain.row - vectors.row).max() < 2e-3
    fit, twin = stem4d.fit_lattice(vectors), stem4d.fit_lattice(vectors, device="reference")
    assert np.allclose(fit.values, twin.values, atol=1e-9)


def test_templates_are_saved_and_loaded(made, tmp_path):
    scan, _, _ = made
    fitted = stem4d.fit_template(scan)
    assert abs(fitted.radius - 5.5) < 0.05 and fitted.radius_error > 0
    fitted.save(tmp_path / "probe.json")
    loaded = stem4d.load_template(tmp_path / "probe.json")
    assert loaded.value(5.5, 0) == fitted.value(5.5, 0) and loaded.source == fitted.source


@pytest.mark.parametrize("call, words", [
    (lambda s, v: stem4d.strain(stem4d.fit_lattice(v), convention="mine"), "sluice, py4dstem, pyxem"),
    (lambda s, v: stem4d.strain(stem4d.fit_lattice(v), region=np.ones((2, 2))), "different shapes"),
    (lambda s, v: stem4d.strain(stem4d.fit_lattice(v), region=np.ones((3, 7)), reference=stem4d.find_basis(v)),
     "one of them"),
    (lambda s, v: stem4d.fit_lattice(v, ((0, 0), (1, 2), (2, 4))), "lie on a line"),
    (lambda s, v: stem4d.fit_lattice(v, (1, 2)), "LatticeBasis"),
    (lambda s, v: stem4d.fit_lattice(s), "give BraggVectors"),
    (lambda s, v: stem4d.plan_disks(s, "probe"), "template is 'probe'; give ProbeTemplate"),
    (lambda s, v: stem4d.plan_disks(s, stem4d.synthetic_template(500.0)), "radius 500"),
    (lambda s, v: stem4d.plan_disks(s, background=np.ones((3, 3))), "3x3"),
    (lambda s, v: stem4d.find_disks(np.ones((112, 112))), "plan_disks"),
    (lambda s, v: stem4d.find_disks(np.ones((112, 112)), stem4d.plan_disks(s), bad=np.ones((2, 2))), "shape"),
    (lambda s, v: stem4d.synthetic_template(-1.0), "-1"),
])
def test_what_cannot_be_is_refused(made, call, words):
    with pytest.raises(sluice.Error, match=words):
        call(made[0], made[2])


def test_a_known_lattice_needs_no_search(made):
    scan, _, vectors_searched = made
    plan = stem4d.plan_disks(scan)
    assert plan.mode == "isolated" and plan.lattice is None
    known = stem4d.know_lattice(scan, plan)
    assert known.lattice is not None and "lie on one lattice" in " ".join(known.why)
    vectors, fit = stem4d.refine_lattice(scan, known)
    searched = stem4d.fit_lattice(vectors_searched, known.lattice)
    assert len(vectors) > 0.95 * len(vectors_searched)  # those at the frame are seen by half, or less
    away = (fit.values - searched.values) / np.sqrt(np.diagonal(searched.covariance, axis1=-2, axis2=-1))
    assert np.abs(away).max() < 3
    assert (stem4d.find_disks(scan, known).row == vectors.row).all()
    with pytest.raises(sluice.InvalidArgument, match="knows no lattice"):
        stem4d.refine_lattice(scan, plan)


def test_strain_is_what_pyxem_says_of_the_same_lattices():
    # tests/data/crystal_strain/pyxem.json: pyxem 0.21's own answers, with how they were made.
    data = pathlib.Path(__file__).parents[2] / "tests/data/crystal_strain/pyxem.json"
    if not data.exists():
        pytest.skip("tests/data is not beside this package")
    kept = json.loads(data.read_text())
    h, k = (n.ravel() for n in np.mgrid[-2:3, -2:3])
    places = np.array([np.array([55.0, 56.0]) + np.stack([h, k], 1) @ np.array(v) for v in kept["vectors"]])
    count, disks = places.shape[:2]
    vectors = stem4d.BraggVectors((1, count), (112, 112), np.arange(count + 1) * disks, row=places[..., 0].ravel(),
                                  col=places[..., 1].ravel(), intensity=np.ones(count * disks))
    basis = stem4d.LatticeBasis((55.0, 56.0), *map(tuple, kept["basis"]))
    fit = stem4d.fit_lattice(vectors, basis)

    def says(convention):
        maps = stem4d.strain(fit, reference=basis, convention=convention)
        return np.stack([maps.e_xx, maps.e_yy, maps.e_xy, np.radians(maps.omega)], -1)[0]
    # Disks are kept as float32.
    assert np.allclose(says("pyxem"), kept["e11_e22_e12_theta"], atol=2e-6)
    # To first order it is the crystal's strain on exchanged axes, with other signs.
    assert np.allclose(says("sluice")[:, [1, 0, 2, 3]] * [1, 1, -1, -1], says("pyxem"), atol=2e-3)
