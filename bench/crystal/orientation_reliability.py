#!/usr/bin/env python3
"""Fits the probability that a match is right on one half of the sets, and judges it on the other half.

    V/bin/python bench/crystal/orientation_reliability.py ROOT ... [--tool build/release/bin/orientation_evidence]
        [--rooms FOLDER] [--fit] [--least 0.9]     (V: NumPy, SciPy)

ROOT has folders calibrate/SET, test/SET and blind/SET of orientation_scene.py or orientation_scans.py. Without --fit the probability
is that of the program; with it, constants for src/domain/orientation/believe/constants.h are fitted on `calibrate` and
printed. The halves `test` and `blind` are never fitted. A match is right within 3 degrees of the truth and of the right phase.

The model: 1 / (1 + exp(-l)) that no other orientation is right, where l is a line of the evidence that is bent twice,
times 1 - exp(-(3 degrees / tilt error)^2 / 2) that the tilt is known. It is fitted by maximum likelihood; each set
weighs the same.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import glob
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import turns

FEATURES = ("gap", "odds", "both", "explained_disks", "places", "intensities")
KNOTS = (1.5, 3)  # of the line


# Sets against crystals that they are not of: all indexed patterns are wrong. A user seldom does that.
STRANGE = {"gold-1e5": ("titanium", "rutile", "cementite", "silicon"), "gold-gaussian-1e4": ("titanium", "rutile"),
           "titanium": ("gold", "triclinic", "salt"), "cementite": ("gold", "titanium", "rutile", "triclinic"),
           "rutile": ("gold", "scheelite", "titanium"), "silicon": ("titanium", "rutile"),
           "scheelite": ("gold", "silicon", "salt", "triclinic"), "pyrite": ("titanium", "silicon", "triclinic"),
           "steel-clean": ("gold", "cementite", "titanium"), "aluminium": ("titanium", "silicon")}
STRANGE_WEIGHT = 0.1
NO_MATCH = "no zone of the library explains the disks"


def evidence(tool, folder, out, phases=()):
    with open(f"{folder}/set.json") as file:
        k = json.load(file)["known"]
    numbers = [k["kilovolts"], np.radians(k["precession_degrees"]) * 1e3, min(k["most_frequency"], 1.5), k["pixel_size"],
               *k["center"], 1.5 * k["radius"]]
    done = subprocess.run([tool, *map(str, numbers), f"{folder}/vectors.h5", *(phases or [f"{folder}/{p}.cif" for p in k["phases"]])],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{folder}: {done.stderr}")
    with open(out, "w") as file:
        file.write(done.stdout)


def columns(path):
    with open(path) as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    t = {h: np.array([r[i] for r in rows]) if h == "reason" else np.array([float(r[i]) for r in rows])
         for i, h in enumerate(head)}
    return t | {"matched_any": t["phase"] >= 0, "weight": 1}


def load_strange(path):
    t = columns(path)
    return t | {"right": np.zeros(len(t["phase"]), bool), "weight": STRANGE_WEIGHT}


def load(folder, path):
    t = columns(path)
    with open(f"{folder}/set.json") as file:
        phases = json.load(file)["known"]["phases"]
    truth, n = dict(np.load(f"{folder}/truth.npz")), len(t["phase"])
    q = np.stack([t[c] for c in "wxyz"], 1)
    phase, weight = truth["phase"].reshape(n, -1), truth["weight"].reshape(n, -1)
    true = truth["orientation"].reshape(n, -1, 4)
    off = np.full(n, 180.0)
    with np.load(f"{folder}/structures.npz") as structures:
        symmetry = [structures[f"{p}/rotations"] for p in phases]
    for p in range(len(phases)):
        for grain in range(phase.shape[1]):  # of two grains either is right
            m = (t["phase"] == p) & (phase[:, grain] == p) & (weight[:, grain] > 0)
            if m.any():
                off[m] = np.minimum(off[m], turns.disorientation(turns.matrix(q[m]), turns.matrix(true[m, grain]),
                                                                 symmetry[p]))
    t.update(off=off, right=off <= 3, strange=phase[:, 0] < 0, phases=len(phases),
             phase_right=((t["phase"][:, None] == phase) & (weight > 0)).any(1) & t["matched_any"])
    return t


def features(t):
    gap, m = t["log_odds"] - t["others_log_odds"], np.maximum(t["matched"], 1)
    scores = np.clip(10 * (t["score"] - t["second_score"]) + 0.5, 0.05, 9)
    both = 1 / (1 / np.log(2 + np.clip(gap, -0.95, 100)) + 1 / scores)
    x = (np.radians(3) / np.maximum(np.nan_to_num(t["tilt_error"], nan=1), 1e-4))**2 / 2
    return np.stack([np.clip(gap, -1, 15), np.log(np.clip(t["log_odds"], 1, 400)), both,
                     m / np.maximum(t["disks"], 1),
                     -np.log(np.clip(t["place_rms"], 0.004, 0.04)), -np.log1p(t["intensity_chi2"] / m)], 1), -np.expm1(-x)


def model(b, f, tilt_known):
    constant, first, first_bend, second, second_bend = b[:5]
    line = constant + f @ b[5:]
    bent = line + first_bend * np.maximum(0, line - first) + second_bend * np.maximum(0, line - second)
    return tilt_known / (1 + np.exp(-bent))


def fit(sets):
    """The line first; then the line's two bends, of which the upper one keeps high probabilities right."""
    from scipy.optimize import minimize
    parts = [(*features(t), t["right"], t["matched_any"], t["weight"]) for t in sets]
    f, tilt_known, y = (np.concatenate([p[i][p[3]] for p in parts]) for i in range(3))
    w = np.concatenate([np.full(p[3].sum(), p[4] * 400 / len(p[3])) for p in parts])

    def cost(b):
        p = np.clip(model(b, f, tilt_known), 1e-6, 1 - 1e-6)
        return -np.mean(w * np.log(np.where(y, p, 1 - p))) + 1e-5 * (b[5:]**2).sum()

    straight = lambda c: np.concatenate([c[:1], [0, 0, 0, 0], c[1:]])
    line = minimize(lambda c: cost(straight(c)), np.zeros(1 + len(FEATURES)), method="BFGS").x

    def bent(c):  # a shift and a factor of the line, and the bends
        slope = np.exp(c[1])
        knots = slope * np.array(KNOTS) + c[0]
        return np.concatenate([[slope * line[0] + c[0], knots[0], c[2], knots[1], c[3]], slope * line[1:]])

    return bent(minimize(lambda c: cost(bent(c)), np.zeros(4), method="BFGS").x)


