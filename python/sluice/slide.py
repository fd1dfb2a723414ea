"""slide: slides of microscopes (CZI, OME-Zarr), read at any level and converted.

Pixels come out as [row, column] or [row, column, sample], samples in the order R, G, B (, A).
Rectangles are (x, y, width, height) in pixels of the full resolution, at every level: `region` from
the top left of the scene or of everything, as the command line has it; `rect` in the file's own
coordinates, as `Slide.bounds` and tiles have them. Planes are chosen by the letters of their
dimensions, as C=0 or Z=3, with the indices of the file.

    >>> import json, pathlib, tempfile, sluice
    >>> folder = pathlib.Path(tempfile.mkdtemp())  # an array of Zarr, as small as can be
    >>> about = dict(zarr_format=2, shape=[4, 6], chunks=[4, 6], dtype="|u1", compressor=None,
    ...              fill_value=0, order="C", filters=None)
    >>> _ = (folder / ".zarray").write_text(json.dumps(about))
    >>> _ = (folder / "0.0").write_bytes(bytes(range(24)))
    >>> with sluice.slide.open(folder) as slide:  # or a CZI file
    ...     part = slide.read(region=(1, 1, 3, 2))
    ...     lazy = slide.array()
    ...     corner = lazy[-1, -1]
    >>> part.tolist(), part.notes, int(corner)
    ([[7, 8, 9], [13, 14, 15]], [], 23)

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import operator
import os
import shutil
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._calls import speak as _speak
from ._option_sets import ConvertOptions, PlaneStacks, Planes, ProfileOptions
from ._errors import Cancelled, Error, InvalidArgument
from ._options import Codec, ConvertLayout
from ._progress import Progress, shown
from ._scan import _stamp
from ._show import show_slides as show
from ._slide_array import Array
from ._slide_types import (LETTERS, Attachment, BadTile, Channel, ConvertedImage, ConvertReport,
                           Finding, Level, Metadata, Pixels, Profile, ReadTimes, Rect, Scene,
                           SceneInfo, Stats, Tile, Tiles, Violation, convert_report, metadata_of,
                           pixels, profile_of)

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]
Rectangle = Sequence[int]

__all__ = ["Array", "Attachment", "BadTile", "Channel", "ConvertReport", "ConvertedImage",
           "Finding", "Level", "Metadata", "Pixels", "Profile", "ReadTimes", "Rect", "Scene",
           "SceneInfo", "Slide", "Stats", "Tile", "TileCache", "Tiles", "Trace", "Violation",
           "convert", "open", "profile", "show", "slides_in"]

_MOST = 2 ** 31 - 1
_JOURNAL = "sluice-convert.journal"  # what an unfinished output has


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


class Slide:
    """An open slide. Many threads may read it at once.

    It travels by its path: other processes open the file again.
    """

    def __init__(self, native: Any, path: str, options: "dict[str, Any]") -> None:
        self._native: Any = native
        self._how = (path, options)
        self.path: str = native.path  #: what was opened
        self.format: str = native.format  #: "czi" or "ome-zarr"
        self._described: Optional[Metadata] = None
        # A plate has a thousand scenes, a slide a hundred thousand tiles: listed once.
        self._tiles: Optional[Tiles] = None
        self._scenes: Optional[Dict[Optional[int], Scene]] = None

    def _open(self) -> Any:
        if self._native is None:
            raise InvalidArgument("the slide is closed; open it again")
        return self._native

    @property
    def tiles(self) -> Tiles:
        """Every tile of every level, in the order of the file."""
        if self._tiles is None:
            self._tiles = Tiles(self._open().tiles)
        self._open()
        return self._tiles

    @property
    def levels(self) -> List[Level]:
        """The pyramid, finest first; the first factor is 1."""
        return [Level(*level) for level in self._open().levels]

    @property
    def scenes(self) -> List[Scene]:
        """The scenes; a file without scenes has one, with the id None."""
        return list(self._known_scenes().values())

    @property
    def bounds(self) -> Rect:
        """Of all tiles of level 0, in the file's coordinates."""
        return Rect(*self._open().bounds)

    @property
    def first(self) -> Dict[str, int]:
        """The smallest index along each dimension: of C, Z, T, R, I, H, V and B."""
        return dict(zip(LETTERS, self._open().first))

    @property
    def counts(self) -> Dict[str, int]:
        """The number of indices along each dimension (last - first + 1)."""
        return dict(zip(LETTERS, self._open().counts))

    @property
    def metadata(self) -> Metadata:
        """Scaling in um, channels and scenes, as the file describes them."""
        native = self._open()
        if self._described is None:
            self._described = metadata_of(_core.slide_metadata(native))
        return self._described

    @property
    def notes(self) -> List[str]:
        """What was odd in the file, and in its description."""
        return list(self._open().notes) + self.metadata.notes

    @property
    def attachments(self) -> List[Attachment]:
        """Files within the file: labels, thumbnails and more. None in an OME-Zarr image."""
        return [Attachment(*a) for a in _core.slide_attachments(self._open())]

    @property
    def time_stamps(self) -> NDArray[np.float64]:
        """Seconds of each time point, by the attachment of that name; empty: there is none."""
        return np.asarray(_core.slide_time_stamps(self._open()), dtype=np.float64)

    @property
    def header(self) -> Dict[str, Any]:
        """Of a CZI file: "version" (major, minor), "guid", "primary_guid", "file_part" and
        "update_pending"."""
        return dict(_core.slide_header(self._open()))

    def xml(self) -> str:
        """The XML of a CZI file, "" where it has none."""
        return str(_core.slide_xml(self._open()))

    def attachment(self, name: str) -> bytes:
        """The bytes of an attachment of a CZI file; "NAME:1" is the second of several of a name.

        Raises:
            NotFound: it says which there are.
        """
        return bytes(_core.slide_attachment(self._open(), name))

    def check(self, pixels: bool = False, *, threads: int = 0,
              progress: Progress = None) -> List[Violation]:
        """Which rules of the format a CZI file breaks.

        Args:
            pixels: decode every tile, too. Those that cannot be decoded break the rule "pixels".
            threads: 0: one per processor.
            progress: f(tiles done, tiles in all); returning False cancels. None: a bar.
        """
        broken = [Violation(*v) for v in _core.slide_check(self._open())]
        if pixels:
            broken += self._undecodable(threads, progress)
        return broken

    def _undecodable(self, threads: int, progress: Progress) -> List[Violation]:
        out: List[Violation] = []
        native, count = self._open(), len(self.tiles)
        reading = _reading(threads, 0, 0, 1, False, None, None)
        with shown(progress, "decoding tiles", "tiles") as tell:
            for tile in range(count):
                try:
                    bad = [error for _, error in native.read_tile(tile, reading)["bad"]]
                except Cancelled:
                    raise
                except Error as error:
                    bad = [error]
                out += [Violation("pixels", error.text, error.at or 0, False) for error in bad]
                if tell is not None and tell(tile + 1, count) is False:
                    raise Cancelled("stopped")
        return out

    def compare_all(self) -> None:
        """Looks for tiles that lie elsewhere than a CZI's directory says; done once.

        Raises:
            Corrupt: there are such.
        """
        self._open().compare_all()

    def pixel_type(self, **plane: Unpack[Planes]) -> str:
        """The pixel type of a plane's tiles, as "Gray16" or "Bgr24"."""
        native, at = self._open(), self._plane(plane)
        native.shape(at, None, None, 0, None, 1)  # says which planes there are
        return str(native.pixel_type(at))

    def compression(self, tile: int) -> str:
        """The name of a tile's compression, as "jpeg_xr"."""
        return str(self._open().compression(whole(tile, "tile", 0, _MOST)))

    def shape(self, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
              scene: Optional[int] = None, level: int = 0, zoom: Optional[float] = None,
              reduction: int = 1, **plane: Unpack[Planes]) -> "tuple[int, ...]":
        """The shape of what `read` gives: ceil(width / factor) by ceil(height / factor) at a level,
        floor(width * zoom) by floor(height * zoom) at a zoom, at least 1."""
        native = self._open()
        rows, cols, samples, _ = native.shape(
            self._plane(plane), *self._where(scene, region, rect), self._level(level, zoom),
            None if zoom is None else float(zoom), whole(reduction, "reduction", 1, 16))
        return (rows, cols) if samples == 1 else (rows, cols, samples)

    def read(self, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
             scene: Optional[int] = None, level: int = 0, zoom: Optional[float] = None,
             reduction: int = 1, reduced: bool = False, background: float = 0,
             fill_bad: Optional[float] = None, threads: int = 0,
             cache: Optional[TileCache] = None, trace: Optional[Trace] = None,
             progress: Progress = None, **plane: Unpack[Planes]) -> Pixels:
        """One plane, or a rectangle of it.

        Args:
            region: (x, y, width, height) in pixels of the full resolution, from the top left of the
                scene or of everything; all of it where neither this nor `rect` is given.
            rect: the same in the file's coordinates.
            scene: a scene's number; None: all scenes together.
            level: of the pyramid, 0 is the finest.
            zoom: instead of `level`: above 0, up to 1. Pixels are means of those they cover.
            reduction: 4 or 16: JPEG XR is decoded from its coarse bands, to pixels of that size.
            reduced: lets a `zoom` do so where there is no pyramid: faster, low-pass values.
            background: the value where there is no tile.
            fill_bad: fill damaged tiles with this and name them in `bad`, instead of raising.
            threads: 0: one per processor.
            cache: keeps decoded tiles between reads.
            trace: collects the steps.
            progress: f(tiles done, tiles in all); returning False cancels. None: a bar.
            plane: C, Z, T, R, I, H, V, B: indices as the file has them; the first where not given.

        Returns:
            [height, width] or [height, width, samples] in the order R, G, B (, A), of the file's
            type, in memory of its own. Its `notes` say which pixels are not the file's.

        Raises:
            InvalidArgument, NotFound: there is no such plane, scene, level or region.
            Corrupt, Truncated: a damaged tile, with its place.
            OutOfMemory: more than is free.
        """
        native = self._open()
        with shown(progress, "reading tiles", "tiles") as tell:
            return pixels(native.read(
                self._plane(plane), *self._where(scene, region, rect), self._level(level, zoom),
                None if zoom is None else float(zoom),
                _reading(threads, background, fill_bad, reduction, reduced, cache, trace), tell))

    def read_planes(self, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
                    scene: Optional[int] = None, level: int = 0, zoom: Optional[float] = None,
                    reduced: bool = False, background: float = 0,
                    fill_bad: Optional[float] = None, threads: int = 0,
                    cache: Optional[TileCache] = None, trace: Optional[Trace] = None,
                    progress: Progress = None, **planes: Unpack[PlaneStacks]) -> Pixels:
        """Many planes in one array.

        Args:
            planes: of C, Z, T, R, I, H, V, B an index, a `range` of step 1, or "all". Without
                them: all channels, and the first index of the other dimensions.
            progress: told of the tiles of each plane in turn.
            region: and the others: as `read` has them.

        Returns:
            [extents..., height, width(, samples)]; `axes` names the axes: dimensions of which more
            than one index is read, in the order B, V, H, I, R, T, C, Z.

        Raises:
            NotFound: there is no tile at all. Unsupported: channels of different types.
        """
        native = self._open()
        with shown(progress, "reading tiles", "tiles") as tell:
            return pixels(native.read_planes(
                self._ranges(planes), *self._where(scene, region, rect), self._level(level, zoom),
                None if zoom is None else float(zoom),
                _reading(threads, background, fill_bad, 1, reduced, cache, trace), tell))

    def read_tile(self, tile: int, *, fill_bad: Optional[float] = None, threads: int = 0,
                  cache: Optional[TileCache] = None, trace: Optional[Trace] = None) -> Pixels:
        """One tile as it is stored, without its neighbours: [row, column(, sample)].

        Args:
            tile: its number: an index into `tiles`.
        """
        return pixels(self._open().read_tile(
            whole(tile, "tile", 0, _MOST),
            _reading(threads, 0, fill_bad, 1, False, cache, trace)))

    def read_tile_stack(self, tiles: Sequence[int], *, fill_bad: Optional[float] = None,
                        threads: int = 0, cache: Optional[TileCache] = None,
                        trace: Optional[Trace] = None, progress: Progress = None) -> Pixels:
        """Tiles of one shape and type as they are stored: [tile, row, column(, sample)]."""
        native = self._open()
        numbers = [whole(tile, "a tile", 0, _MOST) for tile in tiles]
        with shown(progress, "reading tiles", "tiles") as tell:
            return pixels(native.read_tile_stack(
                numbers, _reading(threads, 0, fill_bad, 1, False, cache, trace), tell))

    def tiles_in(self, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
                 scene: Optional[int] = None, level: int = 0, **plane: Unpack[Planes]) -> List[int]:
        """The numbers of the tiles of a plane and level that meet a rectangle, or of all, in the
        order they are drawn: later ones lie over earlier ones."""
        return list(self._open().tiles_in(self._plane(plane), *self._where(scene, region, rect),
                                          self._level(level, None)))

    def view_tile(self, tile: int) -> NDArray[np.uint8]:
        """The stored bytes of a tile that is not compressed, without a copy; read-only. Colours
        are in the order B, G, R. The file must have been opened with `map=True`."""
        view: NDArray[np.uint8] = _core.view_tile(self._open(), whole(tile, "tile", 0, _MOST))
        return view

    def array(self, scene: Optional[int] = None, level: int = 0, *, background: float = 0,
              fill_bad: Optional[float] = None, **plane: Unpack[Planes]) -> Array:
        """The planes of a scene at a level as an array that reads what an index asks for.

        Args:
            scene: a scene's number; None: all scenes together.
            level: of the pyramid, 0 is the finest.
            background: the value where there is no tile.
            fill_bad: fill damaged tiles with this, and log them.
            plane: of C, Z, T, R, I, H, V, B an index, as the file has it: that axis goes away.

        Returns:
            An `Array`. Its axes are B, V, H, I, R, T, C, Z as far as the slide has several
            indices of them, then Y, X, and S (R, G, B) of colours; `axes` names them.
        """
        return Array(self, scene, level, cast(Dict[str, int], plane), background, fill_bad)

    def convert(self, path: Path, **options: Unpack[ConvertOptions]) -> ConvertReport:
        """The same as `sluice.slide.convert(slide, path, **options)`."""
        return convert(self, path, **options)

    def profile(self, **options: Unpack[ProfileOptions]) -> Profile:
        """The same as `sluice.slide.profile(slide, **options)`."""
        return profile(self, **options)

    def close(self) -> None:
        """Lets go of the file; what was read of it stays."""
        self._native = None

    def __enter__(self) -> "Slide":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _known_scenes(self) -> "dict[Optional[int], Scene]":
        native = self._open()
        if self._scenes is None:
            self._scenes = {number: Scene(number, Rect(*bounds), tiles)
                            for number, bounds, tiles in native.scenes}
        return self._scenes

    def _scene(self, scene: Any) -> Optional[int]:
        return None if scene is None else whole(scene, "scene", 0, _MOST)

    def _bounds(self, scene: Optional[int]) -> Rect:
        """Of a scene, or of everything."""
        if scene is None:
            return self.bounds
        known = self._known_scenes()
        if scene not in known:
            there = ", ".join(str(n) for n in known if n is not None)
            raise InvalidArgument(f"there is no scene {scene} (" + (
                f"there are {there})" if there else "the file has no scenes)"))
        return known[scene].bounds

    def _where(self, scene: Any, region: Optional[Rectangle], rect: Optional[Rectangle]
               ) -> "tuple[Optional[int], Optional[tuple[int, int, int, int]]]":
        number = self._scene(scene)
        if region is not None and rect is not None:
            raise InvalidArgument("region and rect both choose a rectangle; give one of them")
        if rect is not None:
            return number, _corners(rect, "rect")
        if region is None:
            return number, None
        x, y, width, height = _corners(region, "region")
        all_ = self._bounds(number)
        return number, (all_.x + x, all_.y + y, width, height)

    def _level(self, level: Any, zoom: Optional[float]) -> int:
        number = whole(level, "level", 0, _MOST)
        if number and zoom is not None:
            raise InvalidArgument("level and zoom both choose a size; give one of them")
        return number

    def _plane(self, given: Mapping[str, Any]) -> List[int]:
        first = self.first
        _known(given, first)
        return [whole(given.get(letter, at), letter, -_MOST, _MOST)
                for letter, at in first.items()]

    def _ranges(self, given: Mapping[str, Any]) -> "list[tuple[int, int]]":
        first, counts = self.first, self.counts
        _known(given, first)
        return [_range(letter, given.get(letter, "all" if letter == "C" else at), at,
                       counts[letter]) for letter, at in first.items()]

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        path, options = self._how
        return _open_again, (path, options)

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        from . import __version__
        path, options = self._how
        return ("sluice.slide", path, tuple(sorted(options.items())), *_stamp(path), __version__)

    def __repr__(self) -> str:
        if self._native is None:
            return f"<sluice.Slide {self.path!r}, closed>"
        axes = ", ".join(f"{n} {letter}" for letter, n in self.counts.items() if n > 1)
        b = self.bounds
        return (f"<sluice.Slide {self.path!r}: {b.width}x{b.height} pixels"
                f"{', ' + axes if axes else ''}, {len(self.scenes)} scene(s), "
                f"{len(self.levels)} level(s), {self.format}>")


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


