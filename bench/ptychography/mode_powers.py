#!/usr/bin/env python3
"""The powers of a probe's modes: those found beside those simulated, from a start of one mode and 2 % in each other.

    python bench/ptychography/mode_powers.py SLUICE [--iterations 50,100,200] [--quick] [-- OPTION ...]        (numpy)

The simulation is NumPy's, in double, with twice the sampling of what is reconstructed, and shares no code with sluice:
an aperture of 25 mrad 15 nm under focus at 80 kV, 24x24 places 0.1 nm apart, patterns of 64x64. The source is a sum of
points (a Gaussian, or shaken along a line) of which the four strongest modes are kept, or modes like Hermite's
functions. True powers are the four largest eigenvalues of the waves' Gram matrix, as parts of their sum. `blurred` is
the Gaussian with its weaker modes, too, which four modes cannot show. `worst`: the largest error of those with a tenth of the power or more.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from misfit import DEFOCUS, KV, MRAD, PIXEL, SEMIANGLE, SIDE, STEP, WAVELENGTH, counted, thing

MODES, WEAKEST = 4, 0.1


def waves_of(source):
    """Spectra of waves on the fine grid, that of each with its share of the power 1."""
    n, fine = 2 * SIDE, PIXEL / 2
    k = np.fft.fftfreq(n, fine)
    angles = WAVELENGTH**2 * (k[:, None]**2 + k**2)
    first = (angles <= (SEMIANGLE * 1e-3)**2) * np.exp(1j * np.pi / WAVELENGTH * DEFOCUS * angles)
    first /= np.linalg.norm(first)
    name, size = source
    if name == "hermite":
        y, x = np.mgrid[:n, :n] - n // 2
        wave = np.fft.fftshift(np.fft.ifft2(first))
        waves = [wave, wave * y, wave * x, wave * x * y]
        return [np.fft.fft2(np.fft.ifftshift(w)) / np.linalg.norm(np.fft.fft2(w)) * np.sqrt(p)
                for w, p in zip(waves, (0.54, 0.21, 0.15, 0.10))]
    along = np.linspace(-1, 1, 7)
    if name == "line":
        points = [(size * t, 0.4 * size * t, 1.0) for t in along]
    else:  # a Gaussian of `size` nm
        points = [(2.5 * size * a, 2.5 * size * b, np.exp(-3.125 * (a * a + b * b))) for a in along for b in along]
    waves = np.array([first * np.sqrt(w) * np.exp(-2j * np.pi * (k[:, None] * r + k * c)) for r, c, w in points])
    if name == "blurred":
        return waves / np.sqrt(sum(p[2] for p in points))
    modes = np.linalg.svd(waves.reshape(len(waves), -1), full_matrices=False)
    kept = (modes[1][:MODES, None] * modes[2][:MODES]).reshape(-1, n, n)
    return kept / np.linalg.norm(kept)


def powers_of(waves):
    flat = np.array(waves).reshape(len(waves), -1)
    powers = np.linalg.eigvalsh(flat.conj() @ flat.T)[::-1]
    return powers[:MODES] / powers[:MODES].sum()


def scan(kind, strength, source, counts, seed=3, places=24):
    """[row, col, SIDE, SIDE], the direct beam in the middle."""
    draw, fine = np.random.default_rng(seed), PIXEL / 2
    rows, cols = np.mgrid[:places, :places].reshape(2, -1) * STEP
    o = thing(kind, seed, places * STEP + SIDE * PIXEL + 1, fine)
    o = np.exp(1j * strength * np.angle(o) / np.angle(o).std())
    # Waves of norm 1, the probe in the middle of the window.
    spectra = [np.fft.fft2(np.fft.fftshift(np.fft.ifft2(s, norm="ortho"))) for s in waves_of(source)]
    found = counted(o, spectra, rows / fine + 8, cols / fine + 8, counts, draw)
    return found.reshape(places, places, SIDE, SIDE)


def found_powers(sluice, folder, iterations, more):
    run = subprocess.run(
        [sluice, "stem4d", "ptychography", folder / "scan.npy", "--energy", str(KV), "--detector-step-mrad", str(MRAD),
         "--scan-step-nm", str(STEP), "--semiangle", str(SEMIANGLE), "--defocus", str(DEFOCUS), "--modes", str(MODES),
         "--iterations", str(iterations), *more, "--out", folder / "out", "--json"],
        check=True, capture_output=True, text=True)
    made = json.loads(run.stdout)["reconstruction"][0]
    return np.array(made["mode_powers"]) / sum(made["mode_powers"]), made["r"][-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sluice", type=pathlib.Path)
    parser.add_argument("--iterations", default="50,100,200")
    parser.add_argument("--quick", action="store_true", help="four scenes only")
    parser.add_argument("more", nargs="*", help="options for sluice")
    given = parser.parse_intermixed_args()
    scenes = [("sheet", 0.2, ("gauss", 0.035), 1e6), ("clouds", 0.6, ("gauss", 0.035), 1e5),
              ("clouds", 0.6, ("line", 0.09), 1e6), ("sheet", 0.6, ("hermite", 0), 1e6)]
    if not given.quick:
        scenes += [("clouds", 0.2, ("gauss", 0.05), 1e6), ("particles", 0.4, ("gauss", 0.035), 1e7),
                   ("sheet", 0.2, ("gauss", 0.035), 1e4), ("clouds", 0.2, ("hermite", 0), 1e5),
                   ("sheet", 0.3, ("line", 0.09), 1e4), ("particles", 0.4, ("gauss", 0.02), 1e6),
                   ("sheet", 0.2, ("blurred", 0.035), 1e6)]
    print("| object | rms phase | source | counts | iterations | true | found | worst | R |\n" + "|---" * 9 + "|")
    with tempfile.TemporaryDirectory() as name:
        for kind, strength, source, counts in scenes:
            np.save(pathlib.Path(name) / "scan.npy", scan(kind, strength, source, counts))
            true = powers_of(waves_of(source))
            for iterations in given.iterations.split(","):
                powers, r = found_powers(given.sluice, pathlib.Path(name), iterations, given.more)
                told = true >= WEAKEST
                worst = np.max(abs(powers[told] / true[told] - 1))
                words = [", ".join(f"{p:.2f}" for p in many) for many in (true, powers)]
                print(f"| {kind} | {strength} | {source[0]} {source[1] or ''} | {counts:.0e} | {iterations} | {words[0]} | "
                      f"{words[1]} | {100 * worst:.0f} % | {r:.4f} |", flush=True)


if __name__ == "__main__":
    main()
