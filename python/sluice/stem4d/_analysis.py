"""Analyses of one's own: a function, or a class with four methods, over all frames of a scan.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple, TypeVar, Union, overload

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._scans._frames import log
from .._scans._open import Sources, as_scan
from .._scans._scan import Scan
from .._words import said


@dataclass(frozen=True)
class Tile:
    """Consecutive frames of a scan."""

    #: Their numbers, row by row of the scan as loaded.
    frames: range
    #: [frame, row, col] of the detector as loaded, of the scan's dtype; read-only.
    values: NDArray[Any]
    #: (rows, columns) of the scan.
    scan_shape: Tuple[int, int]

    @property
    def rows(self) -> NDArray[np.int64]:
        """[frame]: row of the scan."""
        return np.asarray(self.frames, dtype=np.int64) // self.scan_shape[1]

    @property
    def cols(self) -> NDArray[np.int64]:
        """[frame]: column of the scan."""
        return np.asarray(self.frames, dtype=np.int64) % self.scan_shape[1]

    def __len__(self) -> int:
        return len(self.frames)


Result = TypeVar("Result", covariant=True)


class Analysis(Protocol[Result]):
    """What `fold` runs. Partial results are whatever you like; to travel to other processes they
    are pickled. `add` and `merge` change the first one in place, or return another."""

    def begin(self, frames: range) -> Any:
        """An empty partial result, with room for these frames."""

    def add(self, partial: Any, tile: Tile) -> Any:
        """Folds some of the frames in. Threads call it at once, each with its own partial."""

    def merge(self, partial: Any, later: Any) -> Any:
        """Folds in what was made of the frames that come next."""

    def finish(self, partial: Any) -> Result:
        """The answer."""


class _PerFrame:
    """A function of a tile that gives a number, or an array, for each of its frames."""

    def __init__(self, function: Callable[[Tile], Any], scan_shape: Tuple[int, int]) -> None:
        self._function = function
        self._scan_shape = scan_shape

    def begin(self, frames: range) -> List[NDArray[Any]]:
        return []

    def add(self, partial: List[NDArray[Any]], tile: Tile) -> None:
        out = np.asanyarray(self._function(tile))  # a masked array keeps its mask
        if out.ndim == 0 or len(out) != len(tile):
            raise InvalidArgument(
                f"the function gave shape {out.shape} for a tile of {len(tile)} frames; its first "
                "axis is the frames (for sums over frames write a class: begin, add, merge, "
                "finish)")
        partial.append(out)

    def merge(self, partial: List[NDArray[Any]], later: List[NDArray[Any]]) -> None:
        partial.extend(later)

    def finish(self, partial: List[NDArray[Any]]) -> NDArray[Any]:
        masked = any(isinstance(part, np.ma.MaskedArray) for part in partial)
        every = (np.ma.concatenate if masked else np.concatenate)(partial)
        return every.reshape(*self._scan_shape, *every.shape[1:])


def as_analysis(what: "Union[Analysis[Any], Callable[[Tile], Any]]", scan: Scan) -> Analysis[Any]:
    """A class as it is, or a function of a tile as one."""
    if all(callable(getattr(what, name, None)) for name in ("begin", "add", "merge", "finish")):
        return what  # type: ignore[return-value]
    if callable(what):
        return _PerFrame(what, scan.scan_shape)
    raise InvalidArgument(f"{type(what).__name__} is not an analysis; give a function of a tile, "
                          "or an object with begin, add, merge and finish")


def _or(new: Any, old: Any) -> Any:
    return old if new is None else new


class Merging:
    """Partial results that come in any order, merged in the order of their groups: sums of floats
    have the same bits whoever was first."""

    def __init__(self, analysis: Analysis[Any], scan: Scan) -> None:
        self._analysis = analysis
        self._groups = _core.value_groups(scan._open())
        self._total = analysis.begin(range(0, self._groups[-1][1]))
        self._waiting: Dict[int, Any] = {}
        self._next = 0
        self._lock = threading.Lock()

    @property
    def groups(self) -> int:
        """How many there are; it depends on the scan alone."""
        return len(self._groups)

    def take(self, group: int, partial: Any) -> None:
        """The partial result of one group."""
        with self._lock:
            self._waiting[group] = partial
            while self._next in self._waiting:
                later = self._waiting.pop(self._next)
                self._total = _or(self._analysis.merge(self._total, later), self._total)
                self._next += 1

    def finish(self) -> Any:
        """The answer, once every group has come."""
        if self._next != self.groups:
            raise InvalidArgument(f"group {self._next} of {self.groups} is missing")
        return self._analysis.finish(self._total)


def fold_groups(scan: Scan, analysis: Analysis[Any], first: int, last: int,
                take: Callable[[int, Any], None], threads: int,
                tell: Optional[Callable[[int, int], Any]]) -> List[str]:
    """Folds groups first .. last - 1; each partial result goes to `take`, in any order. Returns
    what reading met besides ordinary counts."""
    shape = scan.scan_shape

    def begin(first_frame: int, last_frame: int) -> Any:
        return analysis.begin(range(first_frame, last_frame))

    def add(partial: Any, first_frame: int, values: NDArray[Any]) -> Any:
        tile = Tile(range(first_frame, first_frame + len(values)), values, shape)
        return _or(analysis.add(partial, tile), partial)

    notes: List[str] = _core.fold_blocks(scan._open(), first, last, begin, add, take, threads,
                                         tell)
    return notes


@overload
def fold(scan: Sources, analysis: Analysis[Result], *, threads: int = 0, progress: Progress = None) -> Result: ...


@overload
def fold(scan: Sources, analysis: Callable[[Tile], Any], *, threads: int = 0,
         progress: Progress = None) -> NDArray[Any]: ...


def fold(scan: Sources, analysis: "Union[Analysis[Any], Callable[[Tile], Any]]", *, threads: int = 0,
         progress: Progress = None) -> Any:
    """Runs an analysis of your own over a scan, tile by tile, in memory or streamed.

    Reading and decoding run on all threads without the GIL; your function runs with it, and NumPy
    gives it up in its own loops. The answer does not depend on the number of threads.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        analysis: a function of a `Tile` that returns an array whose first axis is the tile's
            frames, or an object with begin, add, merge and finish (`Analysis`).
        threads: 0: one per processor.
        progress: f(frames done, all); returning False cancels. None: a bar.

    Returns:
        Of a function: [scan row, scan column, ...]; of an object: what its `finish` returns.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> sluice.stem4d.fold(scan, lambda tile: tile.values.max(axis=(1, 2))).shape
        (8, 8)
    """
    loaded = as_scan(scan)
    own = as_analysis(analysis, loaded)
    merging = Merging(own, loaded)
    with shown(progress, "fold", "frames") as tell:
        notes = fold_groups(loaded, own, 0, merging.groups, merging.take, threads, tell)
    for note in notes:
        log.warning("%s: %s", loaded.dataset.path, said(note))
    return merging.finish()
