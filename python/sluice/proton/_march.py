"""The march in depth: what it gives, and where all weight and energy went.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numpy
from .._errors import InvalidArgument
from .._option_sets import MarchOptions
from .._options import Scheme
from .._progress import Progress, shown
from ._beams import Beam, Phantom, _as_phantom, _beam
from ._physics import Physics, as_physics, _number

if TYPE_CHECKING:
    from typing_extensions import Unpack

Map = NDArray[np.float64]


_DEGREE = 0.017453292519943295


def march_options(*, angle_step: float = 0.5 * _DEGREE, angle_window: float = 20 * _DEGREE,
                  range_step: float = 0.0, scattering: bool = True, straggling: bool = True,
                  nuclear: bool = True, out_of_plane: bool = True, threshold: float = 1e-7,
                  spectra_at: Sequence[float] = (), let_map: bool = False, precision: str = "f32",
                  scheme: Scheme = "strang", device: str = "cpu", threads: int = 0) -> Any:
    """The compiled options of a march; `march` says what they mean."""
    return _core.proton_options(
        _number(angle_step, "angle_step"), _number(angle_window, "angle_window"),
        _number(range_step, "range_step"), bool(scattering), bool(straggling), bool(nuclear),
        bool(out_of_plane), _number(threshold, "threshold"),
        [_number(depth, "spectra_at") for depth in spectra_at], bool(let_map), precision, scheme,
        device, threads)


@dataclass(frozen=True, eq=False)
class Share:
    """Where weight or energy went: numbers, or arrays [plane] up to the end of each plane."""

    weight: Any
    energy: Any  #: MeV


@dataclass(frozen=True, eq=False)
class Ledger:
    """Everything that came in, by where it went."""

    entered: Share  #: with the beam
    stopped: Share  #: weight that stopped; energy that slowing down left
    left: Share  #: through the left side
    right: Share
    end: Share  #: through the last plane
    front: Share  #: back through the first one (dense)
    backward: Share  #: refused for flying back (dense)
    angles: Share  #: out of the window of angles
    nuclear: Share  #: lost to non-elastic reactions; the next four are its energy
    truncated: Share
    inside: Share  #: still flying
    local: Any  #: MeV
    secondary: Any
    neutral: Any
    secondary_out: Any
    residual: Share  #: what is not accounted for
    #: [26] or [plane, 26]: the compiled part's own order.
    numbers: Map = field(repr=False)


def _ledger(numbers: Map) -> Ledger:
    parts: List[Any] = [Share(_item(numbers[..., 2 * i]), _item(numbers[..., 2 * i + 1]))
                        for i in range(11)]
    parts += [_item(numbers[..., 22 + i]) for i in range(4)]
    rest = _core.proton_residuals(np.ascontiguousarray(numbers.reshape(-1, 26)))
    rest = rest.reshape(*numbers.shape[:-1], 2)
    parts += [Share(_item(rest[..., 0]), _item(rest[..., 1])), numbers]
    return Ledger(*parts)


def _item(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


@dataclass(frozen=True, eq=False)
class PlaneSums:
    """What is known of each plane of z, between its two sides; all [plane]."""

    weight: Map  #: protons that enter it
    energy: Map  #: their mean, MeV
    let_track: Map  #: of primary protons, averaged by track, keV/um
    let_dose: Map  #: the same by dose
    let_dose_all: Map  #: of primary and secondary protons, by dose
    angle: Map  #: mean, radians
    angle_variance: Map
    place: Map  #: mean x, mm
    place_variance: Map  #: mm2
    range: Map  #: mean of what is left of their ranges, mm of water
    range_variance: Map  #: mm2


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Primary protons by energy where they enter a plane."""

    depth: float  #: mm
    edges: Map  #: MeV, one more than there are bins
    protons: Map  #: per MeV


