"""What a field of centres of mass says of the phase.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from .. import _core
from .._arrays import Image, as_image
from .._axes import Axes
from .._result import Result, sides
from ._results import CenterOfMass, _maps

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Rotation:
    """How the detector lies against the scan: (row, col) of a vector are exchanged where
    `transpose` says so, then turned from the row axis towards the column axis."""

    degrees: float = 0.0
    transpose: bool = False
    #: rms over rms after the turn: 0 is perfect, noise has 1.
    curl_over_divergence: float = 0.0
    #: One standard error of the angle, from how parts of the scan differ; None: not to be told.
    error_degrees: Optional[float] = None
    #: Probability that noise without any rotation makes as much of a difference between angles.
    by_chance: float = 0.0
    angle_known: bool = True
    transpose_known: bool = True
    sign_known: bool = True

    @property
    def determined(self) -> bool:
        """Whether the field tells the angle and the transposition."""
        return self.angle_known and self.transpose_known


def _field(row: Any, col: Any) -> "tuple[Image, Image]":
    return as_image(row, "row"), as_image(col, "col")


def find_rotation(row: Any, col: Any) -> Rotation:
    """The rotation, within (-180, 180] degrees, that leaves the least curl in a field [row, col] of
    centres of mass. What the field does not determine is said in the result."""
    return Rotation(**_core.find_rotation(*_field(row, col)))


def rotate(row: Any, col: Any, rotation: Rotation) -> "tuple[Image, Image]":
    """A field [row, col] less its mean, turned onto the axes of the scan; NaN stays NaN."""
    turned: "tuple[Image, Image]" = _core.rotate(*_field(row, col), rotation.degrees,
                                                 rotation.transpose)
    return turned


def divergence(row: Any, col: Any) -> Image:
    """d row / d row + d col / d col, [row, col] in pixels per scan step: negative at atoms."""
    out: Image = _core.divergence(*_field(row, col))
    return out


def curl(row: Any, col: Any) -> Image:
    """d col / d row - d row / d col, likewise: what no phase can explain."""
    out: Image = _core.curl(*_field(row, col))
    return out


def icom(row: Any, col: Any, periodic: bool = False) -> Image:
    """The integrated centre of mass, [row, col] in pixels times scan steps with mean 0, bright at
    atoms: its gradient is the field less its mean, in the sense of least squares. Rows at both ends of which less than
    half is known, as of a scan that is still measured, are not integrated: they are NaN."""
    out: Image = _core.icom(*_field(row, col), periodic)
    return out


def remove_descan(row: Any, col: Any) -> "tuple[Image, Image]":
    """A field [row, col] less the plane that fits it best, component by component."""
    out: "tuple[Image, Image]" = _core.remove_descan(*_field(row, col))
    return out


@dataclass(eq=False, repr=False)
class PhaseContrast(Result):
    """What a field of centres of mass says of the phase; all [row, col] on the axes of the scan."""

    rotation: Rotation
    row: Image  #: the turned field less its mean or plane, in pixels
    col: Image
    magnitude: Image
    divergence: Image  #: in pixels per scan step
    curl: Image  #: in pixels per scan step
    icom: Image  #: in pixels times scan steps; finite but for rows at the ends that are not there
    notes: List[str]
    units: Dict[str, str] = field(default_factory=dict)  #: of each image, as in units["icom"]
    #: Where its points and pixels lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)

    def to_xarray(self) -> "xr.Dataset":
        """All images over scan_row and scan_col, with their units."""
        return _maps(self, ("row", "col", "magnitude", "divergence", "curl", "icom"))

    def _about(self) -> str:
        return f"{sides(self.icom)}, turned by {self.rotation.degrees:.1f} degrees"

    def _pictures(self) -> Dict[str, Image]:
        return {"icom": self.icom, "divergence": self.divergence, "curl": self.curl}


def phase_contrast(com: CenterOfMass, rotation: Optional[Rotation] = None, *,
                   periodic: bool = False,
                   descan: Literal["mean", "plane"] = "mean") -> PhaseContrast:
    """What the centres of mass say of the phase.

    Args:
        com: of `center_of_mass`.
        rotation: instead of finding it.
        periodic: the scan repeats at its edges.
        descan: what is subtracted first: "mean", or the "plane" of `remove_descan`.
    """
    given = None if rotation is None else (rotation.degrees, rotation.transpose)
    found = _core.phase_contrast(*(as_image(a, "com") for a in (com.sum, com.row, com.col)),
                                 com.reference, as_image(com.magnitude, "com"), given, periodic,
                                 descan)
    return replace(_phase(found), axes=com.axes)


def _phase(found: Dict[str, Any]) -> PhaseContrast:
    return PhaseContrast(**{**found, "rotation": Rotation(**found["rotation"])})
