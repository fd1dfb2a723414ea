"""Base data: what dose engines of pencil beams need of protons in water, energy by energy.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, List, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers
from .._errors import InvalidArgument
from .._progress import Progress, shown
from ._guards import Guard, _guards
from ._physics import Physics, _number, as_physics

Map = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BaseEnergy:
    """One energy in water of 1 g/cm3; the arrays go together, depth by depth."""

    energy: float  #: mean, MeV
    energy_spread: float  #: standard deviation, MeV
    peak: float  #: depth of the highest dose, mm
    range: float  #: R80, mm
    depth: Map  #: mm, from 0 on
    dose: Map  #: integrated over the plane, MeV cm2/g a proton
    sigma: Map  #: that water adds (in square) to the beam's own, mm
    halo_sigma: Map  #: the same of the halo of nuclear reactions, mm
    halo_weight: Map  #: the halo's part of the dose
    let: Map  #: dose-averaged, of all protons, keV/um
    guards: List[Guard] = field(default_factory=list)  #: what its march gets wrong


def _base_energy(found: Any) -> BaseEnergy:
    return BaseEnergy(**{**found, "guards": _guards(found["guards"])})


def base_energies(first: float, last: float, count: int,
                  physics: "Union[Physics, str, None]" = None) -> Map:
    """`count` energies from `first` to `last` MeV whose ranges are equally far apart."""
    out: Map = _core.proton_base_energies(as_physics(physics)._native, _number(first, "first"),
                                          _number(last, "last"), count)
    return out


def base_energy(energy: float, *, step: float = 0.5, energy_spread: float = 0.0, threads: int = 0,
                physics: "Union[Physics, str, None]" = None,
                progress: Progress = None) -> BaseEnergy:
    """Marches one energy through water.

    Args:
        energy: MeV.
        step: of depth, mm.
        energy_spread: MeV.
        threads: 0: one per processor.
        physics: `Physics`, or "icru90" or "pstar".
        progress: f(planes done, all); returning False cancels.
    """
    tables = as_physics(physics)
    with shown(progress, "base data", "plane") as tell:
        found = _core.proton_base_energy(tables._native, _number(energy, "energy"),
                                         _number(step, "step"),
                                         _number(energy_spread, "energy_spread"), threads, tell)
    return _base_energy(found)


def save_base_data(path: "Union[str, os.PathLike[str]]", energies: Sequence[BaseEnergy],
                   spot_sigma: float, description: str = "") -> None:
    """Writes what matRad calls a machine, protons_NAME.mat, with two Gaussians a depth.

    Args:
        path: the file; its name has to be as matRad's are.
        energies: of `base_energy`, one or more.
        spot_sigma: of the parallel beam in air, mm.
        description: a text in the file.
    """
    parts: List[Any] = []
    for b in energies:
        if not isinstance(b, BaseEnergy):
            raise InvalidArgument(f"an energy is a {type(b).__name__}; give those of base_energy()")
        parts.append({**{name: _number(getattr(b, name), name)
                         for name in ("energy", "energy_spread", "peak", "range")},
                      **{name: as_numbers(getattr(b, name), name, ("depth",))
                         for name in ("depth", "dose", "sigma", "halo_sigma", "halo_weight", "let")}})
    _core.proton_save_base_data(os.fspath(path), parts, _number(spot_sigma, "spot_sigma"),
                                str(description))
