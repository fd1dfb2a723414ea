"""Spots that cover a target.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._errors import InvalidArgument, warn
from .._options import ImageQuantity
from .._progress import Progress, shown
from .._volume import Volume, as_volume
from ._dose import Overrides, _file, _machine, _overrides
from ._guards import DoseWarning, Guard, _guards
from ._machine import Machine
from ._physics import _number
from ._plan import IonPlan, Path, Structure, native_structures, plan_of_dict


class TargetBeam(NamedTuple):
    """What one beam has to reach."""

    layers: int
    spots: int
    shallowest: float  #: of the grown target, mm of water
    deepest: float


@dataclass(frozen=True)
class TargetPlan:
    """What `place_spots` made."""

    plan: IonPlan  #: metersets are protons of one fraction
    beams: Tuple[TargetBeam, ...]
    guards: List[Guard]

    @property
    def warnings(self) -> List[str]:
        """The sentences of guards that are more than a note."""
        return [str(guard) for guard in self.guards if guard.severity != "note"]


def _numbers(value: Any, name: str) -> List[float]:
    if value is None:
        return []
    try:
        return [float(v) for v in np.atleast_1d(np.asarray(value, np.float64))]
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {value!r}; it is a number, or several") from None


def place_spots(ct: "Union[Volume, Path]", structures: "Union[Path, Structure, Sequence[Structure]]", target: str,
                machine: "Union[Machine, Path]", *, gantry: Union[float, Sequence[float]] = 0.0,
                couch: Union[float, Sequence[float]] = 0.0, isocentre: Optional[Sequence[float]] = None,
                dose: float = 2.0, fractions: int = 1, margin: float = 10.0, spacing: float = 5.0,
                layer_spacing: float = 3.0, patient_position: str = "HFS", kernels: Path = "",
                keep_kernels: bool = True, table: Path = "", density_table: Path = "",
                quantity: Optional[ImageQuantity] = None, external: str = "", whole_image: bool = False,
                override: Optional[Overrides] = None, water: Literal["icru90", "pstar"] = "icru90",
                threads: int = 0, progress: Progress = None) -> TargetPlan:
    """Spots on a grid of rays through a structure, in layers whose ranges end in it.

    The weights of a ray are those from 0 on with which the depth doses of a wide field add up to
    the dose (least squares). There is no optimiser: edges, organs and the spots' widths do not count.

    Args:
        ct: a `Volume` of three axes, a CT series (its folder), MetaImage or NRRD.
        structures: an RT structure set, or what `load_structures` returns.
        target: the name of the structure to cover.
        machine: what `read_machine` returns, or its file.
        gantry: degrees (IEC 61217), a beam each.
        couch: degrees, one of all beams or one of each.
        isocentre: x, y and z, mm. None: the target's centre of volume.
        dose: Gy of one fraction, by all beams together.
        fractions: how many are planned.
        margin: mm by which the target is grown to all sides.
        spacing: mm between spots, in the plane of the isocentre.
        layer_spacing: mm of water between the ranges of layers.
        patient_position: HFS, HFP, FFS or FFP.
        kernels, keep_kernels: the folder of depth kernels, as `dose` has it.
        table, density_table, quantity, external, whole_image, override, water: what the image is, as
            `dose` has it.
        threads: 0: one per processor. No result depends on it.
        progress: f(steps done, all); returning False cancels.

    Returns:
        A `TargetPlan`; its `plan` goes into `dose` and `save_plan_list`. What the machine cannot
        reach is in `guards`, and told as `DoseWarning`.

    Raises:
        NotFound: no structure has that name. InvalidArgument: it is too deep for the machine, or an
            option is out of bounds.
    """
    lengths = tuple(_number(v, n) for v, n in ((margin, "margin"), (spacing, "spacing"),
                                               (layer_spacing, "layer_spacing")))
    options = _core.proton_target_options(
        _numbers(gantry, "gantry"), _numbers(couch, "couch"), _numbers(isocentre, "isocentre"),
        _number(dose, "dose"), fractions, lengths, patient_position, os.fspath(kernels), bool(keep_kernels), threads)
    patient = _core.proton_patient_options(os.fspath(table), os.fspath(density_table), quantity, external,
                                           bool(whole_image), _overrides(override), water)
    organs = native_structures(structures)
    if organs is None:
        raise InvalidArgument("structures is None; give a file, or what load_structures() returns")
    native_machine = _machine(machine)
    if native_machine is None:
        raise InvalidArgument("machine is None; give a file, or what read_machine() returns")
    with shown(progress, "spots", "step") as tell:
        d = _core.proton_place_spots(as_volume(ct, "the CT"), _file(ct), organs, str(target), native_machine, patient, options,
                                     tell)
    found = TargetPlan(plan_of_dict(d["plan"]), tuple(TargetBeam(*b) for b in d["beams"]), _guards(d["guards"]))
    for text in found.warnings:
        warn(text, DoseWarning)
    return found
