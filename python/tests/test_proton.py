"""Protons beside NumPy's own sums, and beside the program.

SPDX-License-Identifier: Apache-2.0
"""
import json
import math
import os
import pathlib
import pickle
import subprocess
import warnings

import numpy as np
import pytest

import sluice
from sluice import proton

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
TEXT = """
[grid]
depth = "60 mm"
width = "30 mm"
dz = "0.5 mm"
dx = "1 mm"
[[beam]]
energy = "70 MeV"
sigma_x = "3 mm"
[[medium]]
material = "muscle"
from = "10 mm"
to = "20 mm"
[output]
spectra = ["20 mm"]
"""


@pytest.fixture(scope="module")
def config():
    return proton.parse_config(TEXT)


@pytest.fixture(scope="module")
def result(config):
    return proton.march_beams(config)


def test_ranges_are_integrals_of_stopping_powers():
    water = proton.Physics("pstar")
    # NIST PSTAR: the continuous-slowing-down ranges of water, in mm.
    np.testing.assert_allclose(water.range([70.0, 100.0, 150.0]), [40.80, 77.18, 157.7], rtol=2e-3)
    energy = np.linspace(20, 200, 20001)
    power = water.stopping_power(energy)
    step = np.diff(energy)
    range_ = np.sum(step * (1 / power[1:] + 1 / power[:-1]) / 2)
    assert range_ == pytest.approx(water.range(200.0) - water.range(20.0), rel=1e-6)
    grid = np.array([[30.0, 40.0], [50.0, 60.0]])
    np.testing.assert_allclose(water.energy(water.range(grid)), grid, rtol=1e-6)
    assert isinstance(water.range(100), float) and water.range(grid.T).shape == (2, 2)
    assert water.range(grid[::-1])[0, 0] == water.range(50.0)
    assert water.relative_stopping_power("water", 100.0) == pytest.approx(1, abs=1e-6)
    assert 1.5 < water.relative_stopping_power("cortical_bone", 100.0) < 1.8
    names = ("scattering_power", "straggling", "nuclear_cross_section", "hydrogen_cross_section",
             "elastic_cross_section")
    for name in names:
        assert np.all(getattr(water, name)("water", grid) > 0), name
    assert pickle.loads(pickle.dumps(water)).range(100.0) == water.range(100.0)


def test_the_ledger_adds_up(config, result):
    deposit = result.deposit
    assert deposit.shape == (120, 30) and deposit.flags.writeable
    l = result.ledger
    assert l.entered.weight == pytest.approx(1) and l.entered.energy == pytest.approx(70, rel=1e-5)
    weight = sum(s.weight for s in (l.stopped, l.left, l.right, l.end, l.front, l.backward,
                                    l.angles, l.nuclear, l.truncated, l.inside))
    assert weight + l.residual.weight == pytest.approx(l.entered.weight, abs=1e-9)
    assert abs(l.residual.weight) < 1e-4
    assert result.steps.stopped.weight.shape == (120,)
    assert result.steps.stopped.weight[-1] == l.stopped.weight
    assert result.sums.weight[0] == pytest.approx(1, rel=1e-5)


def test_metrics_are_what_numpy_says(config, result):
    depth, dose = proton.depth_dose(result)
    np.testing.assert_allclose(depth, result.depth)
    density = 1.0 if result.density is None else result.density
    np.testing.assert_allclose(dose, (result.deposit / density).sum(1) / result.dz, rtol=1e-12)
    assert np.isclose(density, 1.05).sum() == 20 * 30  # a slab
    m = proton.bragg_metrics(depth, dose)
    after = depth > m.peak_depth
    r80 = np.interp(-0.8 * m.peak, -dose[after], depth[after])
    assert m.r80 == pytest.approx(r80, abs=0.1)
    x = result.x
    d = result.deposit[10]
    mean = (x * d).sum() / d.sum()
    sigma = np.sqrt(((x - mean) ** 2 * d).sum() / d.sum() - result.dx ** 2 / 12)
    assert proton.lateral_sigma(result)[10] == pytest.approx(sigma, rel=1e-6)
    core = proton.core_sigma(result)
    assert core[10] <= proton.lateral_sigma(result)[10] * 1.001
    let = proton.let_map(result)
    inside = np.isfinite(let)
    np.testing.assert_allclose(let[inside], result.primary_let[inside] / result.primary[inside],
                               rtol=1e-12)
    both = proton.let_map(result, with_secondaries=True)
    assert np.isfinite(both).any()
    s = result.spectra[0]
    assert len(s.edges) == len(s.protons) + 1
    assert 0.9 < (np.diff(s.edges) * s.protons).sum() <= 1.0
    twice = proton.sum_of([s, s])
    np.testing.assert_allclose(twice.protons, 2 * s.protons)


