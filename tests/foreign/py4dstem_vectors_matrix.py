#!/usr/bin/env python3
"""Bragg vectors: files of py4DSTEM that Sluice reads, and files of Sluice that py4DSTEM reads.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/py4dstem_vectors_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import contextlib
import io
import json
import sys

import matrix

with matrix.packages():
    import emdfile
    import h5py
    import numpy as np
    import py4DSTEM

# Shapes of scan and detector, and how many disks a pattern has at most.
SHAPES = {
    "small": ((3, 4), (16, 20), 5),
    "one": ((1, 1), (8, 8), 3),
    "empty": ((2, 3), (8, 9), 0),
    "line": ((1, 300), (32, 24), 40),
    "many": ((40, 30), (64, 64), 200),
}
NODE = "braggvectors_root/braggvectors"


def silent(call, *words, **named):
    """Calls without bars of progress."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return call(*words, **named)


def made(scan, detector, most, seed=1):
    """Vectors of py4DSTEM: float32 numbers, brightest first, as both programs keep them."""
    rng = np.random.default_rng(seed)
    vectors = py4DSTEM.BraggVectors(scan, detector)
    for row in range(scan[0]):
        for col in range(scan[1]):
            disks = np.zeros(rng.integers(0, most + 1), vectors._v_uncal.dtype)
            for field, size in (("qx", detector[0]), ("qy", detector[1]), ("intensity", 1000)):
                disks[field] = (rng.random(len(disks)) * size).astype("f4")
            vectors._v_uncal[row, col].add(np.sort(disks, order="intensity")[::-1])
    return vectors


def differ(vectors, records):
    """What is other in our records than in py4DSTEM's vectors, or nothing."""
    rows, cols = vectors.Rshape
    at = 0
    for row in range(rows):
        for col in range(cols):
            disks = vectors.raw[row, col].data
            ours = records[at:at + len(disks)]
            at += len(disks)
            if not (ours["pattern_row"] == row).all() or not (ours["pattern_col"] == col).all():
                return f"other disks in {row},{col}"
            for theirs, own in (("qx", "row"), ("qy", "col"), ("intensity", "intensity")):
                if not np.array_equal(disks[theirs].astype("f4"), ours[own]):
                    return f"other {theirs} in {row},{col}"
    return "" if at == len(records) else f"{len(records)} records for {at} disks"


def behind(path):
    """The arrays of our NPY: records, shapes, reasons, digest."""
    with open(path, "rb") as file:
        return [np.load(file) for _ in range(4)]


def both_ways(sluice, folder, scan, detector, most):
    vectors = made(scan, detector, most)
    silent(py4DSTEM.save, str(folder / "theirs.h5"), vectors, mode="o")
    tool = sluice.beside("try_vectors")
    tool.run(folder / "theirs.h5", folder / "ours.npy")
    records, shapes, reasons, _ = behind(folder / "ours.npy")
    if list(shapes) != [*scan, *detector] or reasons.shape != scan:
        return f"shapes {shapes} and {reasons.shape}"
    if problem := differ(vectors, records):
        return problem
    if not np.isnan(records["var_row"]).all():
        return "errors that py4DSTEM does not have"
    # And back: py4DSTEM opens what Sluice writes, and Sluice loses nothing of it.
    tool.run(folder / "ours.npy", folder / "ours.h5")
    read = silent(py4DSTEM.read, str(folder / "ours.h5"))
    if type(read) is not py4DSTEM.BraggVectors or tuple(read.Qshape) != detector:
        return f"py4DSTEM reads {read!r}"
    if problem := differ(read, records):
        return f"written: {problem}"
    tool.run(folder / "ours.h5", folder / "again.npy")
    same = (folder / "again.npy").read_bytes() == (folder / "ours.npy").read_bytes()
    said = json.loads(sluice.run("info", folder / "ours.h5", "--json"))
    if (said["scan"], said["disks"]) != (list(scan), len(records)):
        return f"info says {said}"
    return "" if same else "a round trip changes the file"


