#!/usr/bin/env python3
"""What an object begins as: ones, the single side band, or drawn phases, on the sheet of electrons.py.

    python bench/ptychography/starts.py SLUICE        (numpy)

For each dose the phase's rms error in mrad and R, after 1, 5 and 30 iterations with the true probe.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import electrons
import numpy as np


def main():
    sluice = str(pathlib.Path(sys.argv[1]).resolve())
    wavelength = 0.0041757
    field, wave = electrons.truth(), electrons.probe(wavelength)
    step_mrad = 1e3 * wavelength / (electrons.SIDE * electrons.PIXEL)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for dose in (1e3, 1e4, 1e5):
            counts, positions = electrons.patterns(field, wave, dose * (electrons.STEP * 10)**2)
            np.save(place / "scan.npy", counts.reshape(electrons.PLACES, electrons.PLACES,
                                                       electrons.SIDE, electrons.SIDE))
            np.save(place / "positions.npy", positions.astype(np.float32))
            for start in ("ones", "ssb", "random"):
                for iterations in (1, 5, 30):
                    out = place / f"{dose:g}-{start}-{iterations}"
                    run = subprocess.run(
                        [sluice, "stem4d", "ptychography", "scan.npy", "--energy", "80",
                         "--detector-step-mrad", str(step_mrad), "--positions", "positions.npy",
                         "--disk", "64:64:13", "--semiangle", "21", "--defocus", "12", "--solver",
                         "lsqml", "--likelihood", "poisson", "--fix-probe", "--set",
                         f"object_start={start}", "--iterations", str(iterations), "--format",
                         "npy", "--out", out, "--json"],
                        cwd=folder, check=True, capture_output=True, text=True)
                    found, known = electrons.fitted(np.load(out / "object_phase.npy"), field)
                    r = json.loads(run.stdout)["reconstruction"][0]["r"]
                    print(f"{dose:g} {start} {iterations}: "
                          f"{1e3 * np.sqrt(((found - known)**2).mean()):.1f} mrad, R {r[0]:.4f} "
                          f"to {r[-1]:.4f}", flush=True)


if __name__ == "__main__":
    main()
