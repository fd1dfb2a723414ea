#!/usr/bin/env python3
"""Packed stacks (MRCZ) that mrcz and RosettaSciIO wrote, read by Sluice.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/mrcz_matrix.py --sluice build/release/bin/sluice --out FOLDER

mrcz packs each section by Blosc. Values are compared whole and in a region. A file that is cut or has a flipped bit is
refused.
"""
import itertools
import json
import sys

import matrix

with matrix.packages():
    import blosc  # noqa: F401  mrcz writes Blosc 1 with it, and Blosc 2 without
    import mrcz
    import numpy as np

SCAN = (4, 6)


def compared(sluice, path, data):
    scan = ("--scan", f"{SCAN[0]}x{SCAN[1]}")
    member = json.loads(sluice.run("info", path, "--json", *scan))["members"][0]
    if member["format"] != "mrc":
        return f"info says {member['format']}"
    out = path.parent / "out.npy"
    for region in (None, (slice(1, 3), slice(2, 6))):
        words = [] if region is None else ["--scan-region", "1:3,2:6"]
        sluice.run("stem4d", "convert", path, out, "--force", *scan, *words)
        whole = data.reshape(*SCAN, *data.shape[1:])
        if not np.array_equal(np.load(out), whole if region is None else whole[region]):
            return f"other values (region {region})"
    return ""


def written(sluice, place, kind, codec, size):
    data = np.random.default_rng(4).poisson(3, (24, *size)).astype(kind)
    path = place / "a.mrcz"
    mrcz.writeMRC(data, str(path), compressor=codec, clevel=3, meta={"scan": "test"})
    theirs = mrcz.readMRC(str(path))[0]
    if not np.array_equal(theirs, data):
        raise matrix.Skip("mrcz reads other values than it wrote")
    return compared(sluice, path, data)


def damaged(sluice, place):
    """No cut is silent, and no flip is that changes values of sections that are packed."""
    data = np.random.default_rng(4).poisson(3, (24, 33, 31)).astype("u2")
    path = place / "a.mrcz"
    mrcz.writeMRC(data, str(path), compressor="zstd", clevel=3)
    whole = path.read_bytes()
    for size in (100, 1024, 1030, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        if sluice.tried("info", path, "--scan", "4x6").returncode != 1:
            return f"{size} of {len(whole)} bytes are accepted"
    return ""


def fixed(sluice, folder, tally):
    cases = {"damaged": lambda place: damaged(sluice, place)}
    for kind, codec, size in itertools.chain(
            itertools.product(("i1", "i2", "u2", "f4"), ("zstd", "lz4"), ((33, 31),)),
            itertools.product(("u2",), ("blosclz", "lz4hc", "zlib", "zstd"), ((256, 256),))):
        cases[f"{kind}_{codec}_{size[0]}"] = \
            lambda place, words=(kind, codec, size): written(sluice, place, *words)
    for name, work in cases.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        tally.check(name, lambda: work(place))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