def report(sets, name, least, p_of):
    print(f"\n{name}, probability {least} or more\n| set | patterns | matched | right | indexed | wrong of indexed | "
          "right ones indexed | right phase of indexed | strangers indexed | median of right, degrees | Brier |\n" + "|---" * 11 + "|")
    every_p, every_y = [], []
    for n, t in list(sets.items()) + [("all", None)]:
        if t is None:
            t = {k: np.concatenate([s[k] for s in sets.values()])
                 for k in ("right", "matched_any", "phase_right", "strange", "off", "reason")}
            p = np.concatenate(every_p)
        else:
            p = np.where(t["matched_any"], p_of(t), 0)
            every_p.append(p)
        y, k, m = t["right"], (p >= least) & (t["reason"] != NO_MATCH), t["matched_any"]
        rate = lambda a, b: f"{a.sum() / b.sum():.4f}" if b.any() else "-"
        print(f"| {n} | {len(p)} | {m.sum()} | {y.sum()} | {k.sum()} | {rate(k & ~y, k)} | {rate(k & y, y)} | "
              f"{rate(k & t['phase_right'], k)} | {(k & t['strange']).sum()} | "
              f"{np.median(t['off'][k & y]) if (k & y).any() else np.nan:.3f} | {np.mean((p - y)[m]**2):.3f} |")
    p, y = p[m], y[m]
    print("\n| probability said | matches | mean said | right |\n|---|---|---|---|")
    edges = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.97, 0.99, 1.01]
    for low, high in zip(edges, edges[1:]):
        k = (p >= low) & (p < high)
        if k.any():
            print(f"| {low:g} to {min(high, 1):g} | {k.sum()} | {p[k].mean():.3f} | {y[k].mean():.3f} |")