def test_the_dose_is_energy_over_mass(config, result):
    gray = proton.dose_of(config, result)
    density = np.array([m.density for m in config.phantom.materials])[config.phantom.map]
    mass = density * 1e-6 * result.dz * result.dx
    np.testing.assert_allclose(gray, result.deposit * 1.602176634e-13 / mass
                               / result.ledger.entered.weight, rtol=1e-6, atol=1e-35)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program was not built")
def test_a_run_is_the_programs(tmp_path):
    file = tmp_path / "beam.toml"
    file.write_text(TEXT)
    done = subprocess.run([PROGRAM, "proton", "run", file, "--out", tmp_path / "dose", "--json"],
                          capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", proton.DoseWarning)
        found = proton.run(file)
    assert np.array_equal(np.load(tmp_path / "dose/dose.npy"), found.dose)
    assert report["warnings"] == found.warnings and report["assumed"] == found.assumptions
    assert [g["name"] for g in report["guards"]] == [g.name for g in found.guards]
    assert found.metrics.r80 in report["metrics"].values()
    let = np.load(tmp_path / "dose/let.npy")
    assert np.array_equal(let, proton.let_map(found.result).astype(np.float32), equal_nan=True)


def test_parts_make_the_same_as_a_text(config, result):
    again = proton.Config(config.phantom, config.beams, water=config.water, **config.options)
    other = proton.march_beams(again)
    assert np.array_equal(other.deposit, result.deposit)
    one = proton.march_beam(config, config.beams[0])
    assert np.array_equal(one.deposit, result.deposit)
    options = {**config.options, "let_map": True}
    alone = proton.march(config.phantom, config.beams[0], physics=config.water, **options)
    assert np.array_equal(alone.deposit, result.deposit)
    travelled = pickle.loads(pickle.dumps(result))
    assert np.array_equal(proton.let_map(travelled), proton.let_map(result), equal_nan=True)


def test_a_refusal_is_an_exception_and_a_warning_a_warning():
    box = proton.Phantom.box(60, 32, dz=4, dx=8)
    coarse = proton.Config(box, proton.Beam(70, sigma_x=3), angle_step=0.05)
    guards = proton.guards_before(coarse)
    assert any(g.severity == "refusal" for g in guards) and str(guards[0])
    with pytest.raises(sluice.InvalidArgument, match="set grid|--anyway|deg|mm"):
        proton.run(coarse)
    with pytest.raises(sluice.InvalidArgument):
        proton.refuse(guards)
    with pytest.warns(proton.DoseWarning) as told:
        found = proton.run(coarse, anyway=True)
    assert {one.filename for one in told} == {__file__}
    assert found.warnings and proton.summary(found.guards)
    assert proton.guards_of(box, proton.Beam(70, sigma_x=3), angle_step=0.05)


def test_spread_out_peaks():
    peak = proton.spread_out(60, 20, proton.Beam(100, sigma_x=3), dz=1.0)
    assert peak.range == pytest.approx(60, abs=0.2) and peak.flatness < 0.05
    assert sum(b.weight for b in peak.beams) == pytest.approx(1)
    assert peak.beams[0].energy > peak.beams[-1].energy


def test_gamma_is_the_least_distance():
    x = np.linspace(0, 20, 41)
    reference = np.exp(-((x - 10) / 4) ** 2)
    found = proton.gamma_index(reference, 1.01 * reference, 0.5, dose=0.02, distance=2)
    assert found.passed == 1 and found.gamma.shape == (41,)
    # A map that is moved along a straight slope: the distance to a line is known.
    slope = np.linspace(1, 2, 41)[:, None] * np.ones((41, 5))
    moved = slope + 0.03
    per_mm = (slope[1, 0] - slope[0, 0]) / 0.5
    dd, dt = 0.02 * 2, 2.0
    exact = 0.03 / np.hypot(dd, dt * per_mm)
    got = proton.gamma_index(slope, moved, 0.5, dose=0.02, distance=2).gamma
    np.testing.assert_allclose(got[15:25, 2], exact, rtol=1e-6)
    one = proton.gamma_index(slope, moved, 0.5, threads=1).gamma
    assert np.array_equal(one, got, equal_nan=True)


def test_gamma_of_volumes_is_that_of_their_files(tmp_path):
    z, y, x = np.mgrid[:12, :14, :16].astype(float)
    bell = np.exp(-((x - 8) ** 2 + (y - 7) ** 2 + (z - 6) ** 2) / 40)
    one = proton.Volume(bell, spacing=(1, 1, 1.5), origin=(-8, -7, 3))
    # Half a voxel farther along x, and finer.
    other = proton.Volume(1.01 * bell, spacing=(1, 1, 1.5), origin=(-7.5, -7, 3))
    found = proton.gamma_index(one, other, dose=0.02, distance=2)
    assert found.gamma.shape == (12, 14, 16) and found.volume.origin == one.origin
    assert found.points == int((bell >= 0.1).sum()) and found.outside == 0
    # At most the way to the same part of the other dose, with what it is off there.
    assert 0.1 < np.nanmax(found.gamma) <= np.hypot(0.5 / 2, 0.01 / 0.02) + 1e-6
    sluice.save_nrrd(tmp_path / "one.nrrd", one)
    sluice.save_metaimage(tmp_path / "other.mha", other)
    again = proton.gamma_index(tmp_path / "one.nrrd", str(tmp_path / "other.mha"), threads=1)
    assert np.array_equal(again.gamma, found.gamma, equal_nan=True)
    arrays = proton.gamma_index(bell, 1.01 * bell, spacing=(1.5, 1, 1), origin=(3, -7, -8),
                                evaluated_origin=(3, -7, -7.5))
    assert np.array_equal(arrays.gamma, found.gamma, equal_nan=True)
    for call in (lambda: proton.gamma_index(one, bell[0]), lambda: proton.gamma_index(one, other, spacing=2.0),
                 lambda: proton.gamma_index(bell, bell[1:]), lambda: proton.gamma_index(one, proton.Volume(bell))):
        with pytest.raises(sluice.InvalidArgument):
            call()


def test_histograms_are_what_sorting_says():
    rng = np.random.default_rng(3)
    dose = rng.random((20, 30)).astype(np.float32)
    mask = rng.random((20, 30)) < 0.4
    found = proton.dvh(dose, mask)
    inside = np.sort(dose[mask].astype(float))[::-1]
    assert np.array_equal(found.dose, inside) and found.area == mask.sum()
    assert found.mean == pytest.approx(inside.mean())
    at = np.array([0.2, 0.5])
    np.testing.assert_allclose(found.volume(at), [(inside >= v).mean() for v in at])
    assert found.coverage(1.0) == inside[-1]


def test_dense_solvers_step_and_stop():
    box = proton.Phantom.box(20, 10, dz=1, dx=1)
    grid = proton.DenseOptions(energies=24, angles=36, precision="f64")
    inside = math.erf(2.5 / math.sqrt(2))  # of a Gaussian of 2 mm, what 10 mm hold
    with proton.DenseSolver(box, proton.Beam(40, sigma_x=2), grid) as solver:
        first = solver.state()
        assert first.shape == solver.shape and first.sum() == pytest.approx(inside)
        solver.step(3)
        assert solver.steps == 3 and solver.nbytes > first.nbytes / 2
        after = solver.state()
        assert not np.array_equal(after, first) and first.sum() == pytest.approx(inside)
        solver.set_state(first[:, :, :, ::-1])
        assert solver.steps == 0 and np.array_equal(solver.state(), first[:, :, :, ::-1])
        solver.set_state(first)
        solver.step(3)
        assert np.array_equal(solver.state(), after)
        o = solver.operators()
        assert o.to.shape == (solver.shape[0], 3) and o.z.shape == solver.shape[:2] and o.passes.min() >= 0
        found = solver.run()
        assert found.ledger.inside.weight < 1e-6 and found.deposit.shape == (20, 10)
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        solver.step()


def test_base_data(tmp_path):
    energies = proton.base_energies(60, 80, 3)
    water = proton.Physics()
    np.testing.assert_allclose(np.diff(water.range(energies), 2), 0, atol=1e-6)
    b = proton.base_energy(70.0, step=1.0)
    assert b.depth[0] == 0 and len(b.depth) == len(b.let) == len(b.sigma) == len(b.dose)
    file = tmp_path / "protons_mine.mat"
    proton.save_base_data(file, [b], spot_sigma=4.0)
    assert file.read_bytes()[:6] == b"MATLAB"


def test_batch(tmp_path):
    file, folder = tmp_path / "sweep.toml", tmp_path / "library"
    file.write_text('[grid]\ndepth = "60 mm"\nwidth = "40 mm"\ndz = "1 mm"\ndx = "1 mm"\n[sweep]\n'
                    'energy = ["50 MeV", "60 MeV"]\nsigma_x = "3 mm"\n')
    with pytest.raises(sluice.Cancelled, match="0 of 2 beams are done"):
        proton.batch(file, folder, progress=lambda done, total: False)
    heard = []
    found = proton.batch(file, folder, progress=lambda *now: heard.append(now))
    assert (found.beams, found.marched, found.before) == (2, 2, 0) and heard[-1][0] == heard[-1][1]
    assert [line["energy_MeV"] for line in found.library] == [50.0, 60.0]
    assert found.library[1]["R80_mm"] == pytest.approx(30.9, abs=0.1)
    assert found.warned == sum(bool(line["warnings"]) for line in found.library)
    assert (folder / "002.csv").exists() and not (folder / "002.npy").exists()
    again = proton.batch(file, folder, dose=True)
    assert (again.marched, again.before) == (2, 0) and np.load(folder / "002.npy").shape == (60, 40)
    assert proton.batch(file, folder, dose=True).before == 2
    with pytest.raises(sluice.InvalidArgument, match="another configuration"):
        proton.batch(file, folder, precision="f64")


def test_convergence(tmp_path):
    assert proton.sequence_of_values([1.16, 1.04, 1.01]).order == pytest.approx(2)
    assert proton.sequence_of_differences([0.4, 0.1]).converges
    file = tmp_path / "beam.toml"
    file.write_text(TEXT.split("[[medium]]")[0].replace('width = "30 mm"', 'width = "24 mm"'))
    heard = []
    found = proton.converge(file, levels=3, accuracy=0.5, dose=0.1,
                            progress=lambda done, total: heard.append((done, total)))
    assert [a.axis for a in found.axes] == ["dz", "range_step", "dx", "angle_step"]
    assert len(found.axes[0].runs) == 3 and found.steps.dz > 0 and heard
    assert found.limits["r80"] == pytest.approx(40.6, abs=0.5)


def test_volumes_are_sampled():
    z, y, x = np.mgrid[:4, :5, :6].astype(np.float32)
    v = sluice.Volume(100 * z + 10 * y + x, spacing=(1, 2, 3), origin=(0, 0, 0))
    assert proton.sample(v, (1.5, 3, 4.5)) == pytest.approx(100 * 1.5 + 10 * 1.5 + 1.5)
    assert np.isnan(proton.sample(v, (-1, 0, 0)))
    places = np.array([[[0.0, 0, 0], [5.0, 8, 9]]])
    np.testing.assert_allclose(proton.sample(v, places), [[0, 345]])
    np.testing.assert_allclose(proton.sample_line(v, 0, (0, 2, 3), [0, 1, 2]), [110, 111, 112])
    plane = proton.plane_of(v, across=0, down=1, at=3.0)
    assert np.array_equal(proton.sample_plane(v, plane), v.image[1])
    np.testing.assert_allclose(proton.stations([v, v], 1), [0, 2, 4, 6, 8])
    r = proton.value_range(v)
    assert (r.least, r.most, r.most_at) == (0, 345, (5, 8, 9)) and r.not_finite == 0
    other = sluice.Volume(v.image + 2, spacing=(1, 2, 3), origin=(0, 0, 0))
    d = proton.difference(v, other)
    assert d.points == 120 and d.mean == pytest.approx(-2) and d.mean_size == pytest.approx(2)
    proton.comparable(v, other)
    with pytest.raises(sluice.InvalidArgument):
        proton.comparable(v, sluice.Volume(np.zeros((3, 3)), spacing=(1, 1)))


def test_beam_lists():
    beams = proton.parse_beam_list("energy_MeV,sigma_x_mm\n70,3\n# not this\n80,4\n")
    assert [b.energy for b in beams] == [70, 80] and beams[1].sigma_x == 4


BOX = proton.Phantom.box(40, 20, dz=1, dx=1)
BEAM = proton.Beam(50, sigma_x=2)
BAD = [
    lambda: proton.march(None, BEAM),
    lambda: proton.march(BOX, 70),
    lambda: proton.march(BOX, proton.Beam("70")),
    lambda: proton.march(BOX, proton.Beam(np.nan)),
    lambda: proton.march(BOX, proton.Beam(500)),
    lambda: proton.march(BOX, BEAM, physics=7),
    lambda: proton.march(BOX, BEAM, physics="air"),
    lambda: proton.march(BOX, BEAM, nonsense=1),
    lambda: proton.march(BOX, BEAM, precision="f16"),
    lambda: proton.march(BOX, BEAM, device="abacus"),
    lambda: proton.march(BOX, BEAM, threads=-1),
    lambda: proton.march(BOX, BEAM, spectra_at=[1000.0]),
    lambda: proton.march(BOX, BEAM, angle_step=0.0),
    lambda: proton.march(BOX, BEAM, progress=7),
    lambda: proton.march(proton.Phantom(0, 3), BEAM),
    lambda: proton.march(proton.Phantom(-5, 3), BEAM),
    lambda: proton.march(proton.Phantom(2**40, 2**40), BEAM),
    lambda: proton.march(proton.Phantom(40, 20, dz=-1.0), BEAM),
    lambda: proton.march(proton.Phantom(40, 20, materials=[]), BEAM),
    lambda: proton.march(proton.Phantom(40, 20, materials="water"), BEAM),
    lambda: proton.march(proton.Phantom(40, 20, materials=["cheese"]), BEAM),
    lambda: proton.march(proton.Phantom(4, 4, map=np.zeros((3, 4), int)), BEAM),
    lambda: proton.march(proton.Phantom(4, 4, map=np.ones((4, 4), int)), BEAM),
    lambda: proton.march(proton.Phantom(4, 4, map=-np.ones((4, 4), int)), BEAM),
    lambda: proton.march(proton.Phantom(4, 4, map=np.zeros((4, 4))), BEAM),
    lambda: proton.march(proton.Phantom(4, 4, map=np.array([[object()] * 4] * 4)), BEAM),
    lambda: proton.material("cheese"),
    lambda: proton.material(7),
    lambda: proton.Physics("milk"),
    lambda: proton.Physics().range(-1.0),
    lambda: proton.Physics().stopping_power(0.0),
    lambda: proton.Physics().range(np.array([object()])),
    lambda: proton.Physics().range(np.array([1j])),
    lambda: proton.Physics().range(np.nan),
    lambda: proton.Physics().straggling(7, 100.0),
    lambda: proton.Config(BOX, []),
    lambda: proton.Config(BOX, BEAM, dense=proton.DenseOptions(spacing="odd")),
    lambda: proton.read_config("/nowhere.toml"),
    lambda: proton.read_config(7),
    lambda: proton.parse_config("[grid]\nwrong = 1"),
    lambda: proton.parse_config(TEXT.replace("70 MeV", "70")),
    lambda: proton.run(7),
    lambda: proton.bragg_metrics([1.0], [1.0]),
    lambda: proton.bragg_metrics([1.0, 2.0], [1.0]),
    lambda: proton.bragg_metrics([[1.0]], [1.0]),
    lambda: proton.bragg_metrics([3.0, 2.0, 1.0], [1.0, 2.0, 1.0]),
    lambda: proton.bragg_metrics([], []),
    lambda: proton.depth_dose(7),
    lambda: proton.let_map(proton.march(BOX, BEAM)),
    lambda: proton.core_sigma(proton.march(BOX, BEAM), 7.0),
    lambda: proton.gamma_index(np.ones(3), np.ones((3, 3))),
    lambda: proton.gamma_index(np.ones((0, 3)), np.ones((3, 3))),
    lambda: proton.gamma_index(np.full(3, np.nan), np.ones(3)),
    lambda: proton.gamma_index(np.ones(3), np.ones(3), spacing=(1, 2, 3)),
    lambda: proton.gamma_index(np.ones(3), np.ones(3), spacing=0.0),
    lambda: proton.gamma_index(np.ones(3), np.ones(3), dose=0),
    lambda: proton.gamma_index(np.zeros(3), np.ones(3)),
    lambda: proton.dvh(np.ones(3), np.ones(4)),
    lambda: proton.dvh(np.ones(3), np.zeros(3)),
    lambda: proton.dvh(np.ones(3), np.full(3, 2.0)),
    lambda: proton.dvh(np.array([object()]), np.ones(1)),
    lambda: proton.dvh(np.ones(3), np.ones(3)).coverage(np.nan),
    lambda: proton.spread_out(60, 80, BEAM),
    lambda: proton.spread_out(-60, 20, BEAM),
    lambda: proton.DenseSolver(BOX, BEAM, proton.DenseOptions(energies=1)),
    lambda: proton.DenseSolver(BOX, BEAM, proton.DenseOptions(energies=-3)),
    lambda: proton.DenseSolver(BOX, BEAM, proton.DenseOptions(energies=2**40)),
    lambda: proton.DenseSolver(BOX, BEAM, proton.DenseOptions(angles="many")),
    lambda: proton.DenseSolver(BOX, BEAM, 7),
    lambda: proton.base_energy(1000.0),
    lambda: proton.base_energies(60, 80, 0),
    lambda: proton.save_base_data("/tmp/protons_x.mat", [], 4.0),
    lambda: proton.save_base_data("/nowhere/protons_x.mat", [7], 4.0),
    lambda: proton.converge("/nowhere.toml"),
    lambda: proton.converge("/nowhere.toml", levels=2),
    lambda: proton.converge("/nowhere.toml", accuracy=0),
    lambda: proton.sequence_of_values([1.0, 2.0]),
    lambda: proton.sequence_of_differences([]),
    lambda: proton.sample(np.ones((3, 3)), 7.0),
    lambda: proton.sample(np.ones((3, 3)), np.ones((2, 4))),
    lambda: proton.sample(np.ones(3), (1, 2)),
    lambda: proton.sample_plane(np.ones((3, 3)), proton.Plane(0, 0)),
    lambda: proton.sample_plane(np.ones((3, 3)), proton.Plane(rows=0)),
    lambda: proton.sample_plane(np.ones((3, 3)), proton.Plane(rows=2**40, columns=2**40)),
    lambda: proton.sample_plane(np.ones((3, 3)), 7),
    lambda: proton.sample_line(np.ones((3, 3)), 5, (0, 0), [1.0]),
    lambda: proton.sample_line(np.ones((3, 3)), 0, (0,), [1.0]),
    lambda: proton.stations([], 9),
    lambda: proton.difference(np.ones((3, 3)), "/nowhere.mha"),
    lambda: proton.parse_beam_list("nonsense"),
    lambda: proton.sum_of([proton.Spectrum(1.0, np.zeros(3), np.zeros(2))]),
    lambda: proton.sum_of([proton.Spectrum(1.0, np.zeros(0), np.zeros(2))]),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_makes_no_sense_says_so(number):
    with pytest.raises((sluice.Error, TypeError, ValueError)) as raised:
        BAD[number]()
    assert str(raised.value)


def test_states_of_another_shape_are_refused():
    solver = proton.DenseSolver(proton.Phantom.box(20, 10, dz=1, dx=1), proton.Beam(40, sigma_x=2),
                                proton.DenseOptions(energies=24, angles=36))
    for bad in (np.zeros(3), np.zeros((1, 1, 1, 1)), np.full(solver.shape, -1.0),
                np.full(solver.shape, np.nan), np.empty(solver.shape, object), None):
        with pytest.raises((sluice.Error, TypeError)):
            solver.set_state(bad)
    heard = []

    def again(done, total):
        heard.append(done)
        solver.step()

    with pytest.raises(sluice.InvalidArgument, match="at work"):
        solver.step(5, progress=again)
    assert heard and os.getpid()


def test_a_no_of_the_progress_cancels():
    with pytest.raises(sluice.Cancelled):
        proton.march(proton.Phantom.box(100, 40), proton.Beam(100, sigma_x=3),
                     progress=lambda done, total: False)


def test_two_gaussians_are_the_beam_and_its_halo() -> None:
    water = proton.Phantom.box(depth=160, width=160, dz=1, dx=1)
    r = proton.march(water, proton.Beam(energy=150, sigma_x=3))
    found = proton.two_gaussians(r)
    assert found.sigma[100] == pytest.approx(proton.core_sigma(r)[100], rel=0.05)
    assert found.halo_sigma[100] > 3 * found.sigma[100]
    assert 0.03 < found.halo_weight[100] < 0.1
