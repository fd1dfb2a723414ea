#!/usr/bin/env python3
"""A Dask LocalCluster of two processes beside one process with two threads, on the same file.

    PYTHONPATH=build/release/python build/python-venv/bin/python bench/python/cluster.py [--scan 256x256]

Both stream the file for the same products; the answers are compared bit by bit first.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import pathlib
import statistics
import subprocess
import time

import distributed
import numpy as np

import sluice
from sluice import stem4d

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "build/bench-data/python"
WISHES = dict(detectors=["disk:r=30,center=96:96", "annulus:r=40..90,center=96:96"],
              center_of_mass=True, patterns=["mean"], progress=False)


def per_frame(tile):
    """An analysis of one's own, in NumPy."""
    return np.sqrt(tile.values.astype(np.float32)).sum(axis=(1, 2))


def lap(function):
    start = time.perf_counter()
    answer = function()
    return time.perf_counter() - start, answer


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--scan", default="256x256")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    prefix = DATA / f"scan-{chosen.scan}"
    path = f"{prefix}_master.h5"
    if not pathlib.Path(path).exists():
        subprocess.run([ROOT / "build/release/bin/sluice", "synth", "arina", prefix, "--scan",
                        chosen.scan], check=True, stdout=subprocess.DEVNULL)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        tasks = {
            "products": (
                lambda: stem4d.products(sluice.load(path, stream=True), threads=2,
                                        **WISHES).images.values,
                lambda: sluice.distributed.products(path, client=client, **WISHES).images.values),
            "a function in NumPy": (
                lambda: stem4d.fold(sluice.load(path, stream=True), per_frame, threads=2,
                                    progress=False),
                lambda: sluice.distributed.fold(path, per_frame, client=client, progress=False)),
        }
        print(f"sluice {sluice.__version__} ({sluice.__commit__}), {chosen.scan} of 192x192\n")
        print("| what | one process, 2 threads | cluster, 2 processes | speed of the cluster |")
        print("|---|---|---|---|")
        for what, (near, far) in tasks.items():
            assert np.array_equal(near(), far()), what
            laps = [(lap(near)[0], lap(far)[0]) for _ in range(chosen.rounds)]
            one, two = (statistics.median(column) for column in zip(*laps))
            print(f"| {what} | {one:.3g} s | {two:.3g} s | {one / two:.3g} |")


if __name__ == "__main__":
    main()
