"""Where the points of a scan and the pixels of its detector lie, for results that know it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Sequence, Tuple

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._scans import Scan


@dataclass(frozen=True)
class Axes:
    """Steps and first places; a step of 0 is not known, and that axis has no coordinate."""

    scan_step_nm: float = 0.0
    scan_first_nm: Tuple[float, float] = (0.0, 0.0)
    detector_step_mrad: float = 0.0
    detector_first_mrad: Tuple[float, float] = (0.0, 0.0)
    unit: str = ""  #: of the values

    def scan(self, shape: Sequence[int]) -> Dict[str, Any]:
        """Coordinates of the axes scan_row and scan_col, as xarray takes them."""
        return _along(("scan_row", "scan_col"), shape, self.scan_step_nm, self.scan_first_nm, "nm")

    def detector(self, shape: Sequence[int]) -> Dict[str, Any]:
        """The same of detector_row and detector_col, from the corner of the full detector."""
        return _along(("detector_row", "detector_col"), shape, self.detector_step_mrad, self.detector_first_mrad,
                      "mrad")


def _along(names: Sequence[str], shape: Sequence[int], step: float, first: Sequence[float],
           unit: str) -> Dict[str, Any]:
    if not step > 0:
        return {}
    return {name: (name, begin + np.arange(size) * step, {"units": unit})
            for name, size, begin in zip(names, shape, first)}


def axes_of(scan: "Scan") -> Axes:
    """Of a scan as loaded: a region keeps its place, a bin is at its middle."""
    how = scan._how
    row, col, *_ = how.get("scan_region") or (0, 0)
    every, points = how.get("scan_step", 1), how.get("scan_bin", 1)
    step = scan.scan_step_nm / (every * points)
    middle = (points - 1) / 2 * every
    origin_row, origin_col, bin = _core.pixel_grid(scan._open())
    angle = scan.detector_step_mrad / bin
    return Axes(scan.scan_step_nm, ((row + middle) * step, (col + middle) * step), scan.detector_step_mrad,
                (origin_row * angle, origin_col * angle), str(_core.sum_unit(scan._open())))
