#!/usr/bin/env python3
"""Flat files of detectors: written by RosettaSciIO and others, or read by them beside Sluice.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/flat_matrix.py --sluice build/release/bin/sluice --out FOLDER

BLO and TVIPS files are RosettaSciIO's own, MRC files mrcfile's, TIFF stacks tifffile's, lists of
electrons stempy's and zips of arrays zarr-python's. EMPAD and DM files are made by
flat_files.py, and both programs read them. Values are compared whole and in a region, and what the
files say of the scan and its steps.
"""
import importlib
import json
import shutil
import sys
import warnings

import matrix

with matrix.packages():
    import mrcfile
    import numpy as np
    import rsciio  # noqa: F401
    import tifffile
    import zarr
    from stempy.io.sparse_array import SparseArray

    import flat_files
    from rosettasciio_matrix import signal

SHAPE = (5, 7, 12, 12)
REGION = (slice(1, 4), slice(2, 7))

TIFFS = {
    "u1": ("u1", {}),
    "u2": ("u2", {}),
    "u2_pages": ("u2", {"contiguous": False}),
    "i2_big_endian": ("i2", {"byteorder": ">"}),
    "f4_bigtiff": ("f4", {"bigtiff": True}),
    "f2": ("f2", {}),
    "f8": ("f8", {}),
    "imagej": ("u2", {"imagej": True}),
    "rows": ("u2", {"rowsperstrip": 5}),
    "tiles": ("u2", {"tile": (16, 16)}),
    "truncated": ("u2", {"imagej": False, "truncate": True}),
    "deflate": ("u2", {"compression": "deflate", "predictor": True}),
    "deflate_big_endian": ("u2", {"compression": "deflate", "predictor": True, "byteorder": ">"}),
    "lzw": ("u1", {"compression": "lzw"}),
    "lzw_predictor": ("u4", {"compression": "lzw", "predictor": True}),
    "packbits": ("u2", {"compression": "packbits"}),
    "zstd": ("u2", {"compression": "zstd"}),
    "zstd_float": ("f4", {"compression": "zstd", "predictor": True}),
    "zstd_float_big_endian": ("f4", {"compression": "zstd", "predictor": True, "byteorder": ">"}),
    "lzw_tiles": ("i2", {"compression": "lzw", "predictor": True, "tile": (16, 32)}),
}


def images(sluice, path, shape, words):
    """Images of three detectors that tell apart all pixels of small whole numbers, and `info`."""
    random = np.random.default_rng(3)
    weights = random.integers(1, 64, shape).astype("f4")
    np.save(path.parent / "weights.npy", weights)
    out = path.parent / "out"
    row, col = shape[0] // 3, shape[1] - 1
    sluice.run("stem4d", "virtual-image", path, "--format", "npy", "--out", out,
               "--detector", f"p=point:row={row},col={col}",
               "--detector", f"w=weights:{path.parent / 'weights.npy'}", *words)
    return np.load(out / "p.npy"), np.load(out / "w.npy"), weights, (row, col)


def compared(sluice, path, data, *words):
    """Nothing where Sluice has the same scan, whole and in a region, else what is wrong."""
    for region in (None, REGION):
        cut = data if region is None else data[region]
        asked = [] if region is None else ["--scan-region", ",".join(
            f"{part.start}:{part.stop}" for part in region)]
        point, sums, weights, at = images(sluice, path, data.shape[2:], [*words, *asked])
        if point.shape != cut.shape[:2]:
            return f"scan {point.shape}, not {cut.shape[:2]}"
        if not np.array_equal(point, cut[:, :, at[0], at[1]]):
            return f"other values (region {region})"
        wanted = (cut.astype("f8") * weights).sum((2, 3))
        if not np.allclose(sums, wanted, rtol=2e-6):
            return f"other sums (region {region})"
    return ""


