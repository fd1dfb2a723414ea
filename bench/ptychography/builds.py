#!/usr/bin/env python3
"""Several builds of sluice in turns: patterns a second, and processor time of a pattern, of projections, bins and
windows larger than patterns.

    bench/ptychography/builds.py SLUICE [SLUICE ...]

Processor time is that of all threads: what more iterations take beyond a few, divided by their patterns.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import scenes

ROUNDS = 5
FEW, MANY = 2, 12
CASES = {128: ("--solver dm", "--solver raar", "--solver ap", "--solver dm --modes 3",
               "--solver lsqml --set detector_bin=2", "--solver lsqml --set window=192"),
         256: ("--solver dm", "--solver raar", "--solver dm --modes 3")}


def once(sluice, folder, options, iterations):
    """Patterns a second, and seconds of processor time of the whole process."""
    name = "no_probe.npz" if "--set" in options else "s.npz"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sluice, "stem4d", "ptychography", name, *options.split(), "--likelihood", "amplitude", "--iterations",
         str(iterations), "--format", "npy", "--out", "x", "--json"],
        cwd=str(folder), capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(pathlib.Path(folder, "x"))
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout)["reconstruction"][0]["patterns_per_second"], spent


def shown(numbers, unit=""):
    return f"{statistics.median(numbers):.3g} ({min(numbers):.3g}..{max(numbers):.3g}){unit}"


def compare(programs, folder, options, patterns):
    rates = {p: [] for p in programs}
    times = {p: [] for p in programs}
    for _ in range(ROUNDS):
        for p in programs:
            _, few = once(p, folder, options, FEW)
            rate, many = once(p, folder, options, MANY)
            rates[p].append(rate)
            times[p].append(1e6 * (many - few) / (MANY - FEW) / int(patterns.split()[0]))
    for p in programs:
        print(f"{patterns} {options} | {shown(rates[p])} patterns/s | "
              f"{shown(times[p])} us | load {os.getloadavg()[0]:.1f} | {p}", flush=True)


def main():
    programs = [str(pathlib.Path(p).resolve()) for p in sys.argv[1:]]
    for side, places in ((128, 20), (256, 14)):
        counts, positions, probe = scenes.simulated(side, places)
        with tempfile.TemporaryDirectory() as folder:
            np.savez(pathlib.Path(folder, "s.npz"), data=counts, scan=positions, probe=probe)
            np.savez(pathlib.Path(folder, "no_probe.npz"), data=counts, scan=positions)
            for options in CASES[side]:
                compare(programs, folder, options, f"{len(counts)} of {side}x{side}")


if __name__ == "__main__":
    main()
