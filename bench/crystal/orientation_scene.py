#!/usr/bin/env python3
"""Patterns of crystals whose orientation is known: kinematic, by NumPy, ASE and abTEM's factors. Nothing here is sluice's.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/orientation_scene.py OUT [--half calibrate|test|blind]
        [--sets NAMES] [--patterns] [--list]      (V: abtem 1.0.11, ase 3.29, nanobind-backend)

Each set becomes a folder: `vectors.h5`, what a search of disks would find, written by sluice; `truth.npz`; `set.json`
with what a user knows of it and what not; a CIF of each phase. --patterns writes `scan.npy` and `vacuum.npy` into the
same folders: full patterns of the same truth with Poisson's noise. Halves differ by seeds, thicknesses and doses. The
evidence was chosen while `test` was looked at; `blind` was made afterwards.

Frames are those of docs/design/028. Sample: x along columns, y along rows (down), z along the beam. Crystal: x along a,
z along c*. A quaternion (w, x, y, z) of the truth takes the sample to the crystal.

A reflection g of the sample lies at column x / pixel, row y / pixel, and is off Ewald's sphere by s along z. Its
intensity is |F|^2 times the rocking curve of a slab of thickness t whose waves decay over `decay`, averaged over the
convergent beam: sin^2(pi s t) / (pi s)^2 with its zeros filled. `gaussian` is exp(-s^2 / 2 sigma^2) instead.

A disk of a slab is not even: it rocks along g. `sluice stem4d disks` puts it half way to its centre of mass (measured on
the full patterns of gold-slab-1e4 and titanium: correlation 0.97, slope 0.5), far beyond the variances it tells.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import dataclasses
import functools
import json
import os
import zlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import crystals
import numpy as np
import turns
from scene import edge

FRAMES = ("a quaternion (w, x, y, z) takes the sample (x along columns, y along rows, z along the beam) to the "
          "crystal (x along a, z along c*)")


def wavelength(kilovolts):
    """In ångström: h / sqrt(2 m e U (1 + e U / 2 m c^2)) with CODATA's constants."""
    volts = kilovolts * 1e3
    return 12.2642596588 / np.sqrt(volts * (1 + 0.978475598e-6 * volts))


@dataclasses.dataclass
class Scene:
    phases: tuple = ("gold",)
    envelope: str = "slab"  # or "gaussian"
    sigma: float = 0.02  # of the Gaussian, in 1/ångström
    thickness: tuple = (50, 300)  # ångström, drawn evenly in its logarithm
    decay: float = 400.0  # ångström
    electrons: tuple = (1e4, 5e5)  # of a pattern, drawn evenly in its logarithm
    counted: str = "all"  # electrons are those of all the pattern, or those of the diffracted "disks"
    kilovolts: float = 200.0
    precession: float = 0.0  # degrees
    detector: tuple = (192, 192)
    pixel: float = 0.0165  # 1/ångström
    radius: float = 4.5  # pixels
    width: float = 1.0
    background: float = 0.1  # of the electrons
    scale_error: float = 0.0  # true pixel size over the stated one - 1
    ellipse: float = 0.0  # left after calibration: rows are so much longer and columns so much shorter, at an angle
    descan: float = 0.0  # pixels to each side
    scatter: float = 0.0  # of the logarithm of each reflection's intensity: what dynamical scattering does
    floor: float = 0.02  # pixels that positions are off beside noise
    pull: float = 0.5  # so much of the way to its centre of mass a search moves a disk that rocks within
    missing: float = 0.0  # part of the disks that a search misses, whatever their counts
    false: float = 0.0  # disks a pattern that are none
    overlap: float = 0.0  # part of the patterns in which a second grain has 10 to 50 % of the counts
    few: tuple = ()  # (least, most): only so many of the brightest diffracted disks are kept
    strangers: tuple = ()  # crystals that no library knows: so many patterns are of them as of one phase
    empty: float = 0.0  # part of the patterns that have false disks alone
    grains: int = 0  # of a map; 0: each pattern is a grain
    shape: tuple = (20, 20)
    most: float = 1.65  # 1/ångström


