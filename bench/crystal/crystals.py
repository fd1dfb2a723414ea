#!/usr/bin/env python3
"""Crystals of all eleven Laue classes by ASE and abTEM: atoms, rotations, structure factors. Nothing here is sluice's.

    V/bin/python bench/crystal/crystals.py FOLDER       (V: abtem 1.0.11, ase 3.29): writes a CIF of each

Frames are those of docs/design/028: x along a, z along c*. Atoms scatter by Lobato's factors.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import os
import sys

import numpy as np

# Space group, its setting by ASE, a to gamma, and atoms: element and place. Numbers are rounded from the literature,
# which does not matter: the truth is what is here. `triclinic` is no substance.
CRYSTALS = {
    "gold": (225, 1, (4.0782, 4.0782, 4.0782, 90, 90, 90), [("Au", (0, 0, 0))]),
    "aluminium": (225, 1, (4.0495, 4.0495, 4.0495, 90, 90, 90), [("Al", (0, 0, 0))]),
    "ferrite": (229, 1, (2.8665, 2.8665, 2.8665, 90, 90, 90), [("Fe", (0, 0, 0))]),
    "austenite": (225, 1, (3.5911, 3.5911, 3.5911, 90, 90, 90), [("Fe", (0, 0, 0))]),
    "silicon": (227, 1, (5.4310, 5.4310, 5.4310, 90, 90, 90), [("Si", (0, 0, 0))]),
    "salt": (225, 1, (5.6402, 5.6402, 5.6402, 90, 90, 90), [("Na", (0, 0, 0)), ("Cl", (0.5, 0.5, 0.5))]),
    "pyrite": (205, 1, (5.418, 5.418, 5.418, 90, 90, 90), [("Fe", (0, 0, 0)), ("S", (0.385, 0.385, 0.385))]),
    "titanium": (194, 1, (2.9508, 2.9508, 4.6855, 90, 90, 120), [("Ti", (1 / 3, 2 / 3, 0.25))]),
    "lanthanum-chloride": (176, 1, (7.483, 7.483, 4.364, 90, 90, 120),
                           [("La", (1 / 3, 2 / 3, 0.25)), ("Cl", (0.3874, 0.3014, 0.25))]),
    "corundum": (167, 1, (4.7589, 4.7589, 12.9919, 90, 90, 120),
                 [("Al", (0, 0, 0.3522)), ("O", (0.3063, 0, 0.25))]),
    "ilmenite": (148, 1, (5.0881, 5.0881, 14.0855, 90, 90, 120),
                 [("Fe", (0, 0, 0.3554)), ("Ti", (0, 0, 0.1464)), ("O", (0.3174, 0.0234, 0.2451))]),
    "rutile": (136, 1, (4.5937, 4.5937, 2.9587, 90, 90, 90), [("Ti", (0, 0, 0)), ("O", (0.3053, 0.3053, 0))]),
    "scheelite": (88, 2, (5.243, 5.243, 11.376, 90, 90, 90),
                  [("Ca", (0, 0.25, 0.625)), ("W", (0, 0.25, 0.125)), ("O", (0.1504, 0.0085, 0.2111))]),
    "cementite": (62, 1, (5.0890, 6.7433, 4.5235, 90, 90, 90),
                  [("Fe", (0.036, 0.25, 0.852)), ("Fe", (0.186, 0.063, 0.328)), ("C", (0.890, 0.25, 0.450))]),
    "baddeleyite": (14, 1, (5.1505, 5.2116, 5.3173, 90, 99.23, 90),
                    [("Zr", (0.2754, 0.0395, 0.2083)), ("O", (0.0700, 0.3317, 0.3447)),
                     ("O", (0.4496, 0.7569, 0.4792))]),
    "triclinic": (2, 1, (4.9, 5.6, 6.5, 82, 107, 97),
                  [("Ca", (0.21, 0.13, 0.35)), ("Ti", (0.72, 0.41, 0.12)), ("O", (0.45, 0.81, 0.23)),
                   ("O", (0.10, 0.55, 0.30))]),
}
LAUE = {"triclinic": "-1", "baddeleyite": "2/m", "cementite": "mmm", "scheelite": "4/m", "rutile": "4/mmm",
        "ilmenite": "-3", "corundum": "-3m", "lanthanum-chloride": "6/m", "titanium": "6/mmm", "pyrite": "m-3",
        "gold": "m-3m"}
B_ISO = 0.5  # square ångström, of all atoms


@functools.cache
def atoms(name):
    """ASE's cell of a crystal: a along x, b in the plane of x and y."""
    from ase.spacegroup import crystal
    group, setting, cell, sites = CRYSTALS[name]
    return crystal([s for s, _ in sites], [p for _, p in sites], spacegroup=group, setting=setting, cellpar=cell)


