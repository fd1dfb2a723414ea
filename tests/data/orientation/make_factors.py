#!/usr/bin/env python3
"""Writes factors.txt: structure factors by ASE 3.29 (atoms, axes) and abTEM 1.0 (form factors). README.md
tells the lines.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import pathlib

import numpy as np
from abtem.parametrizations import PengParametrization
from ase.geometry import Cell
from ase.spacegroup import Spacegroup

PENG = PengParametrization()
# Name, H-M name as a CIF would have it, number and setting of ASE, cell, atoms: symbol, place, occupancy, B.
CRYSTALS = [
    ("Al", "F m -3 m", 225, 1, (4.0495, 4.0495, 4.0495, 90, 90, 90), [("Al", (0, 0, 0), 1, 0.8)]),
    ("Si_2", "F d -3 m:2", 227, 2, (5.431, 5.431, 5.431, 90, 90, 90), [("Si", (.125, .125, .125), 1, 0.5)]),
    ("Si_1", "F d -3 m:1", 227, 1, (5.431, 5.431, 5.431, 90, 90, 90), [("Si", (0, 0, 0), 1, 0.5)]),
    ("NaCl", "F m -3 m", 225, 1, (5.64, 5.64, 5.64, 90, 90, 90),
     [("Na", (0, 0, 0), 1, 1.7), ("Cl", (.5, .5, .5), 1, 1.4)]),
    ("Ti", "P 63/m m c", 194, 1, (2.951, 2.951, 4.684, 90, 90, 120), [("Ti", (1 / 3, 2 / 3, .25), 1, 0.5)]),
    ("quartz", "P 32 2 1", 154, 1, (4.913, 4.913, 5.405, 90, 90, 120),
     [("Si", (.4697, 0, 2 / 3), 1, 0.6), ("O", (.4135, .2669, .7858), 1, 1.1)]),
    ("calcite_hex", "R -3 c", 167, 1, (4.99, 4.99, 17.061, 90, 90, 120),
     [("Ca", (0, 0, 0), 1, 0.4), ("C", (0, 0, .25), 1, 0.5), ("O", (.2568, 0, .25), 1, 0.9)]),
    ("calcite_rhomb", "R -3 c", 167, 2, (6.375, 6.375, 6.375, 46.08, 46.08, 46.08),
     [("Ca", (0, 0, 0), 1, 0.4), ("C", (.25, .25, .25), 1, 0.5), ("O", (.5068, -.0068, .25), 1, 0.9)]),
    ("rutile", "P 42/m n m", 136, 1, (4.594, 4.594, 2.959, 90, 90, 90),
     [("Ti", (0, 0, 0), 1, 0.5), ("O", (.3053, .3053, 0), .95, 0.6)]),
    ("cementite", "P n m a", 62, 1, (5.081, 6.753, 4.515, 90, 90, 90),
     [("Fe", (.1816, .0666, .8374), 1, 0.4), ("Fe", (.0367, .25, .1603), 1, 0.4), ("C", (.881, .25, .431), 1, 0.5)]),
    ("zirconia", "P 1 21/c 1", 14, 1, (5.15, 5.212, 5.317, 90, 99.23, 90),
     [("Zr", (.2754, .0395, .2083), 1, 0.3), ("O", (.0700, .3317, .3447), 1, 0.5),
      ("O", (.4496, .7569, .4792), 1, 0.5)]),
    ("triclinic", "P -1", 2, 1, (7.126, 7.852, 5.572, 89.99, 101.11, 106.03),
     [("Al", (.3254, .7040, .4582), 1, 0.3), ("Si", (.2962, .0649, .7066), .9, 0.3), ("O", (.1095, .1468, .1288), 1, 0.5)]),
]


def atoms_of(number, setting, sites):
    """All atoms of the cell as (symbol, place, occupancy, B)."""
    group, out = Spacegroup(number, setting), []
    for symbol, place, occupancy, b in sites:
        for image in group.equivalent_sites([place], onduplicates="keep")[0]:
            out.append((symbol, image, occupancy, b))
    return out


def main():
    random = np.random.default_rng(4322)
    lines = []
    for name, group, number, setting, parameters, sites in CRYSTALS:
        lines.append(f"crystal {name} {' '.join(map(repr, parameters))} {group}")
        for symbol, place, occupancy, b in sites:
            lines.append(f"site {symbol} {' '.join(f'{x:.6f}' for x in place)} {occupancy} {b}")
        cell = Cell.fromcellpar(parameters)  # x along a, b in the plane of x and y
        atoms = atoms_of(number, setting, sites)
        lines.append(f"atoms {len(atoms)} volume {cell.volume:.8f}")
        # All low ones, of the others some; those that are absent, too.
        low = list(itertools.product(range(-2, 3), repeat=3))
        high = [tuple(h) for h in random.integers(-7, 8, size=(60, 3))]
        for hkl in low + high:
            g = np.array(hkl) @ cell.reciprocal()
            size = np.linalg.norm(g)
            if not 0 < size < 2.5:
                continue
            f = sum(occupancy * PENG.scattering_factor(symbol)(np.array([size**2]))[0]
                    * np.exp(-b * size**2 / 4) * np.exp(2j * np.pi * np.dot(hkl, place))
                    for symbol, place, occupancy, b in atoms)
            lines.append("f " + " ".join(map(str, hkl)) + " "
                         + " ".join(f"{x:.7f}" for x in (*g, f.real, f.imag)))
    (pathlib.Path(__file__).parent / "factors.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
