"""Where the direct beam lies in each pattern, and surfaces through these places.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Tuple, Type, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image, Point, as_pair
from .._errors import InvalidArgument
from .._options import OriginMethod, OriginSurface
from .._progress import Progress, shown
from .._scans._open import as_scan
from .._words import told
from ._bragg_vectors import BraggVectors

#: What `Origins.reason` means: why a pattern has no origin of its own.
ORIGIN_REASONS: Tuple[str, ...] = tuple(_core.origin_reasons())


@dataclass(frozen=True)
class Origins:
    """Where the direct beam lies in each pattern. Arrays begin with the axes of the scan."""

    #: [.., 2]: row and column in pixels of the full detector; NaN where `reason` says why.
    values: Image
    #: [.., 3]: variances of row and column, and their covariance, in square pixels; NaN: not known.
    covariance: Image
    #: Numbers of `ORIGIN_REASONS`.
    reason: NDArray[np.uint8]
    method: str
    #: Pixels about the expected place, or of the window.
    radius: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


@dataclass(frozen=True)
class OriginFit:
    """A smooth surface through origins."""

    surface: str
    #: [row, col, 2] of the scan: the surface, and one standard error of it, in pixels.
    values: Image
    errors: Image
    #: Robust standard deviations of what the surface leaves, in rows and columns, in pixels.
    sigma: Point
    #: Patterns.
    used: int
    left_out: int
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


_T = TypeVar("_T")


def _made(cls: Type[_T], native: Any) -> _T:
    fields = told(native.fields)
    fields["notes"] = tuple(fields["notes"])
    fields["_native"] = native
    return cls(**fields)


def _three(value: Any, name: str) -> "Optional[list[int]]":
    if value is None:
        return None
    numbers = list(value)
    if len(numbers) != 3 or any(int(n) != n for n in numbers):
        raise InvalidArgument(f"{name} is {value!r}; give three whole numbers")
    return [int(n) for n in numbers]


def measure_origins(what: Any, *, method: OriginMethod = "automatic", guess: Optional[Point] = None, radius: float = 0.0,
                    disk: Any = None, device: str = "cpu", threads: int = 0,
                    progress: Progress = False) -> Origins:
    """The origin of each pattern: of Bragg disks the brightest one near the expected place, or the middle of
    pairs on opposite sides; of a scan the centre of mass in a window about itself, iterated until it rests.

    Args:
        what: BraggVectors, or a scan.
        method: "direct" or "friedel" of disks, "mass" of a scan; "automatic" decides.
        guess: (row, col) in pixels, about where the direct beam lies; None: it is found.
        radius: pixels about the expected place; of a scan the radius of the window. 0: by the distance of
            disks, and by the direct disk.
        disk: of a scan: (row, col, radius) of the direct disk; None: it is measured.

    Raises:
        Error: no pattern shows an origin.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x6&dose=100000&wobble=1")
        >>> fit = stem4d.fit_origins(stem4d.measure_origins(scan), surface="parabola")
        >>> fit.used + fit.left_out, bool(max(fit.sigma) < 0.2)
        (24, True)
    """
    at = None if guess is None else list(as_pair(guess, "guess"))
    if isinstance(what, BraggVectors):
        if disk is not None:
            raise InvalidArgument("disk is of scans (these are disks); leave it out")
        return _made(Origins, _core.measure_origins_of_disks(what._native, method, at, float(radius)))
    scan = as_scan(what)
    with shown(progress, "origins") as tell:
        native = _core.measure_origins_of_scan(scan._open(), method, at, float(radius),
                                               None if disk is None else [float(x) for x in disk], device, threads,
                                               tell)
    return _made(Origins, native)


def _origins(origins: Any) -> Any:
    if not isinstance(origins, Origins):
        raise InvalidArgument(f"origins is a {type(origins).__name__}; give what measure_origins made")
    return origins._native


def fit_origins(origins: Origins, *, surface: OriginSurface = "plane", order: int = 2, cut: float = 5.0) -> OriginFit:
    """A surface through the origins, robust: Tukey's weights, which leave out what lies apart.

    Args:
        surface: "mean", "plane", "parabola" or "bezier".
        order: of "bezier" in each direction, 1 to 6.
        cut: robust standard deviations from which on an origin has no say.

    Raises:
        Error: fewer origins than the surface has unknowns.
    """
    return _made(OriginFit, _core.fit_origins(_origins(origins), surface, int(order), float(cut)))
