"""Slides drawn at random, converted with options drawn at random, and read by zarr-python; and
images that zarr-python writes at random, read by `sluice slide read`.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import json

import imagecodecs
import numpy as np
import zarr

import slide_tiles
import zarr_arrays
from slide_drawn import mosaic
from zarr_case import compare_levels


def planes_of(tiles, scene, fill):
    """What was written, as [t][c][z][y][x]; the samples of colours count as channels."""
    # Where tiles lack, a scene may have fewer indices than others; it has all channels.
    spans = [[t["plane"][letter] for t in tiles
              if letter == "C" or scene is None or t["scene"] == scene] for letter in "TCZ"]
    # A channel that no tile has is none.
    spans = [sorted(set(span)) if letter == "C" else range(min(span), max(span) + 1)
             for letter, span in zip("TCZ", spans)]
    planes = np.stack([slide_tiles.composite(tiles, dict(zip("TCZ", at)), scene, fill)[0]
                       for at in itertools.product(*spans)])
    planes = planes.reshape(*map(len, spans), *planes.shape[1:])
    if planes.ndim == 5:
        return planes
    colours = np.moveaxis(planes, -1, 2)  # t c s z y x
    return colours.reshape(colours.shape[:1] + (-1,) + colours.shape[3:])


def options_of(rng):
    """Versions, chunks, codecs and limits of a conversion."""
    ngff, chunk = rng.choice(["0.4", "0.5"]), rng.choice([16, 32, 64, 100, 256])
    codec = rng.choice(["blosc-lz4", "zstd", "none"])
    options = ["--ngff", ngff, "--chunk", chunk, "--codec", codec, "--min-size",
               rng.choice([1, 7, 30, 40, 256])]
    if ngff == "0.5" and rng.random() < 0.5:
        options += ["--shard", chunk * rng.choice([1, 2, 3, 4])]
    if codec != "none" and rng.random() < 0.5:
        options += ["--codec-level", rng.randint(0, 9 if codec == "blosc-lz4" else 22)]
    if rng.random() < 0.4:
        options += ["--memory-limit", rng.choice(["100k", "200k", "400k", "2M"])]
    if rng.random() < 0.4:
        options += ["--threads", rng.randint(1, 4)]
    return options + rng.choice([[], [], ["--verify"]])


def converted(rng, sluice, place):
    """All scenes, or one canvas of them."""
    name = rng.choice([*slide_tiles.PIXELS, "bgr96float"])
    tiles = mosaic(rng, name)
    czi, out = place / "f.czi", place / "f.zarr"
    number, encode = rng.choice([(0, lambda a: a.tobytes()),
                                 (5, lambda a: imagecodecs.zstd_encode(a.tobytes())),
                                 (2, lambda a: imagecodecs.lzw_encode(a.tobytes()))])
    slide_tiles.write_own(czi, tiles, encode, number)
    options, fill = options_of(rng), rng.choice([0, 0, 9])
    options += ["--background", fill] if fill else []
    merged = rng.random() < 0.3
    options += ["--arrange", "merged"] if merged else []
    done = sluice.tried("slide", "convert", czi, out, *options)
    if done.returncode == 1 and "raise --memory-limit" in done.stderr:
        options[options.index("--memory-limit") + 1] = "20M"
        sluice.run("slide", "convert", czi, out, *options)
    elif done.returncode:
        return f"{' '.join(map(str, options))}: exit {done.returncode}: {done.stderr}"
    scenes = [None] if merged else sorted({t["scene"] for t in tiles})
    for group, scene in enumerate(scenes):
        try:
            compare_levels(sluice, out, str(group), planes_of(tiles, scene, fill))
        except AssertionError as error:
            return f"scene {scene}, {' '.join(map(str, options))}: {error}"
    return ""


def theirs(rng, sluice, place):
    """An array of zarr-python, as `sluice info` tells it."""
    version = rng.choice([2, 3])
    chunks = [rng.randint(1, 20) for _ in range(rng.randint(2, 5))]
    shape = [rng.randint(1, 60) for _ in chunks]
    shards = [n * rng.randint(1, 3) for n in chunks] if version == 3 and rng.random() < 0.5 \
        else None
    zarr.create_array(str(place / "f.zarr"), shape=shape, chunks=chunks, shards=shards,
                      dtype=rng.choice(["uint8", "int16", "float32", "bool", "complex64"]),
                      zarr_format=version, fill_value=rng.choice([None, 0, 1]),
                      order=rng.choice("CF") if version == 2 else None)
    level = json.loads(sluice.run("info", place / "f.zarr", "--json"))["images"][0]["levels"][0]
    wanted = {"shape": shape, "chunk": chunks} | ({"shard": shards} if shards else {})
    told = {key: level[key] for key in wanted}
    return "" if told == wanted else f"info tells {told} and not {wanted}"


def way_of(rng, axes, shape):
    """How an array is stored, of all that zarr-python can write and is read here."""
    version = rng.choice([2, 3])
    chunks = tuple(rng.choice([1, rng.randint(1, n), rng.randint(1, 2 * n)]) for n in shape)
    way = zarr_arrays.Way(version, chunks, big=rng.random() < 0.3,
                          codec=rng.choice(list(zarr_arrays.V2_CODECS if version == 2
                                                else zarr_arrays.V3_CODECS)),
                          keys=(rng.choice(["default", "v2"]), rng.choice("./")),
                          write_empty=rng.random() < 0.3, fill=rng.choice([0, 0, 1]))
    if rng.random() < 0.4:
        way.order = tuple(rng.sample(range(len(axes)), len(axes)))
    if version == 3 and rng.random() < 0.4:
        way.shards = tuple(n * rng.randint(1, 4) for n in chunks)
        way.index_first, way.index_checksum = rng.random() < 0.5, rng.random() < 0.5
    return way


def read(rng, sluice, place):
    """An image of zarr-python with one to three levels, as `sluice slide read` gives it."""
    axes = rng.choice(["yx", "xy", "cyx", "zyx", "yxc", "czyx", "tczyx", "xyzct", "tyx"])
    shape = tuple(rng.randint(1, 90) if a in "xy" else rng.randint(1, 3) for a in axes)
    way, dtype = way_of(rng, axes, shape), rng.choice(zarr_arrays.DTYPES)
    levels = [zarr_arrays.values_of(rng, dtype, shape, way.fill)]
    factor, up, scales = rng.choice([2, 2, 3, 4]), rng.random() < 0.5, [(1,) * len(axes)]
    for n in range(1, rng.randint(1, 3)):
        by = {"y": factor**n, "x": factor**n}
        smaller = zarr_arrays.coarser(levels[0], axes, by, up)
        # Where floor left nothing to round, the factor of a level cannot be what is told.
        if min(shape[axes.index(a)] for a in "xy") < factor**n:
            break
        levels.append(zarr_arrays.values_of(rng, dtype, smaller, way.fill))
        scales.append(tuple(by.get(a, 1) for a in axes))
    zarr_arrays.write_image(place / "f.zarr", levels, axes, way, scales)
    height, width = (shape[axes.index(a)] for a in "yx")
    for n, level in enumerate(levels):
        planes = zarr_arrays.as_planes(level, axes)
        size = (*planes.shape[:3], -(-height // factor**n), -(-width // factor**n))
        try:
            zarr_arrays.check(sluice, place / "f.zarr", zarr_arrays.to_edge(planes, size),
                              words=("--level", n, "--threads", rng.randint(1, 3)))
        except AssertionError as error:
            return f"{axes} {shape} {dtype}, {way}, by {factor}: {error}"
    x, y = rng.randrange(width), rng.randrange(height)
    region = (x, y, rng.randint(1, width - x), rng.randint(1, height - y))
    zarr_arrays.check(sluice, place / "f.zarr", zarr_arrays.as_planes(levels[0], axes), region)
    return ""


KINDS = [converted] * 6 + [theirs] + [read] * 6
