"""Disks with a calibration applied.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from .._arrays import Image
from .._errors import InvalidArgument
from ._basis import LatticeBasis, _basis, _numbers, _vectors
from ._bragg_vectors import BraggVectors
from ._calibration import Calibration, _native_of


@dataclass(frozen=True)
class CalibratedVectors:
    """Disks with a calibration applied: places on a detector without descan and distortion, about
    `calibration.center`, in pixels, and their covariances."""

    vectors: BraggVectors
    calibration: Calibration
    _native: Any = field(repr=False, compare=False)


def apply_calibration(vectors: BraggVectors, calibration: Calibration) -> CalibratedVectors:
    """The disks where an undistorted detector has them; `remove_calibration` takes it off again.

    Raises:
        Error: another scan or detector than that of the calibration.
    """
    native = _core.apply_calibration(_vectors(vectors), _native_of(calibration))
    return CalibratedVectors(BraggVectors._of(native.vectors, vectors._axes), calibration, native)


def remove_calibration(calibrated: CalibratedVectors) -> BraggVectors:
    """The disks as they were, bit by bit: their columns were kept."""
    if not isinstance(calibrated, CalibratedVectors):
        raise InvalidArgument(f"calibrated is a {type(calibrated).__name__}; give what apply_calibration made")
    return BraggVectors._of(calibrated._native.remove(), calibrated.vectors._axes)


def theory_of(calibration: Calibration, like: LatticeBasis) -> LatticeBasis:
    """The lattice of theory as a reference of `strain`, on calibrated disks: the same vectors as `like`.

    Raises:
        Error: a calibration that was not made with a crystal's lattice.
    """
    return _basis(_core.theory_of(_native_of(calibration), _numbers(like, "like")))


def radial_histogram(vectors: BraggVectors, calibration: Calibration, bin: float = 0.25) -> Image:
    """[n] disks by their distance from the origin on the undistorted detector, in bins of `bin` pixels."""
    return np.asarray(_core.radial_histogram(_vectors(vectors), _native_of(calibration), float(bin)))
