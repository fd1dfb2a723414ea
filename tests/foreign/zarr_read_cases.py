"""Fixed cases of arrays and images of zarr-python, read by `sluice slide read`.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import pathlib
import random
import shutil

import numcodecs
import numpy as np
import zarr
from zarr import codecs
from zarr_arrays import (DTYPES, V2_CODECS, V3_CODECS, Way, as_planes, check, coarser, to_edge,
                         values_of, write, write_image)

AXES = ["yx", "xy", "cyx", "zyx", "tczyx", "tcyx", "czyx", "yxc", "xyzct", "zcyxt"]
FILLS = {"f2": [np.nan, np.inf, -2.5], "f4": [np.nan, -np.inf, 0.1], "f8": [np.nan, 1e300, -0.0],
         "u1": [255], "i1": [-128], "u2": [65535], "i2": [-32768], "i4": [-2**31], "u4": [2**32 - 1],
         "bool": [True]}


def array(sluice, path, way, dtype="u2", axes="yx", shape=(), region=None):
    """Writes an image of one level, and reads it."""
    rng = random.Random(str(path))
    shape = shape or tuple({"y": 41, "x": 53}.get(a, 3) for a in axes)
    way.chunks = way.chunks or tuple({"y": 16, "x": 20}.get(a, 1) for a in axes)
    values = values_of(rng, dtype, shape, way.fill)
    write_image(path, [values], axes, way, None)
    check(sluice, path, as_planes(values, axes), region)


def ways():
    """(name, a call of array())."""
    for version, dtype, big in itertools.product((2, 3), DTYPES, (False, True)):
        yield f"v{version} {dtype}, big-endian {big}", dict(
            way=Way(version, big=big), dtype=dtype)
    for codec in V2_CODECS:
        for dtype in ("u1", "u2", "f8"):
            yield f"v2 {codec} {dtype}", dict(way=Way(2, codec=codec), dtype=dtype)
    for codec in V3_CODECS:
        for dtype in ("u1", "u2", "f8"):
            yield f"v3 {codec} {dtype}", dict(way=Way(codec=codec), dtype=dtype)
    for first, summed, codec in itertools.product((False, True), (False, True),
                                                  ("none", "zstd, crc32c", "blosc lz4 shuffle")):
        yield f"shards, index first {first}, summed {summed}, {codec}", dict(
            way=Way(shards=(32, 60), codec=codec, index_first=first, index_checksum=summed))
    for dtype, fills in FILLS.items():
        for version, fill, empty in itertools.product((2, 3), fills, (False, True)):
            yield f"v{version} fill {fill} of {dtype}, empty chunks {empty}", dict(
                way=Way(version, fill=fill, write_empty=empty), dtype=dtype)
    for version, separator in itertools.product((2, 3), "./"):
        yield f"v{version} keys with {separator}", dict(
            way=Way(version, keys=("default", separator)), axes="cyx")
        if version == 3:
            yield f"v3 keys of v2 with {separator}", dict(
                way=Way(keys=("v2", separator)), axes="cyx")
    for version, axes in itertools.product((2, 3), AXES):
        yield f"v{version} {axes}", dict(way=Way(version), axes=axes)
        yield f"v{version} {axes}, several planes a chunk", dict(
            way=Way(version, chunks=(2,) * (len(axes) - 1) + (7,)), axes=axes)
        yield f"v{version} {axes}, other order", dict(
            way=Way(version, order=tuple(reversed(range(len(axes))))), axes=axes)
    yield "transposed", dict(way=Way(order=(2, 0, 3, 1), chunks=(2, 2, 16, 9)), axes="tcyx")
    yield "transposed in shards", dict(
        way=Way(order=(1, 2, 0), chunks=(2, 16, 9), shards=(4, 32, 27)), axes="cyx")
    yield "chunks larger than the image", dict(way=Way(chunks=(2, 100, 200)), axes="cyx")
    yield "shards larger than the image", dict(way=Way(chunks=(64, 64), shards=(256, 256)))
    yield "one pixel", dict(way=Way(2, chunks=(1, 1)), shape=(1, 1))
    yield "a region", dict(way=Way(2, chunks=(9, 7)), region=(5, 6, 30, 20))
    yield "a region of planes", dict(way=Way(chunks=(2, 9, 7)), axes="zyx", region=(6, 8, 9, 8))


def pyramids(sluice, folder, tally):
    """Levels have pixels of their own, so that it shows which are read, and from where."""
    for version, factor, up, told in itertools.product((2, 3), (2, 3, 4), (True, False),
                                                       ("well", "not", "wrongly")):
        path = folder / f"pyramid{version}{factor}{up}{told}.zarr"

        def pyramid():
            rng = random.Random(f"{factor}{up}")
            axes, levels = "cyx", [values_of(rng, "u2", (2, 203, 171))]
            for n in (1, 2):
                by = {"y": factor**n, "x": factor**n}
                levels.append(values_of(rng, "u2", coarser(levels[0], axes, by, up)))
            scales = {"well": [(1, factor**n, factor**n) for n in range(3)], "not": None,
                      "wrongly": [(1, 1, 1)] * 3}[told]
            write_image(path, levels, axes, Way(version, chunks=(1, 32, 40)), scales)
            for n, level in enumerate(levels):
                size = (-(-s // factor**n) for s in (203, 171))
                check(sluice, path, as_planes(to_edge(level, (2, *size)), axes),
                      words=("--level", n))

        name = f"v{version} pyramid by {factor}, rounded up {up}, scales told {told}"
        tally.check(name, pyramid)


def anisotropic(sluice, folder):
    """z is halved on the second level only: that level is left out, and named."""
    path, rng = folder / "anisotropic.zarr", random.Random(1)
    levels = [values_of(rng, "u2", shape) for shape in ((4, 60, 80), (4, 30, 40), (2, 15, 20))]
    write_image(path, levels, "zyx", Way(2, chunks=(1, 16, 16)), [(2, 1, 1), (2, 2, 2), (4, 4, 4)])
    check(sluice, path, as_planes(levels[1], "zyx"), words=("--level", 1))
    refused(sluice, path, "there is no level 2", "--level", 2)
    said = sluice.tried("slide", "read", path, "--out", folder / "a.npy").stderr
    if "level 's2' is left out (it is coarser along z, too)" not in said:
        return f"it says nothing of level 2: {said}"
    return ""


def refused(sluice, path, *words):
    """Reading ends with an error that has the first of the words; the others are options."""
    done = sluice.tried("slide", "read", path, "--out", path.with_suffix(".npy"), *words[1:])
    if done.returncode not in (1, 2) or words[0] not in done.stderr:
        raise AssertionError(f"exit {done.returncode}, and '{words[0]}' is not in: {done.stderr}")


def refusals(sluice, folder, tally):
    """What is not read here is refused with its name."""
    v2 = {"bz2": numcodecs.BZ2(), "lzma": numcodecs.LZMA(), "int64": None, "uint64": None,
          "complex64": None}
    for name, codec in v2.items():
        def old():
            path = folder / f"refused_{name}.zarr"
            zarr.create_array(str(path), shape=(20, 20), chunks=(10, 10), zarr_format=2,
                              dtype="u2" if codec else name, compressors=codec)[...] = 1
            refused(sluice, path, {"complex64": "<c8"}.get(name, name))
        tally.check(f"v2 {name} is refused", old)
    filters = [codecs.Delta(dtype="u2"), codecs.FixedScaleOffset(offset=1, scale=2, dtype="u2"),
               codecs.Shuffle(elementsize=2), codecs.PackBits()]
    for one in filters:
        def filtered(one=one):
            path = folder / f"refused_{type(one).__name__}.zarr"
            last = isinstance(one, codecs.Shuffle)
            zarr.create_array(str(path), shape=(20, 20), chunks=(10, 10),
                              dtype="bool" if isinstance(one, codecs.PackBits) else "u2",
                              compressors=[one] if last else None, filters=None if last else [one])
            refused(sluice, path, one.codec_name)
        tally.check(f"v3 {type(one).__name__} is refused", filtered)
    for codec in (codecs.BZ2(), codecs.LZMA(), codecs.CRC32(), codecs.Adler32()):
        def new(codec=codec):
            path = folder / f"refused_3{type(codec).__name__}.zarr"
            zarr.create_array(str(path), shape=(20, 20), chunks=(10, 10), dtype="u2",
                              compressors=[codec])[...] = 1
            refused(sluice, path, codec.codec_name)
        tally.check(f"v3 {type(codec).__name__} is refused", new)

    def delta():
        path = folder / "refused_delta2.zarr"
        zarr.create_array(str(path), shape=(20, 20), chunks=(10, 10), dtype="u2", zarr_format=2,
                          filters=[numcodecs.Delta("u2")])
        refused(sluice, path, '"id":"delta"')
    tally.check("v2 delta is refused", delta)


def bare(sluice, folder, tally):
    """Arrays without OME metadata: the axes are those of images, or those that have names."""
    for version, axes in itertools.product((2, 3), ("yx", "zyx", "czyx", "tczyx")):
        def plain():
            path = folder / f"bare{version}{axes}.zarr"
            values = values_of(random.Random(axes), "u2", (2, 3, 4, 30, 40)[-len(axes):])
            write(path, values, Way(version, chunks=(1, 1, 1, 16, 16)[-len(axes):]))
            check(sluice, path, as_planes(values, axes))
        tally.check(f"v{version} array without metadata, {axes}", plain)

    def named():
        path = folder / "named.zarr"
        values = values_of(random.Random(5), "u1", (30, 40, 3))
        write(path, values, Way(chunks=(16, 16, 1), names=("y", "x", "c")))
        check(sluice, path, as_planes(values, "yxc"))
    tally.check("array whose dimensions have names", named)


def twice(sluice, folder):
    """Two transpositions, one after the other."""
    path, values = folder / "twice.zarr", values_of(random.Random(3), "u2", (4, 30, 40))
    made = zarr.create_array(
        str(path), shape=values.shape, chunks=(2, 16, 9), dtype="u2", compressors=None,
        filters=[codecs.TransposeCodec(order=(1, 2, 0)), codecs.TransposeCodec(order=(0, 2, 1))])
    made[...] = values
    check(sluice, path, as_planes(values, "zyx"))


def misnamed(sluice, folder):
    """Older writers left out dimension_separator although their chunks are in folders."""
    path = folder / "misnamed.zarr"
    write(path, np.ones((20, 20), "u2"), Way(2, chunks=(10, 10), keys=("v2", "/")))
    metadata = path / ".zarray"
    metadata.write_text(metadata.read_text().replace('"/"', '"."'))
    refused(sluice, path, "has chunks with names like '0/0', and its metadata say '0.0'")


def unwritten(sluice, folder):
    """An array without a chunk is its fill value, and it is told that there is none."""
    path = folder / "unwritten.zarr"
    zarr.create_array(str(path), shape=(20, 30), chunks=(10, 10), dtype="f4", fill_value=np.nan)
    check(sluice, path, np.full((1, 1, 1, 20, 30), np.nan, "f4"))
    said = sluice.tried("slide", "read", path, "--out", folder / "a.npy").stderr
    return "" if "has no chunk; all its pixels have the fill value" in said else f"it says {said}"


def several(sluice, folder, tally):
    """A series and a plate: each image by its path, all together not."""
    for version in (2, 3):
        root, rng = folder / f"series{version}.zarr", random.Random(version)
        plate, way = folder / f"plate{version}.zarr", Way(version, chunks=(1, 16, 16))
        images = [values_of(rng, "u2", (2, 33, 44)) for _ in range(3)]

        def series():
            group = zarr.open_group(str(root), mode="w", zarr_format=version)
            about = {"bioformats2raw.layout": 3}
            group.attrs.update(about if version == 2 else {"ome": {"version": "0.5"} | about})
            for n, values in enumerate(images):
                write_image(root / str(n), [values], "cyx", way, [(1, 1, 1)])
            refused(sluice, root, f"has 3 images; give the folder of one image: {root}/0, {root}/1")
            for n, values in enumerate(images):
                check(sluice, root / str(n), as_planes(values, "cyx"))
            # A series of one is that one.
            for n in (1, 2):
                shutil.rmtree(root / str(n))
            check(sluice, root, as_planes(images[0], "cyx"))

        def wells():
            group = zarr.open_group(str(plate), mode="w", zarr_format=version)
            paths = ["A/1/0", "A/1/1", "B/3/0"]
            about = {"plate": {"rows": [{"name": "A"}, {"name": "B"}],
                               "columns": [{"name": "1"}, {"name": "3"}],
                               "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0},
                                         {"path": "B/3", "rowIndex": 1, "columnIndex": 1}]}}
            group.attrs.update(about if version == 2 else {"ome": {"version": "0.5"} | about})
            for where, fields in (("A/1", ("0", "1")), ("B/3", ("0",))):
                well = zarr.open_group(str(plate / where), mode="w", zarr_format=version)
                about = {"well": {"images": [{"path": f} for f in fields]}}
                well.attrs.update(about if version == 2 else {"ome": {"version": "0.5"} | about})
            for where, values in zip(paths, images):
                write_image(plate / where, [values], "cyx", way, [(1, 1, 1)])
            refused(sluice, plate, f"has 3 images; give the folder of one image: {plate}/A/1/0")
            for where, values in zip(paths, images):
                check(sluice, plate / where, as_planes(values, "cyx"))

        tally.check(f"v{version} series", series)
        tally.check(f"v{version} plate", wells)


def fixed(sluice, folder: pathlib.Path, tally):
    place = folder / "read"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    tally.check_all([(f"read {name}", lambda n=n, how=how: array(sluice, place / f"{n}.zarr", **how))
                     for n, (name, how) in enumerate(ways())])
    pyramids(sluice, place, tally)
    tally.check("anisotropic pyramid", lambda: anisotropic(sluice, place))
    refusals(sluice, place, tally)
    bare(sluice, place, tally)
    for case in (twice, misnamed, unwritten):
        tally.check(case.__name__, lambda: case(sluice, place))
    several(sluice, place, tally)