def told(sluice, path, *words, **wanted):
    """Nothing where `info` says so, else what it says."""
    member = json.loads(sluice.run("info", path, "--json", *words))["members"][0]
    wrong = {key: member.get(key) for key, value in wanted.items()
             if member.get(key) is None or abs(member[key] - value) > 1e-6 * abs(value)}
    return f"info has {wrong}, not {wanted}" if wrong else ""


def read(module, path, **options):
    """The array that RosettaSciIO reads, and its axes."""
    found = importlib.import_module(f"rsciio.{module}").file_reader(str(path), **options)[0]
    return np.asarray(found["data"]), found["axes"]


def blo(sluice, folder, kind):
    data = np.random.default_rng(1).integers(0, 250, SHAPE).astype(kind)
    path = folder / "a.blo"
    given = signal(data, units=("nm", "cm"))
    given["axes"][2]["scale"] = given["axes"][3]["scale"] = 0.01
    writer = importlib.import_module("rsciio.blockfile").file_writer
    writer(str(path), given, intensity_scaling=None)
    theirs, _ = read("blockfile", path)
    if not np.array_equal(theirs, data):
        return "RosettaSciIO does not read what it wrote"
    return compared(sluice, path, theirs) or told(sluice, path, scan_step_nm=0.5)


def tvips(sluice, folder, kind, version):
    data = np.random.default_rng(2).integers(0, 250, SHAPE).astype(kind)
    given = signal(data)
    given["metadata"]["Acquisition_instrument"] = {"TEM": {"beam_energy": 200}}
    importlib.import_module("rsciio.tvips").file_writer(
        str(folder / "a_000.tvips"), given, version=version, max_file_size=4000)
    files = sorted(folder.glob("a_*.tvips"))
    if len(files) < 2:
        return "RosettaSciIO wrote one file"
    words = ["--scan", f"{SHAPE[0]}x{SHAPE[1]}"]
    return compared(sluice, files[-1], data, *words) \
        or told(sluice, files[0], *words, energy_kv=200)


def mrc(sluice, folder, kind, stack):
    data = np.random.default_rng(4).integers(0, 100, SHAPE).astype(kind)
    path = folder / "a.mrc"
    with mrcfile.new(path) as file:
        file.set_data(data if stack else data.reshape(-1, *SHAPE[2:]))
        if stack:
            file.set_volume_stack() if not file.is_volume_stack() else None
    return compared(sluice, path, data, *([] if stack else ["--scan", f"{SHAPE[0]}x{SHAPE[1]}"]))


def tiff(sluice, folder, kind, **how):
    """A stack of tifffile, which tells its scan in words of its own or of ImageJ."""
    data = np.random.default_rng(7).integers(0, 100, SHAPE).astype(kind)
    path = folder / "a.tif"
    # ImageJ's axes are time, slice, channel, row and column.
    axes = {"metadata": {"axes": "TZYX"}} if how.get("imagej") else {}
    tifffile.imwrite(path, data, photometric="minisblack", **axes, **how)
    theirs = tifffile.imread(path)
    if not np.array_equal(theirs.reshape(SHAPE), data):
        return f"tifffile reads other values ({theirs.shape})"
    return compared(sluice, path, data)


def stempy(sluice, folder, per_point):
    """Electrons of a scan, in several lists for each point."""
    random = np.random.default_rng(8)
    points = SHAPE[0] * SHAPE[1]
    lists = np.empty((points, per_point), dtype=object)
    # A list names a pixel once: stempy does not count it twice.
    for place in np.ndindex(lists.shape):
        lists[place] = random.choice(SHAPE[2] * SHAPE[3], random.integers(0, 40), replace=False) \
            .astype(np.uint32)
    array = SparseArray(data=lists, scan_shape=SHAPE[:2], frame_shape=SHAPE[2:])
    path = folder / "a.h5"
    array.write_to_hdf5(str(path))
    array.allow_full_expand, array.sparse_slicing = True, False
    return compared(sluice, path, np.asarray(array[:]))


