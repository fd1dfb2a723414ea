#!/usr/bin/env python3
"""What `sluice proton dose` costs: time and memory of whole processes, over sizes of images.

    bench/proton/dose_cost.py [--rounds 5] [--march] [--large] [--sluice build/release/bin/sluice]

The phantom is `body` of proton/dose_scene.py with voxels of 1 mm, the plan has 1 000 spots in 20 layers. --large adds
voxels of 0.5 mm, --march the march in slices (minutes), and how far both doses are apart.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import concurrent.futures
import multiprocessing
import pathlib
import statistics
import tempfile

import numpy as np

import dose
import dose_scene

KEPT = ("--energy-spread", "0.8 MeV", "--format", "npy")


def write_scenes(folder, large):
    """In a process of its own: the system counts a parent's memory as its children's."""
    plan, sigma = dose_scene.layers_plan()
    dose_scene.write_plan(folder / "plan.csv", plan, 2000.0, sigma)
    dose_scene.write_plan(folder / "spot.csv", np.array([(150.0, 0.0, 0.0, 1e9)]), 2000.0)
    dose_scene.write_image(folder / "water.mha", np.zeros((60, 200, 60)), 1.0, (-29.5, -99.5, -29.5))
    for name, spacing in (("body", 1.0), ("large", 0.5))[:2 if large else 1]:
        hu, origin = dose_scene.body(spacing)
        dose_scene.write_image(folder / f"{name}.mha", hu, spacing, origin)


class Jobs:
    def __init__(self, program, folder, large):
        self.program, self.folder = program, pathlib.Path(folder)
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            pool.submit(write_scenes, self.folder, large).result()

    def run(self, plan, image, *options):
        return dose.usage_of([self.program, "proton", "dose", self.folder / f"{plan}.csv", "--ct",
                              self.folder / f"{image}.mha", "--out", self.folder / "out", "--kernels",
                              self.folder / "kernels", "--quantity", "HU", *KEPT, *options])

    def row(self, what, rounds, *job):
        done = [self.run(*job) for _ in range(rounds)]
        wall = statistics.median(d[0] for d in done)
        cpu = statistics.median(d[1].ru_utime + d[1].ru_stime for d in done)
        most = max(d[1].ru_maxrss for d in done) / 1024
        print(f"{what:<44}{wall:>8.2f} s{cpu:>8.2f} s of processor time{most:>7.0f} MB", flush=True)

    def dose(self):
        return np.load(self.folder / "out/dose.npy")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=str(dose.HERE.parents[1] / "build/release/bin/sluice"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--march", action="store_true")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = Jobs(options.sluice, folder, options.large)
        # The first of each fills the caches of files and kernels.
        jobs.run("spot", "water")
        jobs.run("plan", "body")
        rounds = options.rounds
        jobs.row("a spot of 150 MeV in water", rounds, "spot", "water")
        jobs.row("the same, kernel marched", rounds, "spot", "water", "--no-keep-kernels")
        jobs.row("1 000 spots", rounds, "plan", "body")
        jobs.row("the same, dose alone", rounds, "plan", "body", "--no-let", "--no-error")
        jobs.row("the same, kernels marched", rounds, "plan", "body", "--no-keep-kernels")
        if options.large:
            jobs.row("1 000 spots, voxels of 0.5 mm", 1, "plan", "large")
        if options.march:
            jobs.row("1 000 spots by the march in slices", 1, "plan", "body", "--engine", "march")
            march = jobs.dose()
            jobs.run("plan", "body")
            pencils = jobs.dose()
            most, high = march.max(), march > 0.1 * march.max()
            off = np.abs(pencils - march)[high] / most
            print(f"highest {pencils.max() / most - 1:+.2%}, sum {pencils.sum() / march.sum() - 1:+.2%}, "
                  f"off by {off.max():.1%} at most, in {(off > 0.03).mean():.2%} of {high.sum()} voxels by more than 3 %")


if __name__ == "__main__":
    main()
