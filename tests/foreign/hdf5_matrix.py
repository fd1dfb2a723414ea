#!/usr/bin/env python3
"""HDF5 and NPY files by h5py, hdf5plugin and NumPy: every type, filter, layout and order of axes.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/hdf5_matrix.py --sluice build/release/bin/sluice --out /tmp/foreign

Each case writes a file, lets `sluice` sum every frame with random weights, and compares with NumPy
on the values that were written. A case may ask for a refusal instead, and for words in it.
"""
import pathlib
import random
import sys

import matrix

with matrix.packages():
    import h5py
    import hdf5plugin
    import numpy as np
    import hdf5_drawn
    import nxmx_drawn
    from hdf5_case import Case, judge

SCAN, DETECTOR = (3, 5), (9, 14)
SHAPE = SCAN + DETECTOR
FRAMES = SCAN[0] * SCAN[1]
CASES = []


def values(dtype, seed=1):
    """Small whole numbers of a type, exact in every one; signed ones have negatives."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, SHAPE).astype(dtype)
    low = -100 if dtype.kind in "if" else 0
    return rng.integers(low, 120, SHAPE).astype(dtype)


def plain(data, **options):
    """A file of one dataset."""
    def make(path):
        with h5py.File(path, "w", libver=options.pop("libver", None)) as f:
            f.create_dataset("d", data=data, **options)
    return make


def add(name, make, want=None, **more):
    CASES.append(Case(name, make, want, **more))


TYPES = ["u1", "i1", "<u2", ">u2", "<i2", ">i2", "<u4", ">u4", "<i4", ">i4", "<u8", ">u8", "<i8",
         ">i8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "?"]
FILTERS = {
    "none": {},
    "gzip": {"compression": "gzip"},
    "shuffle-gzip": {"compression": "gzip", "shuffle": True},
    "shuffle-gzip-fletcher": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "fletcher": {"fletcher32": True},
    "lzf": {"compression": "lzf"},
    "shuffle-lzf": {"compression": "lzf", "shuffle": True},
    "lz4": dict(hdf5plugin.LZ4()),
    "lz4-blocks": dict(hdf5plugin.LZ4(nbytes=64)),
    "bitshuffle": dict(hdf5plugin.Bitshuffle(cname="none")),
    "bitshuffle-lz4": dict(hdf5plugin.Bitshuffle(cname="lz4")),
    "bitshuffle-zstd": dict(hdf5plugin.Bitshuffle(cname="zstd")),
    "bitshuffle-lz4-16": dict(hdf5plugin.Bitshuffle(nelems=16, cname="lz4")),
    "bitshuffle-64": dict(hdf5plugin.Bitshuffle(nelems=64, cname="none")),
    "zstd": dict(hdf5plugin.Zstd()),
    "shuffle-zstd": dict(shuffle=True, **hdf5plugin.Zstd()),
    "blosc-lz4": dict(hdf5plugin.Blosc(cname="lz4", shuffle=1)),
    "blosc-lz4hc": dict(hdf5plugin.Blosc(cname="lz4hc", shuffle=0)),
    "blosc-blosclz": dict(hdf5plugin.Blosc(cname="blosclz", shuffle=1)),
    "blosc-blosclz-bits": dict(hdf5plugin.Blosc(cname="blosclz", shuffle=2)),
    "blosc-zlib": dict(hdf5plugin.Blosc(cname="zlib", shuffle=1)),
    "blosc-zstd": dict(hdf5plugin.Blosc(cname="zstd", shuffle=2)),
    "blosc-stored": dict(hdf5plugin.Blosc(cname="lz4", clevel=0)),
}
CHUNKS = {
    "frame": (1, 1) + DETECTOR,
    "frames": (2, 3) + DETECTOR,
    "pieces": (1, 1, 4, 5),
    "blocks": (2, 2, 4, 5),
    "all": SHAPE,
    "points": (1, 1, 1, 3),
}


def matrix_of_types():
    """Types by filters by chunks: every pair of two of them, the third at random."""
    rng = random.Random(12)
    wanted = {(t, f) for t in TYPES for f in FILTERS}
    for t, f in sorted(wanted):
        c = rng.choice(sorted(CHUNKS))
        add(f"{t}-{f}-{c}", plain(values(t), chunks=CHUNKS[c], **FILTERS[f]), values(t))
    for f in FILTERS:
        for c in CHUNKS:
            add(f"<u2-{f}-{c}", plain(values("<u2"), chunks=CHUNKS[c], **FILTERS[f]),
                values("<u2"))
    for t in TYPES:
        add(f"{t}-contiguous", plain(values(t)), values(t))
        for version in ("earliest", "v110"):
            add(f"{t}-{version}", plain(values(t), chunks=CHUNKS["blocks"], libver=version,
                                        **FILTERS["shuffle-gzip"]), values(t))
    noise = np.random.default_rng(3).integers(0, 256, SHAPE, "u1")
    for f in FILTERS:
        add(f"noise-{f}", plain(noise, chunks=CHUNKS["frames"], **FILTERS[f]), noise)
    smooth = np.broadcast_to((np.arange(DETECTOR[1]) // 4).astype("<u4"), SHAPE)
    for f in FILTERS:
        add(f"smooth-{f}", plain(smooth, chunks=CHUNKS["frames"], **FILTERS[f]), smooth)
    add("large-blosc", plain(np.tile(values("<u4"), (1, 1, 8, 8)), chunks=(3, 5, 72, 112),
                             **dict(hdf5plugin.Blosc(cname="blosclz", shuffle=1))),
        np.tile(values("<u4"), (1, 1, 8, 8)))


def indexes():
    """Kinds of chunk index."""
    for version in ("earliest", "v110", "latest"):
        for name, most in (("fixed", SHAPE), ("one", (None,) + SHAPE[1:]),
                           ("two", (None, None) + DETECTOR)):
            refused = None
            add(f"index-{version}-{name}",
                plain(values("<u2"), chunks=(2, 2, 4, 5), maxshape=most, libver=version,
                      **FILTERS["gzip"]), values("<u2"), refused=refused)

    def skipped(path):
        with h5py.File(path, "w") as f:
            d = f.create_dataset("d", SHAPE, "<u2", chunks=(1, 5) + DETECTOR, shuffle=True,
                                 compression="gzip")
            data = values("<u2")
            for row in range(SCAN[0]):
                raw = data[row].tobytes()
                if row == 0:  # both left out
                    d.id.write_direct_chunk((0, 0, 0, 0), raw, filter_mask=3)
                if row == 1:  # deflated and not shuffled
                    import zlib
                    d.id.write_direct_chunk((1, 0, 0, 0), zlib.compress(raw), filter_mask=1)
                if row == 2:
                    d[2] = data[2]
    add("filter-mask", skipped, values("<u2"))

    def compact(path):
        with h5py.File(path, "w") as f:
            create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            create.set_layout(h5py.h5d.COMPACT)
            data = values(">i2")
            d = h5py.h5d.create(f.id, b"d", h5py.h5t.STD_I16BE, h5py.h5s.create_simple(SHAPE),
                                create)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, data.astype("<i2"))
    add("compact", compact, values(">i2"))

    def enumeration(path):
        with h5py.File(path, "w") as f:
            kind = h5py.enum_dtype({"a": 0, "b": 1, "c": 119}, "i2")
            f.create_dataset("d", data=np.abs(values("i2")), dtype=kind)
    add("enumeration", enumeration, np.abs(values("i2")))


def refusals():
    """What has no decoder or is no number is refused in words."""
    add("complex", plain(values("f8") + 1j), refused="--dataset|complex|records|no dataset")
    add("scaleoffset", plain(values("<i4"), chunks=CHUNKS["frame"], scaleoffset=0),
        refused="scaleoffset")
    add("blosc2", plain(values("<u2"), chunks=CHUNKS["frame"], **dict(hdf5plugin.Blosc2())),
        refused="32026")
    add("zfp", plain(values("<f4"), chunks=CHUNKS["frame"], **dict(hdf5plugin.Zfp())),
        refused="32013")

    def checksum(path):
        data = values("<u2")
        with h5py.File(path, "w") as f:
            f.create_dataset("d", data=data, chunks=CHUNKS["frame"], fletcher32=True)
        with h5py.File(path, "r") as f:
            at = f["d"].id.get_chunk_info(7).byte_offset
        raw = bytearray(pathlib.Path(path).read_bytes())
        raw[at + 5] ^= 1
        pathlib.Path(path).write_bytes(raw)
    add("fletcher-damaged", checksum, refused="checksum")


def missing():
    """Frames that lack data: refused, or counted and filled."""
    for fill in (None, 0, 7):
        for name, chunk, filters in (("frames", (1, 1) + DETECTOR, {}),
                                     ("lz4", (1, 1) + DETECTOR, FILTERS["bitshuffle-lz4"]),
                                     ("pieces", (1, 1, 4, 5), FILTERS["gzip"]),
                                     ("several", (1, 5) + DETECTOR, FILTERS["gzip"])):
            want = np.full(SHAPE, fill or 0, "<u2")
            written = [(0, 1), (0, 2), (2, 4)] if chunk[1] == 1 else [(1, slice(None))]
            for at in written:
                want[at] = values("<u2")[at]
            lost = np.full(SCAN, True)
            for at in written:
                lost[at] = False

            def make(path, fill=fill, chunk=chunk, filters=filters, want=want, written=written):
                with h5py.File(path, "w") as f:
                    d = f.create_dataset("d", SHAPE, "<u2", chunks=chunk, fillvalue=fill, **filters)
                    for at in written:
                        d[at] = want[at]
            label = f"missing-{name}-{fill}"
            count = FRAMES - (3 if chunk[1] == 1 else 5)
            add(label + "-refused", make, refused="--allow-incomplete")
            add(label, make, want, options=["--allow-incomplete"], lost=lost,
                note=f"{FRAMES - count} of {FRAMES} frames are present")

    def partly(path):
        with h5py.File(path, "w") as f:
            d = f.create_dataset("d", SHAPE, "<i4", chunks=(1, 1, 3, 14), fillvalue=-5)
            d[:] = values("<i4")
        with h5py.File(path, "a") as f:  # the same without one piece
            data = f["d"][:]
            del f["d"]
            d = f.create_dataset("d", SHAPE, "<i4", chunks=(1, 1, 3, 14), fillvalue=-5)
            for r in range(SCAN[0]):
                for c in range(SCAN[1]):
                    d[r, c, 0:6] = data[r, c, 0:6]
                    if (r, c) != (1, 2):
                        d[r, c, 6:9] = data[r, c, 6:9]
    want = values("<i4")
    want[1, 2, 6:9] = -5
    add("missing-part-refused", partly, refused="7")
    add("missing-part", partly, want, options=["--allow-incomplete"], lost=(1, 2),
        note=f"{FRAMES - 1} of {FRAMES} frames are present")

    def never(path):
        with h5py.File(path, "w") as f:
            f.create_dataset("d", SHAPE, ">f8", fillvalue=2.5)
    add("missing-contiguous-refused", never, refused="--allow-incomplete")
    add("missing-contiguous", never, np.full(SHAPE, 2.5), options=["--allow-incomplete"], lost=...,
        note=f"0 of {FRAMES}")

    def cut(path):
        np.save(path, values("<u2"))
        pathlib.Path(path).write_bytes(pathlib.Path(path).read_bytes()[:-100])
    want = values("<u2")
    want[2, 4] = 0
    add("missing-npy-refused.npy", cut, refused="--allow-incomplete")
    add("missing-npy.npy", cut, want, options=["--allow-incomplete"], note="14 of 15", lost=(2, 4))


def virtual():
    """Virtual datasets: joined, interleaved, images, modules, nested; and their sources gone."""
    data = values("<u2").reshape((FRAMES,) + DETECTOR)

    def joined(path, lost=(), damaged=(), fill=9, kind="<u2"):
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(data.shape, kind)
        for i in range(3):
            name = f"{stem}_src{i}.h5"
            with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
                f.create_dataset("s", data=data[5 * i:5 * i + 5].astype(kind),
                                 chunks=(2,) + DETECTOR, compression="gzip")
            layout[5 * i:5 * i + 5] = h5py.VirtualSource(name, "s", (5,) + DETECTOR)
        finish(path, layout, stem, lost, damaged, fill)

    def finish(path, layout, stem, lost, damaged, fill):
        with h5py.File(path, "w", libver="v110") as f:
            f.create_virtual_dataset("d", layout, fillvalue=fill)
            f["d"].attrs["scan_shape"] = SCAN
        for i in lost:
            pathlib.Path(path).with_name(f"{stem}_src{i}.h5").unlink()
        for i in damaged:
            source = pathlib.Path(path).with_name(f"{stem}_src{i}.h5")
            source.write_bytes(b"garbage" * 100)

    def interleaved(path, lost=(), damaged=(), fill=9):
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(data.shape, "<u2")
        for i in range(3):
            name = f"{stem}_src{i}.h5"
            with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
                f.create_dataset("s", data=data[i::3], chunks=(1,) + DETECTOR,
                                 **FILTERS["bitshuffle-lz4"])
            layout[i::3] = h5py.VirtualSource(name, "s", (5,) + DETECTOR)
        finish(path, layout, stem, lost, damaged, fill)

    def images(path, lost=(), damaged=(), fill=9):
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(SHAPE, "<u2")
        for i in range(FRAMES):
            name = f"{stem}_src{i}.h5"
            with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
                f.create_dataset("s", data=data[i])
            layout[i // SCAN[1], i % SCAN[1]] = h5py.VirtualSource(name, "s", DETECTOR)
        finish(path, layout, stem, lost, damaged, fill)

    def modules(path, lost=(), damaged=(), fill=9):
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(data.shape, "<u2")
        for i, columns in enumerate((slice(0, 6), slice(6, 14))):
            name = f"{stem}_src{i}.h5"
            with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
                f.create_dataset("s", data=data[:, :, columns], chunks=(4, 5, 6), compression="lzf")
            layout[:, :, columns] = h5py.VirtualSource(name, "s", data[:, :, columns].shape)
        finish(path, layout, stem, lost, damaged, fill)

    def rows(path, lost=(), damaged=(), fill=9):
        """Every second detector row from another file, its source strided too."""
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(data.shape, "<u2")
        for i in range(2):
            name = f"{stem}_src{i}.h5"
            part = np.repeat(data[:, i::2], 2, axis=2)
            with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
                f.create_dataset("s", data=part)
            layout[:, i::2] = h5py.VirtualSource(name, "s", part.shape)[:, :, ::2]
        finish(path, layout, stem, lost, damaged, fill)

    def nested(path, lost=(), damaged=(), fill=9):
        inner = str(pathlib.Path(path).with_name(pathlib.Path(path).stem + "_inner.h5"))
        interleaved(inner, lost, damaged, 4)
        layout = h5py.VirtualLayout(data.shape, "<u2")
        layout[:] = h5py.VirtualSource(pathlib.Path(inner).name, "d", data.shape)
        with h5py.File(path, "w", libver="v110") as f:
            f.create_virtual_dataset("d", layout, fillvalue=fill)
            f["d"].attrs["scan_shape"] = SCAN

    def gap(path, fill=9):
        stem = pathlib.Path(path).stem
        layout = h5py.VirtualLayout(data.shape, "<u2")
        name = f"{stem}_src0.h5"
        with h5py.File(pathlib.Path(path).with_name(name), "w") as f:
            f.create_dataset("s", data=data)
        layout[4:9] = h5py.VirtualSource(name, "s", data.shape)[4:9]
        layout[11:] = h5py.VirtualSource(name, "s", data.shape)[11:]
        finish(path, layout, stem, (), (), fill)

    whole = data.reshape(SHAPE)

    def without(frames, fill):
        out = data.copy()
        out[frames] = fill
        return out.reshape(SHAPE)

    def at(frames):
        lost = np.full(FRAMES, False)
        lost[frames] = True
        return lost.reshape(SCAN)

    lacking = {"joined": (joined, slice(5, 10)), "interleaved": (interleaved, slice(1, None, 3)),
               "images": (images, slice(1, 2)), "nested": (nested, slice(1, None, 3))}
    for name, make in (("joined", joined), ("interleaved", interleaved), ("images", images),
                       ("modules", modules), ("rows", rows), ("nested", nested)):
        add(f"virtual-{name}", make, whole)
    for name, (make, frames) in lacking.items():
        for damage in ("lost", "damaged"):
            def broken(path, make=make, damage=damage):
                make(path, **{damage: (1,)})
            count = FRAMES - len(range(FRAMES)[frames])
            add(f"virtual-{name}-{damage}-refused", broken, refused="--allow-incomplete")
            add(f"virtual-{name}-{damage}", broken, without(frames, 4 if name == "nested" else 9),
                options=["--allow-incomplete"], note=f"{count} of {FRAMES} frames are present",
                lost=at(frames))
    half = data.copy()
    half[:, :, 6:] = 9
    add("virtual-modules-lost-refused", lambda p: modules(p, lost=(1,)),
        refused="--allow-incomplete")
    add("virtual-modules-lost", lambda p: modules(p, lost=(1,)), half.reshape(SHAPE),
        options=["--allow-incomplete"], note=f"0 of {FRAMES}", lost=...)
    add("virtual-gap-refused", gap, refused="--allow-incomplete")
    add("virtual-gap", gap, without([0, 1, 2, 3, 9, 10], 9), options=["--allow-incomplete"],
        note="9 of 15", lost=at([0, 1, 2, 3, 9, 10]))
    add("virtual-f8", lambda p: joined(p, kind=">f8"), whole)


def orders():
    """Axes in every order that a file names or the user does."""
    data = values("<u2")
    names = ["scan_row", "scan_column", "detector_row", "detector_column"]
    import itertools
    for order in itertools.permutations(range(4)):
        text = ",".join(names[i] for i in order)
        moved = np.ascontiguousarray(data.transpose(order))
        chunk = tuple(min(n, c) for n, c in zip(moved.shape, (2, 3, 4, 5)))
        add(f"order-{text}", plain(moved), data, options=["--axis-order", text])
        add(f"order-chunked-{text}", plain(moved.astype(">f8"), chunks=chunk, **FILTERS["gzip"]),
            data, options=["--axis-order", text])

        def save(path, moved=moved):
            np.save(path, moved)
        add(f"order-npy-{text}.npy", save, data, options=["--axis-order", text])

        def raw(path, moved=moved):
            moved.tofile(path)
        add(f"order-raw-{text}.raw", raw, data,
            options=["--axis-order", text, "--raw-frame", "9x14", "--raw-dtype", "uint16", "--scan",
                     "3x5"])

    def fortran(path):
        np.save(path, np.asfortranarray(data))
    add("order-fortran.npy", fortran, data)

    def matlab(path):
        with h5py.File(path, "w") as f:
            d = f.create_dataset("d", data=data.transpose(3, 2, 1, 0))
            d.attrs["MATLAB_class"] = np.bytes_("uint16")
    add("order-matlab-refused", matlab, refused="--axis-order")
    add("order-matlab", matlab, data, options=["--axis-order", "dc,dr,sc,sr"])

    def emd(path, words, moved):
        with h5py.File(path, "w") as f:
            g = f.create_group("signals/s")
            g.attrs["emd_group_type"] = 1
            g.create_dataset("data", data=moved)
            for i, (name, unit) in enumerate(words):
                dim = g.create_dataset(f"dim{i + 1}", data=np.arange(2.0))
                dim.attrs["name"], dim.attrs["units"] = name, unit
    hyperspy = [("kx", "[1_/_n_m]"), ("ky", "[1_/_n_m]"), ("x", "[n_m]"), ("y", "[n_m]")]
    add("order-hyperspy", lambda p: emd(p, hyperspy, data.transpose(3, 2, 1, 0)), data,
        note="detector_column,detector_row,scan_column,scan_row")
    nameless = [("", "[1_/_n_m]"), ("", "[1_/_n_m]"), ("", "[n_m]"), ("", "[n_m]")]
    add("order-hyperspy-nameless", lambda p: emd(p, nameless, data.transpose(3, 2, 1, 0)),
        refused="--axis-order")
    py4d = [("R_x", "nm"), ("R_y", "nm"), ("Q_x", "A^-1"), ("Q_y", "A^-1")]
    add("order-py4dstem", lambda p: emd(p, py4d, data), data)

    def velox(path):
        with h5py.File(path, "w") as f:
            g = f.create_group("Data/Image/0123456789abcdef")
            g.create_dataset("Data", data=data.reshape((FRAMES,) + DETECTOR).transpose(1, 2, 0))
            g.create_dataset("Metadata", data=np.zeros((10, FRAMES), "u1"))
    add("order-velox", velox, data, options=["--scan", "3x5"], note="Velox")

    def nxmx(path, triggers):
        with h5py.File(path, "w") as f:
            f["entry/definition"] = "NXmx"
            f["entry/data/data"] = data
            if triggers:
                f["entry/instrument/detector/detectorSpecific/ntrigger"] = np.uint64(triggers)
                f["entry/instrument/detector/detectorSpecific/nimages"] = np.uint64(1)
                f["entry/instrument/detector/detectorSpecific/trigger_mode"] = "exts"
    add("order-nxmx-4d", lambda p: nxmx(p, 15), data)
    add("order-nxmx-4d-refused", lambda p: nxmx(p, 0), refused="--dataset")
    add("order-nxmx-4d-named", lambda p: nxmx(p, 0), data,
        options=["--dataset", "/entry/data/data"])


def limits():
    """Numbers that do not fit are told, with their count, in the same words for every format."""
    big = values("u4").astype("<u8")
    big[0, 0, 0, 0] = 2 ** 40 + 1
    big[1, 2, 3, 4] = 2 ** 33
    negative = values("<i4")
    negative[0, 0, 0, 0] = -(2 ** 24) - 1
    real = values("<f8")
    real[0, 0, 0, :3] = 0.1, 1 / 3, 2 ** 25 + 1
    beyond = values("<f8")
    beyond[0, 0, 0, 0] = 1e300
    empty = values("<f8")
    empty[0, 0, 0, 0] = np.nan

    def save(data):
        def make(path):
            np.save(path, data)
        return make
    for name, data, note in (("uint64", big, "1 value of"), ("int32", negative, "1 value of"),
                             ("float64", real, "3 values")):
        want = data.astype("<f4").astype("<f8")
        for form, make in (("h5", plain(data)), ("npy", save(data)),
                           ("gzip", plain(data, chunks=CHUNKS["blocks"], **FILTERS["gzip"]))):
            suffix = ".npy" if form == "npy" else ""
            add(f"limit-{name}-{form}{suffix}", make, want, note=note)
            add(f"limit-{name}-{form}-words{suffix}", make, want, note="rounded to 24 bits")
    beyond_want, empty_want = beyond.copy(), empty.copy()
    beyond_want[0, 0, 0, 0] = empty_want[0, 0, 0, 0] = 0
    for form, wrap in (("h5", plain), ("npy", save)):
        suffix = ".npy" if form == "npy" else ""
        add(f"limit-beyond-{form}{suffix}", wrap(beyond), beyond_want,
            note="beyond the range of float32")
        add(f"limit-nan-{form}{suffix}", wrap(empty), empty_want, note="1 NaN or infinite")


def fixed(sluice, folder, tally):
    for family in (matrix_of_types, indexes, refusals, missing, virtual, orders, limits):
        family()
    rng = np.random.default_rng(5)
    weights = {}
    for case in CASES:
        shape = DETECTOR if case.want is None else case.want.shape[2:]
        if shape not in weights:
            weights[shape] = [rng.integers(1, 64, shape).astype("f4") for _ in range(2)]
        case.weights = weights[shape]
    chosen = [case for case in CASES if tally.wants(case.name)]
    for i, case in enumerate(chosen):
        case.options += ["--threads", 2] + ["--stream"] * (i % 3 == 0)
    tally.check_all([(case.name, lambda case=case: judge(case, sluice, folder / case.place))
                     for case in chosen])


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, hdf5_drawn.KINDS + [nxmx_drawn.nxmx] * 2, 40))
