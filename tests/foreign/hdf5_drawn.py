"""Acquisitions drawn at random as HDF5, NPY and raw files, and how Sluice is to read them.

SPDX-License-Identifier: Apache-2.0
"""
import h5py
import numpy as np

import hdf5_layouts
import hdf5_values
from hdf5_case import Case, problem
from matrix import Skip

LONG = ["scan_row", "scan_column", "detector_row", "detector_column"]
SHORT = ["sr", "sc", "dr", "dc"]


class Stored:
    """An acquisition as an array of 3 or 4 dimensions in any order, and what says so: options, or
    where the file can, attributes and names of its axes."""

    def __init__(self, rng, want, can_name=False):
        self.shape, self.options, self.attributes, self.names = want.shape, [], {}, None
        names, laid = list(rng.choice([LONG, SHORT])), want
        if rng.random() < 0.4:
            names, laid = ["scan", *names[2:]], want.reshape((-1,) + want.shape[2:])
            self.name_scan(rng, want.shape[:2])
        order = list(range(laid.ndim))
        if rng.random() < 0.4:
            rng.shuffle(order)
        if can_name and names[-1] == LONG[-1] and rng.random() < 0.6:
            self.names = [names[a] for a in order]
        elif order != sorted(order) or rng.random() < 0.1:
            self.options += ["--axis-order", ",".join(names[a] for a in order)]
        self.middle, self.back = laid.shape, np.argsort(order)
        self.data = np.ascontiguousarray(laid.transpose(order))

    def name_scan(self, rng, scan):
        if scan[0] == scan[1] and rng.random() < 0.3:
            return  # a square is what it takes where nothing is said
        if rng.random() < 0.3:
            self.attributes["scan_shape"] = scan
        else:
            self.options += ["--scan", f"{scan[0]}x{scan[1]}"]

    def four(self, array):
        """An array of the stored shape as [scan row][scan column][row][column]."""
        return array.transpose(self.back).reshape(self.shape)


def as_read(values):
    """Integers up to 32 bits stay; all others become float32, of which what is none is 0."""
    if values.dtype.kind in "ub" and values.dtype.itemsize <= 4:
        return values.astype(values.dtype.newbyteorder("="))
    with np.errstate(over="ignore"):
        single = values.astype("f4")
    return np.where(np.isfinite(single), single, np.float32(0)).astype("f8")


def span(rng, n):
    low = rng.randrange(n)
    return low, rng.randint(low + 1, n)


def parts(rng, place, want, valid):
    """Some of the scan, some of the detector, bins: what is in memory then, and the options."""
    options = []
    if rng.random() < 0.2:
        (a, b), (c, d) = span(rng, want.shape[0]), span(rng, want.shape[1])
        options += ["--scan-region", f"{a}:{b},{c}:{d}"]
        want = want[a:b, c:d]
    at = slice(None), slice(None)
    (a, b), (c, d) = span(rng, want.shape[2]), span(rng, want.shape[3])
    if rng.random() < 0.2 and valid[a:b, c:d].any():
        options += ["--detector-region", f"{a}:{b},{c}:{d}"]
        at = slice(a, b), slice(c, d)
    mask = hdf5_values.generator(rng).random(valid.shape) > 0.2
    if rng.random() < 0.2 and (valid & mask)[at].any():
        np.save(place / "mask.npy", (~mask).astype(rng.choice(["u1", "<u2", "?"])))
        options += ["--mask", place / "mask.npy"]
        valid = valid & mask
    want, valid = np.where(valid, want, want.dtype.type(0))[:, :, *at], valid[at]
    if rng.random() < 0.15:
        step = rng.randint(1, 4)
        return want[::step, ::step], options + ["--scan-step", step]
    if rng.random() < 0.35:
        return bins(rng, want, valid, options)
    return want, options


