"""Calibration of crystals: origins, distortion and pixel size out of Bragg disks, each with its error.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_pair
from ._bragg_vectors import BraggVectors
from ._crystal import LatticeBasis, _basis, _numbers, _vectors
from ._errors import InvalidArgument
from ._options import DistortionKind, OriginMethod, OriginSurface, PatternOf
from ._progress import Progress, shown
from ._scan import as_scan

Path = Union[str, "os.PathLike[str]"]
Point = Tuple[float, float]
Image = NDArray[np.float64]
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
    fields = dict(native.fields)
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


@dataclass(frozen=True)
class UnitCell:
    """A crystal that is known, as `load_cif` reads it."""

    name: str
    #: a, b and c in angstrom; alpha, beta and gamma in degrees.
    axes: Tuple[float, float, float]
    angles: Tuple[float, float, float]
    #: In a cell; 0: symmetry alone says which reflections are absent.
    atoms: int
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def spacing(self, hkl: Sequence[int]) -> float:
        """Of the planes of these indices, in angstrom."""
        return float(self._native.spacing(_three(hkl, "hkl")))

    def reflections(self, most_frequency: float) -> "dict[str, Any]":
        """Those that are not absent, up to a frequency in 1/angstrom, the lowest first: `hkl` [n, 3], `frequency`
        [n] in 1/angstrom and `strength` [n], |F| over the sum of all atoms."""
        return dict(self._native.reflections(float(most_frequency)))


def load_cif(path: Path) -> UnitCell:
    """The cell, the symmetry and the atoms of the first block of a CIF that has a cell.

    Raises:
        Error: text that is no CIF, with the line, or no cell.
    """
    native = _core.load_cif(os.fspath(path))
    fields = dict(native.fields)
    return UnitCell(name=fields["name"], axes=tuple(fields["axes"]), angles=tuple(fields["angles"]),
                    atoms=fields["atoms"], notes=tuple(fields["notes"]), _native=native)


@dataclass(frozen=True)
class Distortion:
    """What makes a ring an ellipse."""

    #: [2, 2], symmetric with determinant 1: takes (row, col) about the origin to the undistorted place.
    correction: Image
    #: The long axis of a ring over its short one, and the angle of the long one from row to column axis.
    ratio: float
    ratio_error: float
    angle_degrees: float
    angle_error_degrees: float


class RingMatch(NamedTuple):
    """A ring, or a vector of a lattice, and what it is of the crystal."""

    name: str
    #: Pixels, undistorted.
    radius: float
    #: Of theory, 1/angstrom.
    frequency: float
    disks: int
    #: Measured over theory - 1.
    off: float


@dataclass(frozen=True)
class Calibration:
    """Origins, distortion, pixel size and rotation of a scan; what was not determined does nothing. Made by
    `calibrate` and `load_calibration`."""

    scan_shape: Tuple[int, int]
    detector_shape: Tuple[int, int]
    #: Where `apply_calibration` puts the origin of every pattern: (row, col) in pixels.
    center: Point
    distortion: Optional[Distortion]
    #: Of a detector pixel in 1/angstrom; 0: not known. Of rectangular pixels the geometric mean.
    pixel_size: float
    pixel_size_error: float
    #: Along rows and columns.
    pixel_sizes: Tuple[float, float]
    #: (degrees, transpose) as it was given.
    rotation: Optional[Tuple[float, bool]]
    crystal: str
    notes: Tuple[str, ...]
    #: Only of `calibrate`: what the origins are made of.
    origins: Optional[Origins] = None
    origin_fit: Optional[OriginFit] = None
    #: Only of `calibrate` with a crystal.
    rings: Tuple[RingMatch, ...] = ()
    #: The zone axis of a lattice, and the reflections that its vectors are.
    zone: Optional[Tuple[int, int, int]] = None
    a: Optional[Tuple[int, int, int]] = None
    b: Optional[Tuple[int, int, int]] = None
    #: (what, pixel size) that fit as well.
    alternatives: Tuple[Tuple[str, float], ...] = ()
    _native: Any = field(default=None, repr=False, compare=False)

    def save(self, path: Path) -> None:
        """Writes JSON, which `load_calibration` and `sluice stem4d strain --calibration` read."""
        _core.save_calibration(os.fspath(path), self._native)


def _calibration(native: Any, **more: Any) -> Calibration:
    fields = dict(native.fields)
    distortion = fields.pop("distortion")
    for name in ("scan_shape", "detector_shape", "center", "pixel_sizes", "notes"):
        fields[name] = tuple(fields[name])
    return Calibration(distortion=None if distortion is None else Distortion(**distortion), _native=native, **fields,
                       **more)


def _tuple(value: Any) -> Any:
    return None if value is None else tuple(value)


def calibrate(vectors: BraggVectors, *, crystal: Any = None, spacings: Sequence[float] = (),
              zone: Optional[Sequence[int]] = None, rings: Sequence[Tuple[float, float]] = (),
              origins: Optional[Origins] = None, pattern: PatternOf = "automatic", distortion: DistortionKind = "ellipse",
              stated: float = 0.0, tolerance: float = 0.05, most_zone: int = 3, surface: OriginSurface = "plane",
              order: int = 2, cut: float = 5.0, rotation: Optional[Tuple[float, bool]] = None, device: str = "cpu",
              threads: int = 0, progress: Progress = False) -> Calibration:
    """Measures all that the disks and a crystal determine; `notes` say what was decided and what is not known.

    Args:
        vectors: the disks, which stay as they are.
        crystal: a UnitCell or the path of a CIF.
        spacings: of planes in angstrom, instead of a crystal.
        zone: [u, v, w] along the beam; None: it is found.
        rings: (inner, outer) in pixels of rings for the distortion, where no crystal is known; none: they are found.
        origins: what `measure_origins` made; None: of the disks.
        pattern: "lattice" of one crystal, "rings" of many, or "automatic".
        distortion: "none", "rectangular" (pixels with unequal sides) or "ellipse".
        stated: the pixel size in 1/angstrom that the files state; how far it is off is said.
        tolerance: of distortion and strain: what misses the crystal by more does not match.
        most_zone: largest index of the zone axes that are tried.
        surface, order, cut: as `fit_origins` takes them.
        rotation: (degrees, transpose) of the detector against the scan, kept for later steps.

    Raises:
        Error: no origins, or disks that no pixel size makes those of the crystal.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x6&dose=100000&strain=0,0,0,0&g1=24,0&g2=0,24")
        >>> made = stem4d.calibrate(stem4d.find_disks(scan), spacings=[2.0, 2.0 / 2**0.5, 1.0])
        >>> made.rings[0].name, round(made.pixel_size * 48, 3)
        ('2 Å', 1.0)
    """
    cell = load_cif(crystal) if isinstance(crystal, (str, os.PathLike)) else crystal
    if cell is not None and not isinstance(cell, UnitCell):
        raise InvalidArgument(f"crystal is a {type(cell).__name__}; give a UnitCell or the path of a CIF")
    turn = None if rotation is None else (float(rotation[0]), bool(rotation[1]))
    with shown(progress, "lattices") as tell:
        made = _core.calibrate(_vectors(vectors), None if cell is None else cell._native,
                               [float(d) for d in spacings], _three(zone, "zone"),
                               [list(as_pair(r, "rings")) for r in rings],
                               None if origins is None else _origins(origins), pattern, distortion, float(stated),
                               float(tolerance), int(most_zone), surface, int(order), float(cut), turn, device,
                               threads, tell)
    found = dict(made.fields)
    return _calibration(made.calibration, origins=_made(Origins, made.origins),
                        origin_fit=_made(OriginFit, made.origin_fit),
                        rings=tuple(RingMatch(*r) for r in found["rings"]), zone=_tuple(found["zone"]),
                        a=_tuple(found["a"]), b=_tuple(found["b"]),
                        alternatives=tuple(tuple(x) for x in found["alternatives"]))


def load_calibration(path: Path) -> Calibration:
    """Reads what `Calibration.save` and `sluice stem4d calibrate` wrote.

    Raises:
        Error: no calibration, or a damaged one, with the key.
    """
    return _calibration(_core.load_calibration(os.fspath(path)))


def _native_of(calibration: Any) -> Any:
    if not isinstance(calibration, Calibration):
        raise InvalidArgument(f"calibration is a {type(calibration).__name__}; give what calibrate made")
    return calibration._native


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
    return CalibratedVectors(BraggVectors._of(native.vectors), calibration, native)


def remove_calibration(calibrated: CalibratedVectors) -> BraggVectors:
    """The disks as they were, bit by bit: their columns were kept."""
    if not isinstance(calibrated, CalibratedVectors):
        raise InvalidArgument(f"calibrated is a {type(calibrated).__name__}; give what apply_calibration made")
    return BraggVectors._of(calibrated._native.remove())


def theory_of(calibration: Calibration, like: LatticeBasis) -> LatticeBasis:
    """The lattice of theory as a reference of `strain`, on calibrated disks: the same vectors as `like`.

    Raises:
        Error: a calibration that was not made with a crystal's lattice.
    """
    return _basis(_core.theory_of(_native_of(calibration), _numbers(like, "like")))


def radial_histogram(vectors: BraggVectors, calibration: Calibration, bin: float = 0.25) -> Image:
    """[n] disks by their distance from the origin on the undistorted detector, in bins of `bin` pixels."""
    return np.asarray(_core.radial_histogram(_vectors(vectors), _native_of(calibration), float(bin)))
