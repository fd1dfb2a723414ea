"""What reads are given, checked; what they share: a cache of tiles, and a trace.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
import os
from typing import Any, Mapping, Optional, Sequence, Union

from .. import _core
from .._errors import InvalidArgument
from ._tiles import LETTERS

Path = Union[str, "os.PathLike[str]"]
Rectangle = Sequence[int]

_MOST = 2 ** 31 - 1


class TileCache:
    """The decoded tiles that were used last; shared by as many slides and threads as like.

    Args:
        bytes: to keep at most.
    """

    def __init__(self, bytes: int) -> None:
        self._native = _core.TileCache(whole(bytes, "bytes", 0, 2 ** 62))


class Trace:
    """Collects what each worker did when, over one or several reads.

    Args:
        workers: at least as many as the threads that read; of others nothing is kept.
    """

    def __init__(self, workers: int) -> None:
        self._native = _core.Trace(whole(workers, "workers", 1, 1024))

    def spans(self) -> "list[tuple[str, int, int, int, int, int, int]]":
        """(step, worker, tile or -1, begin in ns, end in ns, of that computing in ns, bytes)"""
        return list(self._native.spans())

    def events(self, program: str = "sluice", item: str = "tile") -> str:
        """JSON for Perfetto and chrome://tracing."""
        return str(self._native.events(program, item))


def whole(value: Any, name: str, least: int, most: int) -> int:
    """A whole number in a range, or an error that names it."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}; it is a whole number") from None
    if not least <= number <= most:
        raise InvalidArgument(f"{name} is {number}; it can be {least} to {most}")
    return number


def _corners(value: Any, name: str) -> "tuple[int, int, int, int]":
    try:
        x, y, width, height = value
        numbers = (operator.index(x), operator.index(y), operator.index(width),
                   operator.index(height))
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {value!r}; it is four whole numbers, (x, y, width, "
                              "height)") from None
    if numbers[2] <= 0 or numbers[3] <= 0 or max(map(abs, numbers)) > 2 ** 40:
        raise InvalidArgument(f"{name} is {value!r}; its sides are above 0, and all of it is "
                              "near the slide")
    return numbers


def _known(letters: Mapping[str, Any], first: Mapping[str, int]) -> None:
    for letter in letters:
        if letter not in first:
            raise TypeError(f"unexpected keyword {letter!r}; dimensions are "
                            + ", ".join(LETTERS))


def _reading(threads: int, background: float, fill_bad: Optional[float], reduction: int,
             reduced: bool, cache: Optional[TileCache], trace: Optional[Trace]) -> Any:
    for value, kind, name in ((cache, TileCache, "cache"), (trace, Trace, "trace")):
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"{name} is a {type(value).__name__}; it is a {kind.__name__}")
    return (whole(threads, "threads", 0, 1024), float(background),
            None if fill_bad is None else float(fill_bad),
            whole(reduction, "reduction", 1, 16), bool(reduced),
            None if cache is None else cache._native, None if trace is None else trace._native)


def _range(letter: str, value: Any, first: int, count: int) -> "tuple[int, int]":
    if isinstance(value, str):
        if value != "all":
            raise InvalidArgument(f"{letter} is {value!r}; it is an index, a range or 'all'")
        return first, first + count - 1
    if isinstance(value, range):
        if value.step != 1 or len(value) == 0:
            raise InvalidArgument(f"{letter} is {value!r}; a range has steps of 1, and is not "
                                  "empty")
        return (whole(value[0], letter, -_MOST, _MOST), whole(value[-1], letter, -_MOST, _MOST))
    number = whole(value, letter, -_MOST, _MOST)
    return number, number
