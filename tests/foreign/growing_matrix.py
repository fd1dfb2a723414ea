#!/usr/bin/env python3
"""Files of other people's programs while they grow, and MIB files, read by Sluice.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/growing_matrix.py --sluice build/release/bin/sluice --out FOLDER

h5py writes with SWMR in a process of its own while `sluice live` reads; every image it shows is the
one of the finished file. MIB files are compared with the pixels that were written, and with what
RosettaSciIO reads of them.
"""
import subprocess
import sys

import matrix

with matrix.packages():
    import h5py
    import hdf5plugin  # noqa: F401
    import numpy as np
    import rsciio.quantumdetector

    from mib_files import counters, write_mib

SCAN = (6, 8)
# (type, depth, layout, chips)
FORMS = [("U08", 6, "1x1", 1), ("U16", 12, "1x1", 1), ("U32", 24, "1x1", 1), ("U16", 12, "2x2G", 4),
         ("R64", 1, "1x1", 1), ("R64", 6, "1x1", 1), ("R64", 12, "1x1", 1), ("R64", 24, "1x1", 1),
         ("R64", 1, "2x2", 4), ("R64", 6, "2x2", 4), ("R64", 12, "2x2", 4)]
# What the writer does between frames; "packed" by bitshuffle and LZ4.
WRITER = """
import sys, time
import h5py, hdf5plugin
import numpy as np
path, source, packed, whole = sys.argv[1], sys.argv[2], sys.argv[3] == "packed", sys.argv[4] == "whole"
data = np.load(source)
how = dict(hdf5plugin.Bitshuffle(cname="lz4")) if packed else {}
with h5py.File(path, "w", libver="latest") as file:
    frames = file.create_dataset("data", (len(data) if whole else 0, *data.shape[1:]), data.dtype,
                                 maxshape=(len(data) if whole else None, *data.shape[1:]),
                                 chunks=(1, *data.shape[1:]), **how)
    file.swmr_mode = True
    for i, frame in enumerate(data):
        if not whole:
            frames.resize(i + 1, axis=0)
        frames[i] = frame
        frames.flush()
        time.sleep(0.005)
"""


def images(sluice, words, out, weights):
    """Virtual images by Sluice: two pixels, and a sum with weights."""
    np.save(out.with_suffix(".npy"), weights)
    row, col = weights.shape[0] // 3, weights.shape[1] - 2
    sluice.run(*words, "--format", "npy", "--out", out, "--detector", f"p=point:row={row},col={col}",
               "--detector", f"w=weights:{out.with_suffix('.npy')}", "--json")
    found = out if (out / "p.npy").exists() else out / "virtual_images"
    return np.load(found / "p.npy"), np.load(found / "w.npy"), (row, col)


def differs(found, frames, weights):
    """What is wrong with such images, or nothing."""
    point, sums, (row, col) = found
    frames = frames.reshape(*SCAN, *weights.shape)
    if not np.array_equal(point, frames[:, :, row, col]):
        return "other counts"
    truth = (frames.astype("f8") * weights).sum((2, 3))
    return "" if np.allclose(sums, truth, rtol=2e-6) else "other sums"


def weights_of(shape):
    return np.random.default_rng(3).integers(1, 9, shape).astype("f4")


def mib_offline(sluice, folder, form):
    kind, depth, layout, chips = form
    path, pixels = write_mib(folder, *form, SCAN)
    truth = counters(pixels, depth, chips) if kind == "R64" else pixels
    weights = weights_of(truth.shape[1:])
    found = images(sluice, ("stem4d", "virtual-image", path), folder / "out", weights)
    return differs(found, truth, weights)


def mib_as_rosettasciio(sluice, folder, form):
    """Both read the same file; it knows no raw frames."""
    path, _ = write_mib(folder, *form, SCAN)
    theirs = rsciio.quantumdetector.file_reader(str(path.with_suffix(".mib")))[0]["data"]
    theirs = np.asarray(theirs)
    weights = weights_of(theirs.shape[-2:])
    # It turns frames upside down.
    found = images(sluice, ("stem4d", "virtual-image", path), folder / "out", weights)
    problem = differs(found, theirs, weights)
    return problem and differs(found, theirs[..., ::-1, :], weights)


def swmr(sluice, folder, packed, whole):
    folder.mkdir(parents=True)
    data = np.random.default_rng(8).integers(0, 900, (SCAN[0] * SCAN[1], 24, 32)).astype("u2")
    np.save(folder / "data.npy", data)
    weights = weights_of(data.shape[1:])
    writer = subprocess.Popen([sys.executable, "-c", WRITER, folder / "scan.h5", folder / "data.npy",
                               packed, whole])
    try:
        found = images(sluice, ("live", folder / "scan.h5", "--wait", 60, "--scan",
                                f"{SCAN[0]}x{SCAN[1]}"), folder / "out", weights)
    finally:
        status = writer.wait(60)
    return f"the writer ended with {status}" if status else differs(found, data, weights)


def fixed(sluice, folder, tally):
    for form in FORMS:
        name = "_".join(map(str, form))
        tally.check(f"mib_{name}", lambda: mib_offline(sluice, folder / f"a_{name}", form))
        if form[0] != "R64":
            tally.check(f"rosettasciio_{name}",
                        lambda: mib_as_rosettasciio(sluice, folder / f"b_{name}", form))
    for packed in ("plain", "packed"):
        for whole in ("grows", "whole"):
            tally.check(f"swmr_{packed}_{whole}",
                        lambda: swmr(sluice, folder / f"c_{packed}_{whole}", packed, whole))


def drawn(rng, sluice, place):
    """A form, by chance."""
    return mib_offline(sluice, place / "a", rng.choice(FORMS))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn], 10))
