"""Beams and phantoms.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numpy
from .._errors import InvalidArgument
from ._physics import Material, as_material, _number


@dataclass(frozen=True)
class Beam:
    """A pencil beam at z = 0, which flies towards z > 0; Gaussian in all of its spreads."""

    energy: float  #: MeV
    energy_spread: float = 0.0  #: standard deviation, MeV
    x: float = 0.0  #: mm
    sigma_x: float = 0.0  #: mm
    angle: float = 0.0  #: from the z axis, radians
    divergence: float = 0.0  #: standard deviation of the angle, radians
    covariance: float = 0.0  #: of x and angle, mm; positive where the beam widens
    weight: float = 1.0  #: protons

    def _numbers(self) -> List[float]:
        return [_number(getattr(self, f.name), f.name) for f in fields(self)]


def _beam(value: Any) -> List[float]:
    if not isinstance(value, Beam):
        raise InvalidArgument(f"a beam is a {type(value).__name__}; give a Beam, as in "
                              "Beam(energy=150, sigma_x=3)")
    return value._numbers()


@dataclass(frozen=True, eq=False)
class Phantom:
    """Where the protons fly: planes of z, columns of x.

    `Phantom.box` makes one of a size in mm, of one material or of a map.
    """

    planes: int
    columns: int
    dz: float = 0.5  #: mm
    dx: float = 0.5  #: mm
    x0: float = 0.0  #: left edge of the first column, mm
    materials: Sequence[Union[Material, str]] = ("water",)
    #: [plane, column]: numbers of materials; None: the first everywhere.
    map: Optional[NDArray[np.uint16]] = None

    @classmethod
    def box(cls, depth: float, width: float, *, dz: float = 0.5, dx: float = 0.5,
            materials: Sequence[Union[Material, str]] = ("water",), map: Any = None) -> "Phantom":
        """`depth` x `width` mm in whole steps, with x = 0 in the middle."""
        for name, value in (("depth", depth), ("width", width), ("dz", dz), ("dx", dx)):
            if not _number(value, name) > 0:
                raise InvalidArgument(f"{name} is {value} mm; give more than 0")
        planes, columns = round(depth / dz), round(width / dx)
        return cls(max(1, planes), max(1, columns), dz, dx, -max(1, columns) * dx / 2, materials,
                   map)

    @property
    def depth(self) -> float:
        """mm"""
        return self.dz * self.planes

    @property
    def width(self) -> float:
        """mm"""
        return self.dx * self.columns

    def at(self, plane: int, column: int) -> Material:
        """The material of a cell."""
        number = 0 if self.map is None else int(self.map[plane, column])
        return as_material(self.materials[number])

    def _native(self) -> Any:
        if isinstance(self.materials, (str, Material)):
            raise InvalidArgument("materials is a list of materials or of their names")
        made = [as_material(m)._numbers() for m in self.materials]
        array = None
        if self.map is not None:
            given = as_numpy(self.map, "the map")
            if given.ndim != 2 or given.dtype.kind not in "bui":
                raise InvalidArgument(f"the map is {given.dtype} of {given.ndim} axes; it is "
                                      "integers [plane, column], numbers of materials")
            if given.size and (given.min() < 0 or given.max() >= len(made)):
                raise InvalidArgument(f"the map has material "
                                      f"{given.max() if given.max() >= len(made) else given.min()};"
                                      f" there are {len(made)}, from 0 on")
            array = np.ascontiguousarray(given, dtype=np.uint16)
        return _core.proton_phantom(made, int(self.planes), int(self.columns),
                                    _number(self.dz, "dz"), _number(self.dx, "dx"),
                                    _number(self.x0, "x0"), array)


def _phantom(fields_of: Dict[str, Any]) -> Phantom:
    return Phantom(fields_of["planes"], fields_of["columns"], fields_of["dz"], fields_of["dx"],
                   fields_of["x0"], tuple(Material(*m) for m in fields_of["materials"]),
                   fields_of["map"])


def _as_phantom(value: Any) -> Any:
    if not isinstance(value, Phantom):
        raise InvalidArgument(f"a phantom is a {type(value).__name__}; give a Phantom, as in "
                              "Phantom.box(depth=180, width=50)")
    return value._native()
