#!/usr/bin/env python3
"""Disks at 1.2 radii from each other, fitted at once: strain over the joint bound, and the time of a core.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/overlaps.py [PATTERNS]      (V: numpy)

Template given; mode, lattice, points and background are those that Sluice takes from the scan. The bound is Cramer and
Rao's of the whole pattern, where the lattice, all heights and the background are unknown.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys
import tempfile
import time

import numpy as np
from scene import Scene, draw, strain_of, strain_slopes

from sluice import load, stem4d


def joint_bound(scene, pattern, dose):
    """[4, 4] of the strain."""
    slopes = np.zeros((7 + len(pattern.heights), *scene.shape))
    slopes[6] = scene.under
    for n, (place, height, (h, k)) in enumerate(zip(pattern.places, pattern.heights, pattern.indices)):
        window, step = scene.window(place), 0.01
        for axis in range(2):
            by = np.eye(2)[axis] * step
            slope = height * (scene.disk(place + by, window) - scene.disk(place - by, window)) / (2 * step)
            for i, times in enumerate((1, h, k)):
                slopes[2 * i + axis][window] += times * slope
        slopes[7 + n][window] = scene.disk(place, window)
    flat = slopes.reshape(len(slopes), -1) * np.sqrt(dose / pattern.mean.ravel())
    # Heights are tiny numbers: unknowns of the same size keep the inverse exact.
    size = np.sqrt((flat**2).sum(1))
    flat /= size[:, None]
    inverse = np.linalg.inv(flat @ flat.T) / np.outer(size, size)
    by_lattice = strain_slopes(pattern.lattice, scene.basis)
    return by_lattice @ inverse[:6, :6] @ by_lattice.T


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    scene = Scene(basis=((10.1, 0.6), (-0.8, 9.8)), decades=2.0, seed=5)
    patterns = [scene.pattern(n) for n in range(count)]
    start = stem4d.LatticeBasis(tuple((np.array(scene.shape) - 1) / 2), *map(tuple, scene.basis))
    print("| electrons | mode | fitted | over the joint bound | chi2 | us a pattern of one core | s to know the lattice |\n"
          + "|---" * 7 + "|")
    for dose in (2e4, 2e5):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scan.npy")
            np.save(path, draw(patterns, dose, int(dose))[None])
            scan = load(path, layout="dense")
            plan = stem4d.plan_disks(scan, stem4d.synthetic_template(scene.radius, scene.width))
            begun = time.perf_counter()
            known = stem4d.know_lattice(scan, plan, start)
            learned = time.perf_counter() - begun
            spent = []
            for _ in range(3):
                begun = time.process_time()
                _, fit = stem4d.refine_lattice(scan, known, threads=1)
                spent.append((time.process_time() - begun) / count)
        ratios, chi2 = [], []
        for values, covariance, pattern in zip(fit.values[0], fit.covariance[0], patterns):
            if not np.isfinite(values).all():
                continue
            away = strain_of(values, scene.basis) - pattern.strain
            by_lattice = strain_slopes(values, scene.basis)
            ratios.append(away**2 / np.diag(joint_bound(scene, pattern, dose)))
            chi2.append(away**2 / np.diag(by_lattice @ covariance @ by_lattice.T))
        print(f"| {dose:.0e} | {plan.mode} | {len(ratios)} of {count} | {np.sqrt(np.mean(ratios)):.2f} | "
              f"{np.mean(chi2):.2f} | {1e6 * np.median(spent):.0f} | {learned:.1f} |", flush=True)


if __name__ == "__main__":
    main()
