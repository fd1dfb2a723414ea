#!/usr/bin/env python3
"""4-D acquisitions that RosettaSciIO wrote (HyperSpy's files), read by Sluice.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/rosettasciio_matrix.py --sluice build/release/bin/sluice --out FOLDER

Every file either opens with its own scan, detector and counts, or is refused in words that say how
to go on. A scan and a detector that changed places would be silently wrong.
"""
import importlib
import itertools
import sys

import matrix

with matrix.packages():
    import numpy as np
    import rsciio  # noqa: F401

WRITERS = {"hspy": "hspy", "emd": "emd", "nexus": "nxs"}  # module of rsciio: how files end
SHAPES = [(5, 7, 9, 11), (4, 4, 8, 8), (3, 16, 16, 3), (12, 2, 6, 10)]
TYPES = ["u1", "u2", "u4", "f4"]


def signal(data, names=("y", "x", "ky", "kx"), units=("nm", "1/nm")):
    """A 4-D signal as rsciio's writers take it: two axes of navigation, two of the signal."""
    axes = [dict(_type="UniformDataAxis", name=name, size=size, offset=0.0, is_binned=False,
                 units=units[number // 2], scale=0.5 if number < 2 else 0.02,
                 navigate=number < 2, index_in_array=number)
            for number, (name, size) in enumerate(zip(names, data.shape))]
    return dict(data=data, axes=axes, metadata={"General": {"title": "scan"}, "Signal": {
        "signal_type": ""}}, original_metadata={}, attributes={"_lazy": False, "ragged": False},
        tmp_parameters={}, learning_results={}, models={}, package="hyperspy",
        package_info={"version": "2.0", "name": "hyperspy"}, package_version="2.0")


def write(module, path, data, *words, **options):
    """Writes a signal; whatever a writer of another version may raise is no fault of the reader."""
    try:
        importlib.import_module(f"rsciio.{module}").file_writer(
            str(path), signal(data, *words), **options)
    except Exception as error:
        raise matrix.Skip(f"rsciio.{module} cannot write: {error!r}"[:100]) from error


def verdict(sluice, path, data, weights):
    """Nothing when Sluice reads the file right or refuses it clearly, else what is wrong."""
    done = sluice.tried("info", path, "--json")
    if done.returncode:
        helps = any(word in done.stderr for word in ("--dataset", "--axes", "--scan"))
        return "" if helps and done.returncode == 1 else f"exit {done.returncode}: {done.stderr}"
    out = path.with_suffix(".out")
    row, col = data.shape[2] // 2, data.shape[3] - 1
    np.save(path.with_suffix(".npy"), weights)
    done = sluice.tried("stem4d", "virtual-image", path, "--format", "npy", "--out", out,
                        "--detector", f"p=point:row={row},col={col}",
                        "--detector", f"w=weights:{path.with_suffix('.npy')}")
    if done.returncode:
        return f"opens, but exit {done.returncode}: {done.stderr}"
    got, wanted = np.load(out / "p.npy"), data[:, :, row, col]
    if got.shape != wanted.shape:
        return f"scan {got.shape}, not {wanted.shape}"
    if not np.array_equal(got, wanted):
        return "other counts"
    sums = (data.astype("f8") * weights).sum((2, 3))
    return "" if np.allclose(np.load(out / "w.npy"), sums, rtol=2e-6) else "other sums"


def fixed(sluice, folder, tally):
    random = np.random.default_rng(12)
    for (module, ending), shape, kind in itertools.product(WRITERS.items(), SHAPES, TYPES):
        name = f"{module}_{'x'.join(map(str, shape))}_{kind}"
        data = random.integers(0, 200, shape).astype(kind)

        def work():
            path = folder / f"{name}.{ending}"
            write(module, path, data)
            return verdict(sluice, path, data, np.arange(data[0, 0].size, dtype="f4")
                           .reshape(shape[2:]))
        tally.check(name, work)


def drawn(rng, sluice, place):
    """Any shape, type, names of axes, compression and chunks that the writers take."""
    module = rng.choice(list(WRITERS))
    random = np.random.default_rng(rng.getrandbits(64))
    shape = tuple(rng.randint(1 if axis > 1 else 2, rng.choice([8, 30])) for axis in range(4))
    data = random.integers(0, 200, shape).astype(
        rng.choice(["u1", "u2", "u4", "i2", "i4", "f4", "f8", ">u2", ">f4"]))
    names = rng.choice([("y", "x", "ky", "kx"), ("y", "x", "ky", "kx"), ("x", "y", "kx", "ky"),
                        ("y", "x", "dy", "dx"), ("scan_y", "scan_x", "det_y", "det_x")])
    units = rng.choice([("nm", "1/nm"), ("um", "mrad"), ("nm", "A^-1"), ("nm", "px")])
    options = {}
    if module != "nexus":  # which has no such options
        options["compression"] = rng.choice([None, "gzip", "lzf"])
        if rng.random() < 0.5:
            options["chunks"] = tuple(rng.randint(1, n) for n in shape)
        if options["compression"]:
            options["shuffle"] = rng.random() < 0.5
    path = place / f"f.{WRITERS[module]}"
    write(module, path, data, names, units, **options)
    # Sluice goes by names only where the detector comes first: others call the first axis x, too.
    if names[0] == "x" and module == "emd":
        data = data.transpose(1, 0, 3, 2)
    return verdict(sluice, path, data, random.integers(1, 64, data.shape[2:]).astype("f4"))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn], 40))
