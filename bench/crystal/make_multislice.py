#!/usr/bin/env python3
"""Makes tests/data/crystal_multislice/patterns.npz: patterns of silicon [110] by multislice, whose strain is known.

    V/bin/python bench/crystal/make_multislice.py [OUT.npz]      (V: abtem 1.0.11, ase 3.29)

A patch of crystal in a box of vacuum, so that any strain and any turn fit: each atom is moved by F = R (1 + e). The probe
is a pencil of 2.5 mrad at 200 kV, whose disks do not meet; the atoms shake (frozen phonons), the specimen tilts by a few
mrad, and dynamical scattering paints fringes into the disks. abTEM (GPL-3) runs here as a program; what it computes is
ours, and no line of it is in this repository.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

import abtem
import ase
import numpy as np

BOX, CELL, SIDE, BIN = 100.0, 5.431, 128, 2  # ångström, ångström, pixels, points of the transform a pixel
ENERGY, ANGLE = 200e3, 2.5  # volts, mrad
REPEAT = CELL / np.sqrt(2)  # along the beam and along the columns of the cell
STRAINS = [(0, 0, 0, 0), (0.010, 0, 0, 0), (0, -0.012, 0, 0), (0, 0, 0.008, 0), (0.004, -0.006, -0.003, 1.0)]
TILTS = [(0, 0), (4.0, 2.5), (-3.0, 7.0)]  # mrad
LAYERS = (26, 65)  # repeats along the beam: 10 and 25 nm
PHONONS, SHAKE = 4, 0.078  # configurations; ångström along each axis


def deformation(strain):
    """F: x is the row axis, omega (degrees) turns from row to column."""
    e_xx, e_yy, e_xy, omega = strain
    c, s = np.cos(np.radians(omega)), np.sin(np.radians(omega))
    return np.array([[c, -s], [s, c]]) @ np.array([[1 + e_xx, e_xy], [e_xy, 1 + e_yy]])


def crystal(strain):
    """One repeat along the beam of [110]: rows are [001], columns [-110]."""
    places = np.array([(0, 0, 0), (0.5, 0.5, 0.5), (0.25, 0.5, 0), (0.75, 0, 0.5)]) * (CELL, REPEAT, REPEAT)
    n = int(BOX / REPEAT) + 2
    cells = np.stack(np.meshgrid(np.arange(-n, n), np.arange(-n, n), indexing="ij"), -1).reshape(-1, 2)
    flat = (places[:, None, :2] + cells[None] * (CELL, REPEAT)).reshape(-1, 2)
    depth = np.repeat(places[:, 2], len(cells))
    moved = flat @ deformation(strain).T
    inside = np.hypot(*moved.T) < BOX / 2 - 4
    return ase.Atoms("Si" * int(inside.sum()), cell=(BOX, BOX, REPEAT), pbc=True,
                     positions=np.column_stack([moved[inside] + BOX / 2, depth[inside] + 0.1]))


def basis(strain=(0, 0, 0, 0)):
    """a and b in pixels: 1-11 and 002 span the disks that silicon has about [110]."""
    g = np.array([(1 / CELL, 1 / REPEAT), (2 / CELL, 0)]) @ np.linalg.inv(deformation(strain))
    return g * BOX / BIN


def binned(intensity):
    """The middle of a pattern whose zero frequency is in its middle."""
    half, middle = SIDE * BIN // 2, np.array(intensity.shape) // 2
    part = intensity[middle[0] - half:middle[0] + half, middle[1] - half:middle[1] + half]
    return part.reshape(SIDE, BIN, SIDE, BIN).sum((1, 3))


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
        os.path.dirname(__file__), "../../tests/data/crystal_multislice/patterns.npz")
    abtem.config.set({"precision": "float32", "dask.lazy": False})
    patterns = np.zeros((len(STRAINS), len(TILTS), len(LAYERS), SIDE, SIDE))
    for s, strain in enumerate(STRAINS):
        atoms = crystal(strain)
        for phonon in range(PHONONS):
            draw = np.random.default_rng([s, phonon])
            column = atoms.repeat((1, 1, max(LAYERS)))
            column.positions += draw.normal(0, SHAKE, column.positions.shape)
            column.wrap()
            potential = abtem.Potential(column, sampling=0.125, slice_thickness=REPEAT, projection="infinite",
                                        exit_planes=tuple(n - 1 for n in LAYERS)).build(lazy=False)
            for t, tilt in enumerate(TILTS):
                probe = abtem.Probe(energy=ENERGY, semiangle_cutoff=ANGLE, tilt=tilt)
                waves = probe.multislice(potential, scan=abtem.CustomScan([[BOX / 2, BOX / 2]]), lazy=False)
                intensity = waves.diffraction_patterns(max_angle="cutoff", block_direct=False, fftshift=True)
                array = np.asarray(intensity.array).reshape(len(LAYERS), *intensity.array.shape[-2:])
                for n, one in enumerate(array):
                    patterns[s, t, n] += binned(one) / PHONONS
            print(strain, phonon, patterns[s].sum((-1, -2)), flush=True)
    probe = abtem.Probe(energy=ENERGY, semiangle_cutoff=ANGLE, extent=BOX, sampling=0.125)
    vacuum = binned(np.asarray(probe.build(lazy=False).diffraction_patterns(
        max_angle="cutoff", block_direct=False).array).squeeze())
    # Square roots on 16 bits keep a relative error of a few thousandths down to a millionth of the brightest.
    scale = patterns.max()
    coded = lambda a, top: np.round(65535 * np.sqrt(a / top)).astype(np.uint16)
    np.savez_compressed(out, root=coded(patterns, scale), scale=scale, vacuum_root=coded(vacuum, vacuum.max()),
                        vacuum_scale=vacuum.max(), strain=np.array(STRAINS, float), tilt_mrad=np.array(TILTS, float),
                        thickness_nm=np.array(LAYERS) * REPEAT / 10, basis=basis(),
                        radius=np.tan(ANGLE / 1e3) / abtem.core.energy.energy2wavelength(ENERGY) * BOX / BIN)
    print(out, os.path.getsize(out), "bytes")


if __name__ == "__main__":
    main()
