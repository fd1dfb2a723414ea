#!/usr/bin/env python3
"""Lattices of patterns whose lattice is nearly known, in turns with LiberTEM-blobfinder: no disk needs to be found.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/known_lattice.py [ROUNDS [PATTERNS]]
    (V: libertem-blobfinder 0.6.1, nanobind-backend)

The simulation (scene.py) shares no code with sluice. Both start from the lattice without strain and descan, ours with the
template of the scan, theirs with `Circular` of the true radius: fast, and upsampled 20 times, with its `fastmatch` by its
own weights. `over the bound`: rms of e_xx, e_yy, e_xy and omega over Cramer and Rao's bound of the pattern. One thread
and one process of theirs.

SPDX-License-Identifier: Apache-2.0
"""
import os
import statistics
import sys
import tempfile
import time

# Idle threads of linear algebra spin, and would be counted as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scene import Scene, draw, strain_of, strain_slopes

from sluice import load, stem4d

try:
    from libertem_blobfinder.common.correlation import process_frames_fast
    from libertem_blobfinder.common.gridmatching import Matcher
    from libertem_blobfinder.common.patterns import Circular
except ImportError:
    Circular = None
    print("libertem-blobfinder is not installed: ours alone")

THEIRS = 16  # patterns: it takes long


def refine(scan, setup, threads):
    """Our answer: lattices [pattern, 6] and covariances [pattern, 6, 6]. The one place that knows the function."""
    _, fit = stem4d.refine_lattice(scan, setup, threads=threads)
    return fit.values, fit.covariance


OURS = "refine_lattice"


def theirs(counts, start, radius, upsample):
    """Lattices [pattern, 6] of theirs."""
    shape, pattern = np.array(counts.shape[1:]), Circular(radius=radius)
    h, k = (n.ravel() for n in np.mgrid[-40:41, -40:41])
    peaks = np.asarray(start.origin) + np.stack([h, k], 1) @ np.array([start.a, start.b])
    room = pattern.get_crop_size() + 1
    peaks = np.round(peaks[((peaks >= room) & (peaks <= shape - 1 - room)).all(1)]).astype(int)
    centers, refined, heights, elevations = process_frames_fast(pattern, counts, peaks, upsample=upsample)
    matcher, values = Matcher(), []
    for one in range(len(counts)):
        match = matcher.fastmatch(centers=centers[one], refineds=refined[one], peak_values=heights[one],
                                  peak_elevations=elevations[one], zero=np.array(start.origin), a=np.array(start.a),
                                  b=np.array(start.b))
        values.append(np.concatenate([match.zero, match.a, match.b]))
    return np.array(values)


def judged(values, covariances, pats, bounds, basis):
    ratios, chi2, lost = [], [], 0
    for n, lattice in enumerate(np.asarray(values).reshape(-1, 6)):
        if not np.isfinite(lattice).all():
            lost += 1
            continue
        off = strain_of(lattice, basis) - pats[n].strain
        ratios.append(off**2 / bounds[n])
        if covariances is not None:
            slopes = strain_slopes(lattice, basis)
            chi2.append(off**2 / np.diag(slopes @ np.reshape(covariances, (-1, 6, 6))[n] @ slopes.T))
    return [np.sqrt(np.mean(ratios)), np.mean(chi2) if chi2 else np.nan, lost / len(pats)]


def clock(run):
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    scene = Scene()
    start = stem4d.LatticeBasis(tuple((np.array(scene.shape) - 1) / 2), *map(tuple, scene.basis))
    pats = [scene.pattern(n) for n in range(count)]
    for dose in (2e3, 2e4, 2e5):
        counts = draw(pats, dose, int(dose))
        bounds = [np.diag(scene.strain_bound(p, scene.bounds(p, dose)[2])) for p in pats]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scan.npy")
            np.save(path, counts[None])
            scan = load(path, layout="dense")
            setup = stem4d.know_lattice(scan, stem4d.plan_disks(scan, stem4d.fit_template(scan)), start)
            runs, qualities = {}, {}
            for threads in (1, 2):
                name = f"ours ({OURS}), {threads} thread{'s' * (threads > 1)}"
                runs[name] = (lambda threads=threads: refine(scan, setup, threads)), count
                qualities[name] = judged(*refine(scan, setup, threads), pats, bounds, scene.basis)
            if Circular:
                few = counts[:THEIRS].astype(np.float32)
                for name, upsample in (("blobfinder, fast", False), ("blobfinder, x20", 20)):
                    runs[name] = (lambda u=upsample: theirs(few, start, scene.radius, u)), len(few)
                    qualities[name] = judged(theirs(few, start, scene.radius, upsample), None, pats[:THEIRS],
                                             bounds[:THEIRS], scene.basis)
            spent = {name: [] for name in runs}
            for _ in range(rounds):
                for name, (run, _n) in runs.items():
                    spent[name].append(clock(run))
        print(f"\n{dose:.0e} electrons\n\n| | over the bound | chi2 | lost | us a pattern | cpu | times ours of 2 threads |\n"
              + "|---" * 7 + "|")
        each = {name: [1e6 * statistics.median(s[k] for s in spent[name]) / runs[name][1] for k in (0, 1)]
                for name in runs}
        two = next(wall for name, (wall, _) in each.items() if name.endswith("2 threads"))
        for name, (wall, cpu) in each.items():
            print(f"| {name} | " + " | ".join(f"{v:.3g}" for v in qualities[name])
                  + f" | {wall:.0f} | {cpu:.0f} | {wall / two:.2g} |", flush=True)


if __name__ == "__main__":
    main()
