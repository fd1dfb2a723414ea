"""One dataset in any layout that HDF5 has, drawn at random, with or without holes.

SPDX-License-Identifier: Apache-2.0
"""
import itertools

import h5py
import numpy as np

import hdf5_values
import hdf5_virtual
from matrix import Skip

VERSIONS = ["earliest", "v108", "v110", "v112", "v114", "latest"]


def create(path, rng):
    """A new file, of any version, with sizes and nodes that few use."""
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    if rng.random() < 0.2:
        creation.set_userblock(rng.choice([512, 1024, 4096, 65536]))
    elif rng.random() < 0.3:  # neither goes with a user block
        access.set_alignment(1, rng.choice([1, 8, 512, 4096]))
        creation.set_file_space_strategy(rng.choice([
            h5py.h5f.FSPACE_STRATEGY_PAGE, h5py.h5f.FSPACE_STRATEGY_AGGR,
            h5py.h5f.FSPACE_STRATEGY_NONE]), False, 1)  # HDF5 crashes where free space is kept
    if rng.random() < 0.2:
        creation.set_sizes(rng.choice([4, 8]), rng.choice([4, 8]))
    if rng.random() < 0.3:
        creation.set_link_creation_order(h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED)
    low = rng.randrange(len(VERSIONS))
    bounds = {"earliest": h5py.h5f.LIBVER_EARLIEST, "v108": h5py.h5f.LIBVER_V18,
              "v110": h5py.h5f.LIBVER_V110, "v112": h5py.h5f.LIBVER_V112,
              "v114": h5py.h5f.LIBVER_V114, "latest": h5py.h5f.LIBVER_LATEST}
    # Another thread that starts a program holds a lock for a moment longer.
    access.set_file_locking(False, True)
    access.set_libver_bounds(bounds[VERSIONS[low]], bounds["latest"])
    return h5py.File(h5py.h5f.create(str(path).encode(), h5py.h5f.ACC_TRUNC, creation, access))


def stored_type(rng, file, data):
    """The type of HDF5 for it, now and then committed under a name."""
    kind = h5py.h5t.py_create(data.dtype, logical=1)
    if rng.random() < 0.1:
        kind = kind.copy()
        kind.commit(file.id, f"type {len(file)}".encode())
    return kind


def dataset(rng, file, name, creation, data, most=None):
    """A dataset of the shape and type of an array; it is not written yet."""
    space = h5py.h5s.create_simple(data.shape, most or data.shape)
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    return h5py.Dataset(h5py.h5d.create(file.id, name.encode(), stored_type(rng, file, data), space,
                                        creation, links))


def unfiltered(made, start, part):
    """Writes a chunk as it is, and marks every filter as left out."""
    left_out = (1 << made.id.get_create_plist().get_nfilters()) - 1
    whole = np.pad(part, [(0, c - n) for c, n in zip(made.chunks, part.shape)])
    made.id.write_direct_chunk(start, whole.tobytes(), left_out)


def resized(rng, made, axes):
    """Makes a dataset larger or smaller, writes something, and gives it its shape again."""
    of = made.shape
    made.resize([rng.randint(1, 2 * n) if a in axes else n for a, n in enumerate(of)])
    if rng.random() < 0.5:
        made[...] = np.ones(made.shape, made.dtype)
    made.resize([0 if a in axes else n for a, n in enumerate(of)])
    made.resize(of)


def chunked(rng, file, name, data, fill, creation, holes):
    """Chunks behind filters, any kind of index; some never written: values and which are there."""
    chunk = hdf5_values.chunk(rng, data.shape)
    creation.set_chunk(chunk)
    for number, options in hdf5_values.pipeline(rng):
        # One that does not make a chunk smaller leaves it as it is, and says so in its mask.
        creation.set_filter(number, h5py.h5z.FLAG_OPTIONAL, options)
    grows = rng.choice([0, 0, 1, 2, len(data.shape)])
    axes = set(rng.sample(range(data.ndim), grows))
    most = tuple(h5py.h5s.UNLIMITED if a in axes else n + rng.choice([0, 0, 0, 5])
                 for a, n in enumerate(data.shape))
    early = rng.random() < 0.15
    if early:
        creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    made = dataset(rng, file, name, creation, data, most)
    if grows and not early and rng.random() < 0.3:
        resized(rng, made, axes)
    direct = rng.random() < 0.15
    if early or not (holes or direct):
        made[...] = data
        return data, np.ones(data.shape, bool)
    want, there = np.full(data.shape, fill, data.dtype), np.zeros(data.shape, bool)
    starts = list(itertools.product(*(range(0, n, c) for n, c in zip(data.shape, chunk))))
    for start in rng.sample(starts, rng.randint(0, len(starts)) if holes else len(starts)):
        at = tuple(slice(s, min(n, s + c)) for s, c, n in zip(start, chunk, data.shape))
        if direct and rng.random() < 0.5:
            unfiltered(made, start, data[at])
        else:
            made[at] = data[at]
        want[at], there[at] = data[at], True
    return want, there


def write(rng, place, file, name, data, holes, depth=0):
    """Writes a dataset: its values as HDF5 reads them, and which are not fill values."""
    dtype = data.dtype
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    fill = 0
    if rng.random() < 0.5 and dtype.kind != "b":
        fill = rng.randint(0, 100)
        creation.set_fill_value(np.array(fill, dtype))
    how = rng.choice(["chunked"] * 6 + ["contiguous", "compact"] + ["virtual"] * (3 - depth))
    if how == "virtual":
        return hdf5_virtual.write(rng, place, file, name, data, holes, depth, fill)
    if how == "chunked":
        return chunked(rng, file, name, data, fill, creation, holes)
    if how == "compact" and data.nbytes < 60_000:
        creation.set_layout(h5py.h5d.COMPACT)
    elif holes and rng.random() < 0.5:
        dataset(rng, file, name, creation, data)
        return np.full(data.shape, fill, dtype), np.zeros(data.shape, bool)
    dataset(rng, file, name, creation, data)[...] = data
    return data, np.ones(data.shape, bool)


def written(rng, place, path, name, data, holes):
    """A file of one dataset, as h5py reads it too: values, and which are there."""
    try:
        with create(path, rng) as file:
            want, there = write(rng, place, file, name, data, holes)
        with h5py.File(path, locking=False) as file:
            got = file[name][...]
    except (KeyError, OSError, RuntimeError, ValueError) as error:
        raise Skip(f"HDF5 cannot write: {str(error).split('(')[0]}") from error
    if not np.array_equal(got, want, equal_nan=True):
        raise AssertionError("h5py reads other values than were written")
    return want, there
