"""Orientations of crystals by multislice, whose atoms were turned as the truth says (tests/data/orientation/multislice).

The patterns are dynamical and know nothing of our structure factors. The fit of the probability has not seen them.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib

import numpy as np
import pytest

from sluice import stem4d

FOLDER = pathlib.Path(__file__).parents[2] / "tests/data/orientation/multislice"


def product(p, q):
    w, x, y, z = np.moveaxis(p, -1, 0)
    a, b, c, d = np.moveaxis(q, -1, 0)
    return np.stack([w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
                     w * d + x * c - y * b + z * a], -1)


def about(axis, degrees):
    half = np.radians(degrees) / 2
    return np.concatenate([[np.cos(half)], np.sin(half) * np.array(axis) / np.linalg.norm(axis)])


def closed(generators):
    """The group of turns that some of them make, without signs."""
    group = [np.array([1.0, 0, 0, 0])]
    for one in group:
        for g in generators:
            new = product(g, one)
            if not any(abs(new @ old) > 1 - 1e-9 for old in group):
                group.append(new)
    return np.array(group)


TURNS = {"gold": closed([about((0, 0, 1), 90), about((1, 0, 0), 90)]),
         "titanium": closed([about((0, 0, 1), 60), about((1, 0, 0), 180)])}


def degrees_off(q, truth, group):
    equal = product(group[:, None], q[None])  # [turn, pattern]: a turn of the crystal comes after the orientation
    return 2 * np.degrees(np.arccos(np.minimum(1, np.abs((equal * truth).sum(-1)).max(0))))


@pytest.mark.skipif(not FOLDER.exists(), reason="tests/data is not beside this package")
@pytest.mark.parametrize("name, turns, least", [("gold", 24, 12), ("titanium", 12, 10)])
def test_indexed_patterns_are_right(name, turns, least, tmp_path):
    assert len(TURNS[name]) == turns
    vectors = stem4d.load_vectors(FOLDER / f"{name}.h5")
    origins = stem4d.measure_origins(vectors, method="direct", guess=(63.75, 63.75), radius=5)
    stem4d.calibrate(vectors, origins=origins, distortion="none", surface="mean").save(tmp_path / "known.json")
    known = json.loads((tmp_path / "known.json").read_text())
    known.update(pixel_size=0.025, pixel_size_error=0.0)
    (tmp_path / "known.json").write_text(json.dumps(known))
    calibration = stem4d.load_calibration(tmp_path / "known.json")
    library = stem4d.orientation_library(FOLDER / f"{name}.cif", energy=200)
    found = stem4d.orientation(vectors, library, calibration)
    truth = np.loadtxt(FOLDER / f"{name}.txt")
    indexed = found.reason.ravel() == stem4d.ORIENTATION_REASONS.index("indexed")
    off = degrees_off(found.quaternion.reshape(-1, 4), truth, TURNS[name])
    print(name, indexed.sum(), np.sort(off[indexed]).round(2), np.sort(off).round(1))
    assert indexed.sum() >= least
    assert (off[indexed] < 3).all()
    assert np.median(off[indexed]) < 0.5
