"""An acquisition by `sluice synth`, as h5py reads it, and results as other programs read them.

SPDX-License-Identifier: Apache-2.0
"""
import h5py
import hdf5plugin  # noqa: F401  registers the filters with h5py
import numpy as np
import tifffile

FORMATS = {"npy": "npy", "tiff": "tif", "hdf5": "h5"}  # and how their files end


def counts_of(master):
    """The frames of an acquisition as [scan point][row][column], and which pixels are good."""
    with h5py.File(master) as file:
        data = file["entry/data"]
        detector = file["entry/instrument/detector"]
        if "data" in data:  # layout v2024, which has a dimension of channels
            frames = data["data"][:, 0]
            mask = detector["threshold_1_channel/pixel_mask"][...]
        else:
            frames = np.concatenate([data[key][...] for key in sorted(data)
                                     if key.startswith("data")])
            mask = detector["detectorSpecific/pixel_mask"][...]
    return frames, (mask.reshape(frames.shape[1:]) & 0xFFFF) == 0


def read_back(folder, stem, kind):
    """A result by the program that people read it with."""
    if kind == "npy":
        return np.load(folder / f"{stem}.npy")
    if kind == "tiff":
        return tifffile.imread(folder / f"{stem}.tif")
    (path,) = folder.glob("*.h5")
    with h5py.File(path) as file:
        return file[stem][...]


def agree(got, wanted, kind):
    """Sums are exact; TIFF holds float32, centres of mass are float64 in NumPy's order of sums."""
    if got.shape != wanted.shape:
        return f"shape {got.shape}, not {wanted.shape}"
    exact = kind != "tiff" and wanted.dtype.kind in "ui"
    same = np.array_equal(got, wanted) if exact else np.allclose(
        got, wanted, rtol=3e-7 if kind == "tiff" else 1e-12, atol=0 if exact else 1e-9,
        equal_nan=True)
    return "" if same else f"differs by {np.nanmax(np.abs(got - wanted.astype('f8')))}"
