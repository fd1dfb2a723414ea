#!/usr/bin/env python3
"""One pass of `analyze` beside the analyses one by one: 16 detectors, the mean and the maximum pattern, and moments.

    PYTHONPATH=build/release/python build/python-venv/bin/python bench/stem4d/analyze.py
    ... --scan 32x32          smaller than 128x128
    ... --detector 96x96      smaller than 192x192
    ... --rounds 5            of each task, in turns
    ... --threads 2
    ... --json FILE

The scan is a compressed NXmx file in the page cache; it is timed in memory as bit planes and as plain values, and streamed.
The ratio is that of the pass to the slowest analysis alone, of medians. Answers are compared bit by bit before.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import time

import numpy as np

import sluice
from sluice import stem4d

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = ROOT / "build/release/bin/sluice"
DATA = ROOT / "build/bench-data/analyze"
WAYS = {"bit planes in memory": {"stream": False, "layout": "planes"},
        "plain values in memory": {"stream": False, "layout": "dense"},
        "streamed from LZ4": {"stream": True}}


def detectors(side):
    """16 of them: rings, halves of rings and disks beside the middle, which share pixels."""
    middle, radius = (side - 1) / 2, 0.104 * side
    rings = [f"ring{i}=annulus:r={i * radius / 2}..{(i + 1) * radius / 2},center={middle}:{middle}" for i in range(8)]
    disks = [f"disk{i}=disk:r={radius},center={middle + 2 * radius * np.sin(i * np.pi / 4)}:"
             f"{middle + 2 * radius * np.cos(i * np.pi / 4)}" for i in range(8)]
    return rings + disks


def tasks(scan, side, threads):
    """name: (function, the arrays of its answer)"""
    every = {"virtual_image": {"detector": detectors(side)}, "diffraction_pattern": {"kind": ["mean", "max"]},
             "center_of_mass": {}}
    how = {"threads": threads, "progress": False}

    def arrays(found):
        return {**found.images, **{k: p.values for k, p in found.patterns.items()},
                **{k: c.row for k, c in found.center_of_mass.items()}}

    return {
        "analyze": lambda: arrays(stem4d.analyze(scan, every, **how)),
        "16 detectors": lambda: dict(zip(
            (d.split("=")[0] for d in detectors(side)),
            stem4d.virtual_image(scan, detectors(side), **how).values)),
        "mean": lambda: {"mean": stem4d.diffraction_pattern(scan, "mean", **how).values},
        "max": lambda: {"max": stem4d.diffraction_pattern(scan, "max", **how).values},
        "moments": lambda: {"center_of_mass": stem4d.center_of_mass(scan, **how).row},
    }


def compare(found):
    alone = {key: value for name, answer in found.items() if name != "analyze" for key, value in answer.items()}
    if sorted(alone) != sorted(found["analyze"]):
        raise SystemExit(f"analyze found {sorted(found['analyze'])}, the others {sorted(alone)}")
    for key, value in alone.items():
        if not np.array_equal(value, found["analyze"][key], equal_nan=True):
            raise SystemExit(f"{key} differs from that of its own analysis; nothing is timed")


def measure(scan, side, rounds, threads):
    todo = tasks(scan, side, threads)
    compare({name: task() for name, task in todo.items()})  # warms up, too
    seconds = {name: [] for name in todo}
    for _ in range(rounds):
        for name, task in todo.items():
            start = time.perf_counter()
            task()
            seconds[name].append(time.perf_counter() - start)
    median = {name: statistics.median(times) for name, times in seconds.items()}
    alone = {name: t for name, t in median.items() if name != "analyze"}
    slowest = max(alone, key=alone.get)
    return {"median_s": median, "slowest": slowest, "ratio": median["analyze"] / alone[slowest],
            "beside_sum": median["analyze"] / sum(alone.values()), "rounds_s": seconds}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scan", default="128x128")
    parser.add_argument("--detector", default="192x192")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    prefix = DATA / f"s{given.scan}_{given.detector}"
    master = f"{prefix}_master.h5"
    if not os.path.exists(master):
        subprocess.run([SLUICE, "synth", "arina", prefix, "--scan", given.scan, "--detector", given.detector], check=True,
                       stdout=subprocess.DEVNULL)
    side = int(given.detector.split("x")[0])
    report = {"scan": given.scan, "detector": given.detector, "threads": given.threads, "rounds": given.rounds, "ways": {}}
    for way, how in WAYS.items():
        scan = sluice.load(master, threads=given.threads, progress=False, **how)
        found = report["ways"][way] = measure(scan, side, given.rounds, given.threads)
        print(f"{way}:", ", ".join(f"{name} {1e3 * t:.1f} ms" for name, t in found["median_s"].items()))
        print(f"  one pass over {found['slowest']} alone: {found['ratio']:.2f} (must 2, stretch 1.3); over the sum of all: "
              f"{found['beside_sum']:.2f}")
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
