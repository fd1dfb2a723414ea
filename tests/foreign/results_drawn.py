"""Acquisitions, detectors and analyses drawn at random, and what NumPy makes of the same counts.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np

from matrix import Skip
from results_case import FORMATS, agree, counts_of, read_back


class Acquisition:
    """What `sluice synth` wrote, as h5py reads it."""

    def __init__(self, rng, sluice, place):
        self.rng, self.sluice, self.place = rng, sluice, place
        rows, cols = rng.randint(1, 16), rng.randint(1, 16)
        side = rng.randint(16, 64), rng.randint(16, 64)
        dtype = rng.choice(["uint8", "uint16", "uint32"])
        # At a higher dose a byte would reach 255, which means a bad pixel.
        dose = rng.choice([1, 50, 500] if dtype == "uint8" else [1, 500, 5000, 50000])
        options = ["--scan", f"{rows}x{cols}", "--detector", f"{side[0]}x{side[1]}", "--dose", dose,
                   "--dtype", dtype, "--seed", rng.randint(0, 1000), "--masked", rng.randint(0, 9),
                   "--file-layout", rng.choice(["legacy", "v2024"]), "--compression",
                   rng.choice(["bslz4", "bszstd", "bitshuffle", "lz4", "gzip", "none"]),
                   "--frames-per-file", rng.randint(max(1, rows * cols // 6), 300)]
        options += rng.choice([[], ["--mask-to-zero"], ["--sentinel"]])
        sluice.run("synth", "arina", place / "x", *options)
        self.master, self.scan = place / "x_master.h5", (rows, cols)
        self.frames, self.good = counts_of(self.master)
        self.many = self.good.astype("i8")  # valid pixels in each
        self.rows, self.cols = np.indices(side)
        self.options, self.bin = [], 1
        if rng.random() < 0.4:
            self.load_part()
        self.formats = rng.sample(list(FORMATS), rng.randint(1, 3))

    def load_part(self):
        """A part of the detector, binned: coordinates stay those of the full one."""
        (top, left), n = (self.rng.randint(0, 6) for _ in range(2)), self.rng.randint(1, 4)
        height, width = (self.rng.randint(8, size - first) // n for size, first in
                         zip(self.good.shape, (top, left)))
        at = slice(top, top + height * n), slice(left, left + width * n)

        def blocks(array):
            return array[..., *at].reshape(*array.shape[:-2], height, n, width, n)

        self.frames = blocks(self.frames * self.good).sum((2, 4), dtype="u8")
        self.many = blocks(self.good).sum((1, 3))
        self.good = self.many > 0
        # The middle of a bin is a whole number or a half, which is exact.
        self.rows, self.cols = (blocks(axis).sum((1, 3)) / n ** 2
                                for axis in (self.rows, self.cols))
        self.options = ["--detector-region", f"{at[0].start}:{at[0].stop},{at[1].start}:"
                        f"{at[1].stop}", "--det-bin", n]
        self.bin = n

    def run(self, *words):
        out = self.place / "out"
        more = self.rng.choice([[], ["--stream"], ["--layout", "planes"], ["--layout", "dense"]])
        more += [*self.options, "--scan", f"{self.scan[0]}x{self.scan[1]}", "--threads",
                 self.rng.randint(1, 4)]
        self.sluice.run("stem4d", words[0], self.master, *words[1:], "--format",
                        ",".join(self.formats), "--out", out, *more)
        return out

    def differs(self, out, stem, wanted, where=True):
        """How a result in each format differs from NumPy's, or nothing."""
        for kind in self.formats:
            got = read_back(out, stem, kind)
            if where is not True:
                got, wanted = np.where(where, got, 0), np.where(where, wanted, 0)
            if why := agree(got, wanted, kind):
                return f"{stem} as {kind}: {why}"
        return ""


def quarter(rng, low, high):
    """A number that is exact in binary, so that what lies on an edge is not in doubt."""
    return rng.randint(int(low * 4), int(high * 4)) / 4


