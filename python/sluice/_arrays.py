"""What comes in as an array, checked: converted only where no number changes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Optional, Protocol, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InvalidArgument

#: (row, col)
Point = Tuple[float, float]
#: [row, col]
Image = NDArray[np.float64]
Complex = NDArray[np.complex64]


class HasArray(Protocol):
    """An array of another package, as xarray's."""

    def __array__(self) -> NDArray[Any]: ...


class HasDLPack(Protocol):
    """An array that speaks DLPack, as torch's."""

    def __dlpack__(self, *given: Any, **more: Any) -> Any: ...


#: What `as_numpy` takes, but a number alone.
Numbers = Union[NDArray[Any], Sequence[float], Sequence[Sequence[float]], HasArray, HasDLPack]


def as_numpy(value: Any, name: str) -> NDArray[Any]:
    """Any array of the host: NumPy's, or one that speaks DLPack (torch, CuPy). A masked array is
    refused where it leaves elements out: few functions can do so, and they ask `as_masked`."""
    array, left_out = as_masked(value, name)
    if left_out is not None:
        raise InvalidArgument(f"{name} is a masked array that leaves out {int(left_out.sum())} of "
                              f"{array.size} elements, and this function takes all of them; fill "
                              "them, as in a.filled(0), or give the mask where there is an option")
    return array


def as_masked(value: Any, name: str) -> "tuple[NDArray[Any], Optional[NDArray[np.bool_]]]":
    """The same, and which elements a masked array leaves out; None: it leaves out none."""
    array = _as_numpy(value, name)
    if isinstance(value, (list, tuple)) and _has_masked(value):
        array = np.ma.stack([np.ma.asanyarray(one) for one in value])
    # Of NumPy, and of packages whose arrays have a mask in the same way.
    mask = np.ma.getmask(array) if isinstance(array, np.ma.MaskedArray) \
        else getattr(array, "mask", None)
    if isinstance(mask, np.ndarray) and mask.dtype == bool and mask.shape == array.shape \
            and mask.any():
        return np.asarray(array), np.asarray(mask, dtype=bool)
    return np.asarray(array), None


def _has_masked(values: Any) -> bool:
    """NumPy stacks lists of masked arrays without their masks."""
    return any(isinstance(one, np.ma.MaskedArray)
               or (isinstance(one, (list, tuple)) and _has_masked(one)) for one in values)


def _as_numpy(value: Any, name: str) -> NDArray[Any]:
    if isinstance(value, np.ndarray):
        array = value
    elif hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        try:
            array = np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError) as refused:
            raise InvalidArgument(f"{name} is an array of {type(value).__module__} that NumPy "
                                  f"cannot read ({refused}); copy it to the host first, as in "
                                  "a.cpu() or a.get()") from None
    else:
        try:
            # Dask's arrays lose their masks on the way to NumPy.
            dask = isinstance(getattr(value, "_meta", None), np.ma.MaskedArray)
            # Any: what an array of others is in NumPy may be a masked one.
            array = np.asanyarray(value.compute() if dask else value)
        except (TypeError, ValueError, RuntimeError) as refused:
            raise InvalidArgument(f"{name} is not an array ({refused})") from None
    if array.dtype == object:
        raise InvalidArgument(f"{name} is an array of Python objects; give one of numbers, as in "
                              "np.asarray(..., dtype=float)")
    return array


#: Whole numbers that may be counts, and the counts of their first bytes.
_COUNTED = {"i1": "u1", "i2": "u2", "i4": "u4", "i8": "u4", "u8": "u4"}


def as_counts(array: NDArray[Any], left_out: "Optional[NDArray[np.bool_]]" = None) -> NDArray[Any]:
    """Whole numbers as the unsigned ones that counts are, without a copy; the array as it is where one
    is below 0 or has more than 32 bits. Elements that are left out do not decide: they become 0."""
    name = _COUNTED.get(array.dtype.str[1:])
    if name is None or array.size == 0:
        return array
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    most = np.iinfo(name).max
    if not _within(array, most):
        if left_out is None:
            return array
        known = np.where(left_out, np.zeros((), array.dtype), array)
        if not _within(known, most):
            return array
        array = known
    # The low half comes first: x86-64 is little-endian, as the library demands.
    if array.itemsize == 8:
        array = array.view([("low", name), ("high", name)])["low"]
    return array.view(name)


def _within(array: NDArray[Any], most: int) -> bool:
    """In slices, because a file that is mapped may be larger than the memory."""
    return all(bool(part.min() >= 0) and bool(part.max() <= most)
               for part in (array if array.ndim > 1 else [array]))


def as_image(value: Any, name: str, dtype: Any = np.float64) -> NDArray[Any]:
    """Real numbers [row][col], dense and of one type."""
    array = as_numpy(value, name)
    if array.ndim != 2:
        raise InvalidArgument(f"{name} has {array.ndim} axes; it is an array [row, col]")
    if array.dtype.kind not in "buif":
        raise InvalidArgument(f"{name} has dtype {array.dtype}; give real numbers")
    return np.ascontiguousarray(array, dtype=dtype)


def as_numbers(value: Any, name: str, axes: Sequence[str], dtype: Any = np.float64) -> NDArray[Any]:
    """Real numbers of so many axes, dense and of one type; `axes` are their names."""
    array = as_numpy(value, name)
    if array.ndim != len(axes):
        raise InvalidArgument(f"{name} has {array.ndim} axes; it is an array [{', '.join(axes)}]")
    if array.dtype.kind not in "buif":
        raise InvalidArgument(f"{name} has dtype {array.dtype}; give real numbers")
    return np.ascontiguousarray(array, dtype=dtype)


def as_choice(value: Any, name: str) -> Optional[NDArray[np.uint8]]:
    """Which elements [row][col] are chosen: 1 where the value is not 0."""
    if value is None:
        return None
    array = as_numpy(value, name)
    if array.ndim != 2:
        raise InvalidArgument(f"{name} has {array.ndim} axes; it is an array [row, col]")
    return np.ascontiguousarray(array != 0, dtype=np.uint8)


def as_pair(value: Any, name: str) -> "tuple[float, float]":
    """Two numbers (row, col)."""
    try:
        row, col = value
        return float(row), float(col)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {value!r}; it is two numbers, (row, col)") from None
