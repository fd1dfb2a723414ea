"""How fine the grid of a configuration has to be.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers
from .._errors import InvalidArgument
from .._progress import Progress, shown
from ._physics import _number

Map = NDArray[np.float64]
QUANTITIES = ("r80", "fall_off", "sigma_half", "sigma_peak", "dose")


@dataclass(frozen=True)
class Steps:
    """The steps of a grid."""

    dz: float  #: mm
    range_step: float  #: mm
    dx: float  #: mm
    angle_step: float  #: radians


@dataclass(frozen=True)
class GridRun:
    """One grid: what came out, and what it cost."""

    steps: Steps
    values: Dict[str, float]  #: r80, fall_off, sigma_half and sigma_peak, mm
    shape: Tuple[int, int]  #: planes, columns
    cells: int
    seconds: float
    unexplained: float  #: part of the highest dose that stopping power and the protons there do not make


@dataclass(frozen=True, eq=False)
class Sequence:
    """Values on grids whose step is half of that before, from the coarsest to the finest."""

    converges: bool
    order: float  #: observed in the last three; NaN where it does not converge
    limit: float  #: extrapolated (Richardson); else the last one
    errors: Map  #: of each value


@dataclass(frozen=True, eq=False)
class AxisStudy:
    """The grids that differ in one step only."""

    axis: str  #: its key in a configuration
    runs: List[GridRun]
    found: Dict[str, Sequence]  #: of each quantity


@dataclass(frozen=True, eq=False)
class Convergence:
    """What the steps of a grid cost in accuracy, and which are fine enough."""

    axes: List[AxisStudy]
    reached: bool  #: if not, the steps are the cheapest of those that come nearest
    steps: Steps  #: the cheapest that are good enough
    errors: Dict[str, float]  #: added up over the axes; mm, and of the dose a part
    cells: float  #: estimated
    worst_axis: str
    worst: str  #: quantity that is nearest to what is wanted, or farthest beyond
    limits: Dict[str, float]  #: of the values, all axes extrapolated, mm


def converge(path: "Union[str, os.PathLike[str]]", *, accuracy: float = 0.1, dose: float = 0.01,
             r80: Optional[float] = None, fall_off: Optional[float] = None,
             sigma: Optional[float] = None, levels: int = 4, precision: str = "f32",
             threads: int = 0, progress: Progress = None) -> Convergence:
    """Marches a family of grids for each of the four steps of a configuration's file: doubled, as
    in the file, halved, and so on, with all others fixed.

    Args:
        path: a TOML file, without [sweep] and [dense].
        accuracy: what is wanted of lengths, mm.
        dose: what is wanted of the dose: the L2 norm of its error, as a part.
        r80, fall_off, sigma: what is wanted of one of them, mm.
        levels: grids of each step, 3 to 6.
        precision: "f32" or "f64".
        threads: 0: one per processor.
        progress: f(thousandths of grids done, all); returning False cancels.
    """
    lengths = [accuracy if value is None else value for value in (r80, fall_off, sigma, sigma)]
    wanted = [*(_number(value, "accuracy") for value in lengths), _number(dose, "dose")]
    if not all(value > 0 for value in wanted):
        raise InvalidArgument("accuracies must be above 0")
    if not 3 <= levels <= 6:
        raise InvalidArgument(f"levels is {levels}; give 3 to 6")
    with shown(progress, "marching grids", "") as tell:
        found = _core.proton_converge(os.fspath(path), wanted, levels, precision, threads, tell)
    values = QUANTITIES[:4]
    axes = [AxisStudy(a["axis"],
                      [GridRun(Steps(*r["steps"]), dict(zip(values, r["values"])), r["shape"],
                               r["cells"], r["seconds"], r["unexplained"]) for r in a["runs"]],
                      {q: Sequence(**s) for q, s in zip(QUANTITIES, a["found"])})
            for a in found["axes"]]
    return Convergence(axes, found["reached"], Steps(*found["steps"]),
                       dict(zip(QUANTITIES, found["errors"])), found["cells"],
                       found["worst_axis"], found["worst"], dict(zip(values, found["limits"])))


def grids_of(levels: int) -> int:
    """How many grids `converge` marches."""
    return int(_core.proton_grids_of(levels))


def _sequence(numbers: Any, differences: bool) -> Sequence:
    return Sequence(**_core.proton_sequence(as_numbers(numbers, "numbers", ("grid",)), differences))


def sequence_of_values(values: Any) -> Sequence:
    """How values converge, at least three, from the coarsest grid to the finest.

    Example:
        >>> from sluice import proton
        >>> proton.sequence_of_values([1.16, 1.04, 1.01]).limit
        1.0
    """
    return _sequence(values, False)


def sequence_of_differences(differences: Any) -> Sequence:
    """The same out of the norms of the differences between neighbours, at least two."""
    return _sequence(differences, True)
