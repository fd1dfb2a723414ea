#!/usr/bin/env python3
"""Strain of silicon by multislice (tests/data/crystal_multislice) with Poisson's noise: ours and py4DSTEM's error.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/multislice.py [--mode MODE] [--draws N] [--own-template]

The truth is where the atoms were put. Both get the vacuum's disk (with noise, of 1e6 electrons) and the undeformed
lattice. `absolute`: strain from the undeformed lattice, which is known. `relative`: from the median lattice of the
undeformed crystal of the same thickness and tilt, as people measure. Errors are rms over e_xx, e_yy, e_xy and omega
(radian) and all patterns. Of py4DSTEM the lattice is taken and its strain computed without its linear approximation.
`chi2` is of our reported errors.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import os
import tempfile

# Idle threads of linear algebra spin, and would be counted as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import rival
from scene import strain_of

from sluice import Error, load, stem4d

FILE = os.path.join(os.path.dirname(__file__), "../../tests/data/crystal_multislice/patterns.npz")


def patterns():
    """Intensities of one electron [strain, tilt, thickness, row, col], the vacuum's, and what is known."""
    data = dict(np.load(FILE))
    decoded = lambda name: (data[f"{name}root"] / 65535.0)**2 * data[f"{name}scale"]
    return decoded(""), decoded("vacuum_"), data


def numbers(maps):
    """[pattern, 4] strain and errors: e_xx, e_yy, e_xy, omega in radian."""
    strain = np.stack([maps.e_xx, maps.e_yy, maps.e_xy, np.radians(maps.omega)], -1)
    error = np.stack([maps.errors[k] for k in ("e_xx", "e_yy", "e_xy", "omega")], -1)
    error[..., 3] = np.radians(error[..., 3])
    return strain, error


def ours(counts, vacuum, basis, options, own_template, search):
    """counts [row, tilt, ..]: absolute and relative (strain, error), and notes."""
    with tempfile.TemporaryDirectory() as folder:
        path, empty = os.path.join(folder, "scan.npy"), os.path.join(folder, "vacuum.npy")
        np.save(path, counts)
        np.save(empty, vacuum[None, None])
        scan = load(path)
        template = stem4d.fit_template(scan if own_template else load(empty))
        plan = stem4d.plan_disks(scan, template, **options)
        given = stem4d.LatticeBasis(tuple(np.array(vacuum.shape) / 2), *basis)
        known = plan if search else stem4d.know_lattice(scan, plan, given)
        if known.lattice:
            vectors, fit = stem4d.refine_lattice(scan, known)
        else:
            vectors = stem4d.find_disks(scan, plan)
            fit = stem4d.fit_lattice(vectors, given)
    absolute = numbers(stem4d.strain(fit, reference=stem4d.LatticeBasis((0, 0), *basis)))
    relative = [np.full_like(part, np.nan) for part in absolute]
    for tilt in range(counts.shape[1]):
        region = np.zeros(counts.shape[:2], np.uint8)
        region[:undeformed(counts), tilt] = 1
        for part, of in zip(relative, numbers(stem4d.strain(fit, region=region))):
            part[:, tilt] = of[:, tilt]
    return absolute, relative, fit.sigma_sys, len(vectors) / counts[..., 0, 0].size


def undeformed(counts):
    """So many rows come first."""
    return counts.shape[0] // 5


def theirs(counts, vacuum, basis, radius):
    vectors = rival.disks(counts.reshape(-1, *vacuum.shape), vacuum, radius, np.hypot(*basis[0]))
    center = np.array(vacuum.shape) / 2 - 0.25
    values = rival.lattices(rival.indexed(vectors, center, basis))[1].reshape(*counts.shape[:2], 6)
    from_basis = lambda v, g: strain_of(v, g) if np.isfinite(v).all() else np.full(4, np.nan)
    absolute = np.array([[from_basis(v, basis) for v in row] for row in values])
    middle = np.nanmedian(values[:undeformed(counts)], 0)[:, 2:].reshape(-1, 2, 2)
    relative = np.array([[from_basis(v, g) for v, g in zip(row, middle)] for row in values])
    return absolute, relative


def rms(away):
    return 1e4 * np.sqrt(np.nanmean(away**2))


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--mode", default="")
    words.add_argument("--draws", type=int, default=8)
    words.add_argument("--search-all", action="store_true", help="every pattern, though the lattice is known")
    words.add_argument("--own-template", action="store_true")
    words.add_argument("--least-distance", type=float, default=0)
    words.add_argument("--doses", default="1e4,1e5,1e6")
    args = words.parse_args()
    clean, empty, data = patterns()
    options = {"least_distance": args.least_distance, **({"mode": args.mode} if args.mode else {})}
    basis = tuple(map(tuple, data["basis"]))
    true = np.repeat(data["strain"], args.draws, 0)[:, None]
    true = np.concatenate([true[..., :3], np.radians(true[..., 3:])], -1)
    print("| nm | electrons | disks | sigma_sys, px | lost | absolute, 1e-4 | chi2 | relative, 1e-4 | chi2 | "
          "py4DSTEM: absolute | times | relative | times | lost |\n" + "|---" * 14 + "|")
    for n, thick in enumerate(data["thickness_nm"]):
        mean = np.repeat(clean[:, :, n], args.draws, 0)
        for dose in map(float, args.doses.split(",")):
            noise = np.random.default_rng([7, n, int(dose)])
            counts = noise.poisson(mean * dose).astype(np.uint32)
            vacuum = noise.poisson(empty / empty.sum() * 1e6).astype(np.uint32)
            rest = np.s_[undeformed(counts):]
            try:
                absolute, relative, sys, found = ours(counts, vacuum, basis, options, args.own_template,
                                                      args.search_all)
            except Error as error:
                print(f"| {thick:.0f} | {dose:.0e} | {error} |", flush=True)
                continue
            line, mine = [sys, np.isnan(absolute[0]).mean()], []
            for strain, error in (absolute, relative):
                away = (strain - true)[rest]
                mine.append(rms(away))
                line += [mine[-1], np.nanmean((away / error[rest])**2)]
            if rival.py4DSTEM:
                for strain, own in zip(theirs(counts, vacuum, basis, float(data["radius"])), mine):
                    line += [rms((strain - true)[rest]), rms((strain - true)[rest]) / own]
                line.append(np.isnan(strain).mean())
            print(f"| {thick:.0f} | {dose:.0e} | {found:.1f} | " + " | ".join(f"{x:.3g}" for x in line) + " |", flush=True)


if __name__ == "__main__":
    main()