# Of a real scan: what it misses and what it gets wrong.
REAL = dict(scale_error=0.005, ellipse=0.004, descan=1.0, scatter=0.4, missing=0.03, false=0.3)
SETS = {
    # The target's own row: the rival's envelope, 1e4 counts in the diffracted disks.
    "gold-gaussian-1e4": Scene(envelope="gaussian", electrons=(1e4, 1e4), counted="disks", background=0.05,
                               pull=0.0),
    "gold-slab-1e4": Scene(electrons=(1e4, 1e4), counted="disks", background=0.05),
    **{f"gold-{n:.0e}".replace("+0", ""): Scene(electrons=(n, n), **REAL) for n in (1e3, 1e4, 1e5)},
    **{name: Scene(phases=(name,), **REAL) for name in crystals.CRYSTALS if name not in ("gold", "austenite", "ferrite")},
    "steel": Scene(phases=("austenite", "ferrite"), **REAL),
    "steel-clean": Scene(phases=("austenite", "ferrite"), electrons=(1e5, 1e5)),
    "gold-overlap": Scene(overlap=1.0, **REAL),
    "gold-few": Scene(few=(3, 8), **REAL),
    "gold-precession": Scene(precession=1.0, **REAL),
    "gold-strangers": Scene(strangers=("rutile", "silicon"), empty=0.1, **REAL),
    "gold-distorted": Scene(**{**REAL, "scale_error": 0.02, "ellipse": 0.015}),
    "gold-300kv": Scene(kilovolts=300.0, **REAL),
    "steel-grains": Scene(phases=("austenite", "ferrite"), grains=40, shape=(48, 48), **REAL),
}


def rocking(s, scene, thick):
    """Intensity of a reflection that is off Ewald's sphere by s; 1 at most. Axes of s come after those of thick."""
    if scene.envelope == "gaussian":
        return np.exp(-s**2 / (2 * scene.sigma**2))
    a, x = thick / scene.decay, np.pi * s * thick
    return (np.expm1(-a)**2 + 4 * np.exp(-a) * np.sin(x)**2) / (a**2 + 4 * x**2) * a**2 / np.expm1(-a)**2


def off_sphere(q, tilt, kilovolts):
    """[tilt, reflection] s of q [reflection, 3] for waves whose transverse vector is tilt [tilt, 2]; along z."""
    k = 1 / wavelength(kilovolts)
    along = np.sqrt(k**2 - (tilt**2).sum(-1))[:, None]
    return -q[None, :, 2] - along + np.sqrt(k**2 - ((q[None, :, :2] + tilt[:, None])**2).sum(-1))


@functools.cache
def convergence(radius):
    """[n, 2] places that share a disk evenly."""
    n = np.arange(19) + 0.5
    return np.stack([np.cos(n * 2.399963), np.sin(n * 2.399963)], 1) * (radius * np.sqrt(n / 19))[:, None]


@functools.cache
def cone(degrees, kilovolts):
    if not degrees:
        return np.zeros((1, 2))
    a = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.stack([np.cos(a), np.sin(a)], 1) * np.sin(np.radians(degrees)) / wavelength(kilovolts)


def reflections_of(scene, name, m):
    """q [reflection, 3] of the sample and |F|^2 by the electron's mass, of those that may be seen."""
    _, g, strength = crystals.reflections(name, scene.most)
    q = g @ m
    near = np.abs(off_sphere(q, np.zeros((1, 2)), scene.kilovolts)[0]) < 0.1 + 3 * np.radians(scene.precession)
    return q[near], strength[near]


def share(scene, name, thick):
    """What |F|^2 is multiplied with to be a part of the electrons, where scattering is weak."""
    mass = 1 + scene.kilovolts / 510.99895
    return (mass * wavelength(scene.kilovolts) * thick / crystals.volume(name))**2