def bins(rng, want, valid, options):
    """Sums of pixels and scan points, or means of the valid ones. Bins of a scan are whole."""
    partial, mean = rng.random() < 0.3, rng.random() < 0.3
    more = ["--bin-edge", "partial"] * partial + ["--bin-mode", "mean"] * mean
    many = np.broadcast_to(valid, want.shape).astype("u8")
    wide = want.astype("f8" if want.dtype.kind == "f" else "u8")
    for word, axis in (("--det-bin", 2), ("--scan-bin", 0)):
        if rng.random() < 0.6:
            n, edge = rng.randint(1, min(want.shape[axis:axis + 2])), partial and axis == 2
            wide, many = (binned(binned(array, axis, n, edge), axis + 1, n, edge)
                          for array in (wide, many))
            more += [word, n]
    if mean:
        return wide / np.maximum(many, 1), options + more
    fits = wide.dtype.kind == "f" or wide.max() < 2 ** 32  # more is refused
    return (wide, options + more) if fits else (want, options)


def binned(values, axis, n, partial):
    """Sums of n along an axis; what does not fill a bin is dropped, or is a smaller one."""
    keep = values.shape[axis] if partial else values.shape[axis] // n * n
    return np.add.reduceat(values.take(range(keep), axis), range(0, keep, n), axis)


def verdict(rng, sluice, place, path, values, there, options, valid=None, holes=False):
    """Reads a file whole or in parts: what is wrong, or nothing. Holes may lie where none looks."""
    want = as_read(values)
    counts = want.dtype.kind in "ub"
    frames = values.shape[0] * values.shape[1]
    missing = frames - np.count_nonzero(there.all((2, 3)))
    if missing and rng.random() < 0.3:
        case = Case(path.name, None, None, options, refused="--allow-incomplete|h5repack")
        if wrong := problem(case, sluice, place, path):
            return wrong
    options = options + ["--allow-incomplete"] * bool(missing or holes)
    note = f"{frames - missing} of {frames} frames are present" if missing else None
    more = []
    if not missing and rng.random() < 0.5:
        want, more = parts(rng, place, want,
                           np.ones(want.shape[2:], bool) if valid is None else valid)
        note = None
    exact = want.dtype.kind in "ub"
    layouts = [["--layout", "planes"]] if counts and exact else []
    more += rng.choice([[], ["--stream"], ["--layout", "dense"]] + layouts)
    more += ["--threads", rng.randint(1, 4)]
    case = Case(path.name, None, want, options + more, note=note, slack=0 if exact else 3e-7,
                lost=~there.all((2, 3)) if missing else None)
    random = hdf5_values.generator(rng)
    case.weights = [random.integers(1, 64, want.shape[2:]).astype("f4"),
                    (random.random(want.shape[2:]) + 0.01).astype("f4")]
    wrong = problem(case, sluice, place, path)
    if "copy it into a plain dataset with h5repack" in wrong:
        raise Skip("sources of another type than their virtual dataset are refused")
    if wrong or missing:
        return wrong
    return pattern(rng, sluice, place, path, want, options + more, exact)


def pattern(rng, sluice, place, path, loaded, options, exact):
    """Sometimes, the sum and the largest of all frames too."""
    if rng.random() < 0.6:
        return ""
    sluice.run("stem4d", "diffraction-pattern", path, "--kind", "sum,max", "--format", "npy",
               "--out", place / "pattern", *options)
    wide = loaded.astype("u8" if exact else "f8")
    for kind, wanted, slack in (("sum", wide.sum((0, 1)), 3e-7 * np.abs(wide).sum((0, 1))),
                                ("max", wide.max((0, 1)), 3e-7 * np.abs(wide).max((0, 1)))):
        got = np.load(place / f"pattern/pattern_{kind}.npy")
        if got.shape != wanted.shape:
            return f"{kind} of {got.shape} and not {wanted.shape}"
        off = got != wanted if exact else ~(np.abs(got - wanted) <= slack + 1e-6)
        if off.any():
            return f"{kind}: {got[off][:4]} and not {wanted[off][:4]}, at {np.argwhere(off)[0]}"
    return ""


