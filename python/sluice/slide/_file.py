"""An open slide: its tiles, levels, scenes and description.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument
from .._option_sets import Planes
from .._scans._dataset import stamp
from .._words import said
from ._given import _MOST, Path, Rectangle, _corners, _known, _range, whole
from ._metadata import Attachment, Metadata, metadata_of
from ._tiles import LETTERS, Level, Rect, Scene, Tiles

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Made = TypeVar("_Made", bound="SlideFile")


class SlideFile:
    """What is known of an open slide: its tiles, levels, scenes and description."""

    def __init__(self, native: Any, path: str, options: "dict[str, Any]") -> None:
        self._native: Any = native
        self._how = (path, options)
        self.path: str = native.path  #: what was opened
        self.format: str = native.format  #: "czi" or "ome-zarr"
        self._described: Optional[Metadata] = None
        # A plate has a thousand scenes, a slide a hundred thousand tiles: listed once.
        self._tiles: Optional[Tiles] = None
        self._scenes: Optional[Dict[Optional[int], Scene]] = None

    @classmethod
    def _at(cls: "Type[_Made]", path: Path, options: "dict[str, Any]") -> "_Made":
        """Opens it by its path."""
        where = os.fspath(path)
        if not isinstance(where, str):
            raise TypeError("path is bytes; it is a str or a pathlib.Path")
        given = {"recover": False, "trust_directory": False, "map": False, **options}
        return cls(_core.open_slide(where, **given), where, options)

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
        return [said(note) for note in self._open().notes] + self.metadata.notes

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

    def close(self) -> None:
        """Lets go of the file; what was read of it stays."""
        self._native = None

    def __enter__(self: "_Made") -> "_Made":
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
        return type(self)._at, (path, options)

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        path, options = self._how
        return ("sluice.slide", path, tuple(sorted(options.items())), *stamp(path), _core.__version__)

    def __repr__(self) -> str:
        if self._native is None:
            return f"<sluice.Slide {self.path!r}, closed>"
        axes = ", ".join(f"{n} {letter}" for letter, n in self.counts.items() if n > 1)
        b = self.bounds
        return (f"<sluice.Slide {self.path!r}: {b.width}x{b.height} pixels"
                f"{', ' + axes if axes else ''}, {len(self.scenes)} scene(s), "
                f"{len(self.levels)} level(s), {self.format}>")


def opened(source: Any, what: str) -> "contextlib.AbstractContextManager[SlideFile]":
    """A slide as it is, or one of a path, closed afterwards."""
    if isinstance(source, SlideFile):
        return contextlib.nullcontext(source)
    if isinstance(source, (str, os.PathLike)):
        return SlideFile._at(source, {})
    raise TypeError(f"{what} takes a Slide or a path, not a {type(source).__name__}")
