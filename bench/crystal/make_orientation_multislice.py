#!/usr/bin/env python3
"""Multislice patterns of crystals that lie in random ways: abTEM and ASE. Nothing here is sluice's.

    V/bin/python bench/crystal/make_orientation_multislice.py OUT [--sets NAMES]      (V: abtem 1.0.11, ase 3.29)

A block is cut out of a crystal that a random rotation turned and a random vector moved. It fills a box of 80 x 80
ångström; the probe of 2 mrad hits its middle. Lobato's potential, slices of 2 ångström. The same column gives patterns of
several thicknesses. Patterns have 128 x 128 pixels of 0.025 1/ångström. One electron each; no noise.

Thermal motion damps the potential (Debye and Waller), or shakes the atoms 12 times in the set `gold-phonons`. Two
shakes are too few: their diffuse waves interfere to speckles as large as disks, which a search takes for disks.

abTEM's x is the first axis of its patterns. Patterns are transposed, so that x lies along columns, y along rows and z
along the beam, as docs/design/028 has it; orientation_frames.py checks that. abTEM (GPL-3) runs here as a program; what
it computes is ours, and no line of it is in this repository.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import os
import time
import zlib

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import crystals
import numpy as np
import turns

BOX, POINTS, BIN, SIDE, SLICE = 80.0, 400, 2, 128, 2.0
PIXEL, MIDDLE = BIN / BOX, (SIDE * BIN // 2 - 0.5 * (BIN - 1)) / BIN  # 1/ångström; px
ANGLE = 2.0  # mrad
SHAKE = {"gold": 0.085, "aluminium": 0.10, "titanium": 0.08, "austenite": 0.07, "ferrite": 0.07, "rutile": 0.07,
         "silicon": 0.078}  # ångström along each axis
NEAR, ALL = (50, 150, 300), (50, 100, 150, 220, 300)
# Name: phases, half, columns, thicknesses, kilovolts, shakes (0: Debye and Waller). `small` is what the tests have.
SETS = {
    "gold-calibrate": (("gold",), "calibrate", 120, NEAR, 200.0, 0),
    "titanium-calibrate": (("titanium",), "calibrate", 120, NEAR, 200.0, 0),
    "steel-calibrate": (("austenite", "ferrite"), "calibrate", 160, NEAR, 200.0, 0),
    "gold-small": (("gold",), "small", 24, NEAR, 200.0, 0),
    "titanium-small": (("titanium",), "small", 24, NEAR, 200.0, 0),
    "steel-small": (("austenite", "ferrite"), "small", 24, NEAR, 200.0, 0),
    "gold-test": (("gold",), "test", 120, ALL, 200.0, 0),
    "titanium-test": (("titanium",), "test", 120, ALL, 200.0, 0),
    "steel-test": (("austenite", "ferrite"), "test", 160, ALL, 200.0, 0),
    "gold-blind": (("gold",), "blind", 60, (70, 130, 260), 200.0, 0),
    "titanium-blind": (("titanium",), "blind", 60, (70, 130, 260), 200.0, 0),
    "steel-blind": (("austenite", "ferrite"), "blind", 60, (70, 130, 260), 200.0, 0),
    "gold-phonons-test": (("gold",), "test", 24, NEAR, 200.0, 12),
    "aluminium-300kv-test": (("aluminium",), "test", 60, ALL, 300.0, 0),
    "rutile-test": (("rutile",), "test", 60, ALL, 200.0, 0),
}


def radius(kilovolts):
    """Of a disk, in pixels."""
    from orientation_scene import wavelength
    return ANGLE * 1e-3 / wavelength(kilovolts) / PIXEL


def block(name, m, thick, draw, box=BOX):
    """Elements and places [atom, 3] of a crystal that fills a box; m takes the sample to the crystal."""
    cell = crystals.atoms(name)
    axes = np.array(cell.cell) @ m
    half = np.array([box, box, thick]) / 2
    reach = np.ceil(np.abs(np.linalg.inv(axes)).T @ (half + 1) + 1).astype(int)
    n = np.stack(np.meshgrid(*[np.arange(-r, r + 1) for r in reach], indexing="ij"), -1).reshape(-1, 3)
    origins = (n + draw.random(3)) @ axes
    room = np.linalg.norm(np.array(cell.cell), axis=1).sum()
    origins = origins[(np.abs(origins) < half + room).all(1)]
    places = (origins[:, None] + (cell.get_positions() @ m)[None]) + half
    numbers = np.broadcast_to(cell.numbers, places.shape[:2])
    places, numbers = places.reshape(-1, 3), numbers.ravel()
    inside = ((places >= 0) & (places < 2 * half)).all(1)
    return numbers[inside], places[inside]


def binned(intensity):
    """The middle of a pattern whose zero frequency is in its middle."""
    half, middle = SIDE * BIN // 2, np.array(intensity.shape) // 2
    part = intensity[middle[0] - half:middle[0] + half, middle[1] - half:middle[1] + half]
    return part.reshape(SIDE, BIN, SIDE, BIN).sum((1, 3))


def column(name, m, thicknesses, kilovolts, shakes, draw):
    """[thickness, row, col] of one electron."""
    import abtem
    import ase
    from abtem.parametrizations import LobatoParametrization
    numbers, places = block(name, m, max(thicknesses), draw)
    ends = tuple(int(round(t / SLICE)) - 1 for t in thicknesses)
    total = np.zeros((len(ends), SIDE, SIDE))
    damped = None if shakes else {s: SHAKE[name] for s in set(crystals.atoms(name).get_chemical_symbols())}
    for _ in range(max(shakes, 1)):
        moved = places + (draw.normal(0, SHAKE[name], places.shape) if shakes else 0)
        atoms = ase.Atoms(numbers=numbers, positions=moved, cell=(BOX, BOX, max(thicknesses)), pbc=True)
        atoms.wrap()
        potential = abtem.Potential(atoms, gpts=(POINTS, POINTS), slice_thickness=SLICE, projection="infinite",
                                    parametrization=LobatoParametrization(sigmas=damped),
                                    exit_planes=ends).build(lazy=False)
        waves = abtem.Probe(energy=kilovolts * 1e3, semiangle_cutoff=ANGLE).multislice(
            potential, scan=abtem.CustomScan([[BOX / 2, BOX / 2]]), lazy=False)
        patterns = np.asarray(waves.diffraction_patterns(max_angle="cutoff", block_direct=False, fftshift=True).array)
        for n, one in enumerate(patterns.reshape(len(ends), *patterns.shape[-2:])):
            total[n] += binned(one).T / max(shakes, 1)
    return total


def vacuum(kilovolts):
    import abtem
    probe = abtem.Probe(energy=kilovolts * 1e3, semiangle_cutoff=ANGLE, extent=BOX, gpts=POINTS)
    return binned(np.asarray(probe.build(lazy=False).diffraction_patterns(max_angle="cutoff", block_direct=False).array)
                  .squeeze()).T


def make(out, name):
    import abtem
    abtem.config.set({"precision": "float32", "dask.lazy": False, "fftw.threads": 1})
    phases, half, columns, thicknesses, kilovolts, shakes = SETS[name]
    roots, quaternions, phase, top = [], [], [], []
    began = time.process_time()
    for n in range(columns):
        draw = np.random.default_rng([zlib.crc32(name.encode()), n])
        quaternions.append(turns.random_quaternions(draw))
        phase.append(n % len(phases))
        patterns = column(phases[phase[-1]], turns.matrix(quaternions[-1]), thicknesses, kilovolts, shakes, draw)
        # Square roots on 16 bits keep a relative error of a few thousandths down to a millionth of the brightest.
        top.append(patterns.max((1, 2)))
        roots.append(np.round(65535 * np.sqrt(patterns / top[-1][:, None, None])).astype(np.uint16))
        if n < 3:
            print(f"{name}: {(time.process_time() - began) / len(roots):.2f} s a column, frame sees "
                  f"{patterns.sum((1, 2)).round(3)}", flush=True)
    empty = vacuum(kilovolts)
    os.makedirs(out, exist_ok=True)
    np.savez_compressed(os.path.join(out, f"{name}.npz"), root=np.array(roots), top=np.array(top),
                        quaternion=np.array(quaternions), phase=np.array(phase), phases=np.array(phases),
                        thickness_angstrom=np.array(thicknesses), kilovolts=kilovolts, pixel_size=PIXEL,
                        center=np.array([MIDDLE, MIDDLE]), radius=radius(kilovolts), vacuum=empty, half=half, shakes=shakes)
    crystals.write(out, phases)
    print(f"{name}: {len(roots)} columns, {(time.process_time() - began) / len(roots):.2f} s each", flush=True)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("out")
    words.add_argument("--sets", default=",".join(SETS))
    args = words.parse_args()
    for name in args.sets.split(","):
        make(args.out, name)


if __name__ == "__main__":
    main()
