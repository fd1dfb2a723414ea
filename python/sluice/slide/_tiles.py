"""Places in slides: rectangles, levels, scenes and tiles.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass
from typing import Any, Dict, Iterator, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument

#: The dimensions besides X, Y, M and S, in the order of the library.
LETTERS = "CZTRIHVB"

_NONE = -2 ** 31  # where a tile has no scene, or no M


class Rect(NamedTuple):
    """A rectangle of pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Level:
    """A level of the pyramid."""

    factor: int  #: pixels of the full resolution per pixel, along each side
    tiles: int


@dataclass(frozen=True)
class Scene:
    """A scene as its tiles say."""

    id: Optional[int]  #: as the file numbers it; None: the file has no scenes, and this is all
    bounds: Rect  #: of its tiles of level 0, in the file's coordinates
    tiles: int  #: of level 0


@dataclass(frozen=True)
class Tile:
    """One image of the file: an entry of the directory, or one plane of an entry with several."""

    rect: Rect  #: pixels of the full resolution, in the file's coordinates
    stored_width: int
    stored_height: int
    at: Dict[str, int]  #: its index along each of the dimensions
    scene: Optional[int]
    m: Optional[int]
    pixel_type: str  #: as "Bgr24"
    entry: int  #: of a CZI: which entry of the directory
    plane: int  #: which plane of the entry
    level: int
    order: int  #: later tiles of a plane are drawn over earlier ones


class Tiles(Sequence_[Tile]):
    """The tiles of a slide, in the order of the file; `column` has one number of all of them."""

    _NAMES = ("x", "y", "width", "height", "stored_width", "stored_height", *LETTERS, "scene", "m",
              "pixel_type", "entry", "plane", "level", "order")

    def __init__(self, table: NDArray[np.int64]) -> None:
        table.flags.writeable = False
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        row = [int(n) for n in self._table[operator.index(index)]]
        scene, m, pixel_type, entry, plane, level, order = row[14:]
        return Tile(Rect(*row[:4]), row[4], row[5], dict(zip(LETTERS, row[6:14])),
                    None if scene == _NONE else scene, None if m == _NONE else m,
                    _core.pixel_type_name(pixel_type) or f"unknown {pixel_type}", entry, plane, level,
                    order)

    def __iter__(self) -> Iterator[Tile]:
        return (self[i] for i in range(len(self)))

    def column(self, name: str) -> NDArray[np.int64]:
        """"x", "y", "width", "height", "stored_width", "stored_height", a letter of a dimension,
        "scene" and "m" (-2147483648: none), "pixel_type" (CZI's number), "entry", "plane",
        "level" or "order" of every tile."""
        if name not in self._NAMES:
            raise InvalidArgument(f"tiles have no {name!r}; they have " + ", ".join(self._NAMES))
        return self._table[:, self._NAMES.index(name)]
