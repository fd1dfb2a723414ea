#!/usr/bin/env python3
"""Which patterns have two orientations that nobody can tell apart: the limit of every method, from the truth alone.

    V/bin/python bench/crystal/orientation_twins.py FOLDER ...      (V: abtem 1.0.11, ase 3.29)

If all disks that a pattern shows lie in one plane of the reciprocal lattice, the crystal that is turned by 180 degrees
about the plane's normal shows the same disks: g goes to -g, which is as strong (Friedel) and as far from Ewald's sphere.
That is another orientation unless the normal is a twofold axis of the crystal. It holds for dynamical scattering, too.
Disks out of the plane tell which it is, if they are bright enough. If all disks lie on one line, any turn about it is
as good.

FOLDER is one of orientation_scene.py or orientation_scans.py. twins.npz gets, for each pattern [row, col]:
`rank` of the disks that the kinematic pattern shows with LEAST counts or more: 0, 1: a line, 2: a plane, 3.
`distance`: the least sum of squares, in standard deviations of counts, between the pattern and that of such a twin; counts
below LEAST are taken as unseen. Infinite: there is no twin. Below AMBIGUOUS nobody can tell.
`twin`: the quaternion of that twin.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import crystals
import numpy as np
import turns
from orientation_scene import Scene, convergence, off_sphere, rocking, share, wavelength

LEAST, AMBIGUOUS = 20.0, 9.0


def counts_of(scene, name, m, thick, electrons):
    """hkl, q and expected counts of a kinematic pattern."""
    hkl, g, strength = crystals.reflections(name, scene.most)
    q = g @ m
    near = np.abs(off_sphere(q, np.zeros((1, 2)), scene.kilovolts)[0]) < 0.1 + 3 * np.radians(scene.precession)
    near &= (np.abs(q[:, :2]) < scene.pixel * min(scene.detector) / 2).all(1)
    hkl, q, strength = hkl[near], q[near], strength[near]
    tilts = convergence(scene.radius * scene.pixel)[::3]
    if scene.precession:
        a = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        cone = np.stack([np.cos(a), np.sin(a)], 1) * np.sin(np.radians(scene.precession)) / wavelength(scene.kilovolts)
        tilts = (tilts[:, None] + cone[None]).reshape(-1, 2)
    counts = strength * rocking(off_sphere(q, tilts, scene.kilovolts), scene, thick).mean(0) * share(scene, name, thick)
    total = counts.sum()
    diffracted = electrons if scene.counted == "disks" else electrons * (1 - scene.background) * total / (1 + total)
    return hkl, q, counts * diffracted / max(total, 1e-30)


def distance(scene, one, other):
    """Between two patterns (q, counts): sum of squares of the differences of roots, times 4, of what may be seen."""
    total, reach = 0.0, 0.35 * scene.radius * scene.pixel
    seen = [part for part in (one, other)]
    for n, (q, counts) in enumerate(seen):
        there_q, there = seen[1 - n]
        for place, count in zip(q[counts >= LEAST], counts[counts >= LEAST]):
            near = np.hypot(*(there_q[:, :2] - place[:2]).T) < reach
            against = there[near].sum()
            mine = counts[np.hypot(*(q[:, :2] - place[:2]).T) < reach].sum()
            # A pair that both show is met twice.
            weight = 0.5 if against >= LEAST else 1.0
            total += weight * 2 * (np.sqrt(mine) - np.sqrt(max(against, LEAST / 2)))**2
    return total


def planes(hkl):
    """Normals [u, v, w] of planes that hold at least two thirds of the reflections, and the rank of all."""
    rank = np.linalg.matrix_rank(hkl) if len(hkl) else 0
    found = {}
    for i in range(len(hkl)):
        for j in range(i):
            normal = np.cross(hkl[i], hkl[j])
            if not normal.any():
                continue
            normal = normal // np.gcd.reduce(normal)
            normal = tuple(int(n) for n in (normal if normal[np.flatnonzero(normal)[0]] > 0 else -normal))
            found.setdefault(normal, (hkl @ np.array(normal) == 0).sum())
    return [n for n, count in sorted(found.items(), key=lambda f: -f[1]) if count >= 2 / 3 * len(hkl)][:6], int(rank)


def twin_of(scene, name, m, thick, electrons):
    """rank, distance of the nearest twin, its matrix."""
    hkl, q, counts = counts_of(scene, name, m, thick, electrons)
    normals, rank = planes(hkl[counts >= LEAST])
    least, best = np.inf, np.full((3, 3), np.nan)
    for normal in normals:
        # A zone axis [u, v, w] is normal to the plane of its reflections.
        turned = turns.about(np.array(normal) @ np.array(crystals.atoms(name).cell), 180) @ m
        if turns.disorientation(turned, m, crystals.rotations(name)) < 0.5:
            continue
        far = distance(scene, (q, counts), counts_of(scene, name, turned, thick, electrons)[1:])
        if far < least:
            least, best = far, turned
    return rank, least, best


def scene_of(folder):
    with open(os.path.join(folder, "set.json")) as file:
        data = json.load(file)
    if "scene" in data["hidden"]:
        return Scene(**{k: tuple(v) if isinstance(v, list) else v for k, v in data["hidden"]["scene"].items()})
    known = data["known"]
    return dataclasses.replace(Scene(), phases=tuple(known["phases"]), kilovolts=known["kilovolts"],
                               pixel=known["pixel_size"], radius=known["radius"], detector=tuple(known["detector"]))


def main():
    print("| set | patterns of known crystals with 4 disks or more | on a line or in a plane | nobody can tell |\n|---|---|---|---|")
    for folder in sys.argv[1:]:
        scene, truth = scene_of(folder), dict(np.load(os.path.join(folder, "truth.npz")))
        shape = truth["thickness"].shape
        rank, far, twin = np.zeros(shape, int), np.full(shape, np.inf), np.full((*shape, 4), np.nan)
        disks = np.zeros(shape, int)
        for at in np.ndindex(shape):
            phase = truth["phase"][at][0]
            if phase < 0:
                continue
            rank[at], far[at], turned = twin_of(scene, scene.phases[phase], turns.matrix(truth["orientation"][at][0]),
                                                truth["thickness"][at], truth["electrons"][at])
            if np.isfinite(turned).all():
                twin[at] = turns.quaternion(turned)
        np.savez_compressed(os.path.join(folder, "twins.npz"), rank=rank, distance=far, twin=twin)
        from sluice import stem4d
        disks = stem4d.load_vectors(os.path.join(folder, "vectors.h5")).count - 1
        tried = (truth["phase"][..., 0] >= 0) & (disks >= 4)
        cannot = (far < AMBIGUOUS) | (rank < 2)
        print(f"| {os.path.basename(folder.rstrip('/'))} | {tried.sum()} | {(rank < 3)[tried].mean():.3f} | "
              f"{cannot[tried].mean():.3f} |", flush=True)


if __name__ == "__main__":
    main()
