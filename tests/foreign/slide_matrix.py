#!/usr/bin/env python3
"""Slides that other programs wrote: every pixel type and compression, read by sluice and compared.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/slide_matrix.py --sluice build/release/bin/sluice --out FOLDER

Files come from pylibCZIrw (ZEISS's own writer) and, with tiles encoded by imagecodecs, from a small
writer of our own.
"""
import itertools
import json
import sys

import matrix

with matrix.packages():
    import numpy as np
    import slide_drawn
    from slide_case import compare
    from slide_tiles import PIXELS, ZEISS_COMPRESSIONS, hi_lo, noise, tile, write_own, write_zeiss


def zeiss_cases():
    for (name, (samples, dtype)), compression in itertools.product(
        PIXELS.items(), ZEISS_COMPRESSIONS
    ):
        if name == "gray32float" and compression not in ("uncompressed", "zstd0"):
            continue
        one = [tile(noise((37, 53, *samples), dtype, 1), 0, 0)]
        one.append(tile(noise((37, 53, *samples), dtype, 2), 45, 5))
        yield f"{name} {compression}", one, compression
    stack = [
        tile(noise((20, 24), "u2", 10 + n), 0, 0, T=t, C=c, Z=z)
        for n, (t, c, z) in enumerate(itertools.product(range(2), range(3), range(2)))
    ]
    yield "stack", stack, "zstd1 hi-lo"
    mosaic = [
        tile(noise((32, 32), "u1", 30 + n), 28 * (n % 4), 27 * (n // 4)) for n in range(12)
    ]
    yield "overlapping tiles", mosaic, "zstd0"
    scenes = [
        tile(noise((32, 32), "u1", 50 + n), 100 * (n // 4) + 20 * (n % 4), 10 * n, n // 4)
        for n in range(12)
    ]
    yield "scenes", scenes, "uncompressed"
    # The second scene is written first and lies over the first.
    across = [
        tile(noise((32, 32), "u1", 70 + n), 10 * n, 5 * n, s) for n, s in enumerate((1, 1, 0, 0))
    ]
    yield "overlapping scenes", across, "uncompressed"
    sparse = [tile(noise((16, 16), "u1", 90), 0, 0), tile(noise((16, 16), "u1", 91), 8, 8, Z=7)]
    yield "sparse", sparse, "uncompressed"
    yield "negative", [tile(noise((16, 16), "u1", 92), -500, -70)], "zstd0"


def run_zeiss(sluice, folder, tally):
    try:
        from pylibCZIrw import czi
    except ImportError as error:
        return tally.skip(f"slide_matrix: files of pylibCZIrw: {error}")
    for name, tiles, compression in zeiss_cases():
        path = folder / (name.replace(" ", "_") + ".czi")
        if not tally.wants(f"pylibCZIrw {name}"):
            continue
        try:
            write_zeiss(czi, path, tiles, ZEISS_COMPRESSIONS[compression])
        except Exception as error:  # what the writer cannot write is no fault of the reader
            tally.skip(f"slide_matrix: pylibCZIrw {name}: the writer says: {error}")
            continue
        for case in compare(sluice, f"pylibCZIrw {name}", path, tiles):
            tally.count(*case)


def run_imagecodecs(sluice, folder, tally):
    try:
        import imagecodecs
    except ImportError as error:
        return tally.skip(f"slide_matrix: tiles of imagecodecs: {error}")
    codecs = {
        "zstd0": (5, lambda a: imagecodecs.zstd_encode(a.tobytes()), 0),
        "zstd1 plain": (6, lambda a: b"\x01" + imagecodecs.zstd_encode(a.tobytes()), 0),
        "zstd1 hi-lo": (
            6,
            lambda a: b"\x03\x01\x01" + imagecodecs.zstd_encode(hi_lo(a.tobytes(), 2)),
            0,
        ),
        "lzw": (2, lambda a: imagecodecs.lzw_encode(a.tobytes()), 0),
        "jpeg": (1, lambda a: imagecodecs.jpeg8_encode(a, level=90), 2),
        "jpeg xr": (4, lambda a: imagecodecs.jpegxr_encode(a), 0),
    }
    for (name, (samples, dtype)), (codec, (number, encode, tolerance)) in itertools.product(
        PIXELS.items(), codecs.items()
    ):
        case = f"imagecodecs {name} {codec}"
        if (codec == "jpeg" and dtype != "u1") or (codec == "zstd1 hi-lo" and dtype != "u2") \
                or not tally.wants(case):
            continue
        smooth = np.add.outer(np.arange(40), 3 * np.arange(56))
        values = [noise((40, 56, *samples), dtype, seed) for seed in (1, 2)]
        if codec == "jpeg":
            flat = smooth.astype(dtype)
            values = [np.stack([flat] * 3, -1) if samples else flat, values[1] * 0 + 90]
        tiles = [tile(values[0]), tile(values[1], 50, 8)]
        # JPEG loses something, and JPEG XR does with floats: their own decoder is the truth.
        decode = {1: imagecodecs.jpeg8_decode, 4: imagecodecs.jpegxr_decode}.get(number)
        path = folder / (case.replace(" ", "_") + ".czi")
        try:
            write_own(path, tiles, encode, number)
        except Exception as error:
            tally.skip(f"slide_matrix: {case}: the encoder says: {error}")
            continue
        if decode:
            tiles = [{**t, "pixels": decode(encode(t["pixels"]))} for t in tiles]
        for told in compare(sluice, case, path, tiles, tolerance):
            tally.count(*told)
    run_sizes(sluice, folder, tally, imagecodecs)


def run_sizes(sluice, folder, tally, imagecodecs):
    """A tile that holds another number of pixels than it says is refused, and named."""
    pixels = noise((40, 56), "u1", 3)
    for name, number, encode in (
        ("jpeg xr", 4, imagecodecs.jpegxr_encode),
        ("jpeg", 1, imagecodecs.jpeg8_encode),
        ("zstd0", 5, lambda a: imagecodecs.zstd_encode(a.tobytes())),
        ("lzw", 2, lambda a: imagecodecs.lzw_encode(a.tobytes())),
    ):
        for rows in (39, 20, 41, 80):
            def refused():
                path = folder / "other_size.czi"
                write_own(path, [tile(pixels)], lambda a: encode(np.resize(a, (rows, 56))), number)
                done = sluice.tried("slide", "read", path, "--out", folder / "o.npy")
                good = done.returncode != 0 and "X 0 Y 0" in done.stderr
                return "" if good else f"exit {done.returncode}: {done.stderr}"
            tally.check(f"{name} of {rows} rows", refused)


def fixed(sluice, folder, tally):
    run_zeiss(sluice, folder, tally)
    run_imagecodecs(sluice, folder, tally)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, slide_drawn.KINDS, 40))
