#!/usr/bin/env python3
"""What `sluice slide convert` writes, as zarr-python reads it, and what zarr-python writes, as
`sluice info` and `sluice slide read` read it.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/zarr_matrix.py --sluice build/release/bin/sluice --out FOLDER

Slides of every pixel type are made by make_czi, converted with every option that shapes an array,
read by zarr-python and compared, element by element, with what `sluice slide read` gives as TIFF,
read by tifffile; each coarser level with the mean of the one before, computed again by NumPy.
"""
import json
import sys

import matrix

with matrix.packages():
    import numcodecs  # noqa: F401, the codecs of version 2
    import numpy as np
    import tifffile
    import zarr
    import zarr_drawn
    import zarr_read_cases
    from zarr_case import compare_levels

PIXELS = ["gray8", "gray16", "gray32float", "bgr24", "bgr48", "bgra32", "bgr96float"]
OPTIONS = {
    "0.4 blosc": ["--ngff", "0.4"],
    "0.4 zstd, small memory": ["--ngff", "0.4", "--codec", "zstd", "--memory-limit", "400k"],
    "0.4 none, fill": ["--ngff", "0.4", "--codec", "none", "--background", "9"],
    "0.5 blosc": ["--ngff", "0.5"],
    "0.5 zstd": ["--ngff", "0.5", "--codec", "zstd", "--codec-level", "1"],
    "0.5 none": ["--ngff", "0.5", "--codec", "none"],
    "0.5 shards, blosc": ["--ngff", "0.5", "--shard", "128"],
    "0.5 shards, zstd, one thread": ["--ngff", "0.5", "--shard", "192", "--codec", "zstd",
                                     "--threads", "1"],
}
CHANNELS, SLICES = 2, 2


def planes_of(sluice, czi, folder):
    """All planes by `sluice slide read`, as [channel][slice][row][column][sample]."""
    channels = []
    for channel in range(CHANNELS):
        tiff = folder / f"{czi.stem}_{channel}.tiff"
        sluice.run("slide", "read", czi, "--channel", channel, "--plane", f"Z=0..{SLICES - 1}",
            "--background", 0, "--out", tiff)
        image = tifffile.imread(tiff)
        tall = image if image.ndim == 4 else image[..., None]
        channels.append(tall.reshape((SLICES,) + tall.shape[-3:]))
    return np.stack(channels)


def as_zarr(planes):
    """[t][c][z][y][x], of which c counts samples of colours fastest."""
    colours = np.moveaxis(planes, -1, 1)  # c s z y x
    return colours.reshape((1, -1) + colours.shape[2:])


def slides(sluice, folder, tally):
    make_czi = sluice.beside("make_czi")
    if not make_czi.path.exists():
        return tally.skip(f"zarr_matrix: {make_czi.path} is not built", len(PIXELS) * len(OPTIONS))
    for number, pixel in enumerate(PIXELS):
        czi = folder / f"{pixel}.czi"
        try:
            make_czi.run(czi, "--size", "203x171", "--tile", "90", "--overlap", "0.1", "--pixel",
                         pixel, "--compression", ("zstd1", "none", "lzw")[number % 3],
                         "--channels", CHANNELS, "--slices", SLICES)
            planes = as_zarr(planes_of(sluice, czi, folder))
        except Exception as problem:
            tally.count(pixel, problem)
            continue
        for name, options in OPTIONS.items():
            def converted():
                out = folder / f"{pixel}_{'_'.join(name.replace(',', '').split())}.zarr"
                sluice.run("slide", "convert", czi, out, "--chunk", 64, "--min-size", 40, *options)
                compare_levels(sluice, out, "0", planes)
            tally.check(f"{pixel}, {name}", converted)


def told(sluice, path, **wanted):
    info = json.loads(sluice.run("info", path, "--json"))
    level = info["images"][0]["levels"][0]
    for key, value in wanted.items():
        if level[key] != value:
            raise AssertionError(f"info tells {key} {level[key]}, not {value}")
    sluice.run("info", path)


def theirs(sluice, folder, tally):
    """Arrays and images of zarr-python, in both versions and with its own codecs."""
    for version in (2, 3):
        for dtype in ("uint8", "uint16", "int32", "float32", "float64", "int64", "bool"):
            path = folder / f"theirs_{version}_{dtype}.zarr"

            def array():
                made = zarr.create_array(str(path), shape=(3, 50, 70), chunks=(1, 20, 30),
                                         dtype=dtype, zarr_format=version)
                made[...] = np.ones((3, 50, 70), dtype)
                told(sluice, path, shape=[3, 50, 70], chunk=[1, 20, 30])

            tally.check(f"info of an array of zarr-python, version {version}, {dtype}", array)
        path = folder / f"image_{version}.zarr"

        def image():
            group = zarr.open_group(str(path), mode="w", zarr_format=version)
            group.create_array("s0", shape=(2, 60, 80), chunks=(1, 32, 32), dtype="uint16")
            group.create_array("s1", shape=(2, 30, 40), chunks=(1, 32, 32), dtype="uint16")
            axes = [{"name": "c", "type": "channel"},
                    *({"name": n, "type": "space", "unit": "micrometer"} for n in "yx")]
            datasets = [{"path": f"s{level}", "coordinateTransformations":
                         [{"type": "scale", "scale": [1.0, 0.5 * 2**level, 0.5 * 2**level]}]}
                        for level in (0, 1)]
            scales = [{"name": "made elsewhere", "axes": axes, "datasets": datasets}]
            if version == 2:
                scales[0]["version"] = "0.4"
                group.attrs["multiscales"] = scales
            else:
                group.attrs["ome"] = {"version": "0.5", "multiscales": scales}
            told(sluice, path, shape=[2, 60, 80], chunk=[1, 32, 32], scale=[1.0, 0.5, 0.5])
            if "made elsewhere" not in sluice.run("info", path):
                raise AssertionError("info does not tell the name")

        tally.check(f"info of an image of zarr-python, version {version}", image)
    path = folder / "sharded.zarr"

    def sharded():
        zarr.create_array(str(path), shape=(100, 100), chunks=(10, 10), shards=(50, 50),
                          dtype="uint16", zarr_format=3)
        told(sluice, path, chunk=[10, 10], shard=[50, 50])

    tally.check("info of a sharded array of zarr-python", sharded)


def fixed(sluice, folder, tally):
    slides(sluice, folder, tally)
    theirs(sluice, folder, tally)
    zarr_read_cases.fixed(sluice, folder, tally)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, zarr_drawn.KINDS, 20))