def _open_again(path: str, options: Dict[str, Any]) -> Slide:
    return open(path, **options)


def open(path: Path, *, recover: bool = False, trust_directory: bool = False,
         map: bool = False) -> Slide:
    """Opens a CZI file, or the folder of one OME-Zarr image (`slides_in` lists several).

    Args:
        path: the file or folder.
        recover: CZI: walk the file instead of trusting its directory, for unfinished files.
        trust_directory: CZI: take tiles as the directory describes them, though they differ.
        map: CZI: map the file into memory instead of reading it.

    Raises:
        NotFound, Unsupported, Corrupt, Truncated: each names the file and the place.

    Example:
        >>> import sluice
        >>> sluice.slide.open("/nowhere/a.czi")
        Traceback (most recent call last):
        ...
        sluice._errors.NotFound: /nowhere/a.czi: cannot open the file (No such file or directory)
    """
    where = os.fspath(path)
    if not isinstance(where, str):
        raise TypeError("path is bytes; it is a str or a pathlib.Path")
    if recover and trust_directory:
        raise InvalidArgument("recover and trust_directory exclude each other (the first believes "
                              "the tiles, the second the directory); give one of them")
    options = {"recover": bool(recover), "trust_directory": bool(trust_directory),
               "map": bool(map)}
    return Slide(_core.open_slide(where, **options), where,
                 {key: True for key, value in options.items() if value})