@functools.cache
def operations(name):
    """[n, 3, 3] turns and [n, 3] shifts of the space group, in parts of the axes."""
    from ase.spacegroup import Spacegroup
    turns, shifts = Spacegroup(*CRYSTALS[name][:2]).get_op()
    return np.array(turns, float), np.array(shifts, float)


@functools.cache
def rotations(name):
    """[n, 3, 3] proper rotations of the Laue class, Cartesian."""
    axes = np.array(atoms(name).cell).T
    found = []
    for turn in operations(name)[0]:
        one = axes @ turn @ np.linalg.inv(axes)
        one = one * np.sign(np.linalg.det(one))
        assert np.allclose(one @ one.T, np.eye(3), atol=1e-3), name
        if not any(np.allclose(one, old, atol=1e-6) for old in found):
            found.append(one)
    return np.array(found)


@functools.cache
def reflections(name, most=1.7):
    """hkl, g in 1/ångström and |F|^2 in square ångström, of all up to a frequency; weak ones are left out."""
    from abtem.parametrizations import LobatoParametrization
    cell = atoms(name)
    reciprocal = np.array(cell.cell.reciprocal())
    reach = np.ceil(most * np.linalg.norm(np.array(cell.cell), axis=1)).astype(int)
    hkl = np.stack(np.meshgrid(*[np.arange(-n, n + 1) for n in reach], indexing="ij"), -1).reshape(-1, 3)
    g = hkl @ reciprocal
    long = np.linalg.norm(g, axis=1)
    hkl, g, long = (a[(long < most) & (long > 0)] for a in (hkl, g, long))
    total = np.zeros(len(g), complex)
    for symbol in sorted(set(cell.get_chemical_symbols())):
        factor = LobatoParametrization().scattering_factor(symbol)(long**2) * np.exp(-B_ISO * long**2 / 4)
        places = cell.get_scaled_positions()[np.array(cell.get_chemical_symbols()) == symbol]
        total += factor * np.exp(2j * np.pi * hkl @ places.T).sum(1)
    strength = np.abs(total)**2
    kept = strength > 1e-8 * strength.max()
    return hkl[kept], g[kept], strength[kept]


def volume(name):
    return atoms(name).get_volume()


def cif(name):
    """Text with all operations of the group: no reader needs a table of groups."""
    _, _, cell, sites = CRYSTALS[name]
    lines = [f"data_{name}"]
    for word, value in zip(("length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"), cell):
        lines.append(f"_cell_{word} {value:g}")
    lines += ["loop_", "_space_group_symop_operation_xyz"]
    for turn, shift in zip(*operations(name)):
        parts = []
        for row, by in zip(turn.round().astype(int), shift % 1):
            text = "".join(f"{'+' if n > 0 else '-'}{axis}" for n, axis in zip(row, "xyz") if n)
            twelfths = int(round(by * 12))
            assert abs(by * 12 - twelfths) < 1e-6
            top, bottom = twelfths // np.gcd(twelfths, 12), 12 // np.gcd(twelfths, 12)
            parts.append(text.lstrip("+") + (f"+{top}/{bottom}" if twelfths else ""))
        lines.append(f"'{', '.join(parts)}'")
    lines += ["loop_", "_atom_site_label", "_atom_site_type_symbol", "_atom_site_fract_x", "_atom_site_fract_y",
              "_atom_site_fract_z", "_atom_site_occupancy", "_atom_site_B_iso_or_equiv"]
    for n, (symbol, place) in enumerate(sites, 1):
        lines.append(f"{symbol}{n} {symbol} " + " ".join(f"{x:.8g}" for x in place) + f" 1 {B_ISO}")
    return "\n".join(lines) + "\n"


def write(folder, names=tuple(CRYSTALS)):
    os.makedirs(folder, exist_ok=True)
    for name in names:
        with open(os.path.join(folder, f"{name}.cif"), "w") as file:
            file.write(cif(name))
    # For programs that run where ASE and abTEM are not.
    np.savez(os.path.join(folder, "structures.npz"),
             **{f"{name}/{part}": value for name in names for part, value in
                (("places", atoms(name).get_scaled_positions()), ("numbers", atoms(name).numbers),
                 ("cell", np.array(CRYSTALS[name][2], float)), ("rotations", rotations(name)))})


if __name__ == "__main__":
    write(sys.argv[1])
    for name in CRYSTALS:
        print(f"{name}: {atoms(name).get_chemical_formula()}, {volume(name):.1f} cubic ångström, "
              f"{len(rotations(name))} rotations, {len(reflections(name)[0])} reflections to 1.7")
