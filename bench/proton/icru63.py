#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Angles of fast protons of nuclear reactions in water, by ICRU Report 63.

Reads MCsquare's tables of ICRU 63 for oxygen (Materials/oxygen of MCsquare or of the package
opentps-core, Apache-2.0): energies and angles of protons and deuterons of p + 16O. They fly
straight to their ends; what they leave at a depth, as a part of the range, comes from angles in the
plane. Prints these angles' spread, and the numbers of src/domain/proton/marching/fast_protons.cpp:
three distributions that give way to each other. Prints elastic collisions with oxygen, too.

    pip download --no-deps opentps-core && unzip opentps_core*.whl
    bench/proton/icru63.py opentps/core/processing/doseCalculation/protons/MCsquare/Materials/oxygen
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

ANGLES = np.radians([0, 10, 20, 30, 40, 50, 60, 70, 90, 110, 130, 150, 180])
ENERGIES = (130.0, 150.0, 180.0, 200.0, 230.0)
NODE, NODES = 0.12, 12
DEPTHS = np.linspace(0, 1.2, 61)
PROTON, OXYGEN = 938.272, 14895.0  # MeV
# ICRU 90, MeV and MeV/mm.
STOPPING = np.array(
    [[0.01, 42.29], [0.1, 81.45], [0.3, 54.35], [1, 25.74], [2, 15.69], [5, 7.842], [10, 4.532],
     [20, 2.589], [50, 1.238], [100, 0.725], [150, 0.5417], [200, 0.447], [300, 0.3504]])


def ranges():
    """Energies and ranges, mm."""
    log_e = np.linspace(np.log(0.01), np.log(300), 4001)
    s = np.exp(np.interp(log_e, np.log(STOPPING[:, 0]), np.log(STOPPING[:, 1])))
    e = np.exp(log_e)
    step = np.diff(log_e) * (e[1:] / s[1:] + e[:-1] / s[:-1]) / 2
    return e, np.concatenate([[0], np.cumsum(step)])


def numbers(line):
    words = line.split("#")[0].split()
    return words, len(words) == 15 and words[0][0].isdigit()


def read_reactions(path):
    """By incident energy: cross section, and lines of each kind of particle."""
    out, now, kind = {}, None, None
    for line in path.open(encoding="latin1"):
        words, is_row = numbers(line)
        if is_row and kind:
            now.setdefault(kind, []).append([float(w) for w in words])
        elif words[:1] == ["Energy"]:
            now = out.setdefault(float(words[1]), {})
        elif words[:1] == ["Cross_section"]:
            now["barn"] = float(words[1])
        elif words[:1] == ["Differential_cross_section"]:
            kind = words[1]
    return out


def reaction(table, energy):
    """The table's, or between its two neighbours by chance: half of the draws each."""
    below = max(e for e in table if e <= energy)
    above = min(e for e in table if e >= energy)
    return [(table[e], e) for e in (below, above)]


def draw(rows, count, rng):
    """Energies and angles, and how many there are to a barn."""
    rows = np.array(rows)
    e, y = rows[:, 0], rows[:, 1]
    summed = np.concatenate([[0], np.cumsum((y[1:] + y[:-1]) / 2 * np.diff(e))])
    energy = np.interp(rng.random(count), summed / summed[-1], e)
    fine = np.linspace(0, np.pi, 361)
    angle = np.empty(count)
    nearest = np.abs(e[None, :] - energy[:, None]).argmin(1)
    for k in np.unique(nearest):
        p = np.interp(fine, ANGLES, rows[k, 2:]) * np.sin(fine)
        c = np.concatenate([[0], np.cumsum((p[1:] + p[:-1]) / 2)])
        here = nearest == k
        if c[-1] > 0:
            angle[here] = np.interp(rng.random(here.sum()), c / c[-1], fine)
        else:
            angle[here] = np.arccos(2 * rng.random(here.sum()) - 1)
    return energy, angle, summed[-1]


def fly(table, incident, count, rng):
    """Energy left ahead, [depth][degree], as parts of the incident energy."""
    e, r = ranges()
    whole = np.interp(incident, e, r)
    out = np.zeros((len(DEPTHS) - 1, 90))
    for kind, nucleons in (("proton", 1), ("deuteron", 2)):
        for entry, at in reaction(table, incident):
            energy, angle, barn = draw(entry[kind], count, rng)
            # As much by a nucleon, and as far with so many of them.
            left = nucleons * np.interp(energy * incident / at / nucleons, e, r)
            weight = barn / entry["barn"] / count / 2
            turn = np.abs(np.cos(2 * np.pi * rng.random(count)))
            gone = np.zeros(count)
            while (left > 0).any():
                way = np.minimum(whole / 200, left)
                here, then = (np.interp(v / nucleons, r, e) * nucleons for v in (left, left - way))
                lost = here - np.where(left - way > 1e-9, then, 0)
                middle = gone + way / 2
                z, x = middle * np.cos(angle), middle * np.sin(angle) * turn
                out += np.histogram2d(z / whole, np.degrees(np.arctan2(x, np.abs(z))), weights=lost
                                      * weight * (z > 0), bins=(DEPTHS, np.arange(91)))[0]
                gone, left = gone + way, left - way
    return out / incident


