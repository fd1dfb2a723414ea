"""Grains of a scan that NumPy simulates: which lattice a pattern has, its turn, and no strain that is not there.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import load, stem4d


def pattern(draw, turn, dose, shape=(192, 192), radius=6.0):
    """Counts of disks on a lattice of 25.3 by 24.6 px that is turned by so many degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    basis = np.array([(25.3, 2.1), (-3.1, 24.6)]) @ np.array([[c, s], [-s, c]])
    y, x = np.mgrid[:shape[0], :shape[1]]
    mean = np.full(shape, 2e-3)
    for h in range(-4, 5):
        for k in range(-4, 5):
            place = h * basis[0] + k * basis[1]
            if np.hypot(*place) > 84:
                continue
            height = 1 if h == k == 0 else 10**(-np.hypot(*place) / 80) * draw.uniform(0.05, 0.3)
            away = np.hypot(y - 95.5 - place[0], x - 95.5 - place[1])
            mean += height / (1 + np.exp(np.clip(4 * (away - radius), -60, 60)))
    return draw.poisson(mean / mean.sum() * dose).astype(np.uint16)


@pytest.fixture(scope="module", params=[30, 45, 70])
def scan(request, tmp_path_factory):
    draw = np.random.default_rng(request.param)
    turns = [0] * 9 + [request.param] * 7
    path = tmp_path_factory.mktemp("grains") / "scan.npy"
    np.save(path, np.stack([pattern(draw, turn, 1e5) for turn in turns]).reshape(2, 8, 192, 192))
    return request.param, load(str(path))


@pytest.mark.parametrize("known", [False, True])
def test_no_strain_of_other_grains(scan, known):
    turn, data = scan
    plan = stem4d.plan_disks(data, stem4d.synthetic_template(6.0))
    if known:
        plan = stem4d.know_lattice(data, plan)
    if plan.lattice is not None:
        _, fit = stem4d.refine_lattice(data, plan)
    else:
        fit = stem4d.fit_lattice(stem4d.find_disks(data, plan))
    maps = stem4d.strain(fit)
    assert 7 <= np.isfinite(maps.e_xx).sum() <= 16
    for name in ("e_xx", "e_yy", "e_xy"):
        found = getattr(maps, name)
        assert np.nanmax(abs(found) - 6 * maps.errors[name]) < 0.003


def test_grains_are_measured_from_their_own(scan):
    turn, data = scan
    vectors = stem4d.find_disks(data, stem4d.plan_disks(data, stem4d.synthetic_template(6.0)))
    fit = stem4d.fit_grains(vectors)
    assert [grain.patterns for grain in fit.grains] == [9, 7]
    assert (fit.grain.ravel() == [0] * 9 + [1] * 7).all()
    # The lattice is nearly square: a turn of 70 degrees is one of 70, since the vectors differ by 2.4 %.
    assert fit.grains[1].disorientation == pytest.approx(turn, abs=0.2) \
        or fit.grains[1].disorientation == pytest.approx(turn - 90, abs=3)
    maps = stem4d.grain_strain(fit)
    assert (maps.grain.ravel() == [1] * 9 + [2] * 7).all()
    for name in ("e_xx", "e_yy", "e_xy", "omega"):
        found, error = getattr(maps.strain, name), maps.strain.errors[name]
        assert 0.3 < np.mean((found / error)**2) < 2.5
    with pytest.raises(sluice.Error):
        stem4d.fit_grains(vectors, most_bases=0)