@dataclass(frozen=True, eq=False)
class MarchResult:
    """What a beam leaves, per beam as weighted."""

    dz: float  #: mm
    dx: float
    x0: float  #: left edge of the first column, mm
    deposit: Map  #: [plane, column], MeV
    density: Optional[Map]  #: [plane, column], g/cm3; None: 1 everywhere
    sums: PlaneSums  #: empty of a dense solver
    ledger: Ledger
    steps: Ledger  #: the same up to the end of each plane: arrays [plane]
    spectra: List[Spectrum]  #: of the faces next to `spectra_at`
    #: [plane, column] with `let_map`: energy that primary protons leave, MeV; else None.
    primary: Optional[Map]
    primary_let: Optional[Map]  #: that times its LET, MeV keV/um
    secondary: Optional[Map]  #: of secondary protons
    secondary_let: Optional[Map]
    #: [plane, column]: what slowing down left, less stopping power times the way of the protons that
    #: entered the plane, MeV; None of a dense solver.
    unexplained: Optional[Map]
    #: How much wider (narrower below 0) than by Fermi and Eyges the beam and its angles are where that
    #: is most, and than by straggling its ranges; and the depth in mm. `march_beam` and `march_beams`
    #: find them.
    place_off: Tuple[float, float]
    angle_off: Tuple[float, float]
    range_off: Tuple[float, float]
    worst_weight: float  #: of all steps: the residual's part of the weight that came in
    worst_energy: float
    exit_mean: float  #: x of what leaves the last plane, mm
    exit_sigma: float
    cells: int  #: that were computed, over all planes

    @property
    def depth(self) -> Map:
        """Middles of the planes, mm."""
        return np.asarray((np.arange(self.deposit.shape[0]) + 0.5) * self.dz, dtype=np.float64)

    @property
    def x(self) -> Map:
        """Middles of the columns, mm."""
        return np.asarray(self.x0 + (np.arange(self.deposit.shape[1]) + 0.5) * self.dx,
                          dtype=np.float64)

    def _parts(self) -> Dict[str, Any]:
        out: Dict[str, Any] = {"dz": float(self.dz), "dx": float(self.dx), "x0": float(self.x0)}
        for name in ("deposit", "density", "primary", "primary_let", "secondary", "secondary_let",
                     "unexplained"):
            array = getattr(self, name)
            if array is None and name != "deposit":
                out[name] = None
                continue
            given = as_numpy(array, name)
            if given.ndim != 2 or given.dtype.kind not in "buif":
                raise InvalidArgument(f"{name} is an array [plane, column] of real numbers")
            out[name] = np.ascontiguousarray(given, dtype=np.float64)
        for name in ("place_off", "angle_off", "range_off"):
            part, depth = getattr(self, name)
            out[name] = (float(part), float(depth))
        return out


def _result(found: Dict[str, Any]) -> MarchResult:
    sums = found["sums"]
    return MarchResult(**{
        **found, "sums": PlaneSums(*(np.ascontiguousarray(sums[:, i]) for i in range(11))),
        "ledger": _ledger(found["ledger"]), "steps": _ledger(found["steps"]),
        "spectra": [Spectrum(*s) for s in found["spectra"]]})


def _parts_of(value: Any) -> Dict[str, Any]:
    if not isinstance(value, MarchResult):
        raise InvalidArgument(f"a result is a {type(value).__name__}; give a MarchResult")
    return value._parts()


def march(phantom: Phantom, beam: Beam, *, physics: "Union[Physics, str, None]" = None,
          progress: Progress = None, **options: Unpack[MarchOptions]) -> MarchResult:
    """Marches a beam through a phantom plane by plane.

    Nothing is checked beforehand but what cannot be: `guards_of` says what a grid gets wrong, and
    `run` asks it.

    Args:
        phantom: where it flies.
        beam: its start at z = 0.
        physics: `Physics`, or "icru90" or "pstar".
        progress: f(planes done, all); returning False cancels.
        options: `angle_step` and `angle_window` (radians, 0.5 and 20 degrees), `range_step` (mm of
            water; 0: the planes'), `scattering`, `straggling`, `nuclear`, `out_of_plane`,
            `threshold`, `spectra_at` (depths, mm), `let_map`, `precision` ("f32", "f64"), `scheme`
            ("strang", "first-order"), `device` ("cpu", "cpu:avx2", "reference", "cuda"), `threads`
            (0: one per processor).

    Raises:
        InvalidArgument: a beam or grid that cannot be. OutOfMemory. Unavailable.

    Example:
        >>> from sluice import proton
        >>> box = proton.Phantom.box(depth=50, width=20, dz=1, dx=1)
        >>> r = proton.march(box, proton.Beam(energy=60, sigma_x=2))
        >>> r.deposit.shape, round(r.ledger.entered.energy)
        ((50, 20), 60)
    """
    tables, made = as_physics(physics), march_options(**options)
    with shown(progress, "march", "plane") as tell:
        return _result(_core.proton_march(tables._native, _as_phantom(phantom), _beam(beam), made,
                                          tell))
