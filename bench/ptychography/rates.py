#!/usr/bin/env python3
"""Patterns a second of each solver, also of thick objects, and how soon the siemens star is good: sluice alone.

    PYTHONPATH=build/release/python V/bin/python bench/ptychography/rates.py [SIEMENS FILE]

SPDX-License-Identifier: Apache-2.0
"""
import statistics
import sys
import time

import numpy as np
from sluice import stem4d

import scenes

Stage = stem4d.PtychographyStage


def rates(patterns, probe, stage, modes=1, rounds=3, sub_pixel=False, **options):
    """Of the median iteration: the median of the rounds, the least and the most."""
    found = sorted(len(patterns) / float(np.median(stem4d.ptychography(
        patterns, stage, probe=probe, modes=modes, sub_pixel=sub_pixel, progress=False,
        **options).seconds[1:])) for _ in range(rounds))
    return f"{statistics.median(found):.3g} ({found[0]:.3g}..{found[-1]:.3g})"


def processor_us(patterns, probe, solver, rounds=3, few=2, many=8, **options):
    """Processor time of a pattern: what more iterations take beyond few, the least of the rounds."""
    def spent(iterations):
        start = time.process_time()
        stage = Stage(solver, iterations, group=len(patterns) // 5, likelihood="amplitude")
        stem4d.ptychography(patterns, stage, probe=probe, progress=False, **options)
        return time.process_time() - start
    least = min(spent(many) - spent(few) for _ in range(rounds))
    return 1e6 * least / (many - few) / len(patterns)


def thick(side=128):
    """Slices and modes, positions on parts of pixels."""
    counts, positions, probe = scenes.simulated(side, places=12)
    positions = positions + np.random.default_rng(2).uniform(-0.5, 0.5, positions.shape)
    patterns = stem4d.Patterns(counts, positions, centred=False, wavelength_nm=0.00197,
                               pixel_nm=0.02)
    print("| solver | slices | modes | patterns/s | processor, µs |\n|---|---|---|---|---|")
    for solver in ("lsqml", "adam"):
        for slices in (1, 4):
            for modes in (1, 4):
                options = {"modes": modes, "slices": slices, "slice_nm": 2.0 * (slices > 1)}
                rate = rates(patterns, probe, Stage(solver, 8, group=len(patterns) // 5,
                                                     likelihood="amplitude"),
                             sub_pixel=True, **options)
                spent = processor_us(patterns, probe, solver, **options)
                print(f"| {solver} | {slices} | {modes} | {rate} | {spent:.0f} |", flush=True)


def main():
    for side in (128, 256):
        counts, positions, probe = scenes.simulated(side, places=20)
        patterns = stem4d.Patterns(counts, positions, centred=False)
        for solver, group in (("epie", 16), ("epie", 40), ("rpie", 16), ("lsqml", 80), ("adam", 80)):
            print(side, solver, group, rates(patterns, probe, Stage(solver, 8, group=group,
                                                                likelihood="amplitude")))
        print(side, "epie 16, 3 modes", rates(patterns, probe, Stage("epie", 8, group=16), 3, 1))
    thick()
    if len(sys.argv) < 2:
        return
    counts, positions, probe = scenes.siemens(sys.argv[1])
    patterns = stem4d.Patterns(counts, positions, centred=False)
    start = time.perf_counter()
    found = stem4d.ptychography(patterns, Stage("epie", 12, group=10, probe_power=False),
                                probe=probe, sub_pixel=False, progress=False)
    spent = time.perf_counter() - start
    first = int(np.argmax(found.r <= 0.12))
    print(f"R {found.r[first]:.4f} at iteration {first + 1}: {found.seconds[:first + 1].sum():.2f} s "
          f"of iterations; twelve and all around them {spent:.2f} s")
    found = stem4d.ptychography(patterns, Stage("epie", 100, group=10, refine_positions=True),
                                probe=probe, modes=5, progress=False)
    print(f"five modes and positions: R {found.r[-1]:.4f}, counting noise leaves {found.floor:.4f}")


if __name__ == "__main__":
    main()
