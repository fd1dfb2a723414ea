"""Arrays and images that zarr-python writes, and how `sluice slide read` must give them back.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import itertools

import numcodecs
import numpy as np
import zarr
from zarr import codecs

DTYPES = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "f2", "f4", "f8"]
# Types that slides have not are read as the next wider ones.
READ_AS = {"b1": "u1", "i1": "i4", "i2": "i4", "u4": "f8", "f2": "f4"}
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]
V2_CODECS = {
    "none": None,
    "zstd": numcodecs.Zstd(3),
    "zstd with a checksum": numcodecs.Zstd(1, checksum=True),
    "gzip": numcodecs.GZip(4),
    "zlib": numcodecs.Zlib(4),
    "lz4": numcodecs.LZ4(),
    **{f"blosc {c} {s}": numcodecs.Blosc(c, 5, s) for c in CNAMES for s in range(3)},
}
V3_CODECS = {
    "none": [],
    "zstd": [codecs.ZstdCodec(level=3)],
    "zstd with a checksum": [codecs.ZstdCodec(level=1, checksum=True)],
    "gzip": [codecs.GzipCodec(level=4)],
    "crc32c": [codecs.Crc32cCodec()],
    "zstd, crc32c": [codecs.ZstdCodec(level=3), codecs.Crc32cCodec()],
    "numcodecs.zlib": [codecs.Zlib(level=4)],
    "numcodecs.gzip": [codecs.GZip(level=4)],
    "numcodecs.lz4": [codecs.LZ4()],
    "numcodecs.zstd": [codecs.Zstd(level=3)],
    # Without a type size of its own zarr-python takes that of the elements.
    **{f"blosc {c} {s}": [codecs.BloscCodec(cname=c, clevel=5, shuffle=s)]
       for c in CNAMES for s in SHUFFLES},
}


@dataclasses.dataclass
class Way:
    """How an array is stored. `order`: a permutation of the axes; version 2 has C and F only."""
    version: int = 3
    chunks: tuple = ()
    shards: tuple = ()
    codec: str = "zstd"
    big: bool = False
    order: tuple = ()
    fill: object = 0
    keys: tuple = ("default", "/")
    index_first: bool = False
    index_checksum: bool = True
    write_empty: bool = False
    names: tuple = ()

    def __str__(self):
        changed = (f for f in dataclasses.fields(self) if getattr(self, f.name) != f.default)
        return ", ".join(f"{f.name} {getattr(self, f.name)}" for f in changed)


def writer_of(way, dtype):
    """The codecs of version 3: (filters, serializer, compressors)."""
    swapped = [codecs.TransposeCodec(order=way.order)] if way.order else []
    to_bytes = codecs.BytesCodec(endian="big" if way.big else "little")
    packed = V3_CODECS[way.codec]
    if not way.shards:
        return swapped, to_bytes, packed
    index = [codecs.BytesCodec()] + [codecs.Crc32cCodec()] * way.index_checksum
    sharding = codecs.ShardingCodec(
        chunk_shape=way.chunks, codecs=swapped + [to_bytes] + packed, index_codecs=index,
        index_location="start" if way.index_first else "end")
    return [], sharding, []


def write(path, values, way):
    """An array of a version, a type and a way."""
    how = dict(shape=values.shape, chunks=way.shards or way.chunks, fill_value=way.fill,
               zarr_format=way.version, config={"write_empty_chunks": way.write_empty})
    if way.version == 2:
        made = zarr.create_array(
            str(path), dtype=values.dtype.newbyteorder(">" if way.big else "<"),
            order="F" if way.order else "C", compressors=V2_CODECS[way.codec], filters=None,
            chunk_key_encoding={"name": "v2", "separator": way.keys[1]}, **how)
    else:
        filters, serializer, compressors = writer_of(way, values.dtype)
        made = zarr.create_array(
            str(path), dtype=values.dtype, filters=filters, serializer=serializer,
            compressors=compressors, dimension_names=way.names or None,
            chunk_key_encoding={"name": way.keys[0], "separator": way.keys[1]}, **how)
    made[...] = values
    return made


def values_of(rng, dtype, shape, fill=0):
    """Random elements, of which whole stretches are the fill value."""
    dtype = np.dtype(dtype)
    draw = np.random.default_rng(rng.getrandbits(32))
    if dtype.kind == "b":
        out = draw.integers(0, 2, shape).astype(bool)
    elif dtype.kind in "iu":
        # Whole ranges, and small numbers that compress.
        most = np.iinfo(dtype).max if rng.random() < 0.5 else min(50, np.iinfo(dtype).max)
        least = np.iinfo(dtype).min if most > 127 else 0
        out = draw.integers(least, most, shape, dtype, endpoint=True)
    else:
        out = draw.normal(0, 1000, shape).astype(dtype)
        for special in (np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).smallest_subnormal):
            out[draw.random(shape) < 0.02] = special
    if rng.random() < 0.5:
        at = tuple(slice(a, b) for a, b in (sorted(rng.choices(range(n + 1), k=2)) for n in shape))
        out[at] = fill
    return out


def as_planes(values, axes):
    """[t][c][z][y][x], of the types of slides."""
    kept = [n for n, axis in enumerate(axes) if axis in "tczyx"]
    values = values.reshape([values.shape[n] for n in kept])
    axes = "".join(axes[n] for n in kept)
    values = values.transpose([axes.index(a) for a in "tczyx" if a in axes])
    full = values.reshape([values.shape["".join(a for a in "tczyx" if a in axes).index(a)]
                           if a in axes else 1 for a in "tczyx"])
    return full.astype(READ_AS.get(full.dtype.str[1:], full.dtype.str[1:]))


def same(got, wanted, what):
    """Element by element; not-a-number equals itself, and zeros have signs."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise AssertionError(f"{what}: {got.dtype} {got.shape}, not {wanted.dtype} {wanted.shape}")
    equal = got == wanted
    if got.dtype.kind == "f":
        equal &= np.signbit(got) == np.signbit(wanted)
        equal |= np.isnan(got) & np.isnan(wanted)
    if not equal.all():
        first = tuple(np.argwhere(~equal)[0])
        raise AssertionError(f"{what}: {(~equal).sum()} of {got.size} elements differ, the first "
                             f"at {first}: {got[first]} and not {wanted[first]}")


