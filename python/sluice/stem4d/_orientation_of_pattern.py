"""The orientations of one pattern, several in their order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image
from ._bragg_vectors import BraggVectors
from ._calibrated import CalibratedVectors
from ._calibration import Calibration
from ._orientation import calibrated, match_numbers
from ._orientation_library import OrientationLibrary


@dataclass(frozen=True)
class PredictedSpots:
    """The reflections that a candidate predicts, the strongest first; kinematic."""

    #: [n, 3].
    hkl: NDArray[np.int32]
    #: [n] in 1/angstrom from the direct beam, along the axes of the scan.
    row: Image
    col: Image
    #: [n] in pixels of the detector, where the pattern has them: descan and distortion are in it.
    detector_row: Image
    detector_col: Image
    #: [n] in 1/angstrom off Ewald's sphere.
    excitation: Image
    #: [n], from 0 to 1.
    intensity: Image


@dataclass(frozen=True)
class OrientationCandidate:
    """An orientation that was fitted to the disks of a pattern."""

    #: Number in the library's phases.
    phase: int
    #: w, x, y, z, and Bunge's angles in degrees, as in OrientationMap.
    quaternion: Image
    euler: Tuple[float, float, float]
    covariance: Image
    #: The logarithm of how much likelier the disks are by it than by chance.
    log_odds: float
    score: float
    residual: float
    explained: float
    #: Disks that its reflections explain.
    matched: int
    #: [uvw] with indices up to 5, nearest to the zone axis, and the degrees from there to it.
    zone: Tuple[int, int, int]
    zone_degrees: float
    spots: PredictedSpots


@dataclass(frozen=True)
class PatternOrientations:
    """What competes for a pattern."""

    #: Number in `ORIENTATION_REASONS`, of the first candidate, as in the map.
    reason: int
    #: That the first candidate is right, as in the map; NaN: there is none.
    probability: float
    #: That took part.
    disks: int
    #: The likeliest first; of one phase they are 3 degrees apart.
    candidates: Tuple[OrientationCandidate, ...]


def orientation_of_pattern(vectors: Union[BraggVectors, CalibratedVectors], library: OrientationLibrary, row: int,
                           col: int, calibration: Optional[Calibration] = None, *, least_disks: int = 4,
                           grains: int = 1, exhaustive: bool = False, refine: bool = True, candidates: int = 8,
                           match_tolerance: float = 0.04, place_error: float = 0.0, intensity_error: float = 0.0,
                           fit_sigma: float = 0.0, least_probability: float = 0.9, device: str = "cpu",
                           threads: int = 0) -> PatternOrientations:
    """All that competes for one pattern of a scan: the first candidate is that of `orientation`, bit by bit. Of where
    crystals overlap it is the first crystal.

    The errors of theory are measured on a sample of the scan each time; who asks for many patterns gives
    `place_error`, `intensity_error` and `fit_sigma`.

    Args:
        vectors: the disks of the scan; calibrated ones, or ones to which `calibration` is applied.
        library: of `orientation_library`.
        row, col: of the scan.

    The others are those of `orientation`.

    Raises:
        Error: no such pattern; a calibration without pixel size or origins.
    """
    numbers = match_numbers(least_disks=least_disks, grains=grains, exhaustive=exhaustive, refine=refine,
                            candidates=candidates, match_tolerance=match_tolerance, place_error=place_error,
                            intensity_error=intensity_error, fit_sigma=fit_sigma, least_probability=least_probability)
    ready = calibrated(vectors, library, calibration)
    found = dict(_core.orientation_of_pattern(ready._native, library._native, int(row), int(col), *numbers, device,
                                              threads))
    several = tuple(OrientationCandidate(**{**c, "euler": tuple(c["euler"]), "zone": tuple(c["zone"]),
                                            "spots": PredictedSpots(**c["spots"])}) for c in found["candidates"])
    return PatternOrientations(**{**found, "candidates": several})
