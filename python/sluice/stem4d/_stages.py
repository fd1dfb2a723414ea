"""The stages of a reconstruction.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from dataclasses import asdict, dataclass
from typing import Any, Sequence, Union

from .._errors import InvalidArgument
from .._options import Grouping, Likelihood, Moduli, PositionModel, Solver


@dataclass(frozen=True)
class PtychographyStage:
    """One stage of a reconstruction; the next one goes on from where it ends.

    The guide `docs/guide/ptychography.md` says what the solvers do, and where they are from.
    """

    #: "epie", "rpie", "mpie", "ap", "dm", "raar", "rrr", "sdr", "lsqml", "sgd", "adam"
    #: or "mlcg".
    solver: Solver = "lsqml"
    iterations: int = 20
    #: Patterns that see the same object and probe; 1: one after the other; 0: as suits the solver.
    group: int = 0
    grouping: Grouping = "random"
    #: Of lsqml, sgd, adam and mlcg: "amplitude", "poisson" or "gaussian". "auto": poisson where
    #: values are counts (whole numbers, or whole multiples of one value), else amplitude, with a note.
    likelihood: Likelihood = "auto"
    #: Lengths of steps; 0: the solver's own.
    object_step: float = 0.0
    probe_step: float = 0.0
    #: rPIE and mPIE: how much of the largest illumination replaces the local one, 0 to 1.
    object_regularisation: float = 0.05
    probe_regularisation: float = 1.0
    momentum: float = 0.7
    momentum_gain: float = 0.3
    momentum_chance: float = 0.05
    #: Of dm, raar, rrr and sdr; 0: 1, 0.75, 0.5 and 1.
    relaxation: float = 0.0
    #: Of the projections: errors below this part of a pattern's power are noise.
    power_bound: float = 0.05
    #: The first iteration that changes the probe.
    probe_from: int = 2
    fix_object: bool = False
    fix_probe: bool = False
    refine_positions: bool = False
    position_step: float = 1.0
    #: Orthogonal modes that each pattern adds to the first one with weights of its own, and
    #: whether it has a factor of its own for all of them (lsqml, epie, rpie and mpie).
    opr_modes: int = 0
    opr_intensity: bool = False
    #: "each" position moves on its own, or all by one "affine" map.
    position_model: PositionModel = "each"
    #: Places that each position also tries in an iteration, 0 to 8; how far off they are at first,
    #: in pixels.
    position_search: int = 0
    position_search_radius: float = 2.0
    #: Shifts of the patterns on the detector, counts that all share, and of slices their distance
    #: and the specimen's tilt.
    refine_descan: bool = False
    refine_background: bool = False
    refine_slice_distance: bool = False
    refine_tilt: bool = False
    #: The probe's power stays that of the mean pattern.
    probe_power: bool = True
    #: Constraints, after each iteration; 0: none. Weight of the object's total variation (some
    #: 0.001 to 0.01), iterations from one time to the next, and its steps each time.
    tv_weight: float = 0.0
    tv_every: int = 1
    tv_steps: int = 10
    #: How far each pixel of the object moves towards its four neighbours, 0 to 0.125.
    tikhonov: float = 0.0
    #: Standard deviation of a blur across slices, in slices.
    slice_blur: float = 0.0
    #: The object is 1 where it is lit less than this part of the most.
    object_support: float = 0.0
    #: Of the object: "any", "at_most_one" or "one".
    moduli: Moduli = "any"
    #: Phases below this quantile of all that are lit are raised to it, and it becomes phase 0.
    positive_phase: float = 0.0
    #: The probe is kept within this part of the window from its middle, with a soft edge. 0: what lies
    #: beyond 0.45 fades by a tenth in an iteration with PIE and LSQML, unless it is much; 1: it is free.
    probe_support: float = 0.0
    #: The probe's spectrum is 0 beyond.
    probe_aperture_mrad: float = 0.0


Stages = Union[PtychographyStage, Sequence[PtychographyStage], None]


def _stages(stages: Stages) -> "list[dict[str, Any]]":
    if stages is None:
        stages = [PtychographyStage()]
    if isinstance(stages, PtychographyStage):
        stages = [stages]
    try:
        listed = list(stages)
    except TypeError:
        raise InvalidArgument(f"stages is {stages!r}; give a PtychographyStage or several") from None
    for stage in listed:
        if not isinstance(stage, PtychographyStage):
            raise InvalidArgument(f"a stage is {stage!r}; give a PtychographyStage")
    made = [asdict(stage) for stage in listed]
    for fields in made:
        for name, value in fields.items():
            fields[name] = _as_kind(name, value, type(getattr(PtychographyStage, name)))
    return made


def _as_kind(name: str, value: Any, kind: type) -> Any:
    """What int() and float() make of a text or of 2.5 is not what was meant."""
    try:
        made = operator.index(value) if kind is int else kind(value)
    except (TypeError, ValueError, OverflowError):
        made = None
    if made is None or (kind is float and isinstance(value, (str, bytes))):
        what = {int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise InvalidArgument(f"{name} is {value!r}; give {what}")
    if kind is int and not -2**63 <= made < 2**64:
        raise InvalidArgument(f"{name} is {value!r}; that is too much")
    return made