def named(rng, file, name, names):
    """Writes the names of axes in one of the ways that people do."""
    made, how = file[name], rng.choice(["labels", "scales", "group", "dataset"])
    for axis, word in enumerate(names):
        if how == "labels":
            made.dims[axis].label = word
        if how == "scales":
            file[f"scale{axis}"] = np.arange(made.shape[axis])
            file[f"scale{axis}"].make_scale(word)
            made.dims[axis].attach_scale(file[f"scale{axis}"])
    if how == "group":
        made.parent.attrs["axes"] = names
    if how == "dataset":
        made.attrs["axes"] = rng.choice([":", ","]).join(names)


def decorated(rng, path, name):
    """Other things beside the frames, and links to them: the file and options that lead there."""
    options = []
    with h5py.File(path, "a", locking=False) as file:
        for number in range(rng.choice([0, 0, 1, 3, 40])):
            file[f"more/{number}"] = np.arange(number, dtype="f4")
            file[name].attrs[f"attribute {number}"] = "x" * number
        if rng.random() < 0.3:
            file["other"] = np.zeros((2, 2, 5, 5), "u2")
        if {"other", "sources"} & set(file):
            options = ["--dataset", "/" + name]
        if rng.random() < 0.2:
            file["soft"] = h5py.SoftLink("/" + name)
            options = ["--dataset", "/soft"]
    if rng.random() < 0.1:
        path = path.with_name("linked.h5")
        with h5py.File(path, "w", locking=False) as file:
            file["far"] = h5py.ExternalLink("f.h5", "/" + name)
        options = ["--dataset", "/far"]
    return path, options


def hdf5(rng, sluice, place, holes=False):
    dtype = rng.choice(hdf5_values.TYPES)
    stored = Stored(rng, hdf5_values.values(rng, dtype, hdf5_values.shape(rng)), can_name=True)
    path = place / "f.h5"
    name = rng.choice(["d", "entry/data/data", "a/b/c/d/e", "with blank/ä"])
    values, there = hdf5_layouts.written(rng, place, path, name, stored.data, holes)
    try:
        with h5py.File(path, "a", locking=False) as file:
            file[name].attrs.update(stored.attributes)
            if stored.names:
                named(rng, file, name, stored.names)
        path, options = decorated(rng, path, name)
    except OSError as error:
        raise Skip(f"HDF5 cannot write: {str(error).split(',')[0]}") from error
    return verdict(rng, sluice, place, path, stored.four(values), stored.four(there),
                   stored.options + options, holes=holes)


def incomplete(rng, sluice, place):
    return hdf5(rng, sluice, place, holes=True)


def npy(rng, sluice, place):
    """Both orders, every version of the header; now and then without its end."""
    dtype = rng.choice(hdf5_values.TYPES)
    stored = Stored(rng, hdf5_values.values(rng, dtype, hdf5_values.shape(rng)))
    path = place / "f.npy"
    if "scan_shape" in stored.attributes:
        stored.options += ["--scan", "x".join(map(str, stored.attributes["scan_shape"]))]
    data = np.asfortranarray(stored.data) if rng.random() < 0.4 else stored.data
    with open(path, "wb") as file:
        np.lib.format.write_array(file, data, rng.choice([(1, 0), (2, 0), (3, 0)]))
    return verdict(rng, sluice, place, path, stored.four(data), np.ones(stored.shape, bool),
                   stored.options)


def raw(rng, sluice, place):
    dtype = np.dtype(rng.choice(["<u1", "<u2", "<u4", "<f4"]))
    stored = Stored(rng, hdf5_values.values(rng, dtype, hdf5_values.shape(rng)))
    path = place / ("f" + rng.choice([".raw", ".bin", ".dat"]))
    offset = rng.choice([0, 0, 1, 512, rng.randint(0, 5000)])
    path.write_bytes(rng.randbytes(offset) + stored.data.tobytes())
    scan, frame = (f"{a}x{b}" for a, b in (stored.shape[:2], stored.shape[2:]))
    options = [] if "--scan" in stored.options else ["--scan", scan]
    options += ["--raw-frame", frame, "--raw-dtype", dtype.name]
    options += ["--raw-offset", offset] if offset else []
    return verdict(rng, sluice, place, path, stored.four(stored.data), np.ones(stored.shape, bool),
                   stored.options + options)


KINDS = [hdf5] * 5 + [incomplete] * 3 + [npy, raw]