def summary(half, sets, p_of):
    """Kinds of sets together, at three thresholds: wrong of the indexed, right ones indexed."""
    print(f"\n| {half} | patterns | right | 0.8 | 0.9 | 0.97 | median of right at 0.9, degrees |\n" + "|---" * 7 + "|")
    kinds = {"gold-gaussian-1e4": lambda r, n: n == "gold-gaussian-1e4", "gold-slab-1e4": lambda r, n: n == "gold-slab-1e4",
             "all kinematic sets": lambda r, n: r == 0, "kinematic steel": lambda r, n: r == 0 and n.startswith("steel")}
    for dose in ("1e5", "1e4"):
        for crystal in ("gold", "titanium", "steel", "rutile", "aluminium", ""):
            kinds[f"multislice {crystal or 'all'}, {dose} electrons"] = (
                lambda r, n, crystal=crystal, dose=dose: r > 0 and n.startswith(crystal) and n.endswith(dose))
    for kind, takes in kinds.items():
        some = [t for key, t in sets.items() if takes(*key)]
        if not some:
            continue
        join = lambda of: np.concatenate([of(t) for t in some])
        p = join(lambda t: np.where(t["matched_any"] & (t["reason"] != NO_MATCH), p_of(t), 0))
        right, off = join(lambda t: t["right"]), join(lambda t: t["off"])
        cells = []
        for least in (0.8, 0.9, 0.97):
            k = p >= least
            wrong = f"{100 * np.mean(~right[k]):.1f} %" if k.any() else "none"
            cells.append(f"{wrong}, {100 * (k & right).sum() / max(1, right.sum()):.0f} %")
        k = (p >= 0.9) & right
        print(f"| {kind} | {len(p)} | {right.sum()} | {' | '.join(cells)} | {np.median(off[k]) if k.any() else np.nan:.2f} |")


def report_strange(sets, half, least, p_of):
    print(f"\n{half}, crystals that the library lacks, probability {least} or more\n"
          "| set | patterns | matched | indexed |\n|---|---|---|---|")
    sums = np.zeros(3, int)
    for name, t in sets.items():
        k = t["matched_any"] & (p_of(t) >= least) & (t["reason"] != NO_MATCH) & (t["explained"] >= 0.5)
        numbers = [len(k), t["matched_any"].sum(), k.sum()]
        sums += numbers
        print(f"| {name} | " + " | ".join(map(str, numbers)) + " |")
    print("| all | " + " | ".join(map(str, sums)) + " |")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("roots", nargs="+")
    words.add_argument("--tool", default="build/release/bin/orientation_evidence")
    words.add_argument("--rooms", default="build/orientation_evidence")
    words.add_argument("--fit", action="store_true")
    words.add_argument("--least", type=float, default=0.9)
    args = words.parse_args()
    halves, strange = {}, {}
    for half in ("calibrate", "test", "blind"):
        jobs = {}
        for r, root in enumerate(args.roots):
            folder = f"{root}/{half}"
            for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                os.makedirs(f"{args.rooms}/{r}/{half}", exist_ok=True)
                jobs[r, name] = (f"{folder}/{name}", f"{args.rooms}/{r}/{half}/{name}.tsv")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda j: evidence(args.tool, *j), jobs.values()))
            halves[half] = {key: load(*job) for key, job in jobs.items()}
            # Of the first root.
            first = f"{args.roots[0]}/{half}"
            pairs = [(name, p) for name in STRANGE if (0, name) in jobs for p in STRANGE[name]]
            room = lambda pair: f"{args.rooms}/0/{half}-{pair[0]}-as-{pair[1]}.tsv"
            where = lambda p: next(f for f in glob.glob(f"{first}/*/{p}.cif"))
            list(pool.map(lambda j: evidence(args.tool, f"{first}/{j[0]}", room(j), [where(j[1])]), pairs))
            strange[half] = {f"{name} as {p}": load_strange(room((name, p))) for name, p in pairs}
    p_of = lambda t: t["probability"]
    if args.fit:
        b = fit([*halves["calibrate"].values(), *strange["calibrate"].values()])
        for name, value in zip(("constant", "first_knot", "first_bend", "second_knot", "second_bend", *FEATURES), b):
            print(f"{name} = {value:.4f}")
        p_of = lambda t: model(b, *features(t))
    for half in halves:
        for r, root in enumerate(args.roots):
            sets = {n: t for (i, n), t in halves[half].items() if i == r}
            if sets:
                report(sets, f"{root} {half}", args.least, p_of)
        if halves[half]:
            summary(half, halves[half], p_of)
        if strange[half]:
            report_strange(strange[half], half, args.least, p_of)


if __name__ == "__main__":
    main()
