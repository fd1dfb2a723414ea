"""What reading gives: pixels, and what is to be known of them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List

import numpy as np
from numpy.typing import NDArray

from .._errors import Error
from .._words import in_words


@dataclass(frozen=True)
class Stats:
    """What a read did."""

    tiles_hit: int = 0  #: tiles that meet the region
    tiles_hidden: int = 0  #: of those, tiles wholly under others: not read
    tiles_decoded: int = 0  #: read and decoded, or copied where not compressed
    tiles_bad: int = 0
    bytes_read: int = 0
    pixels_decoded: int = 0
    pixels_returned: int = 0
    pixels_region: int = 0  #: of the level, in the region
    pixels_background: int = 0  #: of those, under no tile; what masks leave out is not counted
    tiles_rounded: int = 0  #: tiles of a pyramid whose last row or column was repeated


@dataclass(frozen=True)
class BadTile:
    """A damaged tile that was filled (`fill_bad`)."""

    tile: int
    error: Error


class Pixels(np.ndarray[Any, np.dtype[Any]]):
    """What a read returns: a NumPy array that says which of its pixels are not the file's.

    Arrays made of it, slices too, are plain ones.

    Attributes:
        axes: a letter for each axis, as "YX", "YXS" (S: samples R, G, B) or "CZYX"; "N": tiles.
        notes: sentences, empty where all pixels are the file's: background under no tile, rows
            that were repeated, damaged tiles that were filled.
        stats: a `Stats`: what the read did.
        bad: a `BadTile` for each tile that was filled.
    """

    axes: str
    notes: List[str]
    stats: Stats
    bad: List[BadTile]

    def __array_finalize__(self, obj: Any) -> None:
        self.axes, self.notes, self.stats, self.bad = "", [], Stats(), []

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar or np.ndim(array) == 0:
            return np.asarray(array)[()]
        return np.asarray(array)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(self)[index]

    def __reduce__(self) -> "tuple[Any, ...]":
        return pixels_of, (np.asarray(self), self.axes, self.notes, self.stats, self.bad)


def pixels_of(values: NDArray[Any], axes: str, notes: List[str], stats: Stats,
              bad: List[BadTile]) -> Pixels:
    """An array's memory with what is told of it."""
    out: Pixels = values.view(Pixels)
    out.axes, out.notes, out.stats, out.bad = axes, notes, stats, bad
    return out


def pixels(found: "dict[str, Any]") -> Pixels:
    """Of what `_core` gives."""
    return pixels_of(found["values"], found["axes"], in_words(list(found["notes"])), Stats(**found["stats"]),
                     [BadTile(*b) for b in found["bad"]])
