"""Orientations: libraries of known crystals, and maps of how the crystals of a scan lie.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._bragg_vectors import BraggVectors
from ._calibration import CalibratedVectors, Calibration, UnitCell, apply_calibration, load_cif
from ._errors import InvalidArgument
from ._progress import Progress, shown

Path = Union[str, "os.PathLike[str]"]
Image = NDArray[np.float64]
#: What `OrientationMap.reason` means: why a pattern is not indexed.
ORIENTATION_REASONS: Tuple[str, ...] = tuple(_core.orientation_reasons())


@dataclass(frozen=True)
class OrientationLibrary:
    """Patterns of known crystals along all zone axes, kinematic; made by `orientation_library`."""

    phases: Tuple[str, ...]
    #: The Laue class of each phase, as in "m-3m".
    laue: Tuple[str, ...]
    #: Of all phases.
    zones: int
    #: Of memory.
    bytes: int
    build_seconds: float
    kilovolts: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def pattern(self, quaternion: Sequence[float], phase: int = 0) -> "dict[str, Any]":
        """What a phase shows in an orientation, the strongest reflection first: `hkl` [n, 3], `row` and `col` [n]
        in 1/angstrom from the direct beam along the axes of the scan, `excitation` [n] in 1/angstrom, and
        `intensity` [n] from 0 to 1.

        Args:
            quaternion: (w, x, y, z), which takes the sample to the crystal, as in `OrientationMap.quaternion`.
        """
        return dict(self._native.pattern(int(phase), [float(x) for x in quaternion]))


def _cell(phase: Any) -> Any:
    cell = load_cif(phase) if isinstance(phase, (str, os.PathLike)) else phase
    if not isinstance(cell, UnitCell):
        raise InvalidArgument(f"a phase is a {type(phase).__name__}; give a UnitCell or the path of a CIF")
    return cell._native


def orientation_library(phases: Any, *, energy: float, zone_step: float = 1.0, most_frequency: float = 1.5,
                        excitation_sigma: float = 0.02, precession_mrad: float = 0.0, match_width: float = 0.08,
                        radius_power: float = 0.5, intensity_power: float = 0.25, least_intensity: float = 0.001,
                        device: str = "cpu", threads: int = 0, progress: Progress = False) -> OrientationLibrary:
    """The patterns of one or more crystals along all their zone axes. They are kinematic: thickness and dynamical
    scattering are not modelled.

    Args:
        phases: a UnitCell or the path of a CIF, or several; the names of the cells tell them apart.
        energy: in kV, that the electrons fell through.
        zone_step: degrees between neighbouring zone axes.
        most_frequency: reflections and disks up to so many 1/angstrom from the direct beam have a say.
        excitation_sigma: 1/angstrom off Ewald's sphere at which an intensity has fallen to 61 %.
        precession_mrad: half angle of the cone of a precessing beam; 0: it does not precess.
        match_width: 1/angstrom by which disks may miss their places in the coarse match.
        radius_power, intensity_power: a disk weighs its distance from the direct beam and its intensity to these
            powers.
        least_intensity: reflections below this part of a zone's strongest do not show.

    Raises:
        Error: a cell without atoms, an unknown element, two phases of one name.

    Example:
        >>> import os, tempfile
        >>> from sluice import stem4d
        >>> iron = os.path.join(tempfile.mkdtemp(), "iron.cif")
        >>> _ = open(iron, "w").write('''data_iron
        ... _cell_length_a 2.866
        ... _cell_length_b 2.866
        ... _cell_length_c 2.866
        ... _cell_angle_alpha 90
        ... _cell_angle_beta 90
        ... _cell_angle_gamma 90
        ... _symmetry_space_group_name_H-M 'I m -3 m'
        ... loop_
        ... _atom_site_type_symbol
        ... _atom_site_fract_x
        ... _atom_site_fract_y
        ... _atom_site_fract_z
        ... Fe 0 0 0
        ... ''')
        >>> library = stem4d.orientation_library(iron, energy=200)
        >>> library.phases, library.laue, library.zones > 1000
        (('iron',), ('m-3m',), True)
    """
    several = [phases] if isinstance(phases, (str, os.PathLike, UnitCell)) else list(phases)
    with shown(progress, "zones") as tell:
        native = _core.orientation_library([_cell(p) for p in several], float(energy), float(zone_step),
                                           float(most_frequency), float(excitation_sigma), float(precession_mrad),
                                           float(match_width), float(radius_power), float(intensity_power),
                                           float(least_intensity), device, threads, tell)
    fields = dict(native.fields)
    for name in ("phases", "laue", "notes"):
        fields[name] = tuple(fields[name])
    return OrientationLibrary(_native=native, **fields)


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
    fields = dict(native.fields)
    for name in ("phases", "notes"):
        fields[name] = tuple(fields[name])
    return OrientationMap(overlapping=tuple(_map(m) for m in native.overlapping), _native=native, **fields)


def orientation(vectors: Union[BraggVectors, CalibratedVectors], library: OrientationLibrary,
                calibration: Optional[Calibration] = None, *, least_disks: int = 4, grains: int = 1,
                exhaustive: bool = False, refine: bool = True, candidates: int = 8, tolerance: float = 0.04,
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
        tolerance: 1/angstrom within which a disk is a reflection's.
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
                            candidates=candidates, tolerance=tolerance, place_error=place_error,
                            intensity_error=intensity_error, fit_sigma=fit_sigma, least_probability=least_probability)
    with shown(progress, "orientations") as tell:
        return _map(_core.orientation(ready._native, library._native, *numbers, device, threads, tell))


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
                           tolerance: float = 0.04, place_error: float = 0.0, intensity_error: float = 0.0,
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
                            candidates=candidates, tolerance=tolerance, place_error=place_error,
                            intensity_error=intensity_error, fit_sigma=fit_sigma, least_probability=least_probability)
    ready = calibrated(vectors, library, calibration)
    found = dict(_core.orientation_of_pattern(ready._native, library._native, int(row), int(col), *numbers, device,
                                              threads))
    several = tuple(OrientationCandidate(**{**c, "euler": tuple(c["euler"]), "zone": tuple(c["zone"]),
                                            "spots": PredictedSpots(**c["spots"])}) for c in found["candidates"])
    return PatternOrientations(**{**found, "candidates": several})


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
                  candidates: int = 8, tolerance: float = 0.04, place_error: float = 0.0, intensity_error: float = 0.0,
                  fit_sigma: float = 0.0, least_probability: float = 0.9) -> Tuple[Any, ...]:
    """The options of matches in the order that the library takes them."""
    return (int(least_disks), int(grains), bool(exhaustive), bool(refine), int(candidates), float(tolerance),
            float(place_error), float(intensity_error), float(fit_sigma), float(least_probability))