def detector(rng, a):
    """A shape as the command line has it, and which pixels or weights that is."""
    height, width = int(a.rows.max()) + 1, int(a.cols.max()) + 1
    y, x = quarter(rng, 0, height - 1), quarter(rng, 0, width - 1)
    square = (a.rows - y) ** 2 + (a.cols - x) ** 2
    inner, outer = sorted((quarter(rng, 0, 20), quarter(rng, 1, 40)))
    top, bottom = sorted(rng.randrange(height) for _ in range(2))
    left, right = sorted(rng.randrange(width) for _ in range(2))
    half = quarter(rng, 0, 12)
    random = np.random.default_rng(rng.getrandbits(64)).integers(0, 4, a.good.shape)
    centre = f"center={y}:{x}"
    file = a.place / f"pixels{len(list(a.place.iterdir()))}.npy"
    pixels = rng.choice([random > 1, random.astype("f4")])
    np.save(file, pixels)
    point = (f"point:row={top},col={left}", (a.rows == top) & (a.cols == left))
    return rng.choice([
        (f"disk:r={outer},{centre}", square <= outer ** 2),
        (f"annulus:r={inner}..{outer},{centre}", (square >= inner ** 2) & (square <= outer ** 2)),
        (f"rectangle:rows={top}..{bottom},cols={left}..{right}",
         (a.rows >= top) & (a.rows <= bottom) & (a.cols >= left) & (a.cols <= right)),
        (f"square:half={half},{centre}", (abs(a.rows - y) <= half) & (abs(a.cols - x) <= half)),
        (f"{'mask' if pixels.dtype.kind == 'b' else 'weights'}:{file}", pixels)]
        + [point] * (a.bin == 1))


def images(rng, sluice, place):
    """Virtual detectors, summed or averaged."""
    a = Acquisition(rng, sluice, place)
    chosen = [one for one in (detector(rng, a) for _ in range(3)) if (a.good & (one[1] != 0)).any()]
    if not chosen:
        raise Skip("results_matrix: no detector covers a valid pixel")
    mean = rng.random() < 0.3
    words = [word for number, (text, _) in enumerate(chosen)
             for word in ("--detector", f"d{number}={text}")]
    out = a.run("virtual-image", *words, *["--mean"] * mean)
    for number, (text, inside) in enumerate(chosen):
        kind = "f8" if inside.dtype.kind == "f" else "u8"
        wanted = (a.frames * (inside * a.good).astype(kind)).sum((1, 2)).reshape(a.scan)
        if mean:
            wanted = wanted / (a.many * (inside != 0)).sum()
        if why := a.differs(out, f"d{number}", wanted):
            return f"{text}{' --mean' * mean}: {why}"
    return ""


def moments(rng, sluice, place):
    a = Acquisition(rng, sluice, place)
    inside, words = a.good, []
    if rng.random() < 0.5:
        text, shape = detector(rng, a)
        if shape.dtype.kind == "b" and (a.good & shape).any():
            inside, words = a.good & shape, ["--within", text]
    out = a.run("center-of-mass", *words)
    values = (a.frames * inside).astype("f8")
    total = values.sum((1, 2))
    with np.errstate(invalid="ignore"):
        row, col = ((values * axis).sum((1, 2)) / total for axis in (a.rows, a.cols))
    return a.differs(out, "com_row", row.reshape(a.scan)) or \
        a.differs(out, "com_col", col.reshape(a.scan))


def patterns(rng, sluice, place):
    """Sums over all frames, one of them, or some."""
    a = Acquisition(rng, sluice, place)
    kinds, frames, words = rng.sample(["sum", "mean", "max", "variance"], 2), a.frames, []
    if rng.random() < 0.3:
        at = rng.randrange(a.scan[0]), rng.randrange(a.scan[1])
        words, frames = ["--at", f"{at[0]}:{at[1]}"], frames[at[0] * a.scan[1] + at[1]][None]
    elif rng.random() < 0.4:
        where = np.random.default_rng(rng.getrandbits(64)).random(a.scan) < 0.5
        where[0, 0] = True
        np.save(place / "where.npy", where)
        words, frames = ["--where", place / "where.npy"], frames[where.ravel()]
    out = a.run("diffraction-pattern", "--kind", ",".join(kinds), *words)
    wide = frames.astype("f8")
    made = {"sum": wide.sum(0), "mean": wide.mean(0), "max": frames.max(0).astype("f8"),
            "variance": wide.var(0)}
    for kind in kinds:
        if why := a.differs(out, f"pattern_{kind}", made[kind], a.good):
            return f"{' '.join(map(str, words))}: {why}"
    return ""


KINDS = [images, images, moments, patterns]
