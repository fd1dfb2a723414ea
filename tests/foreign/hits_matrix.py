#!/usr/bin/env python3
"""Files of hits (TPX3): the frames that Sluice makes of them, and the hits that rustpix finds in them.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/hits_matrix.py --sluice build/release/bin/sluice --out FOLDER

No program of PyPI writes such files, so they are made here, bit by bit from the format's description. rustpix, a
decoder that is not ours, says which pixels were hit when; sorted into the points of the scan by NumPy these are the
frames that are wanted.
"""
import json
import struct
import sys

import matrix

with matrix.packages():
    import numpy as np
    import rustpix

LINE = 4_000_000  # steps of 25/16 ns
FIRST = 9_000_000


def hit(time, row, col):
    coarse = (time + 15) >> 4
    pixel = (col & 1) << 2 | (row & 3)
    return (0xb << 60 | (col & 0xfe) << 52 | (row & 0xfc) << 45 | pixel << 44 | (coarse & 0x3fff) << 30 | 25 << 20
            | ((coarse << 4) - time) << 16 | (coarse >> 14 & 0xffff))


def edge(time, counter):
    return 6 << 60 | 0xf << 56 | (counter & 0xfff) << 44 | (time >> 1) << 9 | (1 + 6 * (time & 1)) << 5


def write(path, shape, random, late, hits):
    """A scan of random hits, which come up to `late` steps later than they were."""
    rows, cols = shape
    point = LINE // cols
    sent = [(FIRST + r * LINE, edge(FIRST + r * LINE, r)) for r in range(rows + 1)]
    for p in range(rows * cols):
        for _ in range(hits):
            time = FIRST + p * point + point // 8 + random.integers(3 * point // 4).item()
            sent.append((time + random.integers(late + 1).item(),
                         hit(time, random.integers(256).item(), random.integers(256).item())))
    packets = [packet for _, packet in sorted(sent)]
    with open(path, "wb") as file:
        for first in range(0, len(packets), 700):
            some = packets[first:first + 700]
            file.write(b"TPX3\0\0" + struct.pack("<H", 8 * len(some)) + struct.pack(f"<{len(some)}Q", *some))


def by_rustpix(path, shape):
    """The frames by the hits of another decoder: its times are whole steps of 25 ns."""
    found = rustpix.read_tpx3_hits(str(path)).to_numpy()
    x, y, time = (np.asarray(found[name]).astype("i8") for name in ("x", "y", "timestamp"))
    # It lays chip 0 of a quad beside a gap, 258 columns to the right.
    x, point = x - 258, LINE // shape[1]
    place = (time * 16 - FIRST) // point
    frames = np.zeros((shape[0] * shape[1], 256, 256), "u2")
    np.add.at(frames, (place, y, x), 1)
    return frames.reshape(*shape, 256, 256)


def compared(sluice, place, shape, late, hits, *words):
    path = place / "a.tpx3"
    write(path, shape, np.random.default_rng(8), late, hits)
    wanted = by_rustpix(path, shape)
    if wanted.sum() != shape[0] * shape[1] * hits:
        return "rustpix finds other hits"
    scan = f"{shape[0]}x{shape[1]}"
    member = json.loads(sluice.run("info", path, "--json", "--scan", scan, *words))["members"][0]
    if member["format"] != "tpx3":
        return f"info says {member['format']}"
    sluice.run("stem4d", "convert", path, place / "out.npy", "--scan", scan, "--force", *words)
    if not np.array_equal(np.load(place / "out.npy"), wanted):
        return "other frames"
    sluice.run("stem4d", "convert", path, place / "part.npy", "--scan", scan, "--force", "--scan-region", "1:3,1:2",
               *words)
    return "" if np.array_equal(np.load(place / "part.npy"), wanted[1:3, 1:2]) else "other frames of a region"


def fixed(sluice, folder, tally):
    for name, shape, late, hits, words in (
            ("in_order", (3, 4), 0, 50, ()), ("late", (4, 5), 300_000, 200, ()),
            ("later_than_the_window", (4, 4), 2_000_000, 50, ()), ("many", (6, 8), 100_000, 3000, ()),
            ("points", (3, 4), 100_000, 80, ("--point-s", str(LINE // 4 / 640e6)))):
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        tally.check(name, lambda: compared(sluice, place, shape, late, hits, *words))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
