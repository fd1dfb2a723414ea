"""Square patterns and their positions: what ptychography takes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, List, Optional

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_choice, as_masked, as_numbers
from .._errors import InvalidArgument
from .._words import in_words, said


class Patterns:
    """Square patterns [pattern, row, col] and their positions.

    Those of far fields have zero frequency at [0, 0]; those of near fields are images as the
    detector has them.

    `patterns_of` makes them of a scan; of arrays:

    Args:
        counts: [pattern, row, col] of numbers that uint8, uint16 or float32 hold exactly. NaN and infinite counts were not
            measured and take no part; counts below 0 become 0. `notes` counts both, and `positions`
            lacks those of patterns that were left out. Pixels that a masked array leaves out of all
            patterns are bad.
        positions: [pattern, 2], rows and columns in pixels of the object.
        centred: zero frequency is in the middle, at [n // 2, n // 2]; it is put at [0, 0]. False
            for near fields, which have none: others are refused.
        bad: [row, col] as the counts lie, not 0: the pixel holds no counts.
        wavelength_nm, pixel_nm: wanted for slices and near fields only.

    Raises:
        InvalidArgument: arrays of other types or shapes, or that do not belong together: another
            number of positions than patterns, a position that is not finite, bad pixels of another
            shape; a mask that differs from pattern to pattern.

    Example:
        >>> import numpy as np, sluice
        >>> counts = np.ones((4, 8, 8), np.uint16)
        >>> sluice.stem4d.Patterns(counts, [(0, 0), (0, 2), (2, 0), (2, 2)]).size
        8
    """

    def __init__(self, counts: Any, positions: Any, *, centred: bool = True, bad: Any = None,
                 wavelength_nm: float = 0.0, pixel_nm: float = 0.0) -> None:
        array, left_out = as_masked(counts, "counts")
        if array.ndim != 3:
            raise InvalidArgument(f"counts has {array.ndim} axes; it is an array [pattern, row, col]")
        array = _counts(array.astype(array.dtype.newbyteorder("="), copy=False))
        places = as_numbers(positions, "positions", ("pattern", "row and column"))
        if places.shape[0] != array.shape[0] or places.shape[1] != 2:
            raise InvalidArgument(f"positions have the shape {places.shape} and counts "
                                  f"{array.shape}; give (row, col) for each of the "
                                  f"{array.shape[0]} patterns")
        marked = as_choice(bad, "bad")
        if marked is not None and marked.shape != array.shape[1:]:
            raise InvalidArgument(f"bad has the shape {marked.shape}; patterns have "
                                  f"{array.shape[1:]}")
        if left_out is not None:
            marked = _bad_with(marked, left_out)
        if centred:
            array = np.fft.ifftshift(array, axes=(1, 2))
            marked = None if marked is None else np.fft.ifftshift(marked)
        self._native = _core.make_patterns(
            np.ascontiguousarray(array), places,
            None if marked is None else np.ascontiguousarray(marked), float(wavelength_nm),
            float(pixel_nm), bool(centred))
        self.notes: List[str] = in_words(_core.keep_measured(self._native))

    @classmethod
    def _of(cls, native: Any, notes: List[str]) -> "Patterns":
        made = cls.__new__(cls)
        made._native = native
        made.notes = [said(note) for note in notes]
        return made

    def __repr__(self) -> str:
        return f"Patterns({len(self)} of {self.size}x{self.size}, {self.pixel_nm:.5g} nm a pixel)"

    def __len__(self) -> int:
        return int(self.positions.shape[0])

    @property
    def counts(self) -> NDArray[Any]:
        """[pattern, row, col], of far fields zero frequency at [0, 0]; the memory is shared."""
        counts: NDArray[Any] = self._native.counts
        return counts

    @property
    def positions(self) -> NDArray[np.float64]:
        """[pattern, 2] in pixels of the object."""
        positions: NDArray[np.float64] = self._native.positions
        return positions

    @property
    def bad(self) -> Optional[NDArray[np.uint8]]:
        """[row, col], 1: holds no counts; None: all pixels do."""
        bad: Optional[NDArray[np.uint8]] = self._native.bad
        return bad

    @property
    def size(self) -> int:
        return int(self._native.size)

    @property
    def wavelength_nm(self) -> float:
        return float(self._native.wavelength_nm)

    @property
    def pixel_nm(self) -> float:
        """Of the object, and the unit of positions; of near fields a pixel of the detector."""
        return float(self._native.pixel_nm)

    @property
    def distance_mm(self) -> float:
        """Of near fields, from object to detector, as the file says it; 0: not known."""
        return float(self._native.distance_mm)


def _counts(array: NDArray[Any]) -> NDArray[Any]:
    """As uint8, uint16 or float32, whichever holds all of them exactly."""
    if array.dtype in (np.uint8, np.uint16, np.float32):
        return array
    if array.dtype.kind not in "buif":
        raise InvalidArgument(f"counts has dtype {array.dtype}; give real numbers")
    if array.dtype.kind in "bui" and array.size and array.min() >= 0:
        for kind in (np.uint8, np.uint16):
            if array.max() <= np.iinfo(kind).max:
                return array.astype(kind)
    with np.errstate(over="ignore"):  # what becomes infinite differs below
        made = array.astype(np.float32)
    differ = made.astype(array.dtype) != array if array.dtype.kind == "f" else _rounded(array)
    differ &= ~np.isnan(made)
    if differ.any():
        raise InvalidArgument(f"counts has dtype {array.dtype}, and float32 does not hold {int(differ.sum())} of its "
                              f"values, the first {array[differ][0]!r}; round them, as in "
                              "counts.astype('float32')")
    return made


def _rounded(whole: NDArray[Any]) -> "NDArray[np.bool_]":
    """Which whole numbers float32 does not hold: those of more than 24 bits, but for zeros at their end."""
    size = np.abs(whole.astype(object)) if whole.dtype.itemsize == 8 else np.abs(whole.astype(np.int64))
    lowest = size & -size
    return np.asarray(size > lowest * (2**24 - 1), dtype=bool)


def _bad_with(bad: "Optional[NDArray[np.uint8]]",
              left_out: "NDArray[np.bool_]") -> "NDArray[np.uint8]":
    """The bad pixels, and those that a masked array leaves out of all patterns."""
    everywhere = left_out.all(axis=0)
    own = int((left_out & ~everywhere).sum())
    if own:
        raise InvalidArgument(f"the masked counts leave out {own} elements that differ from pattern "
                              "to pattern; mark pixels that are bad in all of them, or leave those "
                              "patterns out")
    return np.asarray(everywhere if bad is None else everywhere | (bad != 0), dtype=np.uint8)
