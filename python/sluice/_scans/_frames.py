"""Frames that are read when they are asked for, as an array of four axes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import logging
from typing import Any, Callable, Iterator, Optional

import numpy as np
from numpy.typing import NDArray

from .. import _index
from .._options import Pair, Rectangle
from .._words import said

log = logging.getLogger("sluice")


def _told(found: "tuple[NDArray[Any], list[str]]", path: str) -> NDArray[Any]:
    """What was read; what reading met besides ordinary counts goes to the log."""
    values, notes = found
    for note in notes:
        log.warning("%s: %s", path, said(note))
    return values


class _Frames:
    """Frames that are read when they are asked for: an array [row, col, row, col]."""

    scan_shape: Pair
    detector_shape: Pair

    @property
    def dtype(self) -> "np.dtype[Any]":
        """NumPy's type of the elements."""
        raise NotImplementedError

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        raise NotImplementedError

    @property
    def shape(self) -> "tuple[int, int, int, int]":
        """(scan rows, scan columns, detector rows, detector columns)"""
        return (*self.scan_shape, *self.detector_shape)

    @property
    def ndim(self) -> int:
        """4: two axes of the scan, two of the detector."""
        return 4

    @property
    def size(self) -> int:
        """Elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements as NumPy would hold them."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.scan_shape[0]

    def __iter__(self) -> "Iterator[NDArray[Any]]":
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> NDArray[Any]:
        return self._indexed(index, self._read)

    def _indexed(self, index: Any, read: "Callable[[NDArray[np.int64], Rectangle], NDArray[Any]]"
                 ) -> NDArray[Any]:
        axes = _index.parse(index, self.shape)
        rows, cols, detector_rows, detector_cols = axes
        frames = (rows.numbers[:, None] * self.scan_shape[1] + cols.numbers[None, :]).ravel()
        top, height = detector_rows.span()
        left, width = detector_cols.span()
        out = read(frames, (top, left, height, width))
        for axis, first, full in ((1, top, detector_rows), (2, left, detector_cols)):
            numbers = full.numbers - first
            if not np.array_equal(numbers, np.arange(out.shape[axis])):
                out = np.take(out, numbers, axis=axis)
        return out.reshape(_index.shape_of(axes))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("its elements are in a file or packed; an array of them is a copy")
        array = self[...]
        return array if dtype is None else array.astype(dtype, copy=False)

    def to_numpy(self) -> NDArray[Any]:
        """All elements: [scan row, scan column, detector row, detector column]."""
        return self[...]
