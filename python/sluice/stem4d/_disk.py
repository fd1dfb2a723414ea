"""The bright-field disk, and where it is found.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .. import _core
from .._arrays import Point, as_choice, as_image, as_pair
from .._errors import InvalidArgument
from .._scans._scan import Scan


@dataclass(frozen=True)
class Disk:
    """The bright-field disk: its centre (row, col) and radius, in pixels of the full detector."""

    center: Point
    radius: float
    #: Of a measured one: the part of its edge that is seen and is its own, 0 to 1.
    quality: Optional[float] = None

    def _native(self) -> "tuple[float, float, float, Optional[float]]":
        row, col = as_pair(self.center, "the disk's centre")
        return row, col, float(self.radius), self.quality


def _disk(numbers: Any) -> Optional[Disk]:
    if numbers is None:
        return None
    row, col, radius, quality = numbers
    return Disk((row, col), radius, quality)


def find_disk(what: Any, bad: Any = None, *, device: str = "cpu", threads: int = 0) -> Disk:
    """Centre and radius of the direct beam's disk, to a fraction of a pixel.

    Args:
        what: a `Scan` (the disk is in pixels of its full detector), or a mean pattern [row, col]
            (in the pattern's own pixels).
        bad: of a pattern: [row, col], pixels to ignore.

    Raises:
        Error: no disk can be told.
    """
    if isinstance(what, Scan):
        if bad is not None:
            raise InvalidArgument("bad is of a pattern (a scan has pixels of its own that are left "
                                  "out); load the scan with mask")
        found = _core.find_disk(what._open(), device, threads)
    else:
        found = _core.find_disk_in_pattern(as_image(what, "the pattern"), as_choice(bad, "bad"))
    made = _disk(found)
    assert made is not None
    return made