def slides_in(path: Path) -> List[str]:
    """The slides at a path, each a path for `open`: several where an OME-Zarr folder has several
    images or a plate, else the path itself."""
    return list(_core.slides_in(os.fspath(path)))


def _opened(source: Any, what: str) -> "contextlib.AbstractContextManager[Slide]":
    """A slide as it is, or one of a path, closed afterwards."""
    if isinstance(source, Slide):
        return contextlib.nullcontext(source)
    if isinstance(source, (str, os.PathLike)):
        return open(source)
    raise TypeError(f"{what} takes a Slide or a path, not a {type(source).__name__}")


@contextlib.contextmanager
def _cleared(path: str, keep: bool, overwrite: bool) -> Iterator[None]:
    """Removes the beginning of an output when the work is given up, unless it is to be kept."""
    part = path.rstrip("/") + ".part"
    keep = keep or (os.path.lexists(part) and not overwrite)
    try:
        yield
    except BaseException as error:
        given_up = isinstance(error, Cancelled) or not isinstance(error, Error)
        if given_up and not keep and os.path.exists(os.path.join(part, _JOURNAL)):
            shutil.rmtree(part, ignore_errors=True)
        raise


def convert(source: Any, path: Path, *, ngff: str = "0.4", chunk: int = 1024, shard: int = 0,
            codec: Codec = "blosc-lz4", codec_level: int = -1, layout: ConvertLayout = "auto",
            scenes: Sequence[int] = (), channels: Sequence[int] = (),
            plane: Optional[Mapping[str, int]] = None, min_size: int = 256, fill: float = 0,
            fill_bad: Optional[float] = None, resume: bool = False, overwrite: bool = False,
            verify: bool = False, threads: int = 0, device: str = "cpu",
            memory_limit: int = 1 << 30, provenance: Optional[Mapping[str, str]] = None,
            progress: Progress = None) -> ConvertReport:
    """Writes all planes of a CZI file as OME-Zarr, with pyramids.

    The folder has its name only when it is complete: until then it is called `path`.part. Work that
    is given up (Ctrl-C, or progress) leaves nothing, unless `resume` is set: then the part stays,
    and the same call goes on with it. After an error it stays, too.

    Args:
        source: a `Slide`, or a path for `open`.
        path: the folder to write.
        ngff: OME-Zarr "0.4" (Zarr version 2) or "0.5" (version 3).
        chunk: pixels along the sides of a chunk, even.
        shard: 0.5 only: pixels along the sides of a file of several chunks; 0: none.
        codec: "blosc-lz4", "zstd" or "none".
        codec_level: -1: 5 for blosc, 3 for zstd.
        layout: "auto", "scenes" (groups 0, 1, ...), "plate" or "merged" (one canvas).
        scenes: indices; empty: all.
        channels: indices; empty: all.
        plane: which index of R, I, H, V or B where there are several, as {"H": 2}.
        min_size: levels are added until no side is longer.
        fill: the value where there is no tile.
        fill_bad: fill damaged tiles with this, name them in the report, and go on.
        resume: go on with an unfinished output of the same source and options.
        overwrite: replace what is there.
        verify: read source and output again afterwards, and compare every element.
        threads: 0: one per processor.
        device: where the coarser levels are made: "cpu", "cuda" or "reference".
        memory_limit: bytes of the bands that are held.
        provenance: written with the images; None: the program, its version and the slide.
        progress: f(bytes done, bytes in all); returning False cancels. None: a bar.

    Raises:
        InvalidArgument: something is in the way, or an option makes no sense.
        Unsupported: the source is not a CZI file. Corrupt, Truncated: a damaged tile.
    """
    where = os.fspath(path)
    with _opened(source, "convert") as slide, shown(progress, "converting") as tell, \
            _cleared(where, resume, overwrite):
        return convert_report(_core.slide_convert(
            slide._open(), where, ngff, whole(chunk, "chunk", 2, 1 << 20),
            whole(shard, "shard", 0, 1 << 30), codec, whole(codec_level, "codec_level", -1, 22),
            layout, [whole(n, "a scene", 0, _MOST) for n in scenes],
            [whole(n, "a channel", -_MOST, _MOST) for n in channels],
            {key: whole(n, key, -_MOST, _MOST) for key, n in (plane or {}).items()},
            whole(min_size, "min_size", 1, 1 << 40), float(fill),
            None if fill_bad is None else float(fill_bad), bool(resume), bool(overwrite),
            bool(verify), whole(threads, "threads", 0, 1024), device,
            whole(memory_limit, "memory_limit", 1, 1 << 60),
            [(str(key), str(value)) for key, value in (provenance or {}).items()], tell))


