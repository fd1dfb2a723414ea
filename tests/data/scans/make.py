#!/usr/bin/env python3
"""Makes the scans of this folder with other people's programs: tests/foreign/requirements.txt.

SPDX-License-Identifier: Apache-2.0

    make.py

Each has 3 x 4 patterns of 8 x 8 pixels; pixel p of pattern f is (7 f + p) mod 50.
"""
import importlib
import pathlib
import sys

import mrcfile
import numpy as np
import tifffile
import zarr
from stempy.io.sparse_array import SparseArray

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "foreign"))
from rosettasciio_matrix import signal  # noqa: E402

pattern, pixel = np.arange(12)[:, None], np.arange(64)[None]
DATA = ((7 * pattern + pixel) % 50).reshape(3, 4, 8, 8).astype("u2")
BYTES = DATA.astype("u1")


def main():
    tifffile.imwrite(HERE / "stack.tif", DATA, photometric="minisblack", compression="lzw",
                     predictor=True, datetime=None, software="tifffile")
    tifffile.imwrite(HERE / "imagej.tif", DATA, imagej=True, metadata={"axes": "TZYX"})
    blo = signal(BYTES, units=("nm", "cm"))
    blo["axes"][2]["scale"] = blo["axes"][3]["scale"] = 0.01
    importlib.import_module("rsciio.blockfile").file_writer(
        str(HERE / "scan.blo"), blo, intensity_scaling=None)
    importlib.import_module("rsciio.tvips").file_writer(str(HERE / "scan_000.tvips"), signal(DATA),
                                                        version=2)
    with mrcfile.new(HERE / "stack.mrc", overwrite=True) as file:
        file.set_data(DATA.reshape(-1, 8, 8))
    # Three lists for each pattern, since a list names a pixel once.
    lists = np.empty((12, 3), dtype=object)
    for number, values in enumerate(DATA.reshape(12, 64)):
        for count in range(3):
            lists[number, count] = np.flatnonzero(values // 16 > count).astype("u4")
    (HERE / "counted.h5").unlink(missing_ok=True)
    SparseArray(data=lists, scan_shape=(3, 4), frame_shape=(8, 8)).write_to_hdf5(
        str(HERE / "counted.h5"))
    (HERE / "scan.zarr.zip").unlink(missing_ok=True)
    with zarr.storage.ZipStore(HERE / "scan.zarr.zip", mode="w") as store:
        zarr.create_array(store, name="data", data=DATA, chunks=(1, 4, 8, 8), shards=(3, 4, 8, 8))


if __name__ == "__main__":
    main()
