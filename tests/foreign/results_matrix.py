#!/usr/bin/env python3
"""Results of Sluice, read by other people's programs and computed again by NumPy.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/results_matrix.py --sluice build/release/bin/sluice --out FOLDER

An acquisition that `sluice synth` wrote is read by h5py and hdf5plugin; every result of it, in
every format, must be what NumPy makes of the same counts.
"""
import argparse
import itertools
import pathlib
import subprocess
import sys

try:
    import h5py
    import hdf5plugin  # noqa: F401  registers the filters with h5py
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"skipped 1: results_matrix: {error}\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

FORMATS = {"npy": "npy", "tiff": "tif", "hdf5": "h5"}  # and how their files end
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


class Counts:
    """What passed and what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, good, why=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAILED {name}: {why}")


def run(sluice, *words):
    """Runs Sluice; its standard output. An error of it is an error here."""
    done = subprocess.run([sluice, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def counts_of(master):
    """The frames of an acquisition as [scan row][scan column][row][column], and good pixels."""
    with h5py.File(master) as file:
        data = file["entry/data"]
        frames = np.concatenate([data[key][...] for key in sorted(data) if key.startswith("data")])
        mask = file["entry/instrument/detector/detectorSpecific/pixel_mask"]
        good = (mask[...].reshape(frames.shape[1:]) & 0xFFFF) == 0
    return frames, good


def read_back(folder, stem, kind):
    """A result by the program that people read it with."""
    if kind == "npy":
        return np.load(folder / f"{stem}.npy")
    if kind == "tiff":
        return tifffile.imread(folder / f"{stem}.tif")
    (path,) = folder.glob("*.h5")
    with h5py.File(path) as file:
        return file[stem][...]


def agree(got, wanted, kind):
    """Sums are exact; TIFF holds float32, centres of mass are float64 in NumPy's order of sums."""
    if got.shape != wanted.shape:
        return f"shape {got.shape}, not {wanted.shape}"
    exact = kind != "tiff" and wanted.dtype.kind in "ui"
    same = np.array_equal(got, wanted) if exact else np.allclose(
        got, wanted, rtol=3e-7 if kind == "tiff" else 1e-12, atol=0 if exact else 1e-9,
        equal_nan=True)
    return "" if same else f"differs by {np.nanmax(np.abs(got - wanted.astype('f8')))}"


def test_images(sluice, master, frames, good, scan, out, counts):
    rows, cols = np.indices(frames.shape[1:])
    for number, (text, inside) in enumerate(DETECTORS.items()):
        folder = out / f"image{number}"
        run(sluice, "stem4d", "virtual-image", master, "--detector", f"d{number}={text}",
            "--format", ",".join(FORMATS), "--out", folder, "--scan", scan)
        wanted = (frames * (inside(rows, cols) & good)).sum((1, 2), dtype="u8")
        wanted = wanted.reshape([int(n) for n in scan.split("x")])
        for kind in FORMATS:
            why = agree(read_back(folder, f"d{number}", kind), wanted, kind)
            counts.check(f"{master.name} {text} {kind}", not why, why)


def test_moments(sluice, master, frames, good, scan, out, counts):
    folder = out / "com"
    run(sluice, "stem4d", "center-of-mass", master, "--format", ",".join(FORMATS), "--out", folder,
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
            counts.check(f"{master.name} {stem} {kind}", not why, why)


def test_patterns(sluice, master, frames, good, scan, out, counts):
    folder = out / "dp"
    run(sluice, "stem4d", "diffraction-pattern", master, "--kind", "mean,max", "--format",
        ",".join(FORMATS), "--out", folder, "--scan", scan)
    values = frames.astype("f8")
    for stem, wanted in (("pattern_mean", values.mean(0)), ("pattern_max", frames.max(0))):
        for kind in FORMATS:
            got = read_back(folder, stem, kind).astype("f8")
            # What a masked pixel shows is a matter of taste; what a good one shows is not.
            why = agree(np.where(good, got, 0), np.where(good, wanted.astype("f8"), 0), kind)
            counts.check(f"{master.name} {stem} {kind}", not why, why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    sluice = args.sluice.resolve()
    counts = Counts()
    tests = (test_images, test_moments, test_patterns)
    for (name, options), test in itertools.product(ACQUISITIONS.items(), tests):
        folder = args.out / name
        folder.mkdir(parents=True, exist_ok=True)
        master = folder / f"{name}_master.h5"
        try:
            if not master.exists():
                run(sluice, "synth", "arina", folder / name, *options, "--dose", "4000")
            frames, good = counts_of(master)
            test(sluice, master, frames, good, options[1], folder, counts)
        except (RuntimeError, OSError, KeyError) as error:
            counts.check(f"{name} {test.__name__}", False, error)
    print(f"{counts.passed} passed, {counts.failed} failed, 0 skipped")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
