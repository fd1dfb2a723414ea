#!/usr/bin/env python3
"""Peak memory of whole reconstructions, over the counts and the object's canvas.

    bench/ptychography/memory.py SLUICE [ROWSxCOLS]      default 142x142 patterns of 128x128

Of the process, reading and saving included, as the system counts it. The scan is streamed from its file, and its
patterns stay in memory.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import tempfile

JOB = "--energy 300 --scan-step-nm 0.03 --iterations 3 --likelihood amplitude --format npy --out x".split()
RUNS = (["--solver", "epie"], ["--solver", "rpie", "--modes", "4"], ["--solver", "lsqml"],
        ["--solver", "lsqml", "--modes", "3"], ["--solver", "adam"], ["--solver", "mlcg"],
        ["--solver", "lsqml", "--slices", "4", "--slice-nm", "2"])


def measure(command, folder):
    """Its peak in bytes."""
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_maxrss * 1024


def shape_of(file):
    head = file.read_bytes()[:200].decode("latin1")
    return [int(n) for n in head[head.index("(") + 1:head.index(")")].split(",")]


def main():
    sluice = str(pathlib.Path(sys.argv[1]).resolve())
    scan = sys.argv[2] if len(sys.argv) > 2 else "142x142"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sluice, "synth", "arina", "s", "--scan", scan, "--detector", "128x128",
                        "--dose", "2000"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        count = 1
        for side in scan.split("x"):
            count *= int(side)
        for run in RUNS:
            peak = measure([sluice, "stem4d", "ptychography", "s_master.h5", "--stream",
                                   *JOB, *run], folder)
            canvas = shape_of(next(pathlib.Path(folder, "x").glob("object_phase*.npy")))
            counts = count * 128 * 128 * 2
            slices = int(run[run.index("--slices") + 1]) if "--slices" in run else 1
            area = 8 * slices * canvas[-1] * canvas[-2]
            print(f"{' '.join(run)}: {peak / 1e6:.0f} MB, {peak / (counts + area):.2f} of counts "
                  f"({counts / 1e6:.0f} MB) and canvas ({area / 1e6:.1f} MB)", flush=True)


if __name__ == "__main__":
    main()