def expected(scene, name, m, thick, draw):
    """q [disk, 3] and kinematic intensities of one grain, and where in a disk (row, col) its centre of mass lies, px."""
    q, strength = reflections_of(scene, name, m)
    ways, inside = cone(scene.precession, scene.kilovolts), convergence(scene.radius * scene.pixel)
    tilts = (ways[:, None] + inside[None]).reshape(-1, 2)
    curve = rocking(off_sphere(q, tilts, scene.kilovolts), scene, thick).reshape(len(ways), len(inside), -1).mean(0)
    intensity = strength * curve.mean(0) * share(scene, name, thick)
    intensity *= np.exp(scene.scatter * draw.normal(size=len(q)))
    return q, intensity, (inside.T @ curve / curve.sum(0)).T[:, ::-1] / scene.pixel


class Places:
    """Where reflections lie on the detector, with what calibration left."""

    def __init__(self, scene, draw):
        turn = draw.uniform(0, np.pi)
        c, s = np.cos(2 * turn), np.sin(2 * turn)
        self.stretch = (1 + draw.choice([-1, 1]) * scene.scale_error) * (
            np.eye(2) + scene.ellipse * np.array([[c, s], [s, -c]]))
        self.scene = scene
        self.middle = np.array(scene.detector) / 2

    def of(self, q, origin):
        """(row, col) in pixels."""
        return self.middle + origin + (q[..., 1::-1] @ self.stretch.T) / self.scene.pixel


@functools.cache
def template(radius, width):
    """T, its slope along one axis, and the sum of T."""
    n = int(radius + 5 * width) + 2
    y, x = np.mgrid[-n:n + 1, -n:n + 1]
    at = lambda d: edge(np.hypot(y, x - d), radius, width)
    return at(0), (at(0.01) - at(-0.01)) / 0.02, at(0).sum()


def seen(scene, places, counts, under, draw):
    """What a search finds of disks with so many expected counts: columns of vectors. `under`: counts of a pixel."""
    t, slope, area = template(scene.radius, scene.width)
    drawn = draw.poisson(counts)
    height = np.maximum(drawn, 0.5) / area
    model = height[:, None] * t.ravel() + np.maximum(under, 1e-6)[:, None]
    variance_height = 1 / (t.ravel()**2 / model).sum(1)
    variance = 1 / (height[:, None]**2 * slope.ravel()**2 / model).sum(1)
    variance *= 1 + 5 * variance / scene.width**2
    score = height**2 / variance_height
    found = (np.sqrt(score) + 0.5 * draw.normal(size=len(score)) > 4.7) & (drawn > 0)
    found &= draw.random(len(found)) >= scene.missing
    found &= (np.abs(places - np.array(scene.detector) / 2) < np.array(scene.detector) / 2 - 0.3 * scene.radius).all(1)
    off = draw.normal(size=places.shape) * np.sqrt(variance + scene.floor**2)[:, None]
    return {"row": places[:, 0] + off[:, 0], "col": places[:, 1] + off[:, 1], "intensity": height,
            "background": under, "var_row": variance, "var_col": variance, "cov_row_col": 0 * variance,
            "intensity_error": np.sqrt(variance_height), "score": score}, found


def merged(places, counts, radius):
    """Disks that lie on each other are one, at their centre of mass."""
    order = np.argsort(-counts)
    places, counts = places[order], counts[order]
    groups = []
    for place, count in zip(places, counts):
        for group in groups:
            if np.hypot(*(group[0] - place)) < radius:
                group[0] = (group[0] * group[1] + place * count) / (group[1] + count)
                group[1] += count
                break
        else:
            groups.append([place, count])
    return np.array([g[0] for g in groups]).reshape(-1, 2), np.array([g[1] for g in groups])