def mixture(lengths, paths):
    first, second = (np.exp(-paths / v) for v in lengths)
    return np.array([1 - first, first - second, second]).T


def most_likely(lengths, seen, paths, rounds):
    """Three distributions over nodes, by expectation and maximisation."""
    share = mixture(lengths, paths)
    q = np.full((3, NODES), 1 / NODES)
    for _ in range(rounds):
        q = q * (share.T @ (seen / np.maximum(share @ q, 1e-300)))
        q /= q.sum(1)[:, None]
    return q, -(seen * np.log(np.maximum(share @ q, 1e-300))).sum()


def tell_angles(table, count):
    rng = np.random.default_rng(3)
    degrees = sum(fly(table, e, count, rng) for e in ENERGIES) / len(ENERGIES)
    depth = (DEPTHS[1:] + DEPTHS[:-1]) / 2
    print(f"left ahead: {degrees.sum():.3f} of the energy")
    centre = np.radians(np.arange(90) + 0.5)
    for low in np.arange(0.1, 0.7, 0.1):
        line = degrees[(depth > low) & (depth < low + 0.1)].sum(0)
        rms = np.sqrt((line * centre**2).sum() / line.sum())
        print(f"depth {low + 0.05:.2f} of the range: angles {rms:.3f} rad")
    to_node = np.zeros((90, NODES))
    for k in range(90):
        for a in np.radians(k + (np.arange(20) + 0.5) / 20):
            to_node[k, min(NODES - 1, round(a / NODE))] += 1 / 20
    used = (depth > 0.02) & (depth < 0.95)
    seen, paths = degrees[used] @ to_node, -np.log(1 - depth[used])
    found = minimize(
        lambda v: most_likely(v, seen, paths, 300)[1] if 0.02 < v[1] < v[0] else 1e9,
        [0.4, 0.1], method="Nelder-Mead", options={"maxiter": 60})
    print("gives way", np.round(found.x, 3))
    for line in most_likely(found.x, seen, paths, 4000)[0]:
        print(np.array2string(line, precision=3, suppress_small=True, max_line_width=200))


def tell_elastic(path):
    """The nuclear force's part: drawn on from 10 degrees to straight ahead."""
    energy, lines = 0.0, {}
    for line in path.open(encoding="latin1"):
        words, _ = numbers(line)
        if words[:1] == ["Energy"]:
            energy = float(words[1])
        elif len(words) == 2 and words[0][0].isdigit():
            lines.setdefault(energy, []).append([float(w) for w in words])
    for energy, rows in lines.items():
        if energy < 40:
            continue
        angle, barn = np.radians(np.array(rows)[:, 0]), np.array(rows)[:, 1]
        s = (PROTON + OXYGEN) ** 2 + 2 * OXYGEN * energy
        p2 = (s - (PROTON + OXYGEN) ** 2) * (s - (OXYGEN - PROTON) ** 2) / (4 * s)
        t = 2 * p2 * (1 - np.cos(angle)) / 1e6  # GeV2
        near = (angle > 0.17) & (angle < 0.36)
        slope, ahead = np.polyfit(t[near], np.log(barn[near]), 1)
        far = angle > 0.17
        solid = 2 * np.pi * barn * np.sin(angle)
        edge = -slope * t[far][0]
        unit = np.pi / p2 * 1e6 * np.exp(ahead) / -slope
        all_of = np.trapezoid(solid[far], angle[far]) + unit * (1 - np.exp(-edge))
        mean = np.trapezoid((solid * t)[far], angle[far])
        mean += unit / -slope * (1 - np.exp(-edge) * (1 + edge))
        print(f"elastic, {energy:.0f} MeV: {all_of:.3f} b, 1/<|t|> {all_of / mean:.0f}/GeV2")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="MCsquare's Materials/oxygen")
    parser.add_argument("--count", type=int, default=20000,
                        help="particles of each kind and energy")
    args = parser.parse_args()
    tell_angles(read_reactions(args.folder / "ICRU_Nuclear_inelastic.dat"), args.count)
    tell_elastic(args.folder / "ICRU_Nuclear_elastic.dat")


if __name__ == "__main__":
    main()
