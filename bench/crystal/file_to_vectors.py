#!/usr/bin/env python3
"""From a compressed file to Bragg vectors on disk, beside py4DSTEM: whole processes of ours, files that are in the cache.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/file_to_vectors.py build/release/bin/sluice [ROUNDS]
        (V: numpy, h5py, hdf5plugin, py4DSTEM 0.14.18)

The scan of disks.py, 25,600 patterns, as HDF5 with a chunk of bitshuffle and LZ4 for each pattern. Ours finds template,
mode and background itself, from the same file and within the time. py4DSTEM reads four patterns by h5py and hdf5plugin,
has the true disk as template, finds its disks and writes them.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time

import disks
import h5py
import hdf5plugin
import numpy as np

from sluice import stem4d

TIMES = 64


def write(path, counts):
    with h5py.File(path, "w") as file:
        shape = (TIMES, *counts.shape)
        to = file.create_dataset("scan", shape, counts.dtype, chunks=(1, 1, *counts.shape[1:]),
                                 **hdf5plugin.Bitshuffle(cname="lz4"))
        for n in range(TIMES):
            to[n] = counts


def ours(sluice, scan, out):
    before = os.times()
    begun = time.perf_counter()
    subprocess.run([sluice, "stem4d", "disks", scan, "--out", out, "--force", "--threads", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begun, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def theirs(path, mode, out):
    """A function of patterns to their disks, and the time without that of the template."""
    import py4DSTEM
    clocks = lambda: np.array([time.perf_counter(), time.process_time()])
    begun = clocks()
    with h5py.File(path) as file:
        counts = file["scan"][0, :disks.THEIRS]
    read = clocks() - begun
    vectors = disks.py4dstem(counts)
    begun = clocks()
    found = vectors(mode)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        places = [tuple(p) for n in range(disks.THEIRS) for p in found(n)]
        py4DSTEM.save(out, py4DSTEM.PointList(np.array(places, dtype=[("qx", float), ("qy", float)])), mode="o")
    return found, read + clocks() - begun


def main():
    sluice = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    means, truth, heights, under = disks.simulate()
    print("| electrons | file, MB | | over the bound | us a pattern | cpu | times ours |\n" + "|---" * 7 + "|")
    for dose in (2e3, 2e4, 2e5):
        counts = np.random.default_rng(int(dose)).poisson(means * dose).astype(np.uint16)
        bounds = [[disks.bound(p, h, under, dose) for p, h in zip(truth[n], heights[n])]
                  for n in range(disks.PATTERNS)]
        with tempfile.TemporaryDirectory() as folder:
            scan, out = os.path.join(folder, "scan.h5"), os.path.join(folder, "disks.h5")
            write(scan, counts)
            size = os.path.getsize(scan) / 1e6
            spent = {"ours": [], "multicorr": [], "poly": []}
            quality = {}
            for _ in range(rounds):
                spent["ours"].append([s / TIMES / disks.PATTERNS for s in ours(sluice, scan, out)])
                for mode in ("multicorr", "poly"):
                    found, seconds = theirs(scan, mode, os.path.join(folder, "theirs.h5"))
                    spent[mode].append(seconds / disks.THEIRS)
                    quality[mode] = disks.quality(found, truth, bounds, range(disks.THEIRS))
            vectors = stem4d.load_vectors(out)
            take = lambda n: np.s_[vectors.first[n]:vectors.first[n + 1]]
            quality["ours"] = disks.quality(
                lambda n: np.stack([vectors.row[take(n)], vectors.col[take(n)]], 1).astype(float), truth, bounds,
                range(disks.PATTERNS))
            each = {name: [1e6 * statistics.median(s[k] for s in all_) for k in (0, 1)] for name, all_ in spent.items()}
            for name, (wall, cpu) in each.items():
                print(f"| {dose:.0e} | {size:.0f} | {name} | {quality[name]['over the bound']:.3g} | {wall:.0f} | "
                      f"{cpu:.0f} | {wall / each['ours'][0]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
