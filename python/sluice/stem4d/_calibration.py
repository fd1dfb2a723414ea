"""Calibration of crystals: distortion and pixel size out of Bragg disks, each with its error.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from .. import _core
from .._arrays import Image, Point, as_pair
from .._errors import InvalidArgument
from .._options import DistortionKind, OriginSurface, Path, PatternOf
from .._progress import Progress, shown
from .._words import told
from ._basis import _vectors
from ._bragg_vectors import BraggVectors
from ._cells import UnitCell, load_cif
from ._origins import OriginFit, Origins, _made, _origins, _three


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
    fields = told(native.fields)
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
              stated: float = 0.0, shape_tolerance: float = 0.05, most_zone: int = 3, surface: OriginSurface = "plane",
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
        shape_tolerance: of distortion and strain: what misses the crystal by more does not match.
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
                               float(shape_tolerance), int(most_zone), surface, int(order), float(cut), turn, device,
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
