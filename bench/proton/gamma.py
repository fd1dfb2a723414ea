#!/usr/bin/env python3
"""The gamma index of two doses in space: sluice beside pymedphys (Apache-2.0), and beside a search by
brute force (gamma3.py), in turns. Answers first.

    PYTHONPATH=build/release/python:bench/proton V/bin/python bench/proton/gamma.py REFERENCE EVALUATED

REFERENCE and EVALUATED: files that sluice.load_volume reads, as two doses of `sluice proton dose`.
V: a virtual environment with pymedphys, scipy, numba and interpolation.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import statistics
import time

import numpy as np
import pymedphys
import sluice
from sluice import proton


def timed(call):
    wall, busy = time.perf_counter(), time.process_time()
    answer = call()
    return answer, time.perf_counter() - wall, time.process_time() - busy


def axes_of(volume):
    return tuple(volume.origin[a] + volume.spacing[a] * np.arange(volume.shape[2 - a]) for a in (2, 1, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference")
    parser.add_argument("evaluated")
    parser.add_argument("--dose", type=float, default=2.0, help="%%")
    parser.add_argument("--distance", type=float, default=2.0, help="mm")
    parser.add_argument("--cutoff", type=float, default=10.0, help="%%")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    a, b = sluice.load_volume(args.reference), sluice.load_volume(args.evaluated)
    ways = {
        "sluice": lambda: proton.gamma_index(a, b, dose=args.dose / 100, distance=args.distance,
                                             cutoff=args.cutoff / 100).gamma,
        "pymedphys, steps of a tenth": lambda: pymedphys.gamma(
            axes_of(a), a.image, axes_of(b), b.image, args.dose, args.distance,
            lower_percent_dose_cutoff=args.cutoff, interp_fraction=10, max_gamma=2, quiet=True),
    }
    times, found = {name: [] for name in ways}, {}
    for _ in range(args.rounds):
        for name, way in ways.items():
            found[name], *took = timed(way)
            times[name].append(took)
    ours, theirs = found.values()
    both = np.isfinite(ours) & np.isfinite(theirs)
    print(f"{both.sum()} points; {np.isfinite(ours).sum()} and {np.isfinite(theirs).sum()} told")
    for name, gamma in found.items():
        told = gamma[np.isfinite(gamma)]
        print(f"{name}: {100 * (told <= 1).mean():.3f} % passed, mean {told.mean():.4f}")
    off = theirs[both] - ours[both]
    print(f"theirs less ours: {off.min():.4f} to {off.max():.4f}, median {np.median(off):.5f}")
    first = None
    for name, took in times.items():
        wall, busy = (statistics.median(column) for column in zip(*took))
        first = first or (wall, busy)
        print(f"{name}: {wall:.3f} s, {busy:.3f} s of processor time; {wall / first[0]:.1f} and "
              f"{busy / first[1]:.1f} times sluice's")


if __name__ == "__main__":
    main()
