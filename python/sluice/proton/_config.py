"""Configurations, what a dose cannot be trusted in, and runs as the program does them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._option_sets import MarchOptions, RunOptions
from .._errors import InvalidArgument, warn
from .._progress import Progress, shown
from .._words import said, told
from ._dense import DenseOptions
from ._march import (Beam, Ledger, MarchResult, Phantom, Sobp, _as_phantom, _beam, _parts_of,
                     _phantom, _result, _sobp, march_options)
from ._metrics import BraggMetrics, bragg_metrics, depth_dose
from ._physics import Physics, _number, as_physics

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]


class DoseWarning(UserWarning):
    """A dose may be wrong: what `run` tells through Python's `warnings`."""


@dataclass(frozen=True)
class Guard:
    """A number that says how wrong a dose may be."""

    name: str  #: stays the same from version to version
    value: float
    limit: float
    unit: str = ""
    severity: str = "warning"  #: "note", "warning" or "refusal"
    text: str = ""  #: what is wrong, with the value in it
    key: str = ""  #: which key needs which value, or empty
    wanted: str = ""

    def __str__(self) -> str:
        return str(_core.proton_sentences([self._numbers()])[0])

    def _numbers(self) -> Tuple[Any, ...]:
        return (self.name, self.value, self.limit, self.unit, self.severity, self.text, self.key,
                self.wanted)


def _guards(found: Any) -> List[Guard]:
    return [Guard(**told(guard)) for guard in found]


def refuse(guards: Sequence[Guard]) -> None:
    """Raises InvalidArgument with all refusals among them, if there are any."""
    _core.proton_refuse([guard._numbers() for guard in guards])


def summary(guards: Sequence[Guard]) -> str:
    """The names and numbers of all that are more than notes, in one line."""
    return str(_core.proton_summary([guard._numbers() for guard in guards]))


class Config:
    """Beams, a phantom and how to march it.

    Of a file (`read_config`), of a text (`parse_config`), or of its parts.

    Args:
        phantom: where the protons fly.
        beams: one or several, which are added up.
        water: "icru90" or "pstar".
        dense: computes all of phase space instead of marching.
        options: of `march`.

    Example:
        >>> from sluice import proton
        >>> c = proton.Config(proton.Phantom.box(180, 50), [proton.Beam(150, sigma_x=3)])
        >>> len(c.beams), c.options["angle_step"] < 0.01
        (1, True)
    """

    def __init__(self, phantom: Phantom, beams: "Union[Beam, Sequence[Beam]]", *,
                 water: str = "icru90", dense: Optional[DenseOptions] = None,
                 **options: Unpack[MarchOptions]) -> None:
        given = [beams] if isinstance(beams, Beam) else list(beams)
        self._native = _core.proton_config(water, _as_phantom(phantom),
                                           [_beam(beam) for beam in given],
                                           march_options(**options),
                                           None if dense is None else dense._native())
        self._fields: Optional[Dict[str, Any]] = None

    @classmethod
    def _of(cls, native: Any) -> "Config":
        made = cls.__new__(cls)
        made._native, made._fields = native, None
        return made

    def _field(self, name: str) -> Any:
        if self._fields is None:
            self._fields = self._native.fields
        return self._fields[name]

    def with_options(self, **options: Unpack[MarchOptions]) -> "Config":
        """The same with some options of `march` changed."""
        return Config._of(_core.proton_with_options(
            self._native, march_options(**{**self.options, **options})))

    @property
    def water(self) -> str:
        """"icru90" or "pstar"."""
        return str(self._field("water"))

    @property
    def phantom(self) -> Phantom:
        """Where the protons fly."""
        return _phantom(self._field("phantom"))

    @property
    def beams(self) -> List[Beam]:
        """Of all tables, those of spread-out peaks last."""
        return [Beam(*beam) for beam in self._field("beams")]

    @property
    def sweep(self) -> bool:
        """Whether the beams are to be compared, and not to be added up."""
        return bool(self._field("sweep"))

    @property
    def sobps(self) -> List[Sobp]:
        """Spread-out peaks."""
        return [_sobp(s) for s in self._field("sobps")]

    @property
    def options(self) -> Dict[str, Any]:
        """Of `march`, by their names."""
        return dict(self._field("options"))

    @property
    def dense(self) -> Optional[DenseOptions]:
        """Of the dense mode, if it is asked for."""
        found = self._field("dense")
        return None if found is None else DenseOptions(**found)

    @property
    def assumed(self) -> List[str]:
        """Of an image: what a reader of the results has to know."""
        return list(self._field("assumed"))

    @property
    def guards(self) -> List[Guard]:
        """What the reader found: media that moved, images."""
        return _guards(self._field("guards"))

    def __repr__(self) -> str:
        p = self.phantom
        return f"<sluice.proton.Config: {len(self.beams)} beams, {p.planes}x{p.columns} cells>"


def read_config(path: Path, *, device: str = "cpu", threads: int = 0,
                progress: Progress = None) -> Config:
    """Reads a TOML file; docs/guide/proton.md has its keys. Every quantity has its unit.

    Args:
        path: the file; those that [ct] names are relative to its folder.
        device: marches the layers of spread-out peaks, and is then that of the options.
        threads: 0: one per processor.
        progress: f(layers done, all); returning False cancels.

    Raises:
        Error: it names the file, the line and what it could have been.
    """
    with shown(progress, "layers", "layer") as tell:
        return Config._of(_core.proton_read_config(os.fspath(path), device, threads, tell))


def parse_config(text: str, name: str = "the configuration", folder: Path = "", *,
                 progress: Progress = None) -> Config:
    """The same of a text, which errors call `name`; one with [ct] needs the folder of its files.

    Example:
        >>> from sluice import proton
        >>> text = "[grid]\\ndepth = '60 mm'\\nwidth = '30 mm'\\n[[beam]]\\nenergy = '70 MeV'\\n"
        >>> proton.parse_config(text + "sigma_x = '3 mm'").beams[0].energy
        70.0
    """
    with shown(progress, "layers", "layer") as tell:
        return Config._of(_core.proton_parse_config(text, name, os.fspath(folder), tell))


def read_beam_list(path: Path) -> List[Beam]:
    """Beams out of lines of numbers with commas between, under a header of names with units
    (energy_MeV, sigma_x_mm ...); lines that begin with # are skipped."""
    return [Beam(*beam) for beam in _core.proton_read_beam_list(os.fspath(path))]


def parse_beam_list(text: str, name: str = "the list") -> List[Beam]:
    """The same of a text, which errors call `name`."""
    return [Beam(*beam) for beam in _core.proton_parse_beam_list(text, name)]


def as_config(value: "Union[Config, Path]", **options: Any) -> Config:
    """A configuration as it is, or that of a file."""
    if isinstance(value, Config):
        return value
    if isinstance(value, (str, os.PathLike)):
        return read_config(value, **options)
    raise InvalidArgument(f"a configuration is a {type(value).__name__}; give a Config, or the name "
                          "of a TOML file")


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
