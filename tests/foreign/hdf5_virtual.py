"""A virtual dataset over sources drawn at random: joined, interleaved, modules, strided, nested.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib

import h5py
import numpy as np

import hdf5_layouts
import hdf5_values


def pieces(rng, of):
    """Selections that cover a shape, each once: runs or every n-th along one or two axes."""
    whole = [tuple(slice(0, n, 1) for n in of)]
    for _ in range(rng.choice([1, 1, 2])):
        axis = rng.choice([0, 0, 0, rng.randrange(len(of))])
        n = of[axis]
        count = rng.randint(1, min(n, 5))
        if rng.random() < 0.5:
            parts = [slice(i, n, count) for i in range(count)]
        else:
            cuts = [0, *sorted(rng.sample(range(1, n), count - 1)), n]
            parts = [slice(a, b, 1) for a, b in zip(cuts, cuts[1:])]
        # Only an axis that is still whole is cut.
        whole = [one[:axis] + (part,) + one[axis + 1:] for one in whole for part in parts
                 ] if whole[0][axis] == slice(0, n, 1) else whole
    return whole


def embedded(rng, part):
    """An array that holds a part somewhere, and where: with a margin, every n-th, other axes."""
    if part.ndim > 2 and rng.random() < 0.2:
        part = part.reshape((-1,) + part.shape[2:])  # the same values in the same order
    if rng.random() < 0.6:
        return part, tuple(slice(0, n, 1) for n in part.shape)
    first = [rng.randint(0, 2) for _ in part.shape]
    step = [rng.choice([1, 1, 2, 3]) for _ in part.shape]
    at = tuple(slice(f, f + (n - 1) * s + 1, s) for f, s, n in zip(first, step, part.shape))
    larger = np.full([a.stop + rng.randint(0, 2) for a in at], 1, part.dtype)
    larger[at] = part
    return larger, at


def write(rng, place, file, name, data, holes, depth, fill):
    """Writes sources and a dataset over them: values as HDF5 reads them, and which are there."""
    want, there = np.full(data.shape, fill, data.dtype), np.zeros(data.shape, bool)
    layout = h5py.VirtualLayout(data.shape, data.dtype)
    stem = f"{pathlib.Path(file.filename).stem}_{rng.randrange(1 << 20)}"
    for number, at in enumerate(pieces(rng, data.shape)):
        if holes and rng.random() < 0.15:
            continue
        larger, inside = embedded(rng, data[at])
        if rng.random() < 0.02:  # which Sluice refuses
            larger = larger.astype(hdf5_values.related(rng, larger, data.dtype))
        path = place / f"{stem}_{number}.h5"
        here = rng.random() < 0.1
        if here:
            path, inner = pathlib.Path("."), f"sources/{stem}_{number}"
            kept, filled = hdf5_layouts.write(rng, place, file, inner, larger, holes, depth + 2)
        else:
            inner = rng.choice(["s", "entry/data/data", "a group/b"])
            with hdf5_layouts.create(path, rng) as other:
                kept, filled = hdf5_layouts.write(rng, place, other, inner, larger, holes,
                                                  depth + 1)
        source = h5py.VirtualSource(path.name or ".", inner, larger.shape)
        layout[at] = source[inside]
        if holes and not here and rng.random() < 0.15:
            path.unlink()
            continue
        want[at] = kept[inside].reshape(data[at].shape).astype(data.dtype)
        there[at] = filled[inside].reshape(data[at].shape)
    file.create_virtual_dataset(name, layout, fillvalue=fill)
    return want, there
