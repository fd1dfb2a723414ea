"""The calls of pylibCZIrw that read, for scripts that were written for it.

One line changes, `from pylibCZIrw import czi as pyczi`:

    from sluice import pylibczirw as pyczi

    with pyczi.open_czi("slide.czi") as document:
        image = document.read(roi=(0, 0, 512, 512), plane={"C": 0}, scene=0)

Images are what pylibCZIrw gives: (height, width, 1 or 3), colours in the order B, G, R, rectangles in
the file's coordinates. At a zoom below 1 pixels are means of what they cover; those of pylibCZIrw
are single ones of them. What is not here raises `Unsupported`. New scripts use `sluice.slide`.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import slide as slides
from ._errors import NotFound, Unsupported
from .slide import Rect

__all__ = ["Color", "CziReader", "Rectangle", "open_czi"]


class Rectangle(NamedTuple):
    """In the file's coordinates."""

    x: int
    y: int
    w: int
    h: int


class Color(NamedTuple):
    """Of 0 to 1."""

    b: float
    g: float
    r: float


class CziReader:
    """An open file, by `open_czi`."""

    def __init__(self, filepath: str, cache_options: Any = None) -> None:
        self._slide = slides.open(filepath)
        most = getattr(cache_options, "max_memory_usage", None)
        self._cache = None if not most else slides.TileCache(most)

    def close(self) -> None:
        """Lets go of the file."""
        self._slide.close()

    def _all_tiles(self, scene: Optional[int], level: Optional[int]) -> Rectangle:
        tiles = self._slide.tiles
        here = np.ones(len(tiles), bool)
        if scene is not None:
            here &= tiles.column("scene") == scene
        if level is not None:
            here &= tiles.column("level") == level
        x, y = tiles.column("x")[here], tiles.column("y")[here]
        if not len(x):
            return Rectangle(0, 0, 0, 0)
        right, bottom = x + tiles.column("width")[here], y + tiles.column("height")[here]
        return Rectangle(int(x.min()), int(y.min()), int(right.max() - x.min()),
                         int(bottom.max() - y.min()))

    def _box(self, rectangle: Rectangle) -> Dict[str, Tuple[int, int]]:
        counts = self._slide.counts
        box = {letter: (0, count) for letter, count in counts.items()
               if letter in "TZC" or count > 1}
        box["X"] = rectangle.x, rectangle.x + rectangle.w
        box["Y"] = rectangle.y, rectangle.y + rectangle.h
        return box

    @property
    def total_bounding_rectangle(self) -> Rectangle:
        """Of the tiles of all levels."""
        return self._all_tiles(None, None)

    @property
    def total_bounding_rectangle_no_pyramid(self) -> Rectangle:
        """Of the tiles of the full resolution."""
        return self._all_tiles(None, 0)

    @property
    def total_bounding_box(self) -> Dict[str, Tuple[int, int]]:
        """Of T, Z, C, other dimensions with several indices, X and Y: (0, size), or (from, to)."""
        return self._box(self.total_bounding_rectangle)

    @property
    def total_bounding_box_no_pyramid(self) -> Dict[str, Tuple[int, int]]:
        """The same, of the tiles of the full resolution."""
        return self._box(self.total_bounding_rectangle_no_pyramid)

    @property
    def scenes_bounding_rectangle(self) -> Dict[int, Rectangle]:
        """Of the tiles of all levels of each scene."""
        return {s.id: self._all_tiles(s.id, None) for s in self._slide.scenes if s.id is not None}

    @property
    def scenes_bounding_rectangle_no_pyramid(self) -> Dict[int, Rectangle]:
        """Of the tiles of the full resolution of each scene."""
        return {s.id: self._all_tiles(s.id, 0) for s in self._slide.scenes if s.id is not None}

    @property
    def raw_metadata(self) -> str:
        """The XML."""
        return self._slide.xml()

    @property
    def metadata(self) -> Dict[str, Any]:
        """The XML as a dictionary, by the package xmltodict."""
        import xmltodict  # type: ignore[import-untyped,import-not-found,unused-ignore]
        parsed: Dict[str, Any] = xmltodict.parse(self.raw_metadata)
        return parsed

    @property
    def pixel_types(self) -> Dict[int, str]:
        """Of each channel, as "Bgr24"."""
        return {c: self.get_channel_pixel_type(c) for c in range(self._slide.counts["C"])}

    def get_channel_pixel_type(self, channel_index: int) -> str:
        """As "Bgr24"; "Invalid" where there is no such channel."""
        first = self._slide.first["C"]
        if not 0 <= channel_index - first < self._slide.counts["C"]:
            return "Invalid"
        return self._slide.pixel_type(C=channel_index)

    def read(self, roi: Optional[Sequence[int]] = None, plane: Optional[Mapping[str, int]] = None,
             scene: Optional[int] = None, zoom: Optional[float] = None,
             pixel_type: Optional[str] = None,
             background_pixel: Union[Color, Sequence[float]] = Color(0, 0, 0)) -> NDArray[Any]:
        """A rectangle of a plane.

        Args:
            roi: (x, y, width, height) in the file's coordinates; None: the scene, or everything.
            plane: as {"C": 0, "Z": 3}; 0 where not given. Dimensions of one index are ignored.
            scene: its number; None: all together.
            zoom: above 0, up to 1.
            pixel_type: the file's own.
            background_pixel: (b, g, r) of 0 to 1, all the same.

        Returns:
            (height, width, 1 or 3), colours in the order B, G, R.
        """
        if roi is not None:
            where = Rectangle(*roi)
        elif scene is None:
            where = self.total_bounding_rectangle
        elif scene in self.scenes_bounding_rectangle:
            where = self.scenes_bounding_rectangle[scene]
        else:
            raise ValueError("The scene index provided does not match existing scenes")
        counts, first = self._slide.counts, self._slide.first
        at = {d: (plane or {}).get(d, 0) if counts[d] > 1 else first[d] for d in counts}
        own = self.get_channel_pixel_type(at["C"])
        if pixel_type and pixel_type != own:
            raise Unsupported(f"pixels of {own} as {pixel_type}; convert the array")
        options: Dict[str, Any] = dict(scene=scene, background=_background(background_pixel, own),
                                       cache=self._cache, progress=False, **at)
        if zoom is not None and zoom != 1:
            options["zoom"] = zoom
        try:
            image = np.asarray(self._slide.read(rect=where, **options))
        except NotFound:
            image = self._nothing(where, options)
        return image[..., None] if image.ndim == 2 else np.ascontiguousarray(image[..., 2::-1])

    def _nothing(self, where: Rectangle, options: "dict[str, Any]") -> NDArray[Any]:
        """A rectangle outside of everything, which pylibCZIrw fills with the background."""
        background = options.pop("background")
        options.pop("progress")
        options.pop("cache")
        pixel = self._slide.read(rect=self._corner(options["scene"]),
                                 **{**options, "zoom": None, "progress": False})
        zoom = options.get("zoom", 1)
        shape = max(1, int(where.h * zoom)), max(1, int(where.w * zoom))
        return np.full((*shape, *pixel.shape[2:]), background, pixel.dtype)

    def _corner(self, scene: Optional[int]) -> Rect:
        bounds = self._slide._bounds(scene)
        return Rect(bounds.x, bounds.y, 1, 1)


def _background(color: Union[Color, Sequence[float]], pixel_type: str) -> float:
    values = set(float(value) for value in color)
    if len(values) != 1:
        raise Unsupported(f"a background of {tuple(color)}; give one value for all colours")
    most = {"Gray8": 255, "Bgr24": 255, "Gray16": 65535, "Bgr48": 65535}.get(pixel_type, 1)
    value = values.pop() * most
    return float(round(value)) if most > 1 else value


@contextlib.contextmanager
def open_czi(filepath: str, file_input_type: Any = None, cache_options: Any = None, *,
             reader_options: Any = None) -> Iterator[CziReader]:
    """Opens a file for a `with` statement.

    Args:
        filepath: on this machine.
        file_input_type: None, or that of a local file.
        cache_options: of pylibCZIrw: as many bytes of decoded tiles are kept.
        reader_options: None.
    """
    if getattr(file_input_type, "value", file_input_type) not in (None, "standard"):
        raise Unsupported(f"{file_input_type}: files are read from this machine")
    if reader_options is not None:
        raise Unsupported("reader_options: leave them out")
    reader = CziReader(filepath, cache_options)
    try:
        yield reader
    finally:
        reader.close()


def __dir__() -> "list[str]":
    return list(__all__)
