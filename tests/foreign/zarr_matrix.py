#!/usr/bin/env python3
"""What `sluice slide convert` writes, as zarr-python reads it, and what zarr-python writes, as
`sluice info` reads it.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/zarr_matrix.py --sluice build/release/bin/sluice --out FOLDER

Slides of every pixel type are made by make_czi, converted with every option that shapes an array,
read by zarr-python and compared, element by element, with what `sluice slide read` gives as TIFF,
read by tifffile; each coarser level with the mean of the one before, computed again by NumPy.
"""
import argparse
import json
import pathlib
import subprocess
import sys

PIXELS = ["gray8", "gray16", "gray32float", "bgr24", "bgr48", "bgra32", "bgr96float"]
OPTIONS = {
    "0.4 blosc": ["--ngff", "0.4"],
    "0.4 zstd, small memory": ["--ngff", "0.4", "--codec", "zstd", "--memory-limit", "400k"],
    "0.4 none, fill": ["--ngff", "0.4", "--codec", "none", "--fill", "9"],
    "0.5 blosc": ["--ngff", "0.5"],
    "0.5 zstd": ["--ngff", "0.5", "--codec", "zstd", "--codec-level", "1"],
    "0.5 none": ["--ngff", "0.5", "--codec", "none"],
    "0.5 shards, blosc": ["--ngff", "0.5", "--shard", "128"],
    "0.5 shards, zstd, one thread": ["--ngff", "0.5", "--shard", "192", "--codec", "zstd",
                                     "--threads", "1"],
}
CHANNELS, SLICES = 2, 2
counts = {"passed": 0, "failed": 0, "skipped": 0}


def check(name, work):
    """Runs one comparison; what it raises is its failure."""
    try:
        work()
        counts["passed"] += 1
    except Exception as problem:  # whatever it is, the others go on
        counts["failed"] += 1
        print(f"FAILED {name}: {type(problem).__name__}: {problem}")


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}: "
                           f"{done.stderr.strip()[-400:]}")
    return done.stdout


def planes_of(sluice, czi, folder):
    """All planes by `sluice slide read`, as [channel][slice][row][column][sample]."""
    channels = []
    for channel in range(CHANNELS):
        tiff = folder / f"{czi.stem}_{channel}.tiff"
        run(sluice, "slide", "read", czi, "--channel", channel, "--plane", f"Z=0..{SLICES - 1}",
            "--background", 0, "--out", tiff)
        image = tifffile.imread(tiff)
        tall = image if image.ndim == 4 else image[..., None]
        channels.append(tall.reshape((SLICES,) + tall.shape[-3:]))
    return numpy.stack(channels)


def as_zarr(planes):
    """[t][c][z][y][x], of which c counts samples of colours fastest."""
    colours = numpy.moveaxis(planes, -1, 1)  # c s z y x
    return colours.reshape((1, -1) + colours.shape[2:])


def halved(level):
    """The mean of 2 x 2, or of those of them that there are; integers round halves up."""
    even = numpy.pad(level, [(0, 0)] * 3 + [(0, n % 2) for n in level.shape[-2:]], mode="edge")
    wide = numpy.float64 if level.dtype == numpy.float64 else (
        numpy.float32 if level.dtype.kind == "f" else numpy.int64)
    a, b, c, d = (even[..., y::2, x::2].astype(wide) for y in (0, 1) for x in (0, 1))
    if level.dtype.kind == "f":
        return (((a + b) + (c + d)) * wide(0.25)).astype(level.dtype)
    return ((a + b + c + d + 2) >> 2).astype(level.dtype)


def compare(got, wanted, what):
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise AssertionError(f"{what}: {got.dtype} {got.shape}, not {wanted.dtype} {wanted.shape}")
    if not numpy.array_equal(got, wanted):
        places = numpy.argwhere(got != wanted)
        first = tuple(places[0])
        raise AssertionError(f"{what}: {len(places)} of {got.size} elements differ, the first at "
                             f"{first}: {got[first]} and not {wanted[first]}")


