#!/usr/bin/env python3
"""Orientations of simulated patterns: how far they are off, and how long they take, in turns with py4DSTEM.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/orientation.py FOLDER [ROUNDS [THEIRS]]
                                                                (V: numpy, py4DSTEM 0.14, nanobind-backend)

FOLDER is one of orientation_scene.py, of a crystal of the class m-3m: `gold-gaussian-1e4` is kinematic with the envelope
that py4DSTEM takes, and 1e4 counts. Both get the same disks about the same direct beam with the pixel size that a user
knows, and zones of as fine a step: py4DSTEM 1596 of 1 degree, we at least as many. All answers are compared with the
truth before anything is timed. A match is right within 3 degrees. THEIRS: patterns that py4DSTEM is timed on, which take
long; ours are the folder's so many times that they make a scan of a usual size. CPU is that of all threads.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import statistics
import sys
import tempfile
import time

# Idle threads of its linear algebra spin, and would be counted as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import rival
import turns
from orientation_rival import TO_OURS, centered

from sluice import stem4d

COLUMNS = ("row", "col", "intensity", "background", "var_row", "var_col", "cov_row_col", "intensity_error", "score")
TIMES = 10  # that a scan is repeated for ours
ZONES = 1596


def repeated(vectors, times):
    first = np.concatenate([[0], np.cumsum(np.tile(np.diff(vectors.first), times))])
    columns = {name: np.tile(getattr(vectors, name), times) for name in COLUMNS}
    rows, cols = vectors.scan_shape
    return stem4d.BraggVectors((rows * times, cols), vectors.detector_shape, first, **columns)


def calibrated(vectors, known):
    """With the direct beam's disks and the pixel size that a user knows."""
    origins = stem4d.measure_origins(vectors, method="direct", guess=tuple(known["center"]),
                                     radius=1.5 * known["radius"])
    made = stem4d.calibrate(vectors, origins=origins, distortion="none", surface="mean")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calibration.json")
        made.save(path)
        with open(path) as file:
            text = json.load(file)
        text["pixel_size"], text["pixel_size_error"] = known["pixel_size"], 0.0
        with open(path, "w") as file:
            json.dump(text, file)
        return stem4d.apply_calibration(vectors, stem4d.load_calibration(path))


def library_of(folder, known):
    """As many zones as the rival has, or some more."""
    step = 1.0
    while True:
        library = stem4d.orientation_library(os.path.join(folder, known["phases"][0] + ".cif"), zone_step=step,
                                             energy=known["kilovolts"], most_frequency=known["most_frequency"])
        if library.zones >= ZONES:
            return library
        step *= 0.98


def rival_crystal(folder, known):
    from py4DSTEM.process.diffraction import Crystal
    with np.load(os.path.join(folder, "structures.npz")) as data:
        places, numbers, cell = (data[f"{known['phases'][0]}/{part}"] for part in ("places", "numbers", "cell"))
    with rival.silent():
        crystal = Crystal(places, numbers, cell)
        crystal.calculate_structure_factors(known["most_frequency"])
        crystal.orientation_plan(np.array([[0, 1, 1], [1, 1, 1]]), angle_step_zone_axis=1.0,
                                 accel_voltage=known["kilovolts"] * 1e3, progress_bar=False)
    return crystal


def points_of(vectors, known):
    from emdfile import PointList
    out = []
    for at in np.ndindex(vectors.scan_shape):
        place, intensity = centered(vectors[at], known)
        points = np.zeros(len(place), [("qx", float), ("qy", float), ("intensity", float)])
        points["qx"], points["qy"], points["intensity"] = place[:, 0], place[:, 1], intensity
        out.append(PointList(points))
    return out


def theirs(crystal, points):
    """[pattern, 3, 3] in our frames; NaN: no match."""
    out = np.full((len(points), 3, 3), np.nan)
    with rival.silent():
        for n, p in enumerate(points):
            found = crystal.match_single_pattern(p)
            if found.corr[0] > 0:
                out[n] = found.matrix[0] @ TO_OURS
    return out


def judged(name, matrices, truth, symmetry, indexed=None):
    off = np.where(np.isfinite(matrices[:, 0, 0]), turns.disorientation(np.nan_to_num(matrices), truth, symmetry), 180)
    right = off < 3
    row = f"| {name} | {np.median(off[right]):.3f} | {1 - right.mean():.3f} | "
    if indexed is not None:
        row += f"{indexed.mean():.3f} | {(~right[indexed]).mean():.4f} | {indexed[right].mean():.3f} |"
    else:
        row += "| | |"
    print(row, flush=True)


def clock(run):
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def main():
    folder = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    with open(os.path.join(folder, "set.json")) as file:
        known = json.load(file)["known"]
    vectors = stem4d.load_vectors(os.path.join(folder, "vectors.h5"))
    truth = turns.matrix(np.load(os.path.join(folder, "truth.npz"))["orientation"][..., 0, :].reshape(-1, 4))
    with np.load(os.path.join(folder, "structures.npz")) as data:
        symmetry = data[f"{known['phases'][0]}/rotations"]
    library, given = library_of(folder, known), calibrated(vectors, known)
    print(f"{os.path.basename(os.path.normpath(folder))}: {len(truth)} patterns, ours {library.zones} zones, "
          f"{library.bytes / 1e6:.1f} MB, made in {library.build_seconds:.3f} s")
    print("\n| | median of right, degrees | off by > 3 | indexed | wrong of indexed | right ones indexed |\n"
          "|---|---|---|---|---|---|")
    variants = {"ours": {}, "ours, all zones": {"exhaustive": True}, "ours, not refined": {"refine": False}}
    for name, options in variants.items():
        found = stem4d.orientation(given, library, **options)
        judged(name, turns.matrix(found.quaternion.reshape(-1, 4)), truth, symmetry, found.reason.ravel() == 0)
    crystal, points = None, []
    if rival.py4DSTEM:
        crystal, points = rival_crystal(folder, known), points_of(vectors, known)
        judged(f"py4DSTEM, {crystal.orientation_num_zones} zones", theirs(crystal, points), truth, symmetry)
    many = calibrated(repeated(vectors, TIMES), known)
    spent = {f"{name}, {threads} thread{'s' * (threads > 1)}": [] for name in variants for threads in (1, 2)}
    if crystal:
        spent["py4DSTEM"] = []
    for _ in range(rounds):
        for name, options in variants.items():
            for threads in (1, 2):
                spent[f"{name}, {threads} thread{'s' * (threads > 1)}"].append(
                    clock(lambda: stem4d.orientation(many, library, threads=threads, **options)))
        if crystal:
            spent["py4DSTEM"].append(clock(lambda: theirs(crystal, points[:most])))
    count = {name: most if name == "py4DSTEM" else TIMES * len(truth) for name in spent}
    each = {name: [1e6 * statistics.median(s[k] for s in times) / count[name] for k in (0, 1)]
            for name, times in spent.items()}
    two = each["ours, 2 threads"]
    print("\n| | us a pattern | CPU us | times ours of 2 threads | CPU over ours |\n|---|---|---|---|---|")
    for name, (wall, cpu) in each.items():
        print(f"| {name} | {wall:.0f} | {cpu:.0f} | {wall / two[0]:.2f} | {cpu / two[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
