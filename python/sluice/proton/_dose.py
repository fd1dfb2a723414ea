"""The dose of a plan on a CT.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._errors import InvalidArgument, warn
from .._options import DoseEngine, DoseTo, ImageQuantity
from .._progress import Progress, shown
from .._provenance import Provenance
from .._volume import Volume, as_volume
from .._words import said
from ._guards import DoseWarning, Guard, _guards
from ._machine import Machine, read_machine
from ._physics import _number
from ._plan import IonPlan, Lengths, Path, Structure, native_plan, native_structures, read_plan

if TYPE_CHECKING:
    import xarray as xr

Overrides = Union[Mapping[str, float], Sequence[Tuple[str, float]]]


@dataclass(frozen=True)
class BeamDose:
    """What one beam was."""

    number: int
    name: str
    layers: int
    spots: int
    protons: float  #: of all fractions that the dose is of
    energy: float  #: what they brought, J
    deposited: float  #: of it in the cube of the beam, J
    highest: float  #: Gy
    water_before: float  #: of range shifters, mm of water; the most of its layers
    dose: Optional[Volume] = None  #: [z, y, x], Gy, with `each_beam`


@dataclass(frozen=True, eq=False)
class PlanDose:
    """What `dose` found; the volumes lie on one grid."""

    dose: Volume  #: [z, y, x], Gy
    #: [z, y, x], dose-averaged over all protons, keV/um in water of unit density; NaN without dose.
    let: Optional[Volume]
    error: Optional[Volume]  #: [z, y, x], predicted, in % of the highest dose
    beams: Tuple[BeamDose, ...]
    fractions: int  #: that the dose is of
    notes: List[str]  #: what was assumed, interpolated or left out
    guards: List[Guard]
    provenance: Provenance  #: what it was made of, for the files it is saved in

    @property
    def warnings(self) -> List[str]:
        """The sentences of guards that are more than a note."""
        return [str(guard) for guard in self.guards if guard.severity != "note"]

    def to_xarray(self) -> "xr.Dataset":
        """`dose`, `let`, `error` and `beam_1` and so on over [z, y, x], with units and coordinates in mm; where they come
        from, notes and warnings are attributes. Of a grid whose axes are exchanged or oblique there are
        no coordinates: `origin`, `spacing` and `direction` say where it lies."""
        import xarray as xr
        volumes = {"dose": self.dose, "let": self.let, "error": self.error,
                   **{f"beam_{beam.number}": beam.dose for beam in self.beams}}
        made = xr.Dataset({name: volume.to_xarray().rename(name).assign_attrs(long_name=volume.content)
                           for name, volume in volumes.items() if volume is not None})
        if self.error is not None:
            made.error.attrs["units"] = "%"
        made.attrs = {"fractions": self.fractions, "origin": self.dose.origin, "spacing": self.dose.spacing,
                      "direction": tuple(self.dose.direction.ravel().tolist()), "notes": self.notes,
                      "warnings": self.warnings, **{name: self.provenance[name] for name in self.provenance
                                                    if name not in ("assumption", "warning")}}
        return made

    def __repr__(self) -> str:
        sides = "x".join(map(str, self.dose.shape))
        beams = "1 beam" if len(self.beams) == 1 else f"{len(self.beams)} beams"
        return (f"<sluice.proton.PlanDose {sides}, {beams}, "
                f"at most {float(self.dose.image.max()):.4g} Gy>")


def _spacing(value: Any) -> List[float]:
    if value is None:
        return []
    sides = [value] if np.ndim(value) == 0 else list(value)
    if len(sides) not in (1, 3):
        raise InvalidArgument(f"spacing is {value!r}; it is a length in mm, or three for x, y and z")
    return [_number(side, "spacing") for side in sides]


def _overrides(value: Optional[Overrides]) -> List[Tuple[str, float]]:
    listed = list(value.items() if isinstance(value, Mapping) else value or [])
    try:
        return [(str(name), _number(hu, f"override of {name!r}")) for name, hu in listed]
    except (TypeError, ValueError):
        raise InvalidArgument(f"override is {value!r}; it is structures and their HU, as in "
                              "{'Implant': 3000}") from None


def _plan(plan: "Union[IonPlan, Path]", defaults: Dict[str, Any]) -> IonPlan:
    if not isinstance(plan, IonPlan):
        return read_plan(plan, **defaults)
    for name, value in defaults.items():
        if value is not None and value != "":
            raise InvalidArgument(f"{name} is for a plan that is read from a file; change the plan, "
                                  "as in dataclasses.replace()")
    return plan


def _machine(machine: "Union[Machine, Path, None]") -> Any:
    if machine is None:
        return None
    made = machine if isinstance(machine, Machine) else read_machine(machine)
    if made._native is None:
        raise InvalidArgument("a machine that no file made; give a file or one of read_machine()")
    return made._native


def _file(value: Any) -> str:
    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else ""


def dose(plan: "Union[IonPlan, Path]", ct: "Union[Volume, Path]", *,
         machine: "Union[Machine, Path, None]" = None,
         structures: "Union[Path, Structure, Sequence[Structure], None]" = None,
         engine: DoseEngine = "pencils", dose_to: DoseTo = "water", let: bool = True, error: bool = True,
         each_beam: bool = False, spacing: "Union[float, Sequence[float], None]" = None, pixel: float = 1.0, step: float = 1.0,
         accuracy: float = 5.0, protons_per_mu: float = 0.0, energy_spread: Optional[float] = None,
         single_fraction: bool = False, kernels: Path = "", keep_kernels: bool = True,
         table: Path = "", density_table: Path = "", quantity: Optional[ImageQuantity] = None,
         external: str = "", whole_image: bool = False, override: Optional[Overrides] = None,
         water: Literal["icru90", "pstar"] = "icru90", source: Lengths = None, fwhm: Lengths = None,
         shifter_water: Optional[float] = None, shifter_distance: Optional[float] = None,
         patient_position: str = "", device: str = "cpu", threads: int = 0,
         progress: Progress = None) -> PlanDose:
    """The dose of a plan of scanned protons on a CT, its LET, and how wrong it may be: what
    `sluice proton dose` computes, to the bit.

    What may make the dose wrong is in `guards` and `warnings` of the result, and told through
    Python's `warnings` as `DoseWarning`.

    Args:
        plan: an `IonPlan`, an RT ion plan (DICOM), or a list of spots (CSV).
        ct: a `Volume` of three axes, a CT series (its folder), MetaImage or NRRD.
        machine: what `read_machine` returns, or its file: TOML, matRad's .mat, MCsquare's model. None:
            the plan has to tell spot sizes; give `energy_spread`, and `protons_per_mu` for metersets.
        structures: an RT structure set, or what `load_structures` returns, for `external` and `override`.
        engine: "pencils" (seconds), or "march": slices of the march, exact across x only, to judge by (minutes).
        dose_to: what gets the dose: "water", or the voxel's own "medium".
        let: dose-averaged LET, too.
        error: a map of the predicted error, too.
        each_beam: the dose of each beam alone, too: `beams[0].dose`.
        spacing: of the dose's voxels, mm, one or [x, y, z]. None: the CT's.
        pixel: mm of the fluence at the isocentre; narrow spots make it smaller.
        step: mm of depth.
        accuracy: % of the highest dose; a larger predicted error is warned about.
        protons_per_mu: where no machine tells, as in 1e8.
        energy_spread: standard deviation, MeV, instead of the machine's.
        single_fraction: the dose of one fraction instead of all.
        kernels: a folder that keeps depth kernels. Empty: that of the user's caches.
        keep_kernels: depth kernels are kept for the next time.
        table: a file of HU and relative stopping power. Empty: matRad's default.
        density_table: a file of HU and g/cm3. Empty: MCsquare's.
        quantity: what the image holds: "HU", "density" (g/cm3) or "rsp". None: HU, if its values can be.
        external: the structure outside of which there is air. Empty: the one of the type EXTERNAL.
        whole_image: what lies outside of EXTERNAL counts, too.
        override: structures that are taken as tissue of these HU, {"Implant": 3000}; later ones win.
        water: stopping powers: "icru90" (I = 78 eV) or "pstar" (75 eV).
        source, fwhm, shifter_water, shifter_distance, patient_position: what a plan that is read from a
            file may lack; `read_plan` says what they are.
        device: "cpu", an instruction set as "cpu:avx2", or "reference": slow, to compare with.
        threads: 0: one per processor. No result depends on it.
        progress: f(steps done, all); returning False cancels.

    Returns:
        A `PlanDose`: volumes [z, y, x] of float32.

    Raises:
        InvalidArgument: plan, image and machine do not fit together, or an option is out of bounds.
        NotFound, Corrupt, Unsupported: a file is not what it should be. OutOfMemory. Cancelled.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> ct = proton.Volume(numpy.zeros((24, 40, 24)), spacing=(2, 2, 2), origin=(-23, 1, -23))
        >>> layer = proton.PlanLayer(70.0, numpy.array([[0.0, 0, 1e9]]), fwhm=(12.0, 12.0))
        >>> beam = proton.IonBeam(1, "front", 0, 0, (0, 0, 0), (2000, 2000), (layer,))
        >>> plan = proton.IonPlan((beam,), unit="protons")
        >>> found = proton.dose(plan, ct, energy_spread=0.5, quantity="HU", keep_kernels=False)
        >>> found.dose.shape, found.dose.content
        ((24, 40, 24), 'dose to water, Gy')
        >>> int(found.dose.image[12, :, 12].argmax()) * 2 + 1  # mm of the peak, in water
        39
    """
    options = _core.proton_dose_options(
        engine, dose_to, bool(let), bool(error), bool(each_beam), _spacing(spacing), _number(pixel, "pixel"), _number(step, "step"),
        _number(accuracy, "accuracy"), _number(protons_per_mu, "protons_per_mu"),
        None if energy_spread is None else _number(energy_spread, "energy_spread"), bool(single_fraction),
        os.fspath(kernels), bool(keep_kernels), device, threads)
    patient = _core.proton_patient_options(os.fspath(table), os.fspath(density_table), quantity, external,
                                           bool(whole_image), _overrides(override), water)
    known = _plan(plan, {"source": source, "fwhm": fwhm, "shifter_water": shifter_water,
                         "shifter_distance": shifter_distance, "patient_position": patient_position})
    native_machine, organs = _machine(machine), native_structures(structures)
    image = as_volume(ct, "the CT")
    with shown(progress, "dose", "step") as tell:
        d = _core.proton_dose(native_plan(known), image, native_machine, organs, patient, options,
                              (_file(plan), _file(ct), _file(structures)), tell)
    guards, notes = _guards(d["guards"]), list(map(said, d["notes"]))
    where = Provenance("sluice.proton.dose", [f for f in map(_file, (plan, ct, machine, structures)) if f])
    let_map, error_map = (None if d[name] is None else Volume._of(d[name]) for name in ("let", "error"))
    alone = [None if beam["dose"] is None else Volume._of(beam["dose"]) for beam in d["beams"]]
    beams = tuple(BeamDose(**{**beam, "dose": dose}) for beam, dose in zip(d["beams"], alone))
    found = PlanDose(Volume._of(d["dose"]), let_map, error_map, beams, d["fractions"], notes, guards, where)
    for note in notes:
        where.add("assumption", note)
    for text in found.warnings:
        where.add("warning", text)
        warn(text, DoseWarning)
    return found
