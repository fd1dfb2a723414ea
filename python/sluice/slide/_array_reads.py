"""What reading an array of a slide needs: one type, room, and bands of rows.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import Unsupported
from ._tiles import LETTERS

if TYPE_CHECKING:
    from ._file import SlideFile

# Of rows and columns with gaps between them, so many bytes are read at once at most.
_BAND = 256 << 20


def _one_type(slide: "SlideFile", first: List[int], plane: "dict[str, int]", channels: int) -> None:
    c = LETTERS.index("C")
    if "C" in plane or channels == 1:
        return
    types = []
    for i in range(channels):
        at = list(first)
        at[c] += i
        types.append(slide._open().pixel_type(at))
    if len(set(types)) > 1:
        raise Unsupported(f"the channels have different pixel types ({', '.join(types)}); choose "
                          "one, as in array(C=0)", slide.path)


def _room(size: int) -> None:
    _core.expect_room(size)


def _ascends(numbers: NDArray[np.int64]) -> bool:
    return bool(np.all(np.diff(numbers) == 1))


def _bands(numbers: NDArray[np.int64], most: int) -> "Iterator[tuple[int, int]]":
    """Stretches of a list of rows, each within so many rows of the slide where it can be."""
    begin = 0
    while begin < len(numbers):
        least = most_ = int(numbers[begin])
        end = begin + 1
        while end < len(numbers):
            least, most_ = min(least, int(numbers[end])), max(most_, int(numbers[end]))
            if most_ - least + 1 > most:
                break
            end += 1
        yield begin, end
        begin = end
