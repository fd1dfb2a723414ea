"""Indices as NumPy has them, for arrays whose elements are read when they are asked for.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray


class Axis:
    """What an index takes of one axis: numbers in order, and whether the axis goes away."""

    __slots__ = ("numbers", "scalar", "listed")

    def __init__(self, numbers: NDArray[np.int64], scalar: bool = False,
                 listed: bool = False) -> None:
        self.numbers = numbers
        self.scalar = scalar
        self.listed = listed

    def span(self) -> "tuple[int, int]":
        """The first number and how many up to the last one, for reading in one stretch."""
        if self.numbers.size == 0:
            return 0, 0
        first = int(self.numbers.min())
        return first, int(self.numbers.max()) - first + 1


def _axis(index: Any, size: int, axis: int) -> Axis:
    if isinstance(index, slice):
        return Axis(np.arange(*index.indices(size), dtype=np.int64))
    if isinstance(index, (bool, np.bool_)):
        raise IndexError("a single bool is not an index of one axis; use a slice or a list")
    try:
        number = operator.index(index)
    except TypeError:
        return _listed(index, size, axis)
    if not -size <= number < size:
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {size}")
    return Axis(np.array([number % size], dtype=np.int64), scalar=True)


def _listed(index: Any, size: int, axis: int) -> Axis:
    if np.ma.is_masked(index):
        raise IndexError(f"axis {axis}: a masked array leaves out indices; give those that it has, "
                         "as in a.compressed(), or a.filled(False) of a mask")
    given = np.asarray(index)
    if given.ndim != 1:
        raise IndexError(f"axis {axis}: indices are numbers, slices, one list or one mask; for "
                         "arrays of several axes read first and index the NumPy array")
    if given.dtype == bool:
        if given.size != size:
            raise IndexError(f"the mask of axis {axis} has {given.size} elements, the axis {size}")
        return Axis(np.flatnonzero(given).astype(np.int64), listed=True)
    if given.size == 0:
        return Axis(np.zeros(0, dtype=np.int64), listed=True)
    if given.dtype.kind not in "iu":
        raise IndexError(f"axis {axis}: an index of dtype {given.dtype}; use integers or a mask")
    numbers = given.astype(np.int64)
    if numbers.min() < -size or numbers.max() >= size:
        raise IndexError(f"a list of axis {axis} goes out of bounds; its size is {size}")
    return Axis(np.where(numbers < 0, numbers + size, numbers), listed=True)


def parse(index: Any, shape: Sequence[int]) -> "list[Axis]":
    """An Axis for each axis of `shape`. At most one of them is a list, as NumPy's own rules for
    several are not what people expect."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if any(part is None for part in parts):
        raise IndexError("np.newaxis is not an index of a file; add the axis to what you read")
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index has at most one ellipsis ('...')")
    if len(parts) - len(dots) > len(shape):
        raise IndexError(f"too many indices: the array has {len(shape)} axes, "
                         f"{len(parts) - len(dots)} were given")
    missing = [slice(None)] * (len(shape) - len(parts) + len(dots))
    at = dots[0] if dots else len(parts)
    parts[at:at + len(dots)] = missing
    axes = [_axis(part, size, i) for i, (part, size) in enumerate(zip(parts, shape))]
    if sum(axis.listed for axis in axes) > 1:
        raise IndexError("one list or mask at most; take the others from the array that you read")
    listed = [axis.listed for axis in axes]
    if any(listed) and any(axis.scalar for axis in axes[:]):
        _refuse_moved(axes)
    return axes


def _refuse_moved(axes: "list[Axis]") -> None:
    # NumPy moves the list's axis to the front when a number and a list stand apart.
    advanced = [i for i, axis in enumerate(axes) if axis.listed or axis.scalar]
    if advanced[-1] - advanced[0] + 1 != len(advanced):
        raise IndexError("a number and a list with a slice between them: NumPy would move axes; "
                         "use a slice of one element, or index twice")


def shape_of(axes: "list[Axis]") -> "tuple[int, ...]":
    """Of what such an index gives."""
    return tuple(len(axis.numbers) for axis in axes if not axis.scalar)