def calibrated(folder, tool):
    """py4DSTEM calibrates vectors of Sluice, and saves them again."""
    vectors = made((4, 5), (32, 32), 9)
    silent(py4DSTEM.save, str(folder / "a.h5"), vectors, mode="o")
    tool.run(folder / "a.h5", folder / "b.h5")
    read = silent(py4DSTEM.read, str(folder / "b.h5"))
    read.calibration.set_Q_pixel_size(0.02)
    read.calibration.set_Q_pixel_units("A^-1")
    read.calibration.set_origin((np.full((4, 5), 16.0), np.full((4, 5), 15.0)))
    if read.calstate["pixel"] is not True or read.calstate["center"] is not True:
        return f"the vectors do not hear of their calibration: {read.calstate}"
    for row, col in np.ndindex(4, 5):
        raw, cal = vectors.raw[row, col], read.cal[row, col]
        if not np.allclose((raw.qx - 16) * 0.02, cal.qx) or len(raw.qy) != len(cal.qy):
            return "other calibrated vectors"
    if not np.allclose(silent(read.histogram, mode="raw").data,
                       silent(vectors.histogram, mode="raw").data):
        return "another map of vectors"
    silent(py4DSTEM.save, str(folder / "c.h5"), read, mode="o")
    tool.run(folder / "c.h5", folder / "c.npy")
    return differ(vectors, np.load(folder / "c.npy"))


def beside_a_scan(folder, tool, sluice):
    """In a file with the scan that they are of, and twice."""
    cube = py4DSTEM.DataCube(np.ones((3, 4, 16, 20), "u2"), name="scan")
    vectors = made((3, 4), (16, 20), 5)
    cube.tree(graft=vectors)
    silent(py4DSTEM.save, str(folder / "a.h5"), cube, mode="o", tree=True)
    tool.run(folder / "a.h5", folder / "a.npy")
    if json.loads(sluice.run("info", folder / "a.h5", "--json"))["members"][0]["scan"] != [3, 4]:
        return "info does not see the scan"
    if problem := differ(vectors, np.load(folder / "a.npy")):
        return problem
    other = made((3, 4), (16, 20), 5, seed=2)
    other.name = "second"
    silent(py4DSTEM.save, str(folder / "a.h5"), other, mode="a")
    refused = tool.tried(folder / "a.h5", folder / "a.npy")
    if refused.returncode != 1 or "second" not in refused.stderr:
        return f"two of them: {refused.stderr}"
    tool.run(folder / "a.h5", folder / "b.npy", "/scan_root/scan/braggvectors")
    return differ(vectors, np.load(folder / "b.npy"))


def fields_of_any_type(folder, tool):
    """Lists of float32 and of whole numbers, with other fields, chunked and packed."""
    for name, types in (("f4", ["<f4"] * 3), ("big", [">f8", ">f4", ">i4"]), ("i2", ["<i2"] * 3)):
        dtype = [("h", "<i4"), *zip(("qx", "qy", "intensity"), types), ("l", "u1")]
        lists = emdfile.PointListArray(dtype, (3, 4))
        vectors = made((3, 4), (16, 20), 5)
        for row, col in np.ndindex(3, 4):
            disks = vectors._v_uncal[row, col].data
            packed = np.zeros(len(disks), dtype)
            for field in ("qx", "qy", "intensity"):
                packed[field] = np.floor(disks[field])
            lists[row, col].add(np.sort(packed, order="intensity")[::-1])
        vectors._v_uncal = lists
        vectors._set_raw_vector_getter()
        silent(py4DSTEM.save, str(folder / f"{name}.h5"), vectors, mode="o")
        for version in ("earliest", "latest"):
            packed = folder / f"{name}_{version}.h5"
            with h5py.File(folder / f"{name}.h5") as old, \
                    h5py.File(packed, "w", libver=version) as new:
                new.attrs.update(old.attrs)
                old.copy(old["braggvectors_root"], new)
                whole = old[f"{NODE}/_v_uncal/data"]
                del new[f"{NODE}/_v_uncal/data"]
                data = new.create_dataset(f"{NODE}/_v_uncal/data", whole.shape, whole.dtype,
                                          chunks=(2, 3), compression="gzip")
                for row, col in np.ndindex(3, 4):
                    data[row, col] = whole[row, col]
            tool.run(packed, folder / "a.npy")
            if problem := differ(vectors, np.load(folder / "a.npy")):
                return f"{name} {version}: {problem}"
    return ""


def fixed(sluice, folder, tally):
    tool = sluice.beside("try_vectors")

    def place(name):
        (folder / name).mkdir(parents=True, exist_ok=True)
        return folder / name
    for name, shapes in SHAPES.items():
        tally.check(name, lambda: both_ways(sluice, place(name), *shapes))
    tally.check("calibrated", lambda: calibrated(place("calibrated"), tool))
    tally.check("scan", lambda: beside_a_scan(place("scan"), tool, sluice))
    tally.check("types", lambda: fields_of_any_type(place("types"), tool))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
