"""What slides and their files are described with, and what reading them tells.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import Error, InvalidArgument

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
class Channel:
    """A channel as the file describes it; "" and 0 where it says nothing."""

    index: int
    id: str
    name: str
    fluor: str
    color: str  #: "RRGGBB"
    excitation_nm: float
    emission_nm: float
    exposure_ms: float
    bits: int  #: of a component
    low: float  #: display window, 0 to 1 of the range; both 0: unknown
    high: float


@dataclass(frozen=True)
class SceneInfo:
    """A scene as the file describes it."""

    index: int
    name: str
    well: str  #: as "D6", or ""
    row: int  #: of the well, from 1; 0: unknown
    column: int


@dataclass(frozen=True)
class Metadata:
    """What a file says of itself; it may lack any of it."""

    x_um: float  #: size of a pixel of the full resolution; 0: unknown
    y_um: float
    z_um: float  #: between two slices; 0: unknown
    t_s: float  #: between two time points, in seconds; 0: unknown
    channels: List[Channel]
    scenes: List[SceneInfo]
    acquired: str
    objective: str
    application: str
    title: str
    pixel_type: str
    sizes: Dict[str, int]  #: what it says of each dimension, where it says anything
    scene_count: int
    notes: List[str]  #: what is wrong with the description


def metadata_of(found: "dict[str, Any]") -> Metadata:
    """Of what `_core` gives."""
    sizes = {letter: n for letter, n in zip(LETTERS, found["sizes"]) if n}
    return Metadata(**{**found, "sizes": sizes,
                       "channels": [Channel(**c) for c in found["channels"]],
                       "scenes": [SceneInfo(**s) for s in found["scenes"]]})


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
    return pixels_of(found["values"], found["axes"], found["notes"], Stats(**found["stats"]),
                     [BadTile(*b) for b in found["bad"]])


@dataclass(frozen=True)
class Attachment:
    """A file within the file."""

    name: str
    content_type: str  #: as "JPG" or "CZI"
    size: int  #: bytes
    problem: str  #: why it cannot be read, or ""


@dataclass(frozen=True)
class Violation:
    """A rule of the format that a file breaks."""

    rule: str
    message: str
    at: int  #: byte in the file
    note: bool  #: odd, and seen in files of good writers


@dataclass(frozen=True)
class ConvertedImage:
    """An image of an OME-Zarr folder."""

    path: str
    name: str
    shape: Tuple[int, int, int, int, int]  #: t, c, z, y, x
    dtype: str
    levels: int


@dataclass(frozen=True)
class ConvertReport:
    """What a conversion did."""

    path: str
    images: List[ConvertedImage]
    pixels: int  #: of the full resolution, over all planes, where tiles may lie
    bytes: int  #: of the full resolution as elements
    bytes_written: int  #: of chunks of all levels
    chunks: int
    chunks_empty: int  #: of nothing but background, and not written
    chunks_verified: int
    band_memory: int  #: bytes planned for bands
    peak_memory: int  #: bytes of the process, as the system counted them
    seconds: float
    verify_seconds: float
    resumed: bool
    files_made_again: int  #: by resume, because they were missing or damaged
    tiles_filled: List[str]  #: with fill_bad: each tile, and why
    notes: List[str]


def convert_report(found: "dict[str, Any]") -> ConvertReport:
    """Of what `_core` gives."""
    return ConvertReport(**{**found, "images": [ConvertedImage(**i) for i in found["images"]]})


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
                      "findings": [Finding(**x) for x in f["findings"]]},
                   _natives=(native, slide))
