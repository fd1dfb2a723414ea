#!/usr/bin/env python3
"""Scans of multislice patterns with Poisson's noise, as files that a user has, and their disks by `sluice stem4d disks`.

    V/bin/python bench/crystal/orientation_scans.py PATTERNS OUT --sluice build/release/bin/sluice [--doses 1e4,1e5]

PATTERNS is the folder of make_orientation_multislice.py. A twentieth of the electrons becomes a smooth haze. Each set, thickness and dose becomes OUT/HALF/NAME with scan.npy,
vacuum.npy, vectors.h5, truth.npz, set.json and CIFs, as orientation_scene.py writes them.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import glob
import json
import os
import subprocess

import crystals
import numpy as np
from orientation_scene import FRAMES, Scene, haze

HAZE = 0.05  # of the electrons


def shape_of(count):
    rows = max(n for n in range(1, int(np.sqrt(count)) + 1) if count % n == 0)
    return rows, count // rows


def search(sluice, folder):
    """vectors.h5 of a scan, found by the program with the vacuum's template."""
    told = subprocess.run([sluice, "stem4d", "disks", os.path.join(folder, "scan.npy"), "--vacuum",
                           os.path.join(folder, "vacuum.npy"), "--out", os.path.join(folder, "vectors.h5"), "--force",
                           "--threads", "1"], capture_output=True, text=True)
    if told.returncode:
        raise SystemExit(f"{folder}: {told.stderr}")


def write(folder, data, n, dose, sluice):
    os.makedirs(folder, exist_ok=True)
    thick, kilovolts = float(data["thickness_angstrom"][n]), float(data["kilovolts"])
    draw = np.random.default_rng([int(thick), int(dose), len(folder)])
    mean = (data["root"][:, n] / 65535.0)**2 * data["top"][:, n, None, None]
    rows, cols = shape_of(len(mean))
    if not data["shakes"]:
        mean = (1 - HAZE) * mean + HAZE * haze(Scene(detector=mean.shape[1:]))
    counts = np.minimum(draw.poisson(mean * dose), 65535).astype(np.uint16)
    np.save(os.path.join(folder, "scan.npy"), counts.reshape(rows, cols, *mean.shape[1:]))
    empty = data["vacuum"] / data["vacuum"].sum()
    np.save(os.path.join(folder, "vacuum.npy"), draw.poisson(empty * 1e6).astype(np.uint32)[None, None])
    one = lambda a: np.asarray(a).reshape(rows, cols, 1, *np.shape(a)[1:])
    np.savez_compressed(os.path.join(folder, "truth.npz"), frames=FRAMES, orientation=one(data["quaternion"]),
                        phase=one(data["phase"]), weight=np.ones((rows, cols, 1)),
                        thickness=np.full((rows, cols), thick), electrons=np.full((rows, cols), dose),
                        origin=np.zeros((rows, cols, 2)))
    phases = [str(p) for p in data["phases"]]
    crystals.write(folder, phases)
    known = {"kilovolts": kilovolts, "pixel_size": float(data["pixel_size"]), "center": data["center"].tolist(),
             "detector": mean.shape[1:], "radius": float(data["radius"]), "phases": phases,
             "precession_degrees": 0.0, "most_frequency": float(data["pixel_size"]) * mean.shape[1] / 2}
    with open(os.path.join(folder, "set.json"), "w") as file:
        json.dump({"name": os.path.basename(folder), "half": str(data["half"]), "frames": FRAMES, "known": known,
                   "hidden": {"thickness_angstrom": thick}}, file, indent=1)
    search(sluice, folder)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("patterns")
    words.add_argument("out")
    words.add_argument("--sluice", default="build/release/bin/sluice")
    words.add_argument("--doses", default="1e4,1e5")
    args = words.parse_args()
    for path in sorted(glob.glob(os.path.join(args.patterns, "*-*.npz"))):
        data = dict(np.load(path))
        name = os.path.basename(path)[:-4].removesuffix(f"-{data['half']}")
        for n, thick in enumerate(data["thickness_angstrom"]):
            for dose in args.doses.split(","):
                folder = os.path.join(args.out, str(data["half"]), f"{name}-{thick}A-{dose}")
                write(folder, data, n, float(dose), args.sluice)
                print(folder, flush=True)


if __name__ == "__main__":
    main()
