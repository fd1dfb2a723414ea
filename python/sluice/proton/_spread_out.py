"""Bragg peaks that are spread out.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Tuple, Union

from .. import _core
from .._option_sets import MarchOptions
from .._progress import Progress, shown
from ._beams import Beam, _beam
from ._march import march_options
from ._physics import Physics, as_physics, _number

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Sobp:
    """A spread-out Bragg peak: a flat dose over a length of depth."""

    wanted_range: float  #: mm
    modulation: float  #: mm
    beams: Tuple[Beam, ...]  #: from the deepest on; layers of no weight are left out
    range: float  #: found, mm: where the dose is 80 % of the plateau's
    begin: float  #: of the plateau, mm
    end: float
    flatness: float  #: of the plateau: (most - least) / (most + least)
    plateau: float  #: its mean, MeV/mm a proton
    entrance: float  #: dose of the first plane, as part of the plateau's


def _sobp(found: Dict[str, Any]) -> Sobp:
    return Sobp(**{**found, "beams": tuple(Beam(*b) for b in found["beams"])})


def spread_out(range: float, modulation: float, beam: Beam, *, layers: int = 0,
               spacing: float = 0.0, dz: float = 0.5,
               physics: "Union[Physics, str, None]" = None, progress: Progress = None,
               **options: Unpack[MarchOptions]) -> Sobp:
    """Energies and weights for a plateau in water.

    Args:
        range: mm of water along the beam, where the dose is 80 % of the plateau's.
        modulation: mm; the plateau begins so much before.
        beam: what all layers share; its energy is not read, its weight is that of all together.
        layers: energies; 0: by the spacing.
        spacing: of the layers' ranges, mm; 0: by the widths of their peaks.
        dz: planes of the layers' own marches, mm.
        physics: `Physics`, or "icru90" or "pstar".
        progress: f(layers done, all of six rounds); it mostly takes fewer.
        options: of `march`.

    Raises:
        InvalidArgument: a plateau that cannot be.
    """
    tables, made = as_physics(physics), march_options(**options)
    with shown(progress, "spread-out peak", "layer") as tell:
        return _sobp(_core.proton_spread_out(
            tables._native, _number(range, "range"), _number(modulation, "modulation"), layers,
            _number(spacing, "spacing"), _beam(beam), _number(dz, "dz"), made, tell))
