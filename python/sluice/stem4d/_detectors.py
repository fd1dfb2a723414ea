"""Virtual detectors: shapes, masks and weights.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Literal, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Point, as_image, as_numpy, as_pair

Shape = Literal["point", "disk", "annulus", "square", "rectangle", "polygon", "mask", "weights"]
Unit = Literal["pixels", "disk_radii", "mrad"]


@dataclass(frozen=True)
class Detector:
    """A virtual detector. A pixel belongs to it when its centre is inside or exactly on an edge.

    The functions `point`, `disk`, `annulus`, `square`, `rectangle`, `polygon`, `mask` and `weights`
    make one; wherever a detector is asked for, a text of `parse_detector` or an array will do.
    """

    shape: Shape = "disk"
    name: str = ""
    #: What radii are multiples of: "pixels", "disk_radii" of the bright-field disk, or "mrad". A
    #: rectangle in mrad lies about the disk's centre.
    unit: Unit = "pixels"
    #: Of point, disk, annulus, square; None: the disk's centre.
    center: Optional[Point] = None
    #: Radii; half the side of a square is `outer`.
    inner: float = 0.0
    outer: float = 0.0
    #: Opposite corners of a rectangle, both inside.
    from_: Point = (0.0, 0.0)
    to: Point = (0.0, 0.0)
    #: Of a polygon, in order.
    corners: Sequence[Point] = ()
    #: Of mask (not 0: inside) and weights: [row, col].
    pixels: Optional[NDArray[np.float32]] = field(default=None, compare=False)

    def _native(self) -> Any:
        made = self.__dict__.get("_made")
        if made is None:
            made = _core.make_detector(self.name, self.shape, self.unit, self.center, self.inner,
                                       self.outer, self.from_, self.to,
                                       [as_pair(c, "a corner") for c in self.corners],
                                       self.pixels)
            object.__setattr__(self, "_made", made)
        return made

    def __getstate__(self) -> Dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_made"}


Detectors = Union[Detector, str, NDArray[Any]]


def point(row: float, col: float, name: str = "") -> Detector:
    """The one pixel nearest to (row, col)."""
    return Detector("point", name, center=(row, col))


def disk(outer: float, center: Optional[Point] = None, name: str = "",
         unit: Unit = "pixels") -> Detector:
    """A disk of radius `outer`, about `center` or the bright-field disk's centre."""
    return Detector("disk", name, unit, center, outer=outer)


def annulus(inner: float, outer: float, center: Optional[Point] = None, name: str = "",
            unit: Unit = "pixels") -> Detector:
    """A ring between two radii, both inside."""
    return Detector("annulus", name, unit, center, inner, outer)


def square(half: float, center: Optional[Point] = None, name: str = "",
           unit: Unit = "pixels") -> Detector:
    """A square whose side is twice `half`."""
    return Detector("square", name, unit, center, outer=half)


def rectangle(from_: Point, to: Point, name: str = "", unit: Unit = "pixels") -> Detector:
    """A rectangle between opposite corners (row, col), both inside."""
    return Detector("rectangle", name, unit, from_=as_pair(from_, "from_"), to=as_pair(to, "to"))


def polygon(corners: Sequence[Point], name: str = "") -> Detector:
    """A polygon of corners (row, col), in order."""
    return Detector("polygon", name, corners=tuple(as_pair(c, "a corner") for c in corners))


def mask(pixels: Any, name: str = "") -> Detector:
    """The pixels [row, col] that are not 0, of the scan's detector as loaded or in full."""
    array = as_numpy(pixels, "pixels")
    chosen = array if array.dtype == bool else array != 0
    return Detector("mask", name, pixels=as_image(chosen, "pixels", np.float32))


def weights(pixels: Any, name: str = "") -> Detector:
    """A weight for each pixel [row, col], rounded to float32."""
    return Detector("weights", name, pixels=as_image(pixels, "pixels", np.float32))


def parse_detector(text: str) -> Detector:
    """Reads "bf", "abf", "adf", "haadf", "adf:60..200mrad", "disk:r=20", "annulus:r=40..90",
    "disk:r=12,center=80.5:96", "point:row=96,col=95", "square:half=10",
    "rectangle:rows=10..20,cols=0..191", "polygon:10:10/10:90/60:50", "mask:FILE.npy" and
    "weights:FILE.npy"; each may begin with "NAME=". bf is 0..R, abf R/2..R, adf R..2R, haadf
    2R..4R with R the measured disk's radius, unless radii follow. Radii, halves and a rectangle's
    rows and columns may end with "mrad"; they are pixels else.

    Example:
        >>> import sluice
        >>> sluice.stem4d.parse_detector("ring=annulus:r=40..90").outer
        90.0
    """
    return Detector(**_core.parse_detector(text).fields)


def _detector(what: Detectors) -> Any:
    if isinstance(what, Detector):
        return what._native()
    if isinstance(what, str):
        return _core.parse_detector(what)
    array = as_numpy(what, "a detector")
    made = mask(array) if array.dtype.kind in "bui" and _is_mask(array) else weights(array)
    return made._native()


def _is_mask(array: NDArray[Any]) -> bool:
    return array.dtype == bool or not np.any((array != 0) & (array != 1))


def _detectors(what: "Union[Detectors, Sequence[Detectors]]") -> "tuple[list[Any], bool]":
    """The detectors, and whether they came as one."""
    if isinstance(what, (Detector, str)):
        return [_detector(what)], True
    if isinstance(what, np.ndarray) and what.ndim == 2:
        return [_detector(what)], True
    return [_detector(one) for one in what], False
