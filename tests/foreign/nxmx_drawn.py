"""Master files of NXmx drawn at random, as DECTRIS detectors write them, by h5py.

SPDX-License-Identifier: Apache-2.0
"""
import h5py
import numpy as np

import hdf5_layouts
import hdf5_values
from hdf5_drawn import verdict


def data_file(rng, path, part, first):
    """One file of frames, behind any filters."""
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk((rng.choice([1, 1, 1, min(3, len(part))]), *part.shape[1:]))
    for number, options in hdf5_values.pipeline(rng):
        creation.set_filter(number, h5py.h5z.FLAG_OPTIONAL, options)
    with hdf5_layouts.create(path, rng) as file:
        made = hdf5_layouts.dataset(rng, file, "entry/data/data", creation, part,
                                    (h5py.h5s.UNLIMITED, *part.shape[1:]))
        made[...] = part
        made.attrs["image_nr_low"], made.attrs["image_nr_high"] = first + 1, first + len(part)


def master(rng, path, frames, scan, mask, applied, files):
    with hdf5_layouts.create(path, rng) as file:
        file["entry/definition"] = "NXmx"
        file["entry/instrument/detector/pixel_mask_applied"] = applied
        specific = file.create_group("entry/instrument/detector/detectorSpecific")
        # In the modes that end in "e" the signal makes the frame, and nimages does not count.
        mode = rng.choice(["ints", "exts", "inte", "exte"])
        triggers = len(frames) if mode[-1] == "e" else rng.choice([1, len(frames), scan[0]])
        specific["trigger_mode"], specific["ntrigger"] = mode, np.uint64(triggers)
        specific["nimages"] = np.uint64(max(1, len(frames) // triggers))
        if mask is not None:
            specific["pixel_mask"] = mask
        data = file.create_group("entry/data")
        for number in rng.sample(range(len(files)), len(files)):
            data[f"data_{number + 1:06}"] = h5py.ExternalLink(files[number].name, "entry/data/data")


def nxmx(rng, sluice, place):
    """Linked files, one lost now and then, a mask, and all-ones: no counts where it is applied."""
    shape = hdf5_values.shape(rng)
    values = hdf5_values.values(rng, rng.choice(["u1", "<u2", "<u4"]), shape)
    random = hdf5_values.generator(rng)
    if rng.random() < 0.4:
        values = np.where(random.random(shape) < 0.02, np.iinfo(values.dtype).max, values)
    frames = values.reshape(-1, *shape[2:])
    # Bit 31 means interpolated, which counts.
    mask = random.choice(np.array([0, 0, 0, 0, 1, 16, 1 << 31], "u4"), shape[2:])
    mask = mask if rng.random() < 0.5 and (mask & 0xFFFF == 0).any() else None
    valid = np.ones(shape[2:], bool) if mask is None else mask & 0xFFFF == 0
    each = rng.randint(max(1, len(frames) // 8), len(frames))
    want, there, files = frames.copy(), np.ones(frames.shape, bool), []
    for number, first in enumerate(range(0, len(frames), each)):
        files.append(place / f"x_data_{number + 1:06}.h5")
        data_file(rng, files[-1], frames[first:first + each], first)
        if number and rng.random() < 0.1:
            files[-1].unlink()
            want[first:first + each], there[first:first + each] = 0, False
    path = place / "x_master.h5"
    applied = rng.random() < 0.5
    master(rng, path, frames, shape[:2], mask, applied, files)
    if applied:
        want[want == np.iinfo(want.dtype).max] = 0
    want[:, ~valid] = 0
    options = [] if shape[0] == shape[1] and rng.random() < 0.5 else \
        ["--scan", f"{shape[0]}x{shape[1]}"]
    return verdict(rng, sluice, place, path, want.reshape(shape), there.reshape(shape), options,
                   valid)
