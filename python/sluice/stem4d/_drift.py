"""Drift of the specimen over series and scans, and scans without it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional

import numpy as np

from .. import _core
from .._arrays import Image, Point, as_image, as_pair
from .._errors import InvalidArgument
from .._words import told


@dataclass(frozen=True)
class ImageShift:
    """How far what an image shows lies from where a reference shows it, in scan points (row, col): the image has at
    p + by what the reference has at p."""

    by: Point  #: NaN unless it is known
    error: Point  #: one standard error of each, if noise is white
    correlation: float  #: coefficient of the points that overlap, at the nearest whole shift
    significance: float  #: of what the images have in common, in standard deviations of noise
    needed: float  #: significance under which noise alone may be the reason
    other: Optional[Point]  #: another shift that fits as well, as in a lattice
    why: str  #: why it cannot be told; "": it can

    @property
    def known(self) -> bool:
        """Whether it can be told."""
        return not self.why


@dataclass(frozen=True)
class LineJitter:
    """How rows of an image lie along themselves against the mean of the two beside them, in points."""

    rows: int  #: that could be told
    rms: float  #: of the rows' own shifts, without their errors' part
    error: float  #: one standard error of rms
    turn: float  #: by how much odd rows lie further along than even ones, which serpentine scans do
    turn_error: float
    why: str  #: why none of it can be told; "": it can

    @property
    def known(self) -> bool:
        """Whether it can be told."""
        return not self.why


@dataclass(frozen=True)
class DriftStep:
    """An image of a series against the first one."""

    shift: ImageShift
    #: The image that it was compared with: 0, or the last one whose drift was known where the first tells nothing.
    against: int
    jitter: LineJitter


def _shift(found: Dict[str, Any]) -> ImageShift:
    return ImageShift(**told(found))


class DriftSeries:
    """Images of scans that are repeated, one after the other. It keeps two images and a sum.

    Example:
        >>> import numpy as np, sluice
        >>> rng = np.random.default_rng(1)
        >>> specimen = rng.normal(size=(40, 40))
        >>> drift = sluice.stem4d.DriftSeries()
        >>> for begin in (4, 3, 1):
        ...     step = drift.add(specimen[begin:begin + 32, 2:34])
        >>> round(step.shift.by[0]), drift.taken
        (3, 3)
    """

    def __init__(self) -> None:
        self._native: Any = _core.DriftSeries()
        self.steps: List[DriftStep] = []  #: of each image

    def add(self, image: Any) -> DriftStep:
        """The next image [row, col]; NaN takes no part.

        Raises:
            InvalidArgument: it has another shape than the first.
        """
        found = self._native.add(as_image(image, "image"))
        step = DriftStep(_shift(found["shift"]), found["against"], LineJitter(**found["jitter"]))
        self.steps.append(step)
        return step

    @property
    def drift(self) -> Image:
        """[image, 2] rows and columns against the first; NaN where it cannot be told."""
        return np.array([step.shift.by for step in self.steps], np.float64).reshape(-1, 2)

    @property
    def taken(self) -> int:
        """Images that take part in `mean`: those whose drift is known."""
        return sum(step.shift.known for step in self.steps)

    def mean(self) -> "tuple[Image, Image]":
        """The mean of the images where the first has its points, and of how many it is at each. Between points by cubic
        convolution, whole shifts without; a point counts where all that it is made of is there, and is NaN where none
        does."""
        if not self.steps:
            raise InvalidArgument("the series has no image; add one")
        values, images, _ = self._native.mean()
        return values, images


def drift(images: Iterable[Any]) -> DriftSeries:
    """How far images [row, col] of repeated scans lie from the first of them.

    Args:
        images: of one shape, as virtual images of the scans.

    Example:
        >>> import numpy as np, sluice
        >>> specimen = np.random.default_rng(1).normal(size=(40, 40))
        >>> found = sluice.stem4d.drift([specimen[4:36, 4:36], specimen[4:36, 2:34]])
        >>> np.round(found.drift[1]).tolist()
        [0.0, 2.0]
    """
    out = DriftSeries()
    for image in images:
        out.add(image)
    return out


def image_shift(reference: Any, image: Any, *, expected: Point = (0.0, 0.0), most_part: float = 0.75) -> ImageShift:
    """How far an image [row, col] lies from a reference of the same shape, to a part of a point.

    Args:
        reference, image: NaN takes no part.
        expected: of shifts that fit alike, as in a lattice, the nearest to it is taken.
        most_part: of the image's height and width; no shift is larger.
    """
    if not 0 <= most_part <= 1:
        raise InvalidArgument(f"most_part is {most_part}; it is from 0 to 1")
    return _shift(_core.image_shift(as_image(reference, "reference"), as_image(image, "image"),
                                    as_pair(expected, "expected"), most_part))


def line_jitter(image: Any) -> LineJitter:
    """How rows of an image [row, col] lie against each other. What slants straight through three rows does not count."""
    return LineJitter(**_core.line_jitter(as_image(image, "image")))


def ricom(row: Any, col: Any, kernel: int) -> Image:
    """A field of centres of mass, less its mean, integrated over points within `kernel` rows and columns only (riCOM,
    Yu et al. 2022): [row, col] in pixels times scan steps, bright at atoms as `icom` is.

    What is larger than the kernel is left out, and a row is final once `kernel` more have come, but for the mean. NaN
    takes no part, and stays NaN.
    """
    out: Image = _core.ricom(as_image(row, "row"), as_image(col, "col"), kernel)
    return out