def haze(scene):
    """[row, col] of sum 1: what lies under the disks."""
    y, x = np.mgrid[:scene.detector[0], :scene.detector[1]]
    far = np.hypot(y - scene.detector[0] / 2, x - scene.detector[1] / 2)
    under = 1 / (1 + np.square(far / (0.12 * min(scene.detector)))) + 0.05
    return under / under.sum()


@dataclasses.dataclass
class Truth:
    orientation: np.ndarray  # [row, col, grain, 4]
    phase: np.ndarray  # [row, col, grain]: in the scene's phases; -1: none, -2 - n: stranger n
    weight: np.ndarray  # [row, col, grain]
    thickness: np.ndarray
    electrons: np.ndarray
    origin: np.ndarray  # [row, col, 2]
    grain: np.ndarray  # [row, col] of a map


def truth_of(scene, draw):
    rows, cols = scene.shape
    orientation = turns.random_quaternions(draw, rows, cols, 2)
    phase = draw.integers(len(scene.phases), size=(rows, cols, 2))
    weight = np.zeros((rows, cols, 2))
    second = draw.uniform(0.1, 0.5, (rows, cols)) * (draw.random((rows, cols)) < scene.overlap)
    grain = np.arange(rows * cols).reshape(rows, cols)
    if scene.grains:
        seeds = draw.uniform(0, 1, (scene.grains, 2)) * (rows, cols)
        turned, crystal = turns.random_quaternions(draw, scene.grains), draw.integers(len(scene.phases), size=scene.grains)
        at = np.stack(np.mgrid[:rows, :cols], -1) + 0.5
        far = np.hypot(*np.moveaxis(at[:, :, None] - seeds, -1, 0))
        nearest = np.argsort(far, -1)[..., :2]
        grain, phase = nearest[..., 0], crystal[nearest]
        gap = np.take_along_axis(far, nearest, -1)
        second = np.clip(0.5 - (gap[..., 1] - gap[..., 0]) / 2.5, 0, 0.5)
        second[second < 0.05] = 0
        bent = turns.quaternion(np.array([turns.about(draw.normal(size=3), 0.15 * draw.normal())
                                          for _ in range(rows * cols * 2)])).reshape(rows, cols, 2, 4)
        orientation = turns.quaternion(turns.matrix(turned[nearest]) @ turns.matrix(bent))
    weight[..., 0], weight[..., 1] = 1 - second, second
    kind = draw.random((rows, cols))
    n = len(scene.strangers)
    part = n / (len(scene.phases) + n)
    phase[kind < part] = (-2 - draw.integers(max(n, 1), size=(rows, cols)))[kind < part][:, None]
    phase[kind > 1 - scene.empty] = -1
    phase[..., 1][weight[..., 1] == 0] = -1
    spread = lambda low, high: np.exp(draw.uniform(np.log(low), np.log(high), (rows, cols)))
    thick, electrons = spread(*scene.thickness), spread(*scene.electrons)
    return Truth(orientation, phase, weight, thick, electrons,
                 draw.uniform(-1, 1, (rows, cols, 2)) * scene.descan, grain)


def name_of(scene, phase):
    return scene.phases[phase] if phase >= 0 else scene.strangers[-2 - phase]


def parts(scene, truth, at, draw):
    """q, expected counts and centres of mass of a pattern's disks without the direct beam, and that one's counts."""
    q, counts, mass = np.zeros((0, 3)), np.zeros(0), np.zeros((0, 2))
    for grain in range(2):
        phase, weight = truth.phase[at][grain], truth.weight[at][grain]
        if phase == -1 or not weight:
            continue
        one, intensity, middle = expected(scene, name_of(scene, phase), turns.matrix(truth.orientation[at][grain]),
                                  truth.thickness[at], draw)
        q, counts = np.concatenate([q, one]), np.concatenate([counts, intensity * weight])
        mass = np.concatenate([mass, middle])
    total = counts.sum()
    electrons = truth.electrons[at] * (1 - scene.background)
    if scene.counted == "disks":
        return q, counts * truth.electrons[at] / max(total, 1e-30), mass, truth.electrons[at]
    # Weak scattering is kinematic; thick crystals leave the direct beam a part.
    diffracted = total / (1 + total)
    return q, counts * electrons * diffracted / max(total, 1e-30), mass, electrons * (1 - diffracted)


