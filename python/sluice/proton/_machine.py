"""Machines: what a beam line makes of a planned spot, energy by energy.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Optional, Tuple, Union

from .. import _core
from .._errors import InvalidArgument
from ._base_data import BaseEnergy, _base_energy
from ._physics import _number

Path = Union[str, "os.PathLike[str]"]
Pair = Tuple[float, float]


@dataclass(frozen=True)
class SpotGaussian:
    """A Gaussian of places and angles on the machine's plane, x and y."""

    weight: float  #: part of the protons
    sigma: Pair  #: mm
    divergence: Pair  #: standard deviations of the angles, radians
    covariance: Pair  #: of place and angle, mm; positive where it widens


@dataclass(frozen=True)
class MachineEnergy:
    """One energy of a machine."""

    nominal: float  #: MeV, what plans call it
    mean: float  #: MeV, of the protons on the plane of the spots
    spread: float  #: MeV, standard deviation
    protons_per_mu: float  #: 0: not told
    spots: Tuple[SpotGaussian, ...]
    kernel: Optional[BaseEnergy] = None  #: depth doses in water; none: they are marched


@dataclass(frozen=True)
class MachineShifter:
    """A range shifter that plans name."""

    name: str
    water: float  #: mm of water that stop as much


@dataclass(frozen=True)
class Machine:
    """What a beam line makes of planned spots."""

    name: str
    source: Pair  #: mm from the virtual sources of x and y to the isocentre
    plane: float  #: mm from the isocentre up to the plane of the spots
    air_included: bool  #: moments and kernels already know of the air behind it
    energies: Tuple[MachineEnergy, ...]  #: ascending by nominal energy
    shifters: Tuple[MachineShifter, ...] = ()
    kernel_air: float = 0.0  #: mm of this air that the kernels have before their water
    notes: Tuple[str, ...] = ()  #: what was assumed, fitted or left out
    _native: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class MachineSetting:
    """An energy of a machine, or one between two."""

    energy: MachineEnergy
    interpolated: bool


def _energy(d: Any) -> MachineEnergy:
    kernel = None if d["kernel"] is None else _base_energy(d["kernel"])
    return MachineEnergy(d["nominal"], d["mean"], d["spread"], d["protons_per_mu"],
                         tuple(SpotGaussian(weight, tuple(sigma), tuple(divergence), tuple(covariance))
                               for weight, sigma, divergence, covariance in d["spots"]), kernel)


def _machine(native: Any) -> Machine:
    d = native.fields
    return Machine(d["name"], tuple(d["source"]), d["plane"], d["air_included"],
                   tuple(map(_energy, d["energies"])),
                   tuple(MachineShifter(*shifter) for shifter in d["shifters"]), d["kernel_air"],
                   tuple(d["notes"]),
                   native)


def read_machine(path: Path) -> Machine:
    """Reads a machine: a TOML file, matRad's base data (.mat), or a beam model of MCsquare.

    Raises:
        InvalidArgument, Corrupt, Unsupported: what is wrong with the file, and where.

    Example:
        >>> machine = proton.read_machine("gantry.toml")  # doctest: +SKIP
        >>> machine.energies[0].spots[0].sigma  # doctest: +SKIP
        (4.0, 4.0)
    """
    return _machine(_core.proton_read_machine(os.fspath(path)))


def parse_machine(text: str, name: str = "machine.toml") -> Machine:
    """A machine out of the text of a TOML file or a beam model; `name` is what errors call it."""
    return _machine(_core.proton_parse_machine(text, name))


def setting_of(machine: Machine, energy: float) -> MachineSetting:
    """A nominal energy (MeV) of the machine's table, or one between two of it.

    Second moments go linearly with the energy; depth doses are stretched to their range.

    Raises:
        InvalidArgument: the energy is outside the table.
    """
    if machine._native is None:
        raise InvalidArgument("a machine that no file made; give one of read_machine()")
    energy_dict, interpolated = _core.proton_setting_of(machine._native, _number(energy, "energy"))
    return MachineSetting(_energy(energy_dict), interpolated)
