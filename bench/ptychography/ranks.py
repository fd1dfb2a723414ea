#!/usr/bin/env python3
"""One rank with all threads, beside ranks of one thread that mpirun starts: the same work in turns.

    bench/ptychography/ranks.py SLUICE [ROUNDS] [RANKS ...]      default 5 rounds, 2 ranks

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SCANS = (("20x20", 128), ("48x48", 128), ("24x24", 256))
SOLVERS = (("epie", 16), ("rpie", 16), ("lsqml", 0), ("adam", 0), ("raar", 0))
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-q", "-n"]


def rate(command, folder):
    """Patterns a second of a run."""
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["reconstruction"][0]["patterns_per_second"]


def main():
    sluice = str(pathlib.Path(sys.argv[1]).resolve())
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    counts = [int(n) for n in sys.argv[3:]] or [2]
    for scan, side in SCANS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sluice, "synth", "arina", "s", "--scan", scan, "--detector",
                            f"{side}x{side}", "--dose", "2000"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            for solver, group in SOLVERS:
                job = [sluice, "stem4d", "ptychography", "s_master.h5", "--energy", "300",
                       "--scan-step-nm", "0.03", "--whole-pixels", "--solver", solver,
                       "--iterations", "8", "--likelihood", "amplitude", "--format", "npy", "--out", "x", "--json"]
                job += ["--group", str(group)] if group else []
                ways = {f"1 rank, {n} threads": [*job, "--threads", str(n)] for n in [1, *counts]}
                ways |= {f"{n} ranks": [*MPIRUN, str(n), *job, "--threads", "1"] for n in counts}
                found = {way: [] for way in ways}
                for _ in range(rounds):
                    for way, command in ways.items():
                        found[way].append(rate(command, folder))
                print(scan, side, solver, group or "", *(
                    f"| {way}: {statistics.median(r):.3g} ({min(r):.3g}..{max(r):.3g})"
                    for way, r in found.items()), flush=True)


if __name__ == "__main__":
    main()
