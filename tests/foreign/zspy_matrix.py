#!/usr/bin/env python3
"""ZSPY files of RosettaSciIO read by Sluice, and ours read by RosettaSciIO and zarr 2.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/zspy_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import importlib
import itertools
import json
import sys
import warnings

import matrix

with matrix.packages():
    import numcodecs
    import numpy as np
    import rsciio  # noqa: F401
    import rsciio.zspy
    import zarr

TYPES = ["u1", "u2", "u4", "f4"]
SHAPES = [(5, 7, 9, 11), (4, 4, 8, 8), (12, 2, 6, 10)]
TEM = {"beam_energy": 200.0, "convergence_angle": 1.5, "camera_length": 80.0}


def signal(data):
    axes = [dict(_type="UniformDataAxis", name=name, size=size, offset=0.0, is_binned=False,
                 units="nm" if at < 2 else "1/nm", scale=0.5 if at < 2 else 0.02, navigate=at < 2,
                 index_in_array=at) for at, (name, size) in enumerate(zip(("y", "x", "ky", "kx"), data.shape))]
    return dict(data=data, axes=axes, metadata={"General": {"title": "scan"}, "Signal": {
        "signal_type": ""}, "Acquisition_instrument": {"TEM": dict(TEM)}}, original_metadata={"a": 1},
        attributes={"_lazy": False, "ragged": False}, tmp_parameters={}, learning_results={}, models={},
        package="hyperspy", package_info={"version": "2.0", "name": "hyperspy"}, package_version="2.0")


def wrong(sluice, path, data):
    """What Sluice reads otherwise, and what RosettaSciIO reads otherwise of a copy of ours."""
    said = json.loads(sluice.run("info", path, "--json"))["members"][0]
    if said["scan"] != list(data.shape[:2]) or said["detector"] != list(data.shape[2:]):
        return f"scan {said['scan']}, detector {said['detector']}"
    found = [said.get(name) for name in ("scan_step_nm", "detector_step_per_nm", "energy_kv", "semiangle_mrad",
                                         "camera_length_mm")]
    if found != [0.5, 0.02, 200, 1.5, 80]:
        return f"calibration {found}"
    again, back = path.with_suffix(".npy"), path.with_name("back.zspy")
    sluice.run("stem4d", "convert", path, again, "--force")
    if not np.array_equal(np.load(again), data):
        return "other values"
    sluice.run("stem4d", "convert", path, back, "--force", "--verify")
    got = rsciio.zspy.file_reader(str(back))[0]
    if not np.array_equal(got["data"], data) or got["data"].dtype != data.dtype:
        return "RosettaSciIO reads other values"
    if [(a["scale"], a["units"], a["navigate"]) for a in got["axes"]] != [
            (0.5, "nm", True), (0.5, "nm", True), (0.02, "1/nm", False), (0.02, "1/nm", False)]:
        return f"RosettaSciIO reads the axes {got['axes']}"
    said = got["metadata"]["Acquisition_instrument"]["TEM"]
    return "" if {key: said.get(key) for key in TEM} == TEM else f"RosettaSciIO reads {said}"


def fixed(sluice, folder, tally):
    warnings.simplefilter("ignore")
    for shape, kind in itertools.product(SHAPES, TYPES):
        name = f"{'x'.join(map(str, shape))}_{kind}"

        def work():
            place = folder / name
            place.mkdir(parents=True)
            data = np.random.default_rng(3).integers(0, 200, shape).astype(kind)
            importlib.import_module("rsciio.zspy").file_writer(str(place / "f.zspy"), signal(data))
            return wrong(sluice, place / "f.zspy", data)
        tally.check(name, work)
    for codec in (numcodecs.Blosc("blosclz"), numcodecs.Zlib(), numcodecs.LZ4(), numcodecs.Zstd(), numcodecs.GZip()):
        for order in "CF":
            def turned():
                path = folder / f"{codec.codec_id}{order}.zarr"
                data = np.random.default_rng(4).integers(0, 200, (3, 5, 8, 9)).astype(">u2")
                made = zarr.open(str(path), mode="w", shape=data.shape, chunks=(2, 2, 5, 9), dtype=data.dtype,
                                 compressor=codec, order=order)
                made[...] = data
                sluice.run("stem4d", "convert", path, folder / "f.npy", "--force")
                return "" if np.array_equal(np.load(folder / "f.npy"), data) else "other values"
            tally.check(f"zarr2_{codec.codec_id}_{order}", turned)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
