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

from .._calls import speak as _speak
from .._view._kinds import ShownSlides
from ._array import Array
from ._benchmark import benchmark
from ._convert import convert
from ._given import TileCache, Trace
from ._metadata import Attachment, Channel, Metadata, SceneInfo, Violation
from ._pixels import BadTile, Pixels, Stats
from ._profile import profile
from ._report import ConvertedImage, ConvertReport
from ._show import show
from ._slide import Slide, open, slides_in
from ._tiles import Level, Rect, Scene, Tile, Tiles
from ._times import Finding, Profile, ReadTimes

__all__ = ["Array", "Attachment", "BadTile", "Channel", "ConvertReport", "ConvertedImage", "Finding", "Level",
           "Metadata", "Pixels", "Profile", "ReadTimes", "Rect", "Scene", "SceneInfo", "ShownSlides", "Slide",
           "Stats", "Tile", "TileCache", "Tiles", "Trace", "Violation", "benchmark", "convert", "open", "profile",
           "show", "slides_in"]

_speak(globals())
