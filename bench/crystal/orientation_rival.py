#!/usr/bin/env python3
"""py4DSTEM's orientations of patterns whose truth is known: how many are wrong, and whether its correlation tells.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/orientation_rival.py FOLDER ...
        [--most N] [--step DEGREES] [--json FILE] [--again]    (V: py4DSTEM 0.14, pymatgen, nanobind-backend)

A folder is one of orientation_scene.py or orientation_scans.py. py4DSTEM gets its vectors in 1/ångström with the pixel
size that a user knows, about the direct beam that is nearest to the middle; zones of 1 degree and else its defaults. Of
several phases the one of the highest correlation is taken. rival.npz gets the orientations in our frames.

Its frame: x along rows, y along columns, z towards the source; its matrix times a vector of that frame is the crystal's.
So ours is its matrix times TO_OURS; of the 48 ways of 24 rotations and transposing this alone fits the truth.

A match is wrong if it is off by more than 3 degrees or is of another phase. Patterns with fewer than four disks do not
count. `area` is that under the ROC curve of its correlation: 0.5 tells nothing, 1 all. Since the correlation grows with the
disks' counts, `corr / norm` divides it by the norm of the pattern, which py4DSTEM does not. `kept at 1 %`: of the right
matches those above the threshold of corr / norm beyond which 1 % are wrong; the threshold is chosen with the truth of the
same set, which flatters it. `nobody can tell`: patterns with a twin (orientation_twins.py).

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import contextlib
import io
import json
import os
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
warnings.filterwarnings("ignore")

import numpy as np
import turns
from emdfile import PointList

from sluice import stem4d

TO_OURS = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1.0]])


@contextlib.contextmanager
def silent():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def centered(disks, known):
    """(row, col) in 1/ångström about the direct beam, and intensities; without the direct beam."""
    at = np.stack([disks["row"], disks["col"]], 1).astype(float) - known["center"]
    far = np.hypot(*at.T)
    near = np.flatnonzero(far < 1.5 * known["radius"])
    if len(near):
        direct = near[np.argmax(disks["intensity"][near])]
        at = np.delete(at - at[direct], direct, 0)
        return at * known["pixel_size"], np.delete(disks["intensity"], direct).astype(float)
    return at * known["pixel_size"], disks["intensity"].astype(float)


def crystal_of(folder, name, known, step):
    """py4DSTEM's crystal with its library, the seconds of making it, and the rotations of its Laue class."""
    from py4DSTEM.process.diffraction import Crystal
    with np.load(os.path.join(folder, "structures.npz")) as data:
        places, numbers, cell, rotations = (data[f"{name}/{part}"] for part in ("places", "numbers", "cell", "rotations"))
    with silent():
        crystal = Crystal(places, numbers, cell)
        crystal.calculate_structure_factors(known["most_frequency"])
        began = time.process_time()
        crystal.orientation_plan("auto", angle_step_zone_axis=step, accel_voltage=known["kilovolts"] * 1e3,
                                 progress_bar=False)
    return crystal, time.process_time() - began, rotations


def matched(crystals, patterns):
    """[pattern, phase] matrices of ours, NaN where there is none, and correlations; seconds a pattern."""
    matrices = np.full((len(patterns), len(crystals), 3, 3), np.nan)
    correlation = np.full((len(patterns), len(crystals)), -1.0)
    began = time.process_time()
    for n, (at, intensity) in enumerate(patterns):
        points = np.zeros(len(at), [("qx", float), ("qy", float), ("intensity", float)])
        points["qx"], points["qy"], points["intensity"] = at[:, 0], at[:, 1], intensity
        for m, crystal in enumerate(crystals):
            with silent():
                found = crystal.match_single_pattern(PointList(points))
            if found.corr[0] > 0:
                matrices[n, m], correlation[n, m] = found.matrix[0] @ TO_OURS, found.corr[0]
    return matrices, correlation, (time.process_time() - began) / max(len(patterns), 1)


def area(score, right):
    """Under the ROC curve, by ranks."""
    if right.all() or not right.any():
        return np.nan
    above = (score[right][:, None] > score[~right][None]).mean()
    return above + 0.5 * (score[right][:, None] == score[~right][None]).mean()


def kept(score, right, part):
    """The largest share of the right ones above a threshold beyond which `part` are wrong."""
    order = np.argsort(-score, kind="stable")
    wrong = np.cumsum(~right[order]) / np.arange(1, len(order) + 1)
    good = np.cumsum(right[order])[wrong <= part]
    return good.max() / right.sum() if len(good) and right.any() else 0.0


