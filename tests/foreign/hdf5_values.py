"""Shapes, values, types and filters drawn at random, for files of frames.

SPDX-License-Identifier: Apache-2.0
"""
import math

import hdf5plugin
import numpy as np

TYPES = ["u1", "i1", "<u2", ">u2", "<i2", ">i2", "<u4", ">u4", "<i4", ">i4", "<u8", ">u8", "<i8",
         ">i8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "?"]
MOST = 250_000  # values of one file, so that a case takes a tenth of a second


def generator(rng):
    return np.random.default_rng(rng.getrandbits(64))


def shape(rng):
    """Scan and detector, often with odd or single sides, now and then of very many frames."""
    if rng.random() < 0.05:
        return rng.randint(30, 120), rng.randint(30, 60), rng.randint(1, 5), rng.randint(1, 5)
    side = rng.choice([9, 30, 70])
    detector = tuple(rng.randint(1, side) for _ in range(2))
    most = max(1, min(24, math.isqrt(MOST // math.prod(detector))))
    rows, columns = rng.randint(1, most), rng.randint(1, most)
    return rng.choice([(rows, columns), (rows, columns), (rows, rows), (1, columns), (rows, 1)]) \
        + detector


def values(rng, dtype, of):
    """Numbers of a type: small ones, all that it has, steps, few, or none but zero."""
    random, dtype = generator(rng), np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, of).astype(dtype)
    how = rng.choice(["small", "small", "large", "steps", "few", "zero"])
    if how == "large" and dtype.kind == "f":
        return (random.normal(0, 100, of)).astype(dtype)
    if how == "large":
        bounds = np.iinfo(dtype)
        # Past 32 bits an integer becomes a float32 anyway.
        low, high = max(int(bounds.min), -2 ** 31), min(int(bounds.max), 2 ** 32 - 1)
        return random.integers(low, high, of, "i8", endpoint=True).astype(dtype)
    low = -100 if dtype.kind in "if" else 0
    if how == "steps":
        return np.broadcast_to(np.arange(of[-1]) // 4 + low, of).astype(dtype)
    if how == "zero":
        return np.zeros(of, dtype)
    small = random.integers(low, 120, of)
    return (small * (random.random(of) < 0.02) if how == "few" else small).astype(dtype)


def related(rng, data, dtype):
    """Another type that holds the same values, or this one."""
    if np.dtype(dtype).kind == "b":
        return np.dtype(dtype)
    other = np.dtype(rng.choice(TYPES[:-1]))
    with np.errstate(all="ignore"):
        there = data.astype(other)
        same = (there == data).all() and (there.astype(dtype) == data).all() and \
            (there.astype("f8") == data.astype("f8")).all()
    # Fill values are up to 100, which every type holds.
    return other if same and np.isfinite(there.astype("f8")).all() else np.dtype(dtype)


def plugin(made):
    return made["compression"], tuple(made["compression_opts"])


def compressor(rng):
    """A filter as HDF5 has it: number and client data."""
    level = rng.randint
    return rng.choice([
        lambda: (1, (level(0, 9),)),
        lambda: (32000, ()),
        lambda: plugin(hdf5plugin.LZ4(nbytes=rng.choice([0, 0, 16, 64, 1000, 4096]))),
        lambda: plugin(hdf5plugin.Bitshuffle(nelems=8 * rng.choice([0, 0, 0, 1, 2, 3, 50]),
                                             cname=rng.choice(["none", "lz4"]))),
        lambda: plugin(hdf5plugin.Bitshuffle(nelems=8 * rng.choice([0, 0, 2, 5]), cname="zstd",
                                             clevel=level(1, 19))),
        lambda: plugin(hdf5plugin.Zstd(clevel=level(1, 19))),
        lambda: plugin(hdf5plugin.Blosc(
            cname=rng.choice(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]), clevel=level(0, 9),
            shuffle=level(0, 2))),
    ])()


def pipeline(rng):
    """Filters in the order of writing: most often what people use, now and then any chain."""
    if rng.random() < 0.15:
        # Each once: HDF5 itself does not tell the second of a kind what it needs to know.
        chain = dict([(2, ()), (3, ())] + [compressor(rng) for _ in range(3)])
        return rng.sample(list(chain.items()), rng.randint(2, min(4, len(chain))))
    shuffle, checksum = rng.random() < 0.4, rng.random() < 0.25
    packed = rng.random() < 0.85
    return [(2, ())] * shuffle + ([compressor(rng)] if packed else []) + [(3, ())] * checksum


def chunk(rng, of):
    """A chunk's shape, of which there are at most 2000, or 8000 for indexes of many pages."""
    most = rng.choice([2000] * 9 + [8000])
    sides = [rng.choice([1, n, rng.randint(1, n), rng.randint(1, n)]) for n in of]
    if rng.random() < 0.4:
        sides[-2:] = of[-2:]
    while math.prod(-(-n // c) for n, c in zip(of, sides)) > most:
        axis = max(range(len(of)), key=lambda a: of[a] / sides[a])
        sides[axis] = min(of[axis], 2 * sides[axis])
    return tuple(sides)
