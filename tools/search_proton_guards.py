#!/usr/bin/env python3
"""Looks for proton doses that are wrong without a warning: random configurations, coarse and fine.

SPDX-License-Identifier: Apache-2.0

    tools/search_proton_guards.py [--bin FOLDER] [--from SEED] [--count N]

Each configuration (beams of 38 to 126 MeV, some with a focus; air, slabs, half a field, thin slabs,
stacks) is marched as it is, with finer planes and rows, with finer angles, and with finer columns.
An error is R80 or a fall-off that is off by more than 0.5 mm, a dose before the peak, a profile or
a sigma by more than 2 %, or LET by more than 15 %. An error is silent if no guard of its kind reports it.
It prints all configurations, and at the end how many of each kind there were. Needs NumPy.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import tempfile

import numpy as np

# The guards that report an error. Moved sides make another phantom.
MOVED = {"medium_edges", "depth_unchecked"}
DEPTH = MOVED | {"range", "fall_off", "planes", "last_plane"}
ACROSS = MOVED | {"angle_step", "columns", "initial_angles", "angle_window", "sides"}
KINDS = {"r80": DEPTH, "fall_off": DEPTH, "plateau": DEPTH | {"plateau_dose", "depth_dose"},
         "profile": ACROSS, "sigma": ACROSS, "let": MOVED | {"let_dose"}}


def untold(off, names, kind):
    """The errors that no guard reports. Where half of a field ends, the profile has its depths."""
    more = DEPTH | {"depth_dose"} if kind == "half" else set()
    return [e for e in off if not (KINDS[e.split()[0]] | more) & names]


def edit(text, **keys):
    for key, value in keys.items():
        line = f'{key} = "{value}"'
        text, n = re.subn(rf"^{key} = .*$", line, text, flags=re.M)
        if not n:
            text = text.replace("[grid]\n", f"[grid]\n{line}\n", 1)
    return text


def number(text, key, usual):
    m = re.search(rf'^{key} = "([0-9.e-]+) ', text, re.M)
    return float(m.group(1)) if m else usual


def media(r, kind, reach):
    """The boxes of a phantom, and how much deeper it has to be for them."""
    if kind == "air":
        gap = r.choice([50, 100, 200, 300])
        return [("air", 0, gap, None)], gap
    if kind in ("slab", "half"):
        name, begin = r.choice(["lung", "air", "cortical_bone"]), r.uniform(0, 0.3) * reach
        # Within planes: thin ones are mixtures.
        begin, thick = 2 * round(begin / 2), 2 * max(1, round(r.uniform(0.05, 0.3) * reach / 2))
        left = r.choice([0, 2, -1]) if kind == "half" else None
        return [(name, begin, begin + thick, left)], 0 if name == "cortical_bone" else thick
    if kind == "thin":
        begin = r.uniform(0.1, 0.5) * reach
        name = r.choice(["air", "cortical_bone", "aluminium"])
        return [(name, begin, begin + r.uniform(0.3, 3), None)], 3
    if kind == "stack":
        name, period = r.choice(["air", "cortical_bone"]), r.choice([2, 4])
        n = int(0.8 * reach / period)
        return [(name, k * period + 0.5, k * period + 1, None) for k in range(n)], 0.5 * n
    return [], 0


def configuration(seed):
    r = random.Random(seed)
    energy = r.choice([40, 60, 80, 100, 120]) * r.uniform(0.95, 1.05)
    reach = 0.022 * energy**1.77
    spread = r.choice([0, 0, 0.3, 1, 3]) * energy / 100
    sigma, divergence = r.choice([2.2, 3, 4, 6]), r.choice([0, 0, 1, 2, 3, 5])
    correlation, window = r.choice([0, 0, r.uniform(-0.9, 0.9)]), 15
    if r.random() < 0.2:
        sigma, divergence, window = r.choice([4, 6, 8]), r.choice([20, 50, 80]), 25
        correlation = -r.uniform(0.9, 0.998)
    kind = r.choice(["water", "water", "air", "slab", "half", "thin", "stack"])
    boxes, deeper = media(r, kind, reach)
    depth = reach * 1.15 + deeper + 8 * spread * 0.039 * energy**0.77 + 8
    width = max(40, 8 * (sigma + divergence * 1e-3 * depth) + 0.1 * reach + 20)
    text = f'[grid]\ndepth = "{depth:.1f} mm"\nwidth = "{4 * int(width / 4)} mm"\n'
    text += f'dx = "{r.choice([0.5, 1, 1, 1, 2, 4])} mm"\n'
    text += f'dz = "{r.choice([0.25, 0.5, 0.5, 0.5, 1, 1, 2])} mm"\n'
    text += f'angle_step = "{r.choice([0.25, 0.5, 0.5, 0.5, 1])} deg"\n'
    text += f'angle_window = "{window} deg"\n'
    if r.random() < 0.4:
        text += f'range_step = "{r.choice([0.125, 0.25, 0.5, 1])} mm"\n'
    for name, begin, end, left in boxes:
        text += f'[[medium]]\nmaterial = "{name}"\nfrom = "{begin:.3f} mm"\nto = "{end:.3f} mm"\n'
        text += f'left = "{left} mm"\n' if left is not None else ""
    text += f'[[beam]]\nenergy = "{energy:.3f} MeV"\nsigma_x = "{sigma} mm"\n'
    text += f'energy_spread = "{spread:.3f} MeV"\n' if spread else ""
    if divergence:
        text += f'divergence = "{divergence} mrad"\n'
        text += f"correlation = {correlation:.3f}\n"
    return text, kind


class Run:
    def __init__(self, program, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "c.toml")
            file.write_text(text)
            done = subprocess.run([program, "proton", "run", file, "--out", f"{folder}/o", "--json",
                                   "--anyway"], capture_output=True, text=True, check=False)
            self.error = done.stderr if done.returncode else ""
            if self.error:
                return
            report = json.loads(done.stdout)
            table = np.genfromtxt(f"{folder}/o/depth_dose.csv", delimiter=",", skip_header=1)
            self.dose = np.load(f"{folder}/o/dose.npy").astype(float)
        self.line, self.sigma, self.z = table[:, 1], table[:, 2], table[:, 0]
        self.let = table[:, 5]
        self.dz = report["grid"]["dz_mm"]
        self.r80 = report["metrics"]["R80_mm"]
        self.fall_off = report["metrics"]["fall_off_80_20_mm"]
        self.guards = [g for g in report["guards"] if g["severity"] != "note"]


def errors(coarse, fine):
    """The errors of the coarse run that are too large."""
    if not (coarse.r80 and fine.r80):
        return []
    out = []
    for name in ("r80", "fall_off"):
        by = (getattr(coarse, name) or 0) - (getattr(fine, name) or 0)
        out += [f"{name} {by:+.2f} mm"] if abs(by) > 0.5 else []
    group = round(coarse.dz / fine.dz)
    n = min(len(coarse.line), len(fine.line) // group)
    z, own = coarse.z[:n], coarse.line[:n]
    line = fine.line[: n * group].reshape(n, group).mean(1)
    before = (z < 0.7 * fine.r80) & (line > 0.02 * line.max())
    plateau = np.abs(own[before] / line[before] - 1).max(initial=0)
    out += [f"plateau {100 * plateau:.1f} %"] if plateau > 0.02 else []
    enough = line > 0.2 * line.max()
    heavy = (fine.let * fine.line)[: n * group].reshape(n, group).mean(1)
    let = np.abs(coarse.let[:n] * line / np.maximum(heavy, 1e-30) - 1)[enough].max(initial=0)
    out += [f"let {100 * let:.1f} %"] if let > 0.15 else []
    dose = fine.dose[: n * group].reshape(n, group, coarse.dose.shape[1], -1).mean((1, 3))
    reach = z < 0.9 * fine.r80
    a, b = (d[reach] / np.maximum(d[reach].sum(1, keepdims=True), 1e-30) for d in (coarse.dose[:n], dose))
    profile = (np.abs(a - b).max(1) / b.max(1)).max(initial=0)
    out += [f"profile {100 * profile:.1f} %"] if profile > 0.02 else []
    for part in (0.25, 0.5, 0.9):
        s, t = (np.interp(part * fine.r80, x.z, x.sigma) for x in (coarse, fine))
        out += [f"sigma {100 * (s / t - 1):+.1f} %"] if abs(s / t - 1) > 0.02 else []
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    program = pathlib.Path(args.bin, "sluice")
    counts = dict.fromkeys(("right", "said", "early", "SILENT"), 0)
    for seed in range(args.first, args.first + args.count):
        text, kind = configuration(seed)
        own = Run(program, text)
        if own.error:
            print(seed, kind, "is an error:", own.error.strip()[:120], flush=True)
            continue
        dz, angle = number(text, "dz", 0.5), number(text, "angle_step", 0.5)
        rows, part = number(text, "range_step", dz), 2 if dz <= 0.5 else 4
        depth = Run(program, edit(text, dz=f"{dz / part:g} mm", range_step=f"{rows / 4:g} mm"))
        angles = Run(program, edit(text, angle_step=f"{angle / 4:g} deg", range_step=f"{rows:g} mm"))
        columns = Run(program, edit(text, dx=f"{number(text, 'dx', 1) / 2:g} mm"))
        # The edges of media lie elsewhere on finer planes, which has a guard of its own.
        off = [e for fine in (depth, angles, columns) if not fine.error for e in errors(own, fine)]
        silent = untold(off, {g["name"] for g in own.guards}, kind)
        names = ", ".join(f"{g['name']} {g['value']:.3g} {g['unit']}" for g in own.guards)
        state = "SILENT" if silent else "said" if off else "early" if names else "right"
        counts[state] += 1
        failed = "".join(f" ({x.error.strip()[:80]})" for x in (depth, angles, columns) if x.error)
        print(seed, kind, state, "|", "; ".join(silent or off), "|", names + failed, flush=True)
    print(", ".join(f"{n} {state}" for state, n in counts.items()))


if __name__ == "__main__":
    main()
