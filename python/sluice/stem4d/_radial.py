"""All annuli about one centre.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from .. import _core
from .._arrays import Image, Point, as_pair
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan


class RadialCache:
    """All annuli about one centre, ready: an annulus of whole radii is a difference of two images.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        center: (row, col) in pixels of the full detector.
    """

    def __init__(self, scan: Sources, center: Point, *, device: str = "cpu", threads: int = 0,
                 progress: Progress = None) -> None:
        with shown(progress, "radial cache") as tell:
            self._native = _core.radial_cache(as_scan(scan)._open(), as_pair(center, "center"),
                                              device, threads, tell)

    @property
    def largest_radius(self) -> int:
        """Beyond it there is no pixel."""
        return int(self._native.largest_radius)

    def annulus(self, inner: int, outer: int) -> Image:
        """Sum over pixels with inner <= r <= outer, exact: [row, col] of the scan."""
        image: Image = self._native.annulus(inner, outer)
        return image
