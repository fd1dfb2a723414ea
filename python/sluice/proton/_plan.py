"""Plans of scanned beams, structures, and doses as DICOM files.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._errors import InvalidArgument
from .._volume import Volume, as_volume

Path = Union[str, "os.PathLike[str]"]
Lengths = Union[None, float, Sequence[float]]


@dataclass(frozen=True)
class RangeShifter:
    """A range shifter that is in the beam."""

    name: str
    water: float  #: mm of water that stop as much
    distance: float  #: mm from the isocentre to its downstream side


@dataclass(frozen=True)
class PlanLayer:
    """The spots of one energy."""

    energy: float  #: MeV, nominal
    spots: NDArray[np.float64]  #: [spot, 3]: x, y (mm at the isocentre, IEC gantry) and meterset
    fwhm: Tuple[float, float] = (0.0, 0.0)  #: mm in air at the isocentre, x and y; 0: not told
    paintings: int = 1
    shifters: Tuple[RangeShifter, ...] = ()


@dataclass(frozen=True)
class IonBeam:
    """A beam that stands still: its layers from one direction."""

    number: int
    name: str
    gantry: float  #: degrees, as IEC 61217 counts them
    couch: float
    isocentre: Tuple[float, float, float]  #: mm to the left, the back and the head
    source: Tuple[float, float]  #: mm from the virtual sources of x and y to the isocentre
    layers: Tuple[PlanLayer, ...]
    snout: Optional[float] = None  #: mm

    @property
    def spots(self) -> int:
        """How many there are in all layers."""
        return sum(len(layer.spots) for layer in self.layers)


@dataclass(frozen=True)
class IonPlan:
    """A plan of scanned proton beams."""

    beams: Tuple[IonBeam, ...]
    label: str = ""
    patient_position: str = "HFS"
    unit: str = "mu"  #: of metersets: "mu", or "protons"
    fractions: int = 1  #: planned; metersets are of one
    uid: str = ""
    frame_of_reference: str = ""
    notes: Tuple[str, ...] = field(default=())  #: what was missing, assumed or left out

    @property
    def spots(self) -> int:
        """How many there are in all beams."""
        return sum(beam.spots for beam in self.beams)

    @property
    def meterset(self) -> float:
        """The sum of all spots."""
        return float(sum(layer.spots[:, 2].sum() for beam in self.beams for layer in beam.layers))


@dataclass(frozen=True)
class Structure:
    """An organ or a target."""

    number: int
    name: str
    type: str  #: as in PTV, ORGAN, EXTERNAL; empty: not told
    contours: Tuple[NDArray[np.float64], ...]  #: closed; [corner, 3], mm
    points: Tuple[NDArray[np.float64], ...] = ()  #: what is no closed contour
    volume: float = float("nan")  #: cm3
    frame_of_reference: str = ""  #: the UID of the coordinates; empty: not told


def _lengths(value: Lengths, name: str) -> List[float]:
    if value is None:
        return []
    try:
        numbers = [float(v) for v in np.atleast_1d(np.asarray(value, np.float64))]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (1, 2):
        raise InvalidArgument(f"{name} is {value!r}; it is a length in mm, or two for x and y")
    return numbers


def _layer(d: Any) -> PlanLayer:
    return PlanLayer(d["energy"], d["spots"], tuple(d["fwhm"]), d["paintings"],
                     tuple(RangeShifter(*shifter) for shifter in d["shifters"]))


def _beam(d: Any) -> IonBeam:
    return IonBeam(d["number"], d["name"], d["gantry"], d["couch"], tuple(d["isocentre"]),
                   tuple(d["source"]), tuple(map(_layer, d["layers"])), d["snout"])


def read_plan(path: Path, *, source: Lengths = None, fwhm: Lengths = None,
              shifter_water: Optional[float] = None, shifter_distance: Optional[float] = None,
              patient_position: str = "", incomplete: bool = False) -> IonPlan:
    """Reads an RT ion plan of DICOM, or a list of spots (CSV).

    The other arguments stand for what the plan lacks; what it has counts.

    Args:
        path: the file.
        source: mm from the virtual sources to the isocentre, x and y.
        fwhm: mm of spots in air at the isocentre, x and y.
        shifter_water: mm of water of a range shifter.
        shifter_distance: mm from the isocentre to its downstream side.
        patient_position: HFS, HFP, FFS or FFP.
        incomplete: what is missing becomes a note: to look at a plan, not to compute with it.

    Raises:
        Corrupt, Unsupported: it lacks something, or is no plan of scanned protons.
    """
    d = _core.proton_read_plan(os.fspath(path), _lengths(source, "source"), _lengths(fwhm, "fwhm"),
                               shifter_water, shifter_distance, patient_position, incomplete)
    return plan_of_dict(d)


def plan_of_dict(d: Any) -> IonPlan:
    """The plan of its compiled parts."""
    return IonPlan(tuple(map(_beam, d["beams"])), d["label"], d["patient_position"], d["unit"],
                   d["fractions"], d["uid"], d["frame_of_reference"], tuple(d["notes"]))


def native_plan(plan: IonPlan) -> Any:
    """The compiled plan."""
    beams = [(b.number, b.name, b.gantry, b.couch, tuple(b.isocentre), tuple(b.source), b.snout,
              [(layer.energy, tuple(layer.fwhm), layer.paintings,
                [(s.name, s.water, s.distance) for s in layer.shifters],
                as_numbers(as_numpy(layer.spots, "the spots"), "the spots", ("spot", "x, y, meterset")))
               for layer in b.layers]) for b in plan.beams]
    return _core.proton_plan((plan.label, plan.uid, plan.frame_of_reference, plan.patient_position,
                              plan.unit, plan.fractions, beams, list(plan.notes)))


def save_plan_list(path: Path, plan: IonPlan) -> None:
    """Writes a plan as a list of spots: comma-separated values, a line each."""
    _core.proton_save_plan_list(os.fspath(path), native_plan(plan))


def load_structures(path: Path) -> List[Structure]:
    """Reads the contours of an RT structure set of DICOM."""
    return [Structure(d["number"], d["name"], d["type"], tuple(d["contours"]), tuple(d["points"]),
                      d["volume"], d["frame_of_reference"])
            for d in _core.load_structure_set(os.fspath(path)).structures]


def native_structures(structures: Any) -> Any:
    """The compiled structures of a file, or of a list; none: None."""
    if structures is None or isinstance(structures, _core.StructureSet):
        return structures
    if isinstance(structures, (str, os.PathLike)):
        return _core.load_structure_set(os.fspath(structures))
    listed = [structures] if isinstance(structures, Structure) else list(structures)
    for one in listed:
        if not isinstance(one, Structure):
            raise InvalidArgument(f"structures hold a {type(one).__name__}; give a file, or a list of "
                                  "what load_structures() returns")
    frames = {s.frame_of_reference for s in listed if s.frame_of_reference}
    if len(frames) > 1:
        raise InvalidArgument("structures are of different coordinates; give those of one file")
    return _core.structure_set([(s.number, s.name, s.type, *(
        [as_numbers(as_numpy(c, "a contour"), "a contour", ("corner", "x, y, z")) for c in contours]
        for contours in (s.contours, s.points))) for s in listed], frames.pop() if frames else "")


def save_dicom_dose(path: Path, dose: "Union[Volume, Any]", *, ct: Path = "", plan: Path = "",
                    effective: bool = False, description: str = "", comment: str = "") -> None:
    """Writes a dose in Gy as an RT dose of DICOM, whole or not at all.

    Args:
        path: the file.
        dose: a volume of three axes.
        ct: the CT series (its folder, or one of its files) whose patient and coordinates it is of.
        plan: the RT ion plan that it refers to.
        effective: it is weighted by RBE.
        description: of its series.
        comment: e.g. how it was computed.

    Raises:
        InvalidArgument: CT and plan are of different patients, or the dose is below 0.
    """
    _core.save_dicom_dose(os.fspath(path), as_volume(dose, "the dose"), os.fspath(ct),
                          os.fspath(plan), effective, description, comment)