def zarr_zip(sluice, folder, version, **how):
    """An array in one zip file, in a group whose attributes are written twice."""
    data = np.random.default_rng(9).integers(0, 1000, SHAPE).astype("u2")
    path = folder / "a.zarr.zip"
    with warnings.catch_warnings(), zarr.storage.ZipStore(path, mode="w") as store:
        warnings.simplefilter("ignore")  # of the name that is there twice
        group = zarr.create_group(store, zarr_format=version)
        group.attrs["sample"] = "gold"
        group.create_array("data", data=data, chunks=(1, 3, *SHAPE[2:]), **how)
    return compared(sluice, path, data)


def packed_zarr(sluice, folder):
    """A folder that Python's zipfile packs and deflates, with its name."""
    data = np.random.default_rng(10).integers(0, 9, SHAPE).astype("u1")
    zarr.create_array(folder / "scan.zarr", data=data, chunks=(2, 3, *SHAPE[2:]))
    shutil.make_archive(str(folder / "a"), "zip", folder, "scan.zarr")
    return compared(sluice, folder / "a.zip", data)


def empad(sluice, folder):
    data = np.random.default_rng(5).integers(-20, 200, (*SHAPE[:2], 128, 128)).astype("f4") / 4
    path = flat_files.empad(folder, data)
    theirs, _ = read("empad", path)
    if not np.array_equal(theirs, data):
        return f"RosettaSciIO reads other values ({theirs.shape})"
    return compared(sluice, path, theirs) or told(sluice, path, energy_kv=300)


def dm(sluice, folder, version, kind, swapped):
    data = np.random.default_rng(6).integers(0, 250, SHAPE).astype(kind)
    axes = [(0.5, "nm"), (0.5, "nm"), (0.02, "1/nm"), (0.02, "1/nm")]
    tags = flat_files.Dm(version)
    meta = [tags.text("Format", "Diffraction image"), tags.text("Signal", "Diffraction")]
    meta.append(tags.tag("Data Order Swapped", [8], bytes([swapped])))
    stored = data if swapped else data.transpose(2, 3, 0, 1)
    if not swapped:
        axes = axes[2:] + axes[:2]
    path = tags.write(folder / f"a.dm{version}", [tags.image(
        np.ascontiguousarray(stored), axes, [
            tags.group("Meta Data", meta),
            tags.group("Microscope Info", [tags.f4("Voltage", 300000)])])])
    theirs, _ = read("digitalmicrograph", path)
    # RosettaSciIO leaves the dimensions as they lie.
    if not np.array_equal(theirs if swapped else theirs.transpose(2, 3, 0, 1), data):
        return f"RosettaSciIO reads other values ({theirs.shape})"
    return compared(sluice, path, data) \
        or told(sluice, path, energy_kv=300, scan_step_nm=0.5)


def archive(sluice, folder, packed, kind, order="C"):
    """NumPy's own archive, one array of frames among others."""
    data = np.asarray(np.random.default_rng(5).integers(0, 250, SHAPE).astype(kind), order=order)
    path = folder / "a.npz"
    save = np.savez_compressed if packed else np.savez
    save(path, frames=data, probe=np.ones((3, 3), "c8"), note=np.array("text"))
    return compared(sluice, path, data)


def several_arrays(sluice, folder):
    """None of two is guessed."""
    first = np.random.default_rng(5).integers(0, 250, SHAPE).astype("u2")
    path = folder / "a.npz"
    np.savez(path, first=first, second=first + 1)
    done = sluice.tried("info", path)
    if done.returncode not in (1, 2) or "--dataset" not in done.stderr:
        return f"exit {done.returncode}: {done.stderr}"
    return compared(sluice, path, first + 1, "--dataset", "second")


