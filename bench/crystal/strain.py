#!/usr/bin/env python3
"""Strain of simulated patterns over its Cramer-Rao bound, the errors that are reported, and how fast lattices are fitted,
in turns with py4DSTEM.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/strain.py [ROUNDS [PATTERNS]]   (V: numpy, py4DSTEM 0.14)

The simulation (scene.py) shares no code with sluice. Strain is measured from the lattice that it was made with. `over the
bound`: rms of error over bound of e_xx, e_yy, e_xy and omega; the bound takes every disk of the pattern, found or not,
each with a height and a background of its own. Of py4DSTEM the lattice is taken, and its strain computed without its
linear approximation; its thresholds were not tuned for each dose. The fit of lattices is timed on the same vectors, which
py4DSTEM reads from our file: indexing, lattices and strain there, `fit_lattice` and `strain` here.

SPDX-License-Identifier: Apache-2.0
"""
import os
import statistics
import sys
import tempfile
import time

# Idle threads of its linear algebra spin, and would be counted as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import rival
from scene import Scene, draw, strain_of

from sluice import load, stem4d

COLUMNS = ("row", "col", "intensity", "var_row", "var_col", "cov_row_col")
TIMES = 25  # that a scan is repeated for ours, which takes short
THEIRS = 8  # patterns whose disks py4DSTEM finds: it takes long


def judged(strain, pats, bounds, error=None):
    true = np.array([p.strain for p in pats])
    off, good = strain - true, np.isfinite(strain[:, 0])
    ratio = np.sqrt((off**2 / bounds)[good].mean(0))
    chi2 = (off**2 / error**2)[good].mean() if error is not None else np.nan
    return {"over the bound": np.sqrt((ratio**2).mean()), "e_xx": ratio[0], "e_yy": ratio[1], "e_xy": ratio[2],
            "omega": ratio[3], "rms of e_xx": np.sqrt((off[good, 0]**2).mean()), "chi2": chi2, "lost": 1 - good.mean()}


def ours(vectors, reference):
    fit = stem4d.fit_lattice(vectors, reference)
    maps = stem4d.strain(fit, reference=reference)
    strain = np.stack([maps.e_xx, maps.e_yy, maps.e_xy, np.radians(maps.omega)], -1).reshape(-1, 4)
    error = np.stack([maps.errors[k] for k in ("e_xx", "e_yy", "e_xy", "omega")], -1).reshape(-1, 4)
    error[:, 3] = np.radians(error[:, 3])
    return strain, error, fit


def repeated(vectors, times):
    """The same patterns so many times: a scan of a usual size."""
    first = np.concatenate([[0], np.cumsum(np.tile(np.diff(vectors.first), times))])
    columns = {name: np.tile(getattr(vectors, name), times) for name in COLUMNS}
    return stem4d.BraggVectors((times, len(vectors.first) - 1), vectors.detector_shape, first, **columns)


def clock(run):
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def median_of(spent, count):
    return [1e6 * statistics.median(s[k] for s in spent) / count for k in (0, 1)]


def line(name, quality):
    print(f"| {name} | " + " | ".join(f"{v:.3g}" for v in quality.values()) + " |", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    scene = Scene()
    basis = tuple(map(tuple, scene.basis))
    middle = tuple((np.array(scene.shape) - 1) / 2)
    reference = stem4d.LatticeBasis(middle, *basis)
    pats = [scene.pattern(n) for n in range(count)]
    y, x = np.mgrid[:scene.shape[0], :scene.shape[1]]
    vacuum = scene.disk((scene.shape[0] / 2, scene.shape[1] / 2), np.s_[:scene.shape[0], :scene.shape[1]])
    for dose in (2e3, 2e4, 2e5):
        counts = draw(pats, dose, int(dose))
        bounds = np.array([np.diag(scene.strain_bound(p, scene.bounds(p, dose)[2])) for p in pats])
        with tempfile.TemporaryDirectory() as folder:
            path, file = os.path.join(folder, "scan.npy"), os.path.join(folder, "disks.h5")
            np.save(path, counts[None])
            scan = load(path)
            vectors = stem4d.find_disks(scan, stem4d.plan_disks(scan, stem4d.fit_template(scan)))
            vectors.save(file)
            strain, error, fit = ours(vectors, reference)
            print(f"\n{dose:.0e} electrons, {len(vectors) / count:.1f} disks of {len(scene.indices)}, sigma_sys "
                  f"{fit.sigma_sys:.4f} px\n\n| | over the bound | e_xx | e_yy | e_xy | omega | rms of e_xx | chi2 | lost |\n"
                  + "|---" * 9 + "|")
            line("ours", judged(strain, pats, bounds, error))
            if not rival.py4DSTEM:
                continue
            exact = lambda values: np.array([strain_of(v, basis) if np.isfinite(v).all() else np.full(4, np.nan)
                                             for v in values])
            for mode in ("multicorr", "poly"):
                found = rival.disks(counts[:THEIRS], vacuum, scene.radius, np.hypot(*basis[1]), mode)
                values = rival.lattices(rival.indexed(found, middle, basis))[1]
                line(f"py4DSTEM, {mode}, {THEIRS} patterns", judged(exact(values), pats[:THEIRS], bounds[:THEIRS]))
            with rival.silent():
                same = rival.py4DSTEM.read(file)
            line("our disks, its lattices", judged(exact(rival.lattices(rival.indexed(same, middle, basis))[1]), pats,
                                                   bounds))
            spent = {"ours, 1 thread": [], "ours, 2 threads": [], "py4DSTEM, fit alone": [], "py4DSTEM": []}
            table = rival.indexed(same, middle, basis)

            many = repeated(vectors, TIMES)

            def mine(threads):
                stem4d.strain(stem4d.fit_lattice(many, reference, threads=threads), reference=reference)

            for _ in range(rounds):
                for threads in (1, 2):
                    spent[f"ours, {threads} thread{'s' * (threads > 1)}"].append(
                        tuple(t / TIMES for t in clock(lambda: mine(threads))))
                spent["py4DSTEM, fit alone"].append(clock(lambda: rival.strains(rival.lattices(table)[0], basis)))
                spent["py4DSTEM"].append(clock(lambda: rival.strains(rival.lattices(rival.indexed(
                    same, middle, basis))[0], basis)))
            two = median_of(spent["ours, 2 threads"], count)[0]
            print("\n| lattices and strain | us a pattern | cpu | times ours of 2 threads |\n|---|---|---|---|")
            for name, times in spent.items():
                each, cpu = median_of(times, count)
                print(f"| {name} | {each:.2f} | {cpu:.2f} | {each / two:.0f} |", flush=True)


if __name__ == "__main__":
    main()
