#!/usr/bin/env python3
"""How high weak phases come out: slope, error and speed of both likelihoods and of ePIE over dose.

    bench/ptychography/weak_phase.py build/release/bin/sluice [DOSE ...]

The simulation is NumPy's, and shares no code with sluice: Gaussian atoms of 0.3 rad at random places, sampled
twice as finely as the patterns' pixels, an aperture of 25 mrad 15 nm under focus at 80 kV, 32x28 places 0.1 nm
apart, patterns of 64x64, Poisson's noise. The slope is that of the found phase over the true one in the middle of
the scan, beside an offset and a ramp; the error is the rms of their difference. `said`: what the note says that a
fit of amplitudes loses.

SPDX-License-Identifier: Apache-2.0
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SIDE, MRAD, STEP, SEMIANGLE, DEFOCUS, KV = 64, 1.5625, 0.1, 25e-3, 15.0, 80
ROWS, COLS = 32, 28
WAVELENGTH = 1.22643 / np.sqrt(KV * 1e3 + 0.97845e-6 * (KV * 1e3)**2)
FINE = WAVELENGTH / (2 * SIDE * MRAD * 1e-3)  # half a pixel of the object


def scene():
    """The phase on the fine grid, and the noiseless patterns of one count each, zero frequency in the middle."""
    draw = np.random.default_rng(7)
    n = 2 * SIDE
    extent = int(np.ceil((ROWS - 1) * STEP / FINE)) + n + 8
    y, x = np.mgrid[:extent, :extent]
    phase = np.zeros((extent, extent))
    for r, c in draw.uniform(0, extent, (int((extent * FINE)**2 * 12), 2)):
        phase += 0.3 * np.exp(-((y - r)**2 + (x - c)**2) * FINE**2 / (2 * 0.045**2))
    k = np.fft.fftfreq(n, FINE)
    angle = WAVELENGTH * np.hypot(k[:, None], k)
    wave = (angle <= SEMIANGLE) * np.exp(1j * np.pi / WAVELENGTH * DEFOCUS * angle**2)
    wave /= np.linalg.norm(wave)
    thing, patterns = np.exp(1j * phase), []
    for i in range(ROWS):
        for j in range(COLS):
            place = np.array([i, j]) * STEP / FINE
            r, c = np.rint(place).astype(int)
            turn = np.exp(-2j * np.pi * FINE * (k[:, None] * (place[0] - r) + k * (place[1] - c)))
            probe = np.fft.fftshift(np.fft.ifft2(wave * turn, norm="ortho"))
            far = np.fft.fftshift(np.abs(np.fft.fft2(thing[r:r + n, c:c + n] * probe, norm="ortho"))**2)
            patterns.append(far[SIDE // 2:SIDE // 2 + SIDE, SIDE // 2:SIDE // 2 + SIDE])
    return phase, np.array(patterns)


def compared(found, phase):
    """Slope and rms error in rad: the middle of the scan, at the fine place that fits best."""
    half = np.array([ROWS, COLS]) * STEP / (2 * FINE) * 0.4
    middle = np.array([(ROWS - 1), (COLS - 1)]) * STEP / FINE / 2 + SIDE  # of the truth
    places = np.indices((2 * int(half[0] // 2), 2 * int(half[1] // 2))).reshape(2, -1).T
    places -= places.max(0) // 2
    mine = found[tuple((np.array(found.shape) // 2 + places).T)]
    best = (np.inf, 0.0)
    for shift in np.ndindex(13, 13):
        there = np.rint(middle + 2 * places + np.array(shift) - 6).astype(int)
        design = np.column_stack([phase[tuple(there.T)], np.ones(len(places)), places])
        fit = np.linalg.lstsq(design, mine, rcond=None)[0]
        left = mine - design @ fit + (fit[0] - 1) * design[:, 0]
        best = min(best, (np.sqrt((left**2).mean()), fit[0]))
    return best[1], best[0]


def run(sluice, folder, arguments):
    out = folder / "out"
    report = json.loads(subprocess.run(
        [sluice, "stem4d", "ptychography", folder / "scan.npy", "--energy", str(KV), "--detector-step-mrad",
         str(MRAD), "--scan-step-nm", str(STEP), "--semiangle", str(SEMIANGLE * 1e3), "--defocus", str(DEFOCUS),
         *arguments, "--out", out, "--json"], check=True, capture_output=True, text=True).stdout)
    said = re.findall(r"come out (\d+ to \d+) %", " ".join(report["notes"]))
    return (np.load(out / "object_phase.npy"), report["reconstruction"][0]["patterns_per_second"],
            f"{said[0]} %" if said else "")


def main():
    sluice, doses = sys.argv[1], [float(x) for x in sys.argv[2:]] or [1e3, 1e4, 1e5, 1e6, 1e7]
    phase, patterns = scene()
    print("| counts a pattern | | slope | error, mrad | patterns/s | said |\n|---|---|---|---|---|---|")
    for dose in doses:
        for name, arguments in (("`lsqml` (Poisson, usual)", []),
                                ("`lsqml`, amplitude", ["--likelihood", "amplitude"]),
                                ("`epie`", ["--solver", "epie"])):
            with tempfile.TemporaryDirectory() as name_of_folder:
                folder = Path(name_of_folder)
                draw = np.random.default_rng(1)
                counts = draw.poisson(patterns * dose / patterns.sum((1, 2)).mean())
                np.save(folder / "scan.npy", counts.reshape(ROWS, COLS, SIDE, SIDE).astype(np.uint16))
                found, speed, said = run(sluice, folder, arguments)
            slope, error = compared(found, phase)
            print(f"| {dose:.0e} | {name} | {slope:.3f} | {1e3 * error:.1f} | {speed:.0f} | {said} |", flush=True)


if __name__ == "__main__":
    main()
