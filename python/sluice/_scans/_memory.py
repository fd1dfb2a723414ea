"""Datasets of arrays in memory.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_counts, as_masked
from .._errors import InvalidArgument
from ._dataset import Dataset


def from_array(array: Any, *, name: str = "memory") -> Dataset:
    """A dataset of an array in memory, without a copy where its frames lie dense.

    Args:
        array: [scan row, scan column, detector row, detector column] of integers or floats, of
            NumPy or of anything that gives one (DLPack, `__array__`). It is kept alive, and must
            not change while the dataset is used. Whole numbers of any type are counts where none
            is below 0 or has more than 32 bits; else they are read as float32, and `notes` say so.
            Three axes [frame, row, col] are one row. What a masked array leaves out was not measured: pixels that all frames leave out become
            `pixel_mask`, others of floats NaN, in a copy.
        name: what errors and provenance call it.

    Raises:
        InvalidArgument: another number of axes, an empty axis, objects; a mask of integers that
            differs from frame to frame.
        Unsupported: a type that counts and intensities do not have.

    Example:
        >>> import numpy as np, sluice
        >>> sluice.from_array(np.zeros((2, 3, 8, 8), np.uint16)).shape
        (2, 3, 8, 8)
    """
    return _of_array(array, name, count=True)


def _of_array(array: Any, name: str, count: bool) -> Dataset:
    a, left_out = as_masked(array, "array")
    if a.ndim == 3:
        a, left_out = a[None], None if left_out is None else left_out[None]
    if a.ndim != 4:
        raise InvalidArgument(f"an array of {a.ndim} axes; a dataset has four: scan row, scan "
                              "column, detector row, detector column (load members of a 5-D "
                              "series one by one)")
    if a.dtype.byteorder not in "=|" and a.dtype != a.dtype.newbyteorder("="):
        a = a.astype(a.dtype.newbyteorder("="))
    pixels = None
    if left_out is not None:
        a, pixels = _without(a, left_out)
    a = as_counts(a, left_out) if count else a
    return Dataset(_core.from_array(a, a.__array_interface__["data"][0], a.dtype.name, a.shape,
                                    a.strides, name, pixels), None)


#: The bit of NXdetector's pixel_mask for what a user leaves out.
_USER_MASK = 1 << 8


def _without(a: NDArray[Any], left_out: "NDArray[np.bool_]"
             ) -> "tuple[NDArray[Any], Optional[NDArray[np.uint32]]]":
    """Frames whose own masks are NaN, and the pixels [row, col] that all of them leave out."""
    everywhere = left_out.all(axis=(0, 1))
    of_frames = left_out & ~everywhere
    if of_frames.any():
        if a.dtype.kind != "f":
            raise InvalidArgument(
                f"the masked array leaves out {int(of_frames.sum())} elements that differ from "
                f"frame to frame, and {a.dtype} has no value for what was not measured; give "
                "floats, as in a.astype('float32'), or a mask that is the same in all frames")
        a = np.where(of_frames, np.asarray(np.nan, dtype=a.dtype), a)
    if not everywhere.any():
        return a, None
    return a, np.where(everywhere, _USER_MASK, 0).astype(np.uint32)
