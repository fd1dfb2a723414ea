"""Peak memory of `sluice stem4d disks` of a scan that is larger than its memory limit.

    python bench/crystal/memory.py build/release/bin/sluice FOLDER [SIDE]

Writes a scan of SIDE x SIDE patterns of 128x128 bytes (512: 4.3 GB) into FOLDER, unless it is there, and finds its
disks with a limit of 400 MB.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import time

import numpy as np


def draw(path, side):
    """512 different patterns, again and again: 60 disks of radius 4, a background, Poisson's noise."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:128, :128]
    patterns = np.empty((512, 128, 128), np.uint8)
    for n in range(len(patterns)):
        mean = 0.3 + 3 * np.exp(-np.hypot(y - 64, x - 64) / 25)
        for h in range(-4, 5):
            for k in range(-4, 5):
                at = 63.7 + np.array([14.6 * h + 0.8 * k, 14.1 * k - 0.5 * h])
                height = 120 if h == k == 0 else 40 * rng.random()**2 + 2
                if np.all((at > 4) & (at < 123)):
                    mean += height / (1 + np.exp(4 * (np.hypot(y - at[0], x - at[1]) - 4)))
        patterns[n] = np.minimum(rng.poisson(mean), 255)
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "|u1", "fortran_order": False, "shape": (side, side, 128, 128)})
        for _ in range(side * side // len(patterns)):
            file.write(patterns.tobytes())


def run(sluice, *arguments):
    start = time.perf_counter()
    child = subprocess.Popen([sluice, "stem4d", "disks", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"sluice ended with {status}")
    return usage.ru_maxrss / 1024, time.perf_counter() - start


def main():
    sluice, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    side = int(sys.argv[3]) if len(sys.argv) > 3 else 512
    scan = folder / f"big_{side}.npy"
    if not scan.exists():
        draw(scan, side)
    print(f"{scan.stat().st_size / 1e6:.0f} MB of patterns")
    for ending, limit in [("h5", "400M"), ("npy", "400M")]:
        out = folder / f"disks.{ending}"
        peak, seconds = run(sluice, str(scan), "--template-radius", "4", "--stream", "--memory-limit", limit, "--force",
                            "--out", str(out))
        print(f"--memory-limit {limit}: peak {peak:.0f} MiB, {seconds:.0f} s, {out.stat().st_size / 1e6:.0f} MB of {ending}")



main()
