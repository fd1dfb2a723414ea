"""A conversion to OME-Zarr, read by zarr-python: every level, and what `sluice info` tells of it.

SPDX-License-Identifier: Apache-2.0
"""
import json

import numpy as np
import zarr


def halved(level):
    """The mean of 2 x 2, or of those of them that there are; integers round halves up."""
    even = np.pad(level, [(0, 0)] * 3 + [(0, n % 2) for n in level.shape[-2:]], mode="edge")
    wide = np.float64 if level.dtype == np.float64 else (
        np.float32 if level.dtype.kind == "f" else np.int64)
    a, b, c, d = (even[..., y::2, x::2].astype(wide) for y in (0, 1) for x in (0, 1))
    if level.dtype.kind == "f":
        return (((a + b) + (c + d)) * wide(0.25)).astype(level.dtype)
    return ((a + b + c + d + 2) >> 2).astype(level.dtype)


def compare(got, wanted, what):
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise AssertionError(f"{what}: {got.dtype} {got.shape}, not {wanted.dtype} {wanted.shape}")
    if not np.array_equal(got, wanted):
        places = np.argwhere(got != wanted)
        first = tuple(places[0])
        raise AssertionError(f"{what}: {len(places)} of {got.size} elements differ, the first at "
                             f"{first}: {got[first]} and not {wanted[first]}")


def compare_levels(sluice, out, group, planes):
    """The first level is what is given, each other the one above it halved."""
    told = json.loads(sluice.run("info", out, "--json"))["images"][int(group)]["levels"]
    opened = zarr.open_group(str(out / group), mode="r")
    attributes = dict(opened.attrs)
    attributes = attributes.get("ome", attributes)
    datasets = attributes["multiscales"][0]["datasets"]
    if [t["path"] for t in told] != [d["path"] for d in datasets]:
        raise AssertionError(f"info tells other levels: {told}")
    above = None
    for dataset, level in zip(datasets, told):
        array = opened[dataset["path"]]
        if list(array.shape) != level["shape"] or list(array.chunks) != level["chunk"]:
            raise AssertionError(f"info tells {level} of {array.shape}, chunks {array.chunks}")
        pixels = array[...]
        compare(pixels, planes if above is None else halved(above), f"level {dataset['path']}")
        above = pixels
