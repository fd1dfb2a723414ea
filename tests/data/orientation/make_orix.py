#!/usr/bin/env python3
"""Writes orix.txt: angles, disorientations and sectors as orix 0.15 has them. README.md tells the lines.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib

import numpy as np
from orix.quaternion import Orientation, Rotation, symmetry
from orix.vector import Vector3d

# Ours, and orix's name of the same.
CLASSES = {"-1": "Ci", "2/m": "C2h", "mmm": "D2h", "4/m": "C4h", "4/mmm": "D4h", "-3": "S6", "-3m": "D3d",
           "6/m": "C6h", "6/mmm": "D6h", "m-3": "Th", "m-3m": "Oh"}


def numbers(*values):
    return " ".join(f"{x:.12g}" for value in values for x in np.ravel(value))


def main():
    random = np.random.default_rng(32)
    lines = []
    for _ in range(60):
        angles = random.uniform(0, [360, 180, 360])
        v = random.normal(size=3)
        g = Rotation.from_euler(np.deg2rad(angles))
        lines.append(f"euler {numbers(angles, g.data, v, (g * Vector3d(v)).data)}")
    proper = {}
    for name, theirs in CLASSES.items():
        group = getattr(symmetry, theirs)
        proper[name] = group.laue_proper_subgroup
        lines.append(f"order {name} {proper[name].size}")
        for _ in range(40):
            one, two = (Orientation(random.normal(size=4), symmetry=proper[name]).unit for _ in range(2))
            if random.uniform() < 0.3:  # near each other
                two = Orientation((Rotation(one.data) * Rotation([1, *random.normal(size=3) * 0.01])).data,
                                  symmetry=proper[name]).unit
            angle = one.angle_with(two, degrees=True)
            lines.append(f"pair {name} {name} {numbers(one.data, two.data, angle)}")
        for _ in range(80):
            v = Vector3d(random.normal(size=3)).unit
            lines.append(f"sector {name} {numbers(v.data, v.in_fundamental_sector(group).data)}")
    # orix reduces misorientations of two phases; the least angle is tried out here, with its groups.
    for a, b in (("m-3m", "6/mmm"), ("4/mmm", "2/m"), ("-3m", "m-3"), ("-1", "m-3m")):
        for _ in range(20):
            one, two = Rotation(random.normal(size=4)).unit, Rotation(random.normal(size=4)).unit
            all_of = proper[a].outer(one * ~two).flatten().outer(proper[b])
            angle = np.rad2deg(2 * np.arccos(np.clip(np.abs(all_of.data[..., 0]), 0, 1))).min()
            lines.append(f"pair {a} {b} {numbers(one.data, two.data, angle)}")
    (pathlib.Path(__file__).parent / "orix.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
