#!/usr/bin/env python3
"""Scans that Sluice converted, read by the programs whose formats they are: zarr-python, xarray,
RosettaSciIO (HyperSpy's reader), h5py with hdf5plugin, NumPy.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/convert_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import importlib
import itertools
import json
import sys

import matrix

with matrix.packages():
    import h5py
    import hdf5plugin  # noqa: F401
    import numpy as np
    import rsciio  # noqa: F401
    import zarr

TYPES = ["u1", "u2", "u4", "f4"]
SHAPES = [(5, 7, 9, 11), (1, 33, 16, 16), (12, 3, 64, 48)]
CODECS = {"zarr": ["blosc-zstd", "blosc-lz4", "zstd", "none"], "_master.h5": ["bslz4", "bszstd", "none"]}


def array(shape, kind):
    """Counts of every size, all ones among them."""
    random = np.random.default_rng(sum(shape))
    data = random.poisson(3, shape).astype(kind)
    data.reshape(-1)[::101] = np.inf if kind == "f4" else np.iinfo(kind).max
    return data


def by_zarr(path):
    return zarr.open_group(str(path), mode="r")["data"][...]


def by_h5py(path):
    with h5py.File(path) as file:
        return np.concatenate([file[f"entry/data/{name}"][...] for name in sorted(file["entry/data"])])


def by_rsciio(path):
    """Whole and, lazily, by region."""
    reader = importlib.import_module(f"rsciio.{path.suffix[1:]}").file_reader
    whole = reader(str(path))[0]
    scales = [axis["scale"] for axis in whole["axes"]]
    flags = [axis["navigate"] for axis in whole["axes"]]
    if flags != [True, True, False, False]:
        raise RuntimeError(f"axes {flags}")
    lazy = reader(str(path), lazy=True)[0]["data"]
    part = np.asarray(lazy[-1:, 1:3, 2:5, :4])
    if not np.array_equal(part, whole["data"][-1:, 1:3, 2:5, :4], equal_nan=True):
        raise RuntimeError("another region")
    return whole["data"], scales


def by_raw(path):
    import tomllib
    about = tomllib.loads(path.with_suffix(".toml").read_text())
    return np.fromfile(path, about["dtype"]).reshape(about["scan"] + about["frame"])


def same(got, data):
    if got.dtype.newbyteorder("=") != data.dtype:
        return f"type {got.dtype}, not {data.dtype}"
    if got.size != data.size:
        return f"shape {got.shape}, not {data.shape}"
    return "" if np.array_equal(got.reshape(data.shape), data, equal_nan=True) else "other values"


def source(folder, name, data):
    path = folder / f"{name}.npy"
    np.save(path, data)
    return path


def fixed(sluice, folder, tally):
    for shape, kind in itertools.product(SHAPES, TYPES):
        data = array(shape, kind)
        stem = f"{'x'.join(map(str, shape))}_{kind}"
        taken = source(folder, stem, data)

        def converted(name, *words):
            out = folder / f"{stem}{name}"
            sluice.run("stem4d", "convert", taken, out, "--verify", "--force", *words)
            return out

        for codec in CODECS["zarr"]:
            tally.check(f"zarr_{codec}_{stem}", lambda: same(
                by_zarr(converted(f"_{codec}.zarr", "--codec", codec)), data))
        if kind != "f4":
            for codec in CODECS["_master.h5"]:
                tally.check(f"nxmx_{codec}_{stem}", lambda: same(
                    by_h5py(converted(f"_{codec}_master.h5", "--codec", codec)), data))
        tally.check(f"hspy_{stem}", lambda: same(by_rsciio(converted(".hspy"))[0], data))
        tally.check(f"npy_{stem}", lambda: same(np.load(converted("_again.npy")), data))
        tally.check(f"raw_{stem}", lambda: same(by_raw(converted(".raw")), data))
    calibrated(sluice, folder, tally)


def calibrated(sluice, folder, tally):
    """Steps and the microscope go from a file of RosettaSciIO through ours and back to it."""
    data = array((4, 5, 6, 7), "u2")

    def work():
        path = folder / "known.hspy"
        axes = [dict(_type="UniformDataAxis", name=name, size=size, offset=0.0, is_binned=False,
                     units="nm" if at < 2 else "mrad", scale=0.5 if at < 2 else 0.02,
                     navigate=at < 2, index_in_array=at)
                for at, (name, size) in enumerate(zip(("y", "x", "ky", "kx"), data.shape))]
        tem = {"beam_energy": 200.0, "convergence_angle": 1.5, "camera_length": 80.0}
        importlib.import_module("rsciio.hspy").file_writer(str(path), dict(
            data=data, axes=axes, metadata={"General": {"title": "scan"}, "Signal": {
                "signal_type": ""}, "Acquisition_instrument": {"TEM": tem}}, original_metadata={},
            attributes={"_lazy": False, "ragged": False}, tmp_parameters={}, learning_results={},
            models={}, package="hyperspy", package_info={"version": "2.0", "name": "hyperspy"},
            package_version="2.0"))
        sluice.run("stem4d", "convert", path, folder / "known.zarr", "--force")
        sluice.run("stem4d", "convert", folder / "known.zarr", folder / "back.hspy", "--force")
        got, scales = by_rsciio(folder / "back.hspy")
        found = importlib.import_module("rsciio.hspy").file_reader(str(folder / "back.hspy"))[0]
        said = found["metadata"]["Acquisition_instrument"]["TEM"]
        if scales != [0.5, 0.5, 0.02, 0.02]:
            return f"scales {scales}"
        if {key: said.get(key) for key in tem} != tem:
            return f"microscope {said}"
        return same(got, data)
    tally.check("calibration", work)


def zarr_of_others(sluice, place, data, chunks, shards, compressors, version):
    path = place / "f.zarr"
    options = dict(shape=data.shape, chunks=chunks, dtype=data.dtype, zarr_format=version,
                   compressors=compressors, overwrite=True)
    if shards:
        options["shards"] = shards
    zarr.create_array(str(path), **options)[...] = data
    out = place / "f.npy"
    done = sluice.tried("stem4d", "convert", path, out, "--force", "--json")
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr}"
    got = np.load(out)
    native = data.astype(data.dtype.newbyteorder("="))
    want = native if native.dtype in ("u1", "u2", "u4", "f4") else native.astype("f4")
    said = json.loads(done.stdout)
    return same(got, want) or ("" if said["scan"] == list(data.shape[:2]) else "other scan")


def codecs_of(rng, version):
    if version == 2:
        import numcodecs
        return rng.choice([None, numcodecs.Zstd(3), numcodecs.GZip(1), numcodecs.Zlib(1), numcodecs.LZ4(),
                           *[numcodecs.Blosc(name, 3, shuffle) for name in ("lz4", "zstd", "blosclz", "zlib")
                             for shuffle in (0, 1, 2)]])
    from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec
    return rng.choice([None, ZstdCodec(level=3), GzipCodec(level=1),
                       *[BloscCodec(cname=name, clevel=3, shuffle=shuffle) for name in ("lz4", "zstd")
                         for shuffle in ("noshuffle", "shuffle", "bitshuffle")]])


def drawn(rng, sluice, place):
    """An array of zarr-python with any shape, type, chunks, shards and codec."""
    random = np.random.default_rng(rng.getrandbits(64))
    shape = tuple(rng.randint(1 if axis > 1 else 2, rng.choice([6, 24])) for axis in range(4))
    data = random.integers(0, 200, shape).astype(
        rng.choice(["u1", "u2", "u4", "f4", "i2", "i4", "f8", ">u2", ">f4"]))
    version = rng.choice([2, 3])
    chunks = tuple(rng.randint(1, n) for n in shape)
    shards = None
    if version == 3 and rng.random() < 0.5:
        shards = tuple(c * rng.randint(1, 3) for c in chunks)
    return zarr_of_others(sluice, place, data, chunks, shards, codecs_of(rng, version), version)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn], 60))