def vectors_of(scene, seed):
    """Columns of vectors, where each pattern begins, and the truth."""
    draw = np.random.default_rng(seed)
    truth, places, under = truth_of(scene, draw), Places(scene, draw), haze(scene)
    kept, first, right = [], [0], np.zeros(scene.shape, int)
    corner = np.array(scene.detector) - 1
    for at in np.ndindex(scene.shape):
        q, counts, mass, direct = parts(scene, truth, at, draw)
        bright = counts > 0.5
        place = places.of(q[bright], truth.origin[at]) + scene.pull * mass[bright]
        place, counts = merged(place, counts[bright], scene.radius)
        if scene.few:
            most = draw.integers(scene.few[0], scene.few[1] + 1)
            place, counts = place[:most], counts[:most]
        place = np.concatenate([places.of(np.zeros((1, 3)), truth.origin[at]), place])
        counts = np.concatenate([[direct], counts])
        false = draw.poisson(scene.false if truth.phase[at][0] != -1 else 6)
        place = np.concatenate([place, draw.uniform(0, 1, (false, 2)) * corner])
        electrons = truth.electrons[at]
        counts = np.concatenate([counts, np.exp(draw.uniform(np.log(20), np.log(20 + 0.02 * electrons), false))])
        below = under[tuple(np.clip(np.round(place), 0, corner).astype(int).T)] * electrons * scene.background
        columns, found = seen(scene, place, counts, below, draw)
        right[at] = found[1:len(found) - false].sum()
        order = np.flatnonzero(found)[np.argsort(-columns["intensity"][found])]
        kept.append({name: column[order] for name, column in columns.items()})
        first.append(first[-1] + len(order))
    return {name: np.concatenate([k[name] for k in kept]) for name in kept[0]}, first, truth, places, right


def patterns_of(scene, seed):
    """[row, col, row, col] counts and the truth; inside a disk the intensity follows the rocking curve."""
    draw = np.random.default_rng(seed)
    truth, places, under = truth_of(scene, draw), Places(scene, draw), haze(scene)
    counts = np.zeros((*scene.shape, *scene.detector), np.uint16)
    reach = int(scene.radius + 4 * scene.width) + 1
    for at in np.ndindex(scene.shape):
        q, expect, _, direct = parts(scene, truth, at, draw)
        mean = under * truth.electrons[at] * scene.background
        bright = np.append(expect, direct) > 0.05
        q, expect = np.concatenate([q, np.zeros((1, 3))])[bright], np.append(expect, direct)[bright]
        for one, count, place in zip(q, expect, places.of(q, truth.origin[at])):
            low = np.floor(place).astype(int) - reach
            y, x = np.mgrid[low[0]:low[0] + 2 * reach + 2, low[1]:low[1] + 2 * reach + 2]
            disk = edge(np.hypot(y - place[0], x - place[1]), scene.radius, scene.width)
            if np.any(one) and not scene.precession:
                tilt = np.stack([x - place[1], y - place[0]], -1).reshape(-1, 2) * scene.pixel
                s = off_sphere(one[None], tilt, scene.kilovolts)[:, 0]
                disk = disk * rocking(s, scene, truth.thickness[at]).reshape(disk.shape)
            disk *= count / max(disk.sum(), 1e-30)
            inside = (y >= 0) & (x >= 0) & (y < scene.detector[0]) & (x < scene.detector[1])
            mean[y[inside], x[inside]] += disk[inside]
        for _ in range(draw.poisson(scene.false if truth.phase[at][0] != -1 else 6)):
            place = draw.uniform(reach, np.array(scene.detector) - reach)
            y, x = np.mgrid[:scene.detector[0], :scene.detector[1]]
            disk = edge(np.hypot(y - place[0], x - place[1]), scene.radius, scene.width)
            mean += disk / disk.sum() * np.exp(draw.uniform(np.log(20), np.log(20 + 0.02 * truth.electrons[at])))
        counts[at] = np.minimum(draw.poisson(mean), 65535)
    return counts, truth, places