def profile(source: Any, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
            scene: Optional[int] = None, level: int = 0, max_tiles: int = 100,
            threads: Sequence[int] = (), cold: bool = True, progress: Progress = None,
            **plane: Unpack[Planes]) -> Profile:
    """Reads a region of a CZI file once for each number of threads, and tells where the time goes.

    Args:
        source: a `Slide`, or a path for `open`.
        region: and `rect`, `scene`, `level`, `plane`: as `Slide.read` has them.
        max_tiles: of the middle of the region; 0: all, as memory allows.
        threads: numbers of threads to compare; empty: 1, 2, 4, 8 as far as there are processors.
        cold: also measure with the system's cache emptied of the file.
        progress: f(done, all); returning False cancels. None: a bar.
    """
    with _opened(source, "profile") as slide, shown(progress, "measuring", "tiles") as tell:
        native = slide._open()
        options = slide._how[1]
        made = _core.slide_profile(
            native, slide._plane(plane), *slide._where(scene, region, rect),
            slide._level(level, None), whole(max_tiles, "max_tiles", 0, _MOST),
            [whole(t, "a number of threads", 1, 1024) for t in threads], bool(cold),
            options.get("map", False), options.get("recover", False),
            options.get("trust_directory", False), tell)
        return profile_of(made, native)


_speak(globals())