def match(folder, known, truth, patterns, where, args):
    """What py4DSTEM says of each pattern, and how far that is off; a dict of arrays, as rival.npz holds it."""
    sets = [crystal_of(folder, name, known, args.step) for name in known["phases"]]
    matrices, correlation, seconds = matched([s[0] for s in sets], patterns)
    best, score = correlation.argmax(1), correlation.max(1)
    off, phase_right = np.full(len(where), 180.0), np.zeros(len(where), bool)
    for n, at in enumerate(where):
        # Of two grains either is right.
        for grain in range(len(truth["phase"][at])):
            if truth["phase"][at][grain] == best[n] and truth["weight"][at][grain] > 0 and score[n] > 0:
                phase_right[n] = True
                off[n] = min(off[n], turns.disorientation(matrices[n, best[n]], turns.matrix(
                    truth["orientation"][at][grain]), sets[best[n]][2]))
    chosen = matrices[np.arange(len(where)), best]
    quaternions = np.full((len(where), 4), np.nan)
    finite = np.isfinite(chosen).all((1, 2))
    quaternions[finite] = turns.quaternion(chosen[finite])
    return dict(orientation=quaternions, phase=best, phase_right=phase_right, score=score, off=off, right=off <= 3,
                zones=np.array([int(s[0].orientation_num_zones) for s in sets]), plan=sum(s[1] for s in sets),
                seconds=seconds)


def judge(folder, args):
    with open(os.path.join(folder, "set.json")) as file:
        known = json.load(file)["known"]
    vectors = stem4d.load_vectors(os.path.join(folder, "vectors.h5"))
    truth = dict(np.load(os.path.join(folder, "truth.npz")))
    where = list(np.ndindex(vectors.scan_shape))[:args.most]
    patterns = [centered(vectors[at], known) for at in where]
    saved = os.path.join(folder, "rival.npz")
    if args.again and os.path.exists(saved):
        said = dict(np.load(saved))
        where, patterns = where[:len(said["off"])], patterns[:len(said["off"])]
    else:
        said = match(folder, known, truth, patterns, where, args)
        np.savez_compressed(saved, **said)
    count = np.array([len(at) for at, _ in patterns])
    norm = np.array([np.sqrt(max(np.sqrt(intensity).sum(), 1e-30)) for _, intensity in patterns])
    strange = np.array([truth["phase"][at][0] < 0 for at in where])
    right, score = said["right"], said["score"]
    tried = (count >= 4) & (score > 0)
    own = tried & ~strange
    row = {"set": os.path.basename(folder.rstrip("/")), "patterns": len(where), "disks": float(np.median(count)),
           "fewer than 4": int((count < 4).sum()), "zones": said["zones"].tolist(), "ms": 1e3 * float(said["seconds"]),
           "off > 3": float(1 - right[own].mean()) if own.any() else np.nan,
           "wrong phase": float(1 - said["phase_right"][own].mean()) if own.any() else np.nan,
           "median of right": float(np.median(said["off"][right & own])) if (right & own).any() else np.nan,
           "area": float(area(score[tried], right[tried])),
           "area of corr / norm": float(area((score / norm)[tried], right[tried])),
           "kept at 1 %": float(kept((score / norm)[tried], right[tried], 0.01)),
           "kept at 5 %": float(kept((score / norm)[tried], right[tried], 0.05))}
    twins = os.path.join(folder, "twins.npz")
    if os.path.exists(twins):
        with np.load(twins) as data:
            twin, turn = ((data["distance"] < 9) | (data["rank"] < 2)).ravel()[:len(where)], data["twin"].reshape(-1, 4)
        wrong = own & ~right
        with np.load(os.path.join(folder, "structures.npz")) as data:
            to_twin = [n for n in np.flatnonzero(wrong) if np.isfinite(turn[n]).all() and turns.disorientation(
                turns.matrix(said["orientation"][n]), turns.matrix(turn[n]),
                data[f"{known['phases'][said['phase'][n]]}/rotations"]) < 3]
        row["nobody can tell"] = float(twin[own].mean())
        row["off > 3, of the rest"] = float((~right)[own & ~twin].mean())
        row["wrong to the twin"] = len(to_twin) / max(wrong.sum(), 1)
    return row


def main():
    words = argparse.ArgumentParser()
    words.add_argument("folders", nargs="+")
    words.add_argument("--most", type=int)
    words.add_argument("--step", type=float, default=1.0)
    words.add_argument("--json")
    words.add_argument("--again", action="store_true", help="judge what rival.npz says")
    args = words.parse_args()
    rows = []
    for folder in args.folders:
        row = judge(folder, args)
        if not rows:
            print("| " + " | ".join(row) + " |\n" + "|---" * len(row) + "|")
        rows.append(row)
        text = lambda v: f"{v:.3g}" if isinstance(v, float) else "+".join(map(str, v)) if isinstance(v, list) else str(v)
        print("| " + " | ".join(text(v) for v in row.values()) + " |", flush=True)
        if args.json:
            with open(args.json, "w") as file:
                json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
