#!/usr/bin/env python3
"""Results of Sluice, read by other people's programs and computed again by NumPy.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/results_matrix.py --sluice build/release/bin/sluice --out FOLDER

An acquisition that `sluice synth` wrote is read by h5py and hdf5plugin; every result of it, in
every format, must be what NumPy makes of the same counts.
"""
import itertools
import sys

import matrix

with matrix.packages():
    import numpy as np
    import results_drawn
    from results_case import FORMATS, agree, counts_of, read_back

ACQUISITIONS = {  # how `sluice synth arina` is asked
    "square": ["--scan", "12x12", "--detector", "32x32"],
    "wide": ["--scan", "6x20", "--detector", "24x40"],
}
DETECTORS = {  # as the command line has them, and which pixels that is
    "disk:r=6,center=14:13": lambda r, c: np.hypot(r - 14, c - 13) <= 6,
    "annulus:r=5..11,center=15.5:15.5": lambda r, c: (
        (np.hypot(r - 15.5, c - 15.5) >= 5) & (np.hypot(r - 15.5, c - 15.5) <= 11)),
    "rectangle:rows=3..9,cols=2..20": lambda r, c: (r >= 3) & (r <= 9) & (c >= 2) & (c <= 20),
    "point:row=10,col=12": lambda r, c: (r == 10) & (c == 12),
}


def test_images(sluice, master, frames, good, scan, out, tally):
    rows, cols = np.indices(frames.shape[1:])
    for number, (text, inside) in enumerate(DETECTORS.items()):
        folder = out / f"image{number}"
        sluice.run("stem4d", "virtual-image", master, "--detector", f"d{number}={text}",
            "--format", ",".join(FORMATS), "--out", folder, "--scan", scan)
        wanted = (frames * (inside(rows, cols) & good)).sum((1, 2), dtype="u8")
        wanted = wanted.reshape([int(n) for n in scan.split("x")])
        for kind in FORMATS:
            why = agree(read_back(folder, f"d{number}", kind), wanted, kind)
            tally.count(f"{master.name} {text} {kind}", why)


def test_moments(sluice, master, frames, good, scan, out, tally):
    folder = out / "com"
    sluice.run("stem4d", "center-of-mass", master, "--format", ",".join(FORMATS), "--out", folder,
        "--scan", scan)
    values = (frames * good).astype("f8")
    total = values.sum((1, 2))
    rows, cols = np.indices(frames.shape[1:])
    for stem, axis in (("com_row", rows), ("com_col", cols)):
        with np.errstate(invalid="ignore"):
            wanted = ((values * axis).sum((1, 2)) / total).reshape(
                [int(n) for n in scan.split("x")])
        for kind in FORMATS:
            why = agree(read_back(folder, stem, kind), wanted, kind)
            tally.count(f"{master.name} {stem} {kind}", why)


def test_patterns(sluice, master, frames, good, scan, out, tally):
    folder = out / "dp"
    sluice.run("stem4d", "diffraction-pattern", master, "--kind", "mean,max", "--format",
        ",".join(FORMATS), "--out", folder, "--scan", scan)
    values = frames.astype("f8")
    for stem, wanted in (("pattern_mean", values.mean(0)), ("pattern_max", frames.max(0))):
        for kind in FORMATS:
            got = read_back(folder, stem, kind).astype("f8")
            # What a masked pixel shows is a matter of taste; what a good one shows is not.
            why = agree(np.where(good, got, 0), np.where(good, wanted.astype("f8"), 0), kind)
            tally.count(f"{master.name} {stem} {kind}", why)


def fixed(sluice, folder, tally):
    tests = (test_images, test_moments, test_patterns)
    for (name, options), test in itertools.product(ACQUISITIONS.items(), tests):
        if not tally.wants(name):
            continue
        out = folder / name
        out.mkdir(parents=True, exist_ok=True)
        master = out / f"{name}_master.h5"
        try:
            if not master.exists():
                sluice.run("synth", "arina", out / name, *options, "--dose", "4000")
            frames, good = counts_of(master)
            test(sluice, master, frames, good, options[1], out, tally)
        except (RuntimeError, OSError, KeyError) as error:
            tally.count(f"{name} {test.__name__}", error)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, results_drawn.KINDS, 25))
