"""How the crystals of each pattern lie: patterns against a library.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image
from .._errors import InvalidArgument
from .._options import Path
from .._progress import Progress, shown
from .._words import told
from ._bragg_vectors import BraggVectors
from ._calibrated import CalibratedVectors, apply_calibration
from ._calibration import Calibration
from ._orientation_library import OrientationLibrary

#: What `OrientationMap.reason` means: why a pattern is not indexed.
ORIENTATION_REASONS: Tuple[str, ...] = tuple(_core.orientation_reasons())


@dataclass(frozen=True)
class OrientationMap:
    """Which crystal every pattern of a scan is, and how it lies. Arrays begin with the axes of the scan. A match that
    is not believed keeps its numbers, but its `reason` is not 0: take patterns with `reason == 0` alone."""

    phases: Tuple[str, ...]
    #: Between scan positions, and that the electrons fell through; 0: not known.
    step_nm: float
    kilovolts: float
    #: Numbers of `ORIENTATION_REASONS`; 0: indexed.
    reason: NDArray[np.uint8]
    #: Number in `phases`; -1: no match.
    phase: NDArray[np.int32]
    #: [.., 4]: w, x, y, z of the rotation that takes the sample to the crystal, as Bunge and orix have it. The sample's
    #: x is along columns, y along rows, z along the beam.
    quaternion: Image
    #: [.., 3]: Bunge's phi1, Phi, phi2 in degrees.
    euler: Image
    #: [.., 6]: of a small rotation of the sample about its x, y, z, in square radian (xx, yy, zz, xy, xz, yz).
    covariance: Image
    #: Correlation of the pattern with the match, and with the best other orientation or phase; 0 to 1.
    score: NDArray[np.float32]
    second_score: NDArray[np.float32]
    #: Rms distance of disks from theory, in 1/angstrom.
    residual: NDArray[np.float32]
    #: Part of the counts that the match explains.
    explained: NDArray[np.float32]
    #: That the match is right; NaN: not known.
    probability: NDArray[np.float32]
    #: That took part.
    disks: NDArray[np.int32]
    #: What all places are farther out than theory; a wrong pixel size shows here.
    common_factor: float
    common_factor_error: float
    notes: Tuple[str, ...]
    #: The second, third, ... crystal of each pattern, where `grains` asked for them.
    overlapping: "Tuple[OrientationMap, ...]"
    _native: Any = field(repr=False, compare=False)

    def with_step(self, step_nm: float) -> "OrientationMap":
        """The same map with a step between scan positions in nm, which files and grains take."""
        return _map(_core.orientations_with_step(self._native, float(step_nm)))

    def save(self, path: Path) -> None:
        """Writes all into ".h5", which `load_orientations` and `sluice info` read, or what other programs read: ".ang"
        as EDAX has it, ".ctf" as Oxford has it. These two have x along the columns of the scan and y along its rows in
        µm, 1 a pattern where the step is not known; patterns that are not indexed have no phase there.

        Raises:
            InvalidArgument: another end. IoError: the disk.
        """
        _core.save_orientations(os.fspath(path), self._native)


def load_orientations(path: Path) -> OrientationMap:
    """Reads what `OrientationMap.save` and `sluice stem4d orientation` wrote as ".h5".

    Raises:
        Error: no orientation map, or a damaged one.
    """
    return _map(_core.load_orientations(os.fspath(path)))


def _map(native: Any) -> OrientationMap:
    fields = told(native.fields)
    for name in ("phases", "notes"):
        fields[name] = tuple(fields[name])
    return OrientationMap(overlapping=tuple(_map(m) for m in native.overlapping), _native=native, **fields)


def orientation(vectors: Union[BraggVectors, CalibratedVectors], library: OrientationLibrary,
                calibration: Optional[Calibration] = None, *, least_disks: int = 4, grains: int = 1,
                exhaustive: bool = False, refine: bool = True, candidates: int = 8, match_tolerance: float = 0.04,
                place_error: float = 0.0, intensity_error: float = 0.0, fit_sigma: float = 0.0,
                least_probability: float = 0.9, device: str = "cpu", threads: int = 0,
                progress: Progress = False) -> OrientationMap:
    """How the crystal under each pattern of a scan lies, and which one of the library it is.

    Args:
        vectors: the disks; calibrated ones, or ones to which `calibration` is applied.
        library: of `orientation_library`.
        calibration: with origins and a pixel size; its rotation turns the detector onto the scan.
        least_disks: patterns with fewer, but for the direct beam, are not indexed.
        grains: crystals that may overlap in a pattern, at most.
        exhaustive: look at all zones, not only where a coarse search finds something.
        refine: fit orientations to places and intensities; else they are those of the library.
        candidates: orientations of a pattern that are refined and compared.
        match_tolerance: 1/angstrom within which a disk is a reflection's.
        place_error: 1/angstrom that places miss theory by, beside their own errors; 0: measured on a sample.
        intensity_error: part that roots of intensities miss theory by, likewise.
        fit_sigma: 1/angstrom over which intensities fall off Ewald's sphere, in the fit: the sigma of a Gaussian or
            the half width of slabs, whichever explains a sample better; 0: measured.
        least_probability: of being right, below which a match is not indexed.

    Raises:
        Error: a calibration without pixel size or origins.
    """
    ready = calibrated(vectors, library, calibration)
    numbers = match_numbers(least_disks=least_disks, grains=grains, exhaustive=exhaustive, refine=refine,
                            candidates=candidates, match_tolerance=match_tolerance, place_error=place_error,
                            intensity_error=intensity_error, fit_sigma=fit_sigma, least_probability=least_probability)
    with shown(progress, "orientations") as tell:
        return _map(_core.orientation(ready._native, library._native, *numbers, device, threads, tell))


def calibrated(vectors: Any, library: Any, calibration: Optional[Calibration]) -> CalibratedVectors:
    """The arguments of `orientation` as it needs them."""
    if not isinstance(library, OrientationLibrary):
        raise InvalidArgument(f"library is a {type(library).__name__}; give what orientation_library made")
    if isinstance(vectors, BraggVectors):
        if calibration is None:
            raise InvalidArgument("vectors without a calibration (places in 1/angstrom are not known); give "
                                  "calibration, which calibrate makes")
        return apply_calibration(vectors, calibration)
    if not isinstance(vectors, CalibratedVectors):
        raise InvalidArgument(f"vectors is a {type(vectors).__name__}; give BraggVectors or CalibratedVectors")
    if calibration is not None:
        raise InvalidArgument("a calibration of vectors that are calibrated (they keep their own); leave it out")
    return vectors


def match_numbers(*, least_disks: int = 4, grains: int = 1, exhaustive: bool = False, refine: bool = True,
                  candidates: int = 8, match_tolerance: float = 0.04, place_error: float = 0.0, intensity_error: float = 0.0,
                  fit_sigma: float = 0.0, least_probability: float = 0.9) -> Tuple[Any, ...]:
    """The options of matches in the order that the library takes them."""
    return (int(least_disks), int(grains), bool(exhaustive), bool(refine), int(candidates), float(match_tolerance),
            float(place_error), float(intensity_error), float(fit_sigma), float(least_probability))
