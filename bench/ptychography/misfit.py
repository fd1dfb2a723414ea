#!/usr/bin/env python3
"""How often the cause of a misfit is named: faults with their own cause, and right runs without one.

    python bench/ptychography/misfit.py SLUICE [--quick] [--star siemens-star-small.npz.bz2]        (numpy)

The simulation is NumPy's, in double, with twice the sampling of what is reconstructed: four kinds of objects, an
aperture of 25 mrad 15 nm under focus at 80 kV, 24x24 places 0.1 nm apart, Poisson's noise. Each fault is one of the
command line's options forgotten or wrong. For each dose: the range of R over what counting alone leaves, how many
runs had their own cause named, how many another one, and how many none. Where R is below the threshold nothing is
tried. The seeds are not those that thresholds were set with (1).

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import bz2
import collections
import json
import pathlib
import subprocess
import tempfile

import numpy as np

SIDE, KV, WAVELENGTH, STEP, MRAD, SEMIANGLE, DEFOCUS = 64, 80, 0.0041757, 0.1, 1.5625, 25.0, 15.0
PIXEL = WAVELENGTH / (SIDE * MRAD * 1e-3)
KINDS = ("sheet", "particles", "clouds", "sparse")
CAUSES = {"right": "", "defocus of the other sign": "defocus sign", "no probe given": "probe",
          "rotation of 30° forgotten": "rotation", "transpose forgotten": "transpose",
          "positions in nm": "unit of positions", "one mode of three": "modes"}


def thing(kind, seed, extent, fine):
    """[row, col] on pixels of `fine` nm."""
    draw = np.random.default_rng(seed)
    n = int(np.ceil(extent / fine))
    y, x = np.mgrid[:n, :n] * fine
    phase, absorbed = np.zeros((n, n)), np.zeros((n, n))

    def blob(row, col, wide, high):
        reach, at = int(4 * wide / fine) + 1, np.array([int(row / fine), int(col / fine)])
        low, end = np.maximum(at - reach, 0), np.minimum(at + reach + 1, n)
        if (end > low).all():
            u, v = np.mgrid[low[0]:end[0], low[1]:end[1]] * fine
            phase[low[0]:end[0], low[1]:end[1]] += high * np.exp(
                -0.5 * ((u - row)**2 + (v - col)**2) / wide**2)

    if kind == "sheet":
        turn, reach = draw.uniform(0, np.pi), int(2 * extent / 0.32)
        for i in range(-reach, reach):
            for j in range(-reach, reach):
                p, q = i * 0.32 * np.sqrt(3) / 2, (j + i % 2 / 2) * 0.32
                r = np.cos(turn) * p - np.sin(turn) * q + extent / 2
                c = np.sin(turn) * p + np.cos(turn) * q + extent / 2
                if 0 < r < extent and 0 < c < extent and draw.random() > 0.08:
                    blob(r, c, 0.045, (0.45, 0.25)[i % 2])
    elif kind == "clouds":
        k = np.fft.fftfreq(n, fine)
        f = np.hypot(k[:, None], k)
        phase = np.fft.ifft2(np.fft.fft2(draw.normal(size=(n, n))) * np.exp(-0.1152 * f**2) /
                             (f + 0.15)).real
        phase *= 0.35 / phase.std()
    elif kind == "particles":
        for _ in range(int(extent**2 * 1.2)):
            r, c, radius = draw.uniform(0, extent), draw.uniform(0, extent), draw.uniform(0.12, 0.5)
            depth = np.clip(1 - ((y - r)**2 + (x - c)**2) / radius**2, 0, None)**0.5
            phase += 2 * depth * radius
            absorbed += 0.1 * depth
    else:
        for _ in range(int(extent**2 * 1.5)):
            blob(draw.uniform(0, extent), draw.uniform(0, extent), draw.uniform(0.05, 0.15),
                 draw.uniform(0.2, 0.6))
    return np.exp(1j * phase - absorbed)


def counted(o, spectra, rows, cols, counts, draw):
    """[pattern, SIDE, SIDE] of an object under waves at places in its pixels, the direct beam in the middle."""
    n, patterns = 2 * SIDE, []
    k = np.fft.fftfreq(n)
    for row, col in zip(rows, cols):
        i, j = round(row), round(col)
        shift = np.exp(-2j * np.pi * (k[:, None] * (row - i) + k * (col - j)))
        far = sum(abs(np.fft.fft2(np.fft.ifft2(s * shift) * o[i:i + n, j:j + n], norm="ortho"))**2
                  for s in spectra)
        middle = slice(SIDE // 2, SIDE // 2 + SIDE)
        patterns.append(draw.poisson(np.fft.fftshift(far)[middle, middle] * counts))
    found = np.array(patterns)
    return found.astype(np.uint16 if found.max() < 65536 else np.float32)


def scan(kind, seed, counts, modes=1, rotation=0.0, transpose=False, places=24):
    """[row, col, SIDE, SIDE], the direct beam in the middle."""
    draw = np.random.default_rng(1000 * seed + 7)
    fine, n = PIXEL / 2, 2 * SIDE
    rows, cols = (np.mgrid[:places, :places].reshape(2, -1) - places / 2) * STEP
    turn = -np.deg2rad(rotation)
    r, c = np.cos(turn) * rows - np.sin(turn) * cols, np.sin(turn) * rows + np.cos(turn) * cols
    if transpose:
        r, c = c, r
    o = thing(kind, seed, max(np.ptp(r), np.ptp(c)) + SIDE * PIXEL + 1, fine)
    k = np.fft.fftfreq(n, fine)
    angles = WAVELENGTH**2 * (k[:, None]**2 + k**2)
    wave = np.fft.fftshift(np.fft.ifft2((angles <= (SEMIANGLE * 1e-3)**2) * np.exp(
        1j * np.pi / WAVELENGTH * DEFOCUS * angles)))
    y, x = np.mgrid[:n, :n] - n // 2
    waves = [wave, wave * x, wave * y][:modes]
    powers = np.array([1, 0.25, 0.15])[:modes]
    spectra = [np.fft.fft2(w * np.sqrt(p / powers.sum() / (abs(w)**2).sum()))
               for w, p in zip(waves, powers)]
    found = counted(o, spectra, (r - r.min()) / fine + 8, (c - c.min()) / fine + 8, counts, draw)
    return found.reshape(places, places, SIDE, SIDE)


def misfit_of(sluice, folder, file, options):
    run = subprocess.run([sluice, "stem4d", "ptychography", file, *options, "--format", "npy",
                          "--out", "out", "--json"], cwd=folder, check=True,
                         capture_output=True, text=True)
    found = json.loads(run.stdout)["reconstruction"][0]["findings"]
    return next(f for f in found if f["name"] == "misfit")


def options_of(fault, folder):
    options = ["--energy", str(KV), "--detector-step-mrad", str(MRAD), "--scan-step-nm", str(STEP),
               "--size", str(SIDE), "--disk", f"{SIDE // 2}:{SIDE // 2}:16"]
    if fault != "no probe given":
        sign = -1 if fault.startswith("defocus") else 1
        options += ["--semiangle", str(SEMIANGLE), f"--defocus={sign * DEFOCUS}"]
    if fault == "positions in nm":
        places = np.mgrid[:24, :24].reshape(2, -1).T * STEP
        np.save(folder / "nm.npy", places.astype(np.float32))
        options += ["--positions", "nm.npy"]
    return options


def tell(title, rows):
    print(f"{title}\n| fault | R over the floor | named | another | none, tried | none, not tried |"
          "\n|---|---|---|---|---|---|")
    for fault, seen in rows.items():
        told = collections.Counter()
        for misfit in seen:
            cause = misfit.get("cause", "not tried")
            told["named" if cause == CAUSES[fault] else
                 "none" if cause in ("still falling", "unexplained") else
                 cause if cause == "not tried" else "another"] += 1
        ratios = [m["value"] for m in seen]
        print(f"| {fault} | {min(ratios):.2f} to {max(ratios):.2f} | {told['named']} | "
              f"{told['another']} | {told['none']} | {told['not tried']} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sluice")
    parser.add_argument("--quick", action="store_true", help="two objects, three doses")
    parser.add_argument("--star", help="siemens-star-small.npz.bz2 of tike")
    given = parser.parse_args()
    sluice = str(pathlib.Path(given.sluice).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kinds, seeds = (KINDS[:2], (11,)) if given.quick else (KINDS, (11, 12))
        for dose in (1e4, 1e5, 1e6) if given.quick else (1e3, 1e4, 1e5, 1e6, 1e7):
            rows = collections.defaultdict(list)
            for kind in kinds:
                for seed in seeds:
                    for fault in CAUSES:
                        np.save(folder / "scan.npy", scan(
                            kind, seed, dose, 3 if fault.startswith("one mode") else 1,
                            30 if fault.startswith("rotation") else 0,
                            fault.startswith("transpose")))
                        runs = [["--likelihood", likelihood, "--iterations", "20"]
                                for likelihood in ("amplitude", "poisson")]
                        if fault == "right":
                            runs += [["--iterations", "5"], ["--modes", "3"]]
                            if not given.quick:
                                runs.append(["--iterations", "100"])
                        for more in runs:
                            rows[fault].append(misfit_of(sluice, folder, "scan.npy",
                                                         options_of(fault, folder) + more))
            tell(f"\n{dose:g} counts a pattern", rows)
        if given.star:
            (folder / "star.npz").write_bytes(bz2.decompress(pathlib.Path(given.star).read_bytes()))
            for more in (["--likelihood", "amplitude"], ["--likelihood", "poisson"],
                         ["--likelihood", "poisson", "--modes", "3"],
                         ["--likelihood", "poisson", "--modes", "3", "--iterations", "60"]):
                misfit = misfit_of(sluice, folder, "star.npz", more)
                print(f"star {' '.join(more)}: {misfit['value']:.2f} {misfit.get('cause', '-')}")


if __name__ == "__main__":
    main()