def read(sluice, path, out, counts, *words):
    """All planes as [t][c][z][y][x]; `counts`: of t, c and z."""
    sluice.run("slide", "read", path, "--plane", f"T=0..{counts[0] - 1},Z=0..{counts[2] - 1}",
               "--out", out, *words)
    got = np.load(out)
    out.unlink()
    return got.reshape(*counts, *got.shape[-2:])


def check(sluice, path, planes, region=None, words=()):
    """What is read of a path, or of a region of it, is `planes`."""
    if region:
        x, y, width, height = region
        planes = planes[..., y:y + height, x:x + width]
        words = (*words, "--region", ",".join(map(str, region)))
    out = path.with_name(path.name + ".npy")
    same(read(sluice, path, out, planes.shape[:3], *words), planes, " ".join(map(str, words)))


def coarser(values, axes, factors, up):
    """A level's size, rounded up or down, with pixels of its own."""
    rounded = (lambda n, f: -(-n // f)) if up else (lambda n, f: max(1, n // f))
    return tuple(rounded(n, factors.get(a, 1)) for n, a in zip(values.shape, axes))


def to_edge(level, shape):
    """A level that was rounded down repeats its last row and column."""
    pad = [(0, want - n) for n, want in zip(level.shape, shape)]
    return np.pad(level, pad, mode="edge")


def axes_json(axes):
    types = {"t": "time", "c": "channel"}
    units = {"x": "micrometer", "y": "micrometer", "z": "micrometer", "t": "second"}
    return [{"name": a, "type": types.get(a, "space")} | ({"unit": units[a]} if a in units else {})
            for a in axes]


def write_image(path, levels, axes, way, scales):
    """A group of arrays: `scales` has the factor of each axis for each level, or None."""
    group = zarr.open_group(str(path), mode="w", zarr_format=way.version)
    datasets = []
    for number, (values, scale) in enumerate(itertools.zip_longest(levels, scales or [])):
        write(path / f"s{number}", values, way)
        datasets.append({"path": f"s{number}"})
        if scale is not None:
            datasets[-1]["coordinateTransformations"] = [
                {"type": "scale", "scale": [0.5 * f for f in scale]}]
    multiscales = [{"axes": axes_json(axes), "datasets": datasets, "name": "theirs"}]
    if way.version == 2:
        multiscales[0]["version"] = "0.4"
        group.attrs["multiscales"] = multiscales
    else:
        group.attrs["ome"] = {"version": "0.5", "multiscales": multiscales}
