"""A slide that is read: regions, planes, tiles and lazy arrays.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, cast

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import Cancelled, Error, InvalidArgument
from .._option_sets import ConvertOptions, Planes, PlaneStacks, ProfileOptions
from .._progress import Progress, shown
from .._words import said
from ._array import Array
from ._convert import convert
from ._file import SlideFile
from ._given import _MOST, Path, Rectangle, TileCache, Trace, _reading, whole
from ._metadata import Violation
from ._pixels import Pixels, pixels
from ._profile import profile
from ._report import ConvertReport
from ._times import Profile

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Slide(SlideFile):
    """An open slide. Many threads may read it at once.

    It travels by its path: other processes open the file again.
    """

    def check(self, pixels: bool = False, *, threads: int = 0,
              progress: Progress = None) -> List[Violation]:
        """Which rules of the format a CZI file breaks.

        Args:
            pixels: decode every tile, too. Those that cannot be decoded break the rule "pixels".
            threads: 0: one per processor.
            progress: f(tiles done, tiles in all); returning False cancels. None: a bar.
        """
        broken = [Violation(rule, said(text), at, note) for rule, text, at, note in _core.slide_check(self._open())]
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
        sluice.NotFound: /nowhere/a.czi: cannot open the file (No such file or directory)
    """
    if recover and trust_directory:
        raise InvalidArgument("recover and trust_directory exclude each other (the first believes "
                              "the tiles, the second the directory); give one of them")
    options = {"recover": bool(recover), "trust_directory": bool(trust_directory),
               "map": bool(map)}
    return Slide._at(path, {key: True for key, value in options.items() if value})


def slides_in(path: Path) -> List[str]:
    """The slides at a path, each a path for `open`: several where an OME-Zarr folder has several
    images or a plate, else the path itself."""
    return list(_core.slides_in(os.fspath(path)))