def prz(sluice, folder):
    """PantaRhei's archives, by RosettaSciIO."""
    data = np.random.default_rng(6).integers(0, 250, SHAPE).astype("u2")
    path = folder / "a.prz"
    importlib.import_module("rsciio.pantarhei").file_writer(str(path), signal(data))
    return compared(sluice, path, data)


def fixed(sluice, folder, tally):
    cases = {"empad": lambda at: empad(sluice, at)}
    for kind in ("u1", "u2"):
        cases[f"blo_{kind}"] = lambda at, kind=kind: blo(sluice, at, kind)
        for version in (1, 2):
            cases[f"tvips_{kind}_{version}"] = \
                lambda at, kind=kind, version=version: tvips(sluice, at, kind, version)
    for kind in ("i1", "i2", "u2", "f4", "f2"):
        for stack in (False, True):
            cases[f"mrc_{kind}_{stack}"] = \
                lambda at, kind=kind, stack=stack: mrc(sluice, at, kind, stack)
    for per_point in (1, 3):
        cases[f"stempy_{per_point}"] = lambda at, n=per_point: stempy(sluice, at, n)
    cases["zarr_zip_2"] = lambda at: zarr_zip(sluice, at, 2)
    cases["zarr_zip_3"] = lambda at: zarr_zip(sluice, at, 3)
    cases["zarr_zip_shards"] = lambda at: zarr_zip(sluice, at, 3, shards=(2, 9, *SHAPE[2:]))
    for name, packed, kind, order in (("u2", False, "<u2", "C"), ("packed_u1", True, "u1", "C"),
                                      ("big_endian", False, ">u4", "C"), ("f8", False, "f8", "C"),
                                      ("packed_fortran", True, "<u2", "F"), ("fortran", False, "<i2", "F")):
        cases[f"npz_{name}"] = lambda at, words=(packed, kind, order): archive(sluice, at, *words)
    cases["npz_several"] = lambda at: several_arrays(sluice, at)
    cases["prz"] = lambda at: prz(sluice, at)
    cases["zarr_packed"] = lambda at: packed_zarr(sluice, at)
    for name, (kind, how) in TIFFS.items():
        cases[f"tiff_{name}"] = lambda at, kind=kind, how=how: tiff(sluice, at, kind, **how)
    for version, kind, swapped in ((3, "<u2", 1), (3, "<f4", 0), (4, "u1", 1), (4, "<i2", 1),
                                   (4, "<u2", 0), (4, "<u4", 0)):
        cases[f"dm{version}_{kind.strip('<')}_{swapped}"] = \
            lambda at, words=(version, kind, swapped): dm(sluice, at, *words)
    for name, work in cases.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        tally.check(name, lambda: work(place))


def drawn_mrc(rng, sluice, place):
    """A stack of any type and scan."""
    return mrc(sluice, place, rng.choice(["i1", "i2", "u2", "f4", "f2"]), rng.random() < 0.5)


def drawn_dm(rng, sluice, place):
    """A scan of any version, type and order."""
    return dm(sluice, place, rng.choice([3, 4]), rng.choice(["u1", "<i2", "<u2", "<u4", "<f4"]),
              rng.choice([0, 1]))


def drawn_tiff(rng, sluice, place):
    """A stack of any type, order and codec, in strips or tiles."""
    kind = rng.choice(["u1", "u2", "u4", "i1", "i2", "f2", "f4", "f8"])
    how = {"byteorder": rng.choice("<>"), "bigtiff": rng.random() < 0.5}
    codec = rng.choice([None, "deflate", "lzw", "packbits", "zstd"])
    if codec:
        how["compression"] = codec
    if codec not in (None, "packbits"):
        how["predictor"] = rng.random() < 0.5
    how |= rng.choice([{}, {"rowsperstrip": rng.randint(1, 12)}, {"tile": (16, 32)}])
    return tiff(sluice, place, kind, **how)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn_mrc, drawn_dm, drawn_tiff], 6))
