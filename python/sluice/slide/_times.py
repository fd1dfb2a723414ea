"""Where the time of reading goes, and what to do about it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from .._words import told
from ._pixels import Stats
from ._tiles import Rect


@dataclass(frozen=True)
class Spread:
    """Of several numbers."""

    min: float
    lower_quartile: float
    median: float
    upper_quartile: float
    max: float


@dataclass(frozen=True)
class StepTime:
    """One step of a read, summed over the workers."""

    name: str  #: "plan", "wait for the disk", "decode jpegxr", "idle" ...
    seconds: float
    tiles: int
    tile_s: Spread  #: of one tile; zeros for steps that are not of a tile


@dataclass(frozen=True)
class TileTime:
    """The time of a tile, all steps together."""

    tile: int
    seconds: float
    wait_s: float
    decode_s: float


@dataclass(frozen=True)
class ReadTimes:
    """One read of the region, the one in the middle of several."""

    threads: int
    cold: bool
    wall_s: float
    cpu_s: float
    process_cpu_s: float
    minor_faults: int
    major_faults: int
    disk_bytes: int
    steal: float
    repeats: int
    all_wall_s: Spread
    steps: List[StepTime]
    slowest: List[TileTime]
    stats: Stats


@dataclass(frozen=True)
class Seeks:
    """How far a reader jumps in the file that takes the tiles in some order, in bytes."""

    order: str
    total: int
    median: int
    largest: int
    backwards: int


@dataclass(frozen=True)
class Finding:
    """Something the numbers say, and what to do about it."""

    rule: str
    text: str
    advice: str
    evidence: str


def _times(found: Any) -> ReadTimes:
    return ReadTimes(**{**found, "all_wall_s": Spread(**found["all_wall_s"]),
                        "steps": [StepTime(**{**s, "tile_s": Spread(**s["tile_s"])})
                                  for s in found["steps"]],
                        "slowest": [TileTime(**t) for t in found["slowest"]],
                        "stats": Stats(**found["stats"])})


@dataclass(frozen=True)
class Profile:
    """Where the time of reading goes. `findings` says what to do about it."""

    path: str
    file_bytes: int
    entries: int
    tiles_in_region: int
    level: int
    levels: int
    processors: int
    rect: Optional[Rect]  #: that was read, in the file's coordinates; None: all of it
    shape: Tuple[int, int, int]  #: height, width, samples
    dtype: str
    tiles: List[int]  #: of the region, in the order of the file
    open: Dict[str, float]  #: seconds of each step of opening it, and the bytes of its XML
    disk: Dict[str, float]  #: the tiles' bytes read and not decoded
    amplification: Dict[str, float]  #: tiles decoded when each is read by its own rectangle
    reads: List[ReadTimes]  #: one for each number of threads
    cold_read: Optional[ReadTimes]
    seeks: List[Seeks]
    findings: List[Finding]
    _natives: Any = field(repr=False, compare=False, default=None)

    def trace_events(self) -> str:
        """JSON for Perfetto and chrome://tracing: a process for each read, a track for each
        worker."""
        native, slide = self._natives
        return str(native.trace_events(slide))

    def order_svg(self) -> str:
        """A picture of the region: its tiles coloured by their place in the file."""
        native, slide = self._natives
        return str(native.order_svg(slide))


def profile_of(native: Any, slide: Any) -> Profile:
    """Of what `_core` gives."""
    f = native.fields
    return Profile(**{**f, "rect": Rect(*f["rect"]) if f["rect"] else None,
                      "reads": [_times(r) for r in f["reads"]],
                      "cold_read": _times(f["cold_read"]) if f["cold_read"] else None,
                      "seeks": [Seeks(**s) for s in f["seeks"]],
                      "findings": [Finding(**told(x)) for x in f["findings"]]},
                   _natives=(native, slide))