def vacuum(scene, electrons=1e6):
    y, x = np.mgrid[:scene.detector[0], :scene.detector[1]]
    disk = edge(np.hypot(y - scene.detector[0] / 2, x - scene.detector[1] / 2), scene.radius, scene.width)
    return np.random.default_rng(1).poisson(disk / disk.sum() * electrons).astype(np.uint32)[None, None]


def of_half(scene, half):
    """Crystals of the test's half are thinner and thicker, and doses wider."""
    if half == "calibrate" or scene.thickness[0] == scene.thickness[1]:
        return scene
    wide = lambda pair, by: pair if pair[0] == pair[1] else (pair[0] / by, pair[1] * by)
    return dataclasses.replace(scene, thickness=wide(scene.thickness, 1.3), electrons=wide(scene.electrons, 1.2))


def write(folder, name, half, full):
    scene = of_half(SETS[name], half)
    seed = [zlib.crc32(name.encode()), {"calibrate": 0, "test": 1, "blind": 2}[half]]
    os.makedirs(folder, exist_ok=True)
    if full:
        counts, truth, places = patterns_of(scene, seed)
        np.save(os.path.join(folder, "scan.npy"), counts)
        np.save(os.path.join(folder, "vacuum.npy"), vacuum(scene))
        print(f"{name} {half}: patterns, {counts.sum((-1, -2)).mean():.0f} counts each", flush=True)
        return
    from sluice import stem4d
    columns, first, truth, places, right = vectors_of(scene, seed)
    vectors = stem4d.BraggVectors(scene.shape, scene.detector, np.array(first), **columns)
    vectors.save(os.path.join(folder, "vectors.h5"))
    np.savez_compressed(os.path.join(folder, "truth.npz"), frames=FRAMES, diffracted=right,
                        **dataclasses.asdict(truth))
    crystals.write(folder, scene.phases + scene.strangers)
    known = {"kilovolts": scene.kilovolts, "pixel_size": scene.pixel, "center": [n / 2 for n in scene.detector],
             "detector": scene.detector, "radius": scene.radius, "width": scene.width, "phases": scene.phases,
             "precession_degrees": scene.precession, "most_frequency": scene.pixel * min(scene.detector) / 2}
    hidden = {"pixel_size_true": scene.pixel / np.sqrt(np.linalg.det(places.stretch)),
              "stretch": places.stretch.tolist(), "scene": dataclasses.asdict(scene)}
    with open(os.path.join(folder, "set.json"), "w") as file:
        json.dump({"name": name, "half": half, "frames": FRAMES, "known": known, "hidden": hidden}, file, indent=1)
    ours = truth.phase[..., 0] >= 0
    few = np.percentile(right[ours], (5, 25, 50, 75, 95)).astype(int)
    print(f"| {name} | {half} | {right.size} | {' '.join(map(str, few))} | {(right[ours] < 4).sum()} |", flush=True)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("out", nargs="?")
    words.add_argument("--half", default="calibrate,test")
    words.add_argument("--sets", default=",".join(SETS))
    words.add_argument("--patterns", action="store_true")
    words.add_argument("--list", action="store_true")
    args = words.parse_args()
    if args.list or not args.out:
        print("\n".join(f"{name}: {scene}" for name, scene in SETS.items()))
        return
    if not args.patterns:
        print("| set | half | patterns | diffracted disks found: 5, 25, 50, 75, 95 % | fewer than 4 |\n|---|---|---|---|---|")
    for half in args.half.split(","):
        for name in args.sets.split(","):
            write(os.path.join(args.out, half, name), name, half, args.patterns)


if __name__ == "__main__":
    main()
