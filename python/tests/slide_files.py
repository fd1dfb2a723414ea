"""Slides for tests, with the pixels that went into them.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/foreign"))

import slide_tiles  # noqa: E402

MAKE_CZI = ROOT / "build/release/bin/make_czi"
DATA = os.environ.get("SLUICE_DATA", "")


def make_czi(path, *options):
    """A file by the writer of the repository's tests; False where it is not built."""
    if not MAKE_CZI.exists():
        return False
    subprocess.run([MAKE_CZI, path, *map(str, options)], check=True, stdout=subprocess.DEVNULL)
    return True


def mosaic(planes, dtype="u1", samples=(), scenes=1, side=(40, 60), grid=(3, 2), seed=0):
    """Tiles [tile dictionaries of tests/foreign/slide_tiles.py] that overlap by a few pixels."""
    tiles = []
    for scene in range(scenes):
        for plane in planes:
            for i in range(grid[0]):
                for j in range(grid[1]):
                    seed += 1
                    pixels = slide_tiles.noise((*side, *samples), dtype, seed)
                    tiles.append(slide_tiles.tile(pixels, 300 * scene - 20 + 55 * j,
                                                  7 - 30 * scene + 36 * i, scene, **plane))
    return tiles


def write(path, tiles):
    """An uncompressed CZI file of them."""
    slide_tiles.write_own(path, tiles, lambda pixels: pixels.tobytes(), 0)
    return path


def truth(tiles, scene=None, background=0, **plane):
    """(image, what of it is covered), made of the tiles by NumPy."""
    at = {letter: plane.get(letter, 0) for letter in slide_tiles.LETTERS}
    return slide_tiles.composite(tiles, at, scene, background)


def pyramid(tiles, scale=2):
    """The tiles with a coarser one for each, every second pixel."""
    coarse = []
    for t in tiles:
        coarse.append({**t, "pixels": np.ascontiguousarray(t["pixels"][::scale, ::scale]),
                       "scale": scale})
    return tiles + coarse
