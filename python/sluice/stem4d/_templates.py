"""Templates of disks: fitted, made and loaded.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Point, as_choice, as_image
from .._errors import InvalidArgument
from .._options import Path
from .._progress import Progress, shown
from .._scans._open import as_scan
from .._words import told


@dataclass(frozen=True)
class ProbeTemplate:
    """A disk about (0, 0) as a continuous function, 1 inside and 0 far outside. Made by
    `fit_template`, `synthetic_template` and `load_template`. Lengths are in pixels of the full
    detector."""

    radius: float
    #: The distance over which the edge falls from 0.88 to 0.12.
    edge_width: float
    #: [k][cos, sin] of the edge's angular harmonics, k = 2, 3, ...; the angle turns from row to column.
    harmonics: NDArray[np.float64]
    #: Values at r = 0, profile_step, ...; empty: the edge says all.
    profile: NDArray[np.float64]
    profile_step: float
    #: What it was made of.
    source: str
    #: Where the disk lies in the image it was fitted to.
    center: Point
    #: One standard deviation each; 0 of templates that were not fitted.
    radius_error: float
    edge_width_error: float
    #: Rms of image - fit in and around the disk, over its height.
    residual: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def value(self, row: float, col: float) -> float:
        """The value at a place relative to the centre."""
        return float(self._native.value(float(row), float(col)))

    def save(self, path: Path) -> None:
        """Writes the template as JSON, which `load_template` and `sluice stem4d disks --template` read."""
        _core.save_template(os.fspath(path), self._native)


def _template(native: Any) -> ProbeTemplate:
    fields = told(native.fields)
    fields["harmonics"] = np.array(fields["harmonics"], dtype=float).reshape(-1, 2)
    fields["profile"] = np.array(fields["profile"], dtype=float)
    fields["notes"] = tuple(fields["notes"])
    return ProbeTemplate(_native=native, **fields)


def fit_template(what: Any, bad: Any = None, *, harmonics: int = 0, profile: bool = False, device: str = "cpu",
                 threads: int = 0, progress: Progress = False) -> ProbeTemplate:
    """The template of a scan's disks: fitted to the direct disk of its mean pattern, or, of a scan in
    vacuum whose disk wanders, pooled over its frames about the centre of each.

    Args:
        what: a scan (or whatever `load` takes), or a pattern [row, col] in vacuum.
        bad: of a pattern: [row, col], pixels to ignore.
        harmonics: of the edge beside the circle, from the second on.
        profile: fit the radial profile instead of an edge of one width.

    Raises:
        Error: no disk can be told, or the frame cuts it.
    """
    if isinstance(what, np.ndarray) and what.ndim == 2:
        return _template(_core.fit_template_of_pattern(as_image(what, "the pattern"), as_choice(bad, "bad"),
                                                       int(harmonics), bool(profile)))
    if bad is not None:
        raise InvalidArgument("bad is of a pattern (a scan has pixels of its own that are left out); load the "
                              "scan with mask")
    scan = as_scan(what)
    with shown(progress, "template") as tell:
        return _template(_core.fit_template(scan._open(), int(harmonics), bool(profile), device, threads, tell))


def synthetic_template(radius: float, edge_width: float = 1.0) -> ProbeTemplate:
    """A round disk with this radius and edge, in pixels.

    Example:
        >>> from sluice import stem4d
        >>> stem4d.synthetic_template(6.0).value(0, 0) > 0.99
        True
    """
    return _template(_core.synthetic_template(float(radius), float(edge_width)))


def load_template(path: Path) -> ProbeTemplate:
    """A template that `ProbeTemplate.save` or `sluice stem4d disks --save-template` wrote."""
    return _template(_core.load_template(os.fspath(path)))
