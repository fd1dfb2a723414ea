"""Strain: how the lattice of each pattern differs from a reference.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Tuple

import numpy as np

from .. import _core
from .._arrays import Image, as_choice
from .._axes import Axes
from .._errors import InvalidArgument
from .._options import Convention
from .._result import Result, sides
from .._words import told
from ._basis import LatticeBasis, _basis, _numbers
from ._lattice import LatticeFit

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class StrainMaps(Result):
    """Strain [row, col] of the scan; NaN where no lattice is. `notes` begin with the convention."""

    e_xx: Image
    e_yy: Image
    e_xy: Image
    #: In degrees.
    omega: Image
    #: One standard deviation of each map, by its name.
    errors: Dict[str, Image]
    #: [row, col, 4, 4] of e_xx, e_yy, e_xy and omega in radian.
    covariance: Image
    reference: LatticeBasis
    notes: Tuple[str, ...]
    #: Where the scan's points lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False)

    def to_xarray(self) -> "xr.Dataset":
        """Each map over scan_row and scan_col (nm where the step is known), omega in degrees; its error is e_xx_error."""
        import xarray as xr
        over, names = ("scan_row", "scan_col"), ("e_xx", "e_yy", "e_xy", "omega")
        units = {name: {"units": "degree" if name == "omega" else "1"} for name in names}
        maps = {name: (over, getattr(self, name), units[name]) for name in names}
        maps.update({f"{name}_error": (over, self.errors[name], units[name]) for name in names if name in self.errors})
        return xr.Dataset(maps, coords=self.axes.scan(self.e_xx.shape), attrs={"notes": list(self.notes)})

    def _about(self) -> str:
        return f"{sides(self.e_xx)}, {int(np.isfinite(self.e_xx).sum())} points with a lattice"

    def _pictures(self) -> Dict[str, Image]:
        return {name: getattr(self, name) for name in ("e_xx", "e_yy", "e_xy", "omega")}


def strain(fit: LatticeFit, *, reference: Any = None, region: Any = None, axis_degrees: float = 0.0,
           scan_rotation_degrees: float = 0.0, transpose: bool = False, convention: Convention = "sluice") -> StrainMaps:
    """How the lattice of each pattern differs from a reference: F = beta^-T, polar decomposition.

    Args:
        fit: the lattices.
        reference: a LatticeBasis, as `theoretical_basis` makes; None: the median.
        region: [row, col] of the scan, points whose median is the reference; None: all.
        axis_degrees: turns the axes of the strain, from the row axis to the column axis.
        scan_rotation_degrees: turns vectors of the detector onto the scan.
        transpose: exchange rows and columns of the detector's vectors before they are turned.
        convention: "sluice", "py4dstem" or "pyxem": signs and axes of the output.

    Raises:
        Error: a region in which no lattice is fitted, or a collinear reference.

    Example:
        >>> import numpy as np
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x8&dose=100000&strain=0.02,0,0,0&field=gradient")
        >>> maps = stem4d.strain(stem4d.fit_lattice(stem4d.find_disks(scan)))
        >>> bool(abs(np.ptp(maps.e_xx[0]) - 0.02) < 0.004)
        True
    """
    if not isinstance(fit, LatticeFit):
        raise InvalidArgument(f"fit is a {type(fit).__name__}; give what fit_lattice made")
    if reference is not None and region is not None:
        raise InvalidArgument("reference and region both say what strain is measured from; give one of them")
    made = dict(_core.strain(fit._native, None if reference is None else _numbers(reference, "reference"),
                             as_choice(region, "region"), float(axis_degrees), float(scan_rotation_degrees),
                             bool(transpose), convention))
    return _strain_maps(made, fit.axes)


def _strain_maps(made: Any, axes: Axes) -> StrainMaps:
    fields = told(made)
    fields["reference"] = _basis(fields["reference"])
    fields["notes"] = tuple(fields["notes"])
    fields["errors"] = dict(fields["errors"])
    return StrainMaps(axes=axes, **fields)
