"""What a configuration asks for, computed and looked at.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument, warn
from .._option_sets import MarchOptions, RunOptions
from .._options import Path
from .._progress import Progress, shown
from .._words import said
from ._beams import Beam, Phantom, _as_phantom, _beam
from ._config import Config, as_config
from ._guards import DoseWarning, Guard, _guards, refuse
from ._march import Ledger, MarchResult, march_options, _parts_of, _result
from ._metrics import BraggMetrics, bragg_metrics, depth_dose
from ._physics import Physics, as_physics, _number

if TYPE_CHECKING:
    from typing_extensions import Unpack


def steps_of(config: "Union[Config, Path]") -> Dict[str, float]:
    """The steps of its grid: dz, range_step and dx in mm, angle_step in radians."""
    dz, across, dx, angle = _core.proton_steps_of(as_config(config)._native)
    return {"dz": dz, "range_step": across, "dx": dx, "angle_step": angle}


def guards_of(phantom: Phantom, beam: Beam, *, physics: "Union[Physics, str, None]" = None,
              progress: Progress = None, **options: Unpack[MarchOptions]) -> List[Guard]:
    """What a beam's march on this grid would get wrong, without marching it. Options as `march`."""
    tables, made = as_physics(physics), march_options(**options)
    with shown(progress, "checks", "line") as tell:
        return _guards(_core.proton_guards_of(tables._native, _as_phantom(phantom), _beam(beam),
                                              made, tell))


def guards_before(config: "Union[Config, Path]", progress: Progress = None) -> List[Guard]:
    """Of a whole configuration: what its reader found, and the worst of each kind over its beams.

    `progress` is told beams done and all.
    """
    with shown(progress, "checks", "beam") as tell:
        return _guards(_core.proton_guards_before(as_config(config)._native, tell))


def guards_after(config: "Union[Config, Path]",
                 ledger: "Union[Ledger, MarchResult]") -> List[Guard]:
    """What a ledger tells after the march; of a whole result also where its physics does not add up:
    dose that stopping power and the protons of a column do not explain, and a beam that is not as
    wide as Fermi and Eyges have it."""
    parts = None
    if isinstance(ledger, MarchResult):
        parts, ledger = ledger._parts(), ledger.ledger
    numbers = np.ascontiguousarray(ledger.numbers, dtype=np.float64)
    if numbers.shape != (26,):
        raise InvalidArgument("a ledger of one result is wanted, as `result.ledger`")
    return _guards(_core.proton_guards_after(as_config(config)._native, numbers, parts))


def march_beam(config: "Union[Config, Path]", beam: Beam, progress: Progress = None) -> MarchResult:
    """One beam in a configuration's mode: marched in depth, or dense."""
    c = as_config(config)
    with shown(progress, "march", "plane") as tell:
        return _result(_core.proton_march_beam(c._native, Physics(c.water)._native, _beam(beam),
                                               tell))


def march_beams(config: "Union[Config, Path]", threads: int = 0,
                progress: Progress = None) -> MarchResult:
    """All beams of a configuration and what they leave together, with the maps of LET.

    Args:
        config: a `Config`, or the name of a TOML file.
        threads: 0: one per processor.
        progress: f(planes of all beams done, all).
    """
    c = as_config(config)
    with shown(progress, "march", "plane") as tell:
        return _result(_core.proton_march_beams(c._native, threads, tell))


def assumptions(config: "Union[Config, Path]") -> List[str]:
    """What a reader of the results has to know: tables, models, what is left out."""
    return list(map(said, _core.proton_assumptions(as_config(config)._native)))


@dataclass(frozen=True, eq=False)
class Run:
    """What `run` found."""

    config: Config
    result: MarchResult
    dose: NDArray[np.float32]  #: [plane, column], Gy mm a proton
    metrics: BraggMetrics
    guards: List[Guard]
    assumptions: List[str]

    @property
    def warnings(self) -> List[str]:
        """The sentences of guards that are more than a note."""
        return [str(guard) for guard in self.guards if guard.severity != "note"]


def run(config: "Union[Config, Path]", *, anyway: bool = False, threads: int = 0,
        progress: Progress = None, **options: Unpack[RunOptions]) -> Run:
    """What `sluice proton run` does: checks the grid, marches all beams, and gives the dose.

    What makes a dose wrong raises before anything is marched. What may make it wrong is in
    `guards` and `warnings` of the result, and told through Python's `warnings` as `DoseWarning`:
    `warnings.simplefilter("error", proton.DoseWarning)` makes that an error.

    Args:
        config: a `Config`, or the name of a TOML file.
        anyway: computes what is refused, and warns.
        threads: 0: one per processor.
        progress: f(planes of all beams done, all); returning False cancels.
        options: of `march`, instead of the configuration's own.

    Raises:
        InvalidArgument: a dose that would be wrong, with what to change.

    Example:
        >>> from sluice import proton
        >>> box = proton.Phantom.box(depth=60, width=40, dz=0.25, dx=0.5)
        >>> found = proton.run(proton.Config(box, proton.Beam(energy=70, sigma_x=3)))
        >>> found.dose.shape, round(found.metrics.r80, 1)
        ((240, 80), 41.0)
    """
    c = as_config(config, progress=False if progress is None else progress)
    if options:
        c = c.with_options(**options)
    if c.sweep:
        raise InvalidArgument("has a [sweep], and beams of a sweep are not to be added up; march "
                              "each on its own with march_beam()")
    guards = guards_before(c, progress)
    if not anyway:
        refuse(guards)
    result = march_beams(c, threads, progress)
    guards += guards_after(c, result)
    dose = dose_of(c, result)
    found = Run(c, result, dose, bragg_metrics(*depth_dose(result)), guards, assumptions(c))
    for text in found.warnings:
        warn(text, DoseWarning)
    return found


def dose_of(config: "Union[Config, Path]", result: MarchResult,
            protons: Optional[float] = None) -> NDArray[np.float32]:
    """[plane, column] in Gy mm a proton: divide by the thickness along y in mm.

    `protons`: how many the result is of, by weight; None: as many as its ledger has.
    """
    count = result.ledger.entered.weight if protons is None else _number(protons, "protons")
    out: NDArray[np.float32] = _core.proton_dose_of(as_config(config)._native, _parts_of(result),
                                                    count)
    return out