def converted(sluice, czi, folder, planes, name, options):
    out = folder / f"{czi.stem}_{'_'.join(name.replace(',', '').split())}.zarr"
    run(sluice, "slide", "convert", czi, out, "--chunk", 64, "--min-size", 40, *options)
    info = json.loads(run(sluice, "info", out, "--json"))
    group = zarr.open_group(str(out / "0"), mode="r")
    attributes = dict(group.attrs)
    attributes = attributes.get("ome", attributes)
    datasets = attributes["multiscales"][0]["datasets"]
    told = info["images"][0]["levels"]
    if [t["path"] for t in told] != [d["path"] for d in datasets]:
        raise AssertionError(f"info tells other levels: {told}")
    above = None
    for dataset, level in zip(datasets, told):
        array = group[dataset["path"]]
        if list(array.shape) != level["shape"] or list(array.chunks) != level["chunk"]:
            raise AssertionError(f"info tells {level} of {array.shape}, chunks {array.chunks}")
        pixels = array[...]
        compare(pixels, as_zarr(planes) if above is None else halved(above),
                f"level {dataset['path']}")
        above = pixels


def slides(sluice, make_czi, folder):
    for number, pixel in enumerate(PIXELS):
        czi = folder / f"{pixel}.czi"
        try:
            run(make_czi, czi, "--size", "203x171", "--tile", "90", "--overlap", "0.1", "--pixel",
                pixel, "--compression", ("zstd1", "none", "lzw")[number % 3], "--channels",
                CHANNELS, "--slices", SLICES)
            planes = planes_of(sluice, czi, folder)
        except Exception as problem:
            counts["failed"] += 1
            print(f"FAILED {pixel}: {problem}")
            continue
        for name, options in OPTIONS.items():
            check(f"{pixel}, {name}",
                  lambda: converted(sluice, czi, folder, planes, name, options))


def told(sluice, path, **wanted):
    info = json.loads(run(sluice, "info", path, "--json"))
    level = info["images"][0]["levels"][0]
    for key, value in wanted.items():
        if level[key] != value:
            raise AssertionError(f"info tells {key} {level[key]}, not {value}")
    run(sluice, "info", path)


def theirs(sluice, folder):
    """Arrays and images of zarr-python, in both versions and with its own codecs."""
    for version in (2, 3):
        for dtype in ("uint8", "uint16", "int32", "float32", "float64", "int64", "bool"):
            path = folder / f"theirs_{version}_{dtype}.zarr"

            def array():
                made = zarr.create_array(str(path), shape=(3, 50, 70), chunks=(1, 20, 30),
                                         dtype=dtype, zarr_format=version)
                made[...] = numpy.ones((3, 50, 70), dtype)
                told(sluice, path, shape=[3, 50, 70], chunk=[1, 20, 30])

            check(f"info of an array of zarr-python, version {version}, {dtype}", array)
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
            if "made elsewhere" not in run(sluice, "info", path):
                raise AssertionError("info does not tell the name")

        check(f"info of an image of zarr-python, version {version}", image)
    path = folder / "sharded.zarr"

    def sharded():
        zarr.create_array(str(path), shape=(100, 100), chunks=(10, 10), shards=(50, 50),
                          dtype="uint16", zarr_format=3)
        told(sluice, path, chunk=[10, 10], shard=[50, 50])

    check("info of a sharded array of zarr-python", sharded)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--sluice", required=True, help="the program")
    parser.add_argument("--out", required=True, help="a folder for the files")
    arguments = parser.parse_args()
    sluice = pathlib.Path(arguments.sluice).resolve()
    folder = pathlib.Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    make_czi = sluice.with_name("make_czi")
    if make_czi.exists():
        slides(sluice, make_czi, folder)
    else:
        counts["skipped"] += len(PIXELS) * len(OPTIONS)
        print(f"skipped {len(PIXELS) * len(OPTIONS)}: zarr_matrix: {make_czi} is not built")
    theirs(sluice, folder)


if __name__ == "__main__":
    try:
        import numpy
        import tifffile
        import zarr
        if int(zarr.__version__.split(".", maxsplit=1)[0]) < 3:
            raise ImportError(f"zarr {zarr.__version__} has no version 3")
        import numcodecs  # noqa: F401, the codecs of version 2
    except ImportError as lacks:
        print(f"skipped 1: zarr_matrix: {lacks}")
        print("0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    main()
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(1 if counts["failed"] else 0)
