"""Where the pixels of a scan as loaded lie, and what is in them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image, Point
from .._scans._open import Sources, as_scan
from ._detectors import Detectors, _detector
from ._disk import Disk, find_disk


def frame(scan: Sources, row: int, col: int) -> Image:
    """One frame of the scan, [row, col] of the detector as loaded, as float64."""
    image: Image = _core.frame(as_scan(scan)._open(), row, col)
    return image


def rasterize(scan: Sources, detector: Detectors, disk: Optional[Disk] = None) -> NDArray[np.float32]:
    """A detector as weights [row, col] on the pixels of a scan as loaded: 1 and 0, or its own."""
    loaded = as_scan(scan)
    if disk is None:
        disk = find_disk(loaded)
    out: NDArray[np.float32] = _core.rasterize(loaded._open(), _detector(detector),
                                               disk._native())
    return out


@dataclass(frozen=True)
class PixelGrid:
    """Where the pixels of a scan as loaded lie: pixel (i, j) is a square of bin x bin pixels of the
    full detector about origin + bin * (i, j)."""

    origin: Point
    bin: float

    def to_detector(self, where: Point) -> Point:
        """From indices of the array to pixels of the full detector."""
        return (self.origin[0] + self.bin * where[0], self.origin[1] + self.bin * where[1])

    def to_array(self, where: Point) -> Point:
        """From pixels of the full detector to indices of the array."""
        return ((where[0] - self.origin[0]) / self.bin, (where[1] - self.origin[1]) / self.bin)


def pixel_grid(scan: Sources) -> PixelGrid:
    """Where the pixels of a scan as loaded lie on the full detector."""
    row, col, size = _core.pixel_grid(as_scan(scan)._open())
    return PixelGrid((row, col), size)


def pixel_unit(scan: Sources) -> str:
    """The unit of a pixel's value: "counts", or "counts/pixel" where bins are means."""
    return str(_core.pixel_unit(as_scan(scan)._open()))


def sum_unit(scan: Sources) -> str:
    """The unit of a sum of pixels' values."""
    return str(_core.sum_unit(as_scan(scan)._open()))
