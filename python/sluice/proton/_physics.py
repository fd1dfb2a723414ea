"""What protons meet, and what stops and scatters them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from typing import Any, List, Optional, Type, Union, overload

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Numbers, as_numpy
from .._errors import InvalidArgument


@dataclass(frozen=True)
class Material:
    """What a proton meets; `material` has those of the table."""

    name: str
    density: float = 1.0  #: g/cm3
    electron_density: float = 1.0  #: relative to water
    excitation_energy: float = 0.0  #: eV; 0: water's own
    scattering: float = 1.0  #: scattering power relative to water
    nuclear: float = 1.0  #: non-elastic cross section per length relative to water

    def _numbers(self) -> "tuple[str, float, float, float, float, float]":
        return (str(self.name), *(_number(getattr(self, name), name) for name in
                                  ("density", "electron_density", "excitation_energy", "scattering",
                                   "nuclear")))  # type: ignore[return-value]


def _number(value: Any, name: str) -> float:
    """A finite number; for anything else an error that names `name`."""
    if not isinstance(value, (str, bytes)):
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            number = float(value)
            if math.isfinite(number):
                return number
    raise InvalidArgument(f"{name} is {value!r}; it is a finite number")


def material(name: str, density: Optional[float] = None) -> Material:
    """A material of the table, with another density (g/cm3) if one is given.

    Raises:
        InvalidArgument: no such material; the error names the nearest one.

    Example:
        >>> from sluice import proton
        >>> proton.material("lung").density
        0.26
    """
    return Material(*_core.proton_material(name, None if density is None
                                           else _number(density, "density")))


def material_names() -> List[str]:
    """The names of the table."""
    return list(_core.proton_material_names())


def mean_excitation_energy(water: str = "icru90") -> float:
    """Of water, eV: 78 of "icru90" (ICRU Report 90, and Geant4), 75 of "pstar" (NIST)."""
    return float(_core.proton_mean_excitation_energy(water))


Values = NDArray[np.float64]
#: One number: NumPy's kinds, too.
Scalar = Union[float, "np.floating[Any]", "np.integer[Any]"]


class Physics:
    """Water's tables and the formulas that carry them to other materials.

    Every function takes a number or an array of any shape, and gives one of the same shape.
    Energies are in MeV, lengths in mm.

    Args:
        water: "icru90" or "pstar", where the stopping power of water comes from.

    Example:
        >>> from sluice import proton
        >>> water = proton.Physics()
        >>> [float(r) for r in water.range([100.0, 150.0]).round(1)]
        [77.6, 158.5]
    """

    def __init__(self, water: str = "icru90") -> None:
        self.water = water
        self._native = _core.ProtonPhysics(water)

    def __reduce__(self) -> "tuple[Type[Physics], tuple[str]]":
        return Physics, (self.water,)

    def _of(self, what: str, at: Any, name: str, of: "Optional[Union[Material, str]]" = None,
            zero: bool = False) -> Any:
        array = as_numpy(at, name)
        if array.dtype.kind not in "buif":
            raise InvalidArgument(f"{name} has dtype {array.dtype}; give real numbers")
        values = np.ascontiguousarray(array, dtype=np.float64).reshape(-1)
        good = values >= 0 if zero else values > 0
        if not np.all(good & np.isfinite(values)):
            raise InvalidArgument(f"{name} has {values[~(good & np.isfinite(values))][0]}; give "
                                  + ("numbers from 0 on" if zero else "numbers above 0"))
        if of is None:
            out = self._native.of_water(what, values)
        else:
            out = self._native.of_material(what, as_material(of)._numbers(), values)
        return float(out[0]) if array.ndim == 0 else out.reshape(array.shape)

    @overload
    def stopping_power(self, energy: Scalar) -> float: ...
    @overload
    def stopping_power(self, energy: Numbers) -> Values: ...
    def stopping_power(self, energy: Any) -> Any:
        """Of water, MeV/mm."""
        return self._of("stopping_power", energy, "energy")

    @overload
    def range(self, energy: Scalar) -> float: ...
    @overload
    def range(self, energy: Numbers) -> Values: ...
    def range(self, energy: Any) -> Any:
        """Of water, mm: the integral of 1/S from 0 (continuous slowing down)."""
        return self._of("range", energy, "energy", zero=True)

    @overload
    def energy(self, range: Scalar) -> float: ...
    @overload
    def energy(self, range: Numbers) -> Values: ...
    def energy(self, range: Any) -> Any:
        """The energy that has a range (mm of water), MeV."""
        return self._of("energy", range, "range", zero=True)

    @overload
    def energy_integral(self, range: Scalar) -> float: ...
    @overload
    def energy_integral(self, range: Numbers) -> Values: ...
    def energy_integral(self, range: Any) -> Any:
        """The integral of energy over range from 0, MeV mm."""
        return self._of("energy_integral", range, "range", zero=True)

    @overload
    def relative_stopping_power(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def relative_stopping_power(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def relative_stopping_power(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Of a material relative to water's (Bethe's formula for both)."""
        return self._of("relative_stopping_power", energy, "energy", of)

    @overload
    def scattering_power(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def scattering_power(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def scattering_power(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Growth of the variance of the angle projected on a plane, 1/mm (Gottschalk 2010)."""
        return self._of("scattering_power", energy, "energy", of)

    @overload
    def straggling(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def straggling(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def straggling(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Growth of the variance of the energy, MeV^2/mm (Bohr, relativistic)."""
        return self._of("straggling", energy, "energy", of)

    @overload
    def straggling_third(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def straggling_third(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def straggling_third(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Growth of the third central moment of the energy lost, MeV^3/mm: of the same collisions."""
        return self._of("straggling_third", energy, "energy", of)

    @overload
    def nuclear_cross_section(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def nuclear_cross_section(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def nuclear_cross_section(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Non-elastic interactions per mm."""
        return self._of("nuclear_cross_section", energy, "energy", of)

    @overload
    def hydrogen_cross_section(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def hydrogen_cross_section(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def hydrogen_cross_section(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Elastic collisions with hydrogen per mm, which end the primary proton as such."""
        return self._of("hydrogen_cross_section", energy, "energy", of)

    @overload
    def elastic_cross_section(self, of: "Union[Material, str]", energy: Scalar) -> float: ...
    @overload
    def elastic_cross_section(self, of: "Union[Material, str]", energy: Numbers) -> Values: ...
    def elastic_cross_section(self, of: "Union[Material, str]", energy: Any) -> Any:
        """Elastic collisions with other nuclei per mm, beyond Coulomb scattering."""
        return self._of("elastic_cross_section", energy, "energy", of)

    @overload
    def elastic_angle(self, energy: Scalar) -> float: ...
    @overload
    def elastic_angle(self, energy: Numbers) -> Values: ...
    def elastic_angle(self, energy: Any) -> Any:
        """Standard deviation of the angle of such a collision, projected on a plane, radians."""
        return self._of("elastic_angle", energy, "energy")

    @overload
    def elastic_recoil(self, energy: Scalar) -> float: ...
    @overload
    def elastic_recoil(self, energy: Numbers) -> Values: ...
    def elastic_recoil(self, energy: Any) -> Any:
        """The mean energy that the nucleus takes, MeV."""
        return self._of("elastic_recoil", energy, "energy")


def as_material(value: "Union[Material, str]") -> Material:
    """A material as it is, or the one of a name."""
    if isinstance(value, Material):
        return value
    if isinstance(value, str):
        return material(value)
    raise InvalidArgument(f"a material is a {type(value).__name__}; give a Material or a name")


def as_physics(value: "Union[Physics, str, None]") -> Physics:
    """Tables as they are, or those of a name."""
    if isinstance(value, Physics):
        return value
    if value is None or isinstance(value, str):
        return Physics(value or "icru90")
    raise InvalidArgument(f"physics is a {type(value).__name__}; give a Physics, \"icru90\" or "
                          "\"pstar\"")
