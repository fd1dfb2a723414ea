"""Numbers out of doses.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._volume import Volume, load_volume
from ._march import MarchResult, Spectrum, _parts_of
from ._physics import _number

Map = NDArray[np.float64]


@dataclass(frozen=True)
class BraggMetrics:
    """Of a Bragg curve; lengths in mm. A number is NaN where the curve does not have it."""

    peak: float  #: highest dose
    peak_depth: float
    r90: float  #: behind the peak, at that part of it
    r80: float
    r50: float
    r20: float
    proximal_80: float  #: before it
    fall_off: float  #: r20 - r80
    width: float  #: full width at half maximum
    peak_to_entrance: float  #: the entrance is at 5 mm
    integral: float  #: dose times mm


def bragg_metrics(depth: Any, dose: Any) -> BraggMetrics:
    """Range, fall-off and width of a curve, along the cubic spline through its points.

    Args:
        depth: mm, ascending.
        dose: in any unit, as many numbers.

    Raises:
        InvalidArgument: too few points, or no peak among them.
    """
    return BraggMetrics(**_core.proton_bragg_metrics(as_numbers(depth, "depth", ("point",)),
                                                     as_numbers(dose, "dose", ("point",))))


def depth_dose(result: MarchResult) -> Tuple[Map, Map]:
    """Middles of the planes in mm, and their dose to the medium, all columns together, in MeV per mm of depth over the
    density in g/cm3: two arrays. What has no density has no dose."""
    depth, dose = _core.proton_depth_dose(_parts_of(result))
    return depth, dose


def lateral_sigma(result: MarchResult) -> Map:
    """[plane]: spread of the deposit over x, mm (the second moment, less a column's own); NaN
    where there is no dose."""
    out: Map = _core.proton_lateral_sigma(_parts_of(result))
    return out


def core_sigma(result: MarchResult, part: float = 0.2) -> Map:
    """[plane]: standard deviation of the Gaussian that fits the columns with at least `part` of the
    highest deposit, mm; NaN where these are fewer than 3 or not Gaussian."""
    if not 0 < _number(part, "part") < 1:
        raise InvalidArgument(f"part is {part}; give a number between 0 and 1")
    out: Map = _core.proton_core_sigma(_parts_of(result), float(part))
    return out


class TwoGaussians(NamedTuple):
    """A narrow and a wide Gaussian that together are each plane's profile; arrays [plane]."""

    sigma: Map  #: of the narrow one, which scattering spreads, mm
    halo_sigma: Map  #: of the wide one, the halo of nuclear reactions, mm
    halo_weight: Map  #: the part of both that the wide one is


def two_gaussians(result: MarchResult) -> TwoGaussians:
    """The narrow one fits the middle, as `core_sigma`. The wide one fits, by the logarithm, what lies
    farther from it than 2.5, 3, 3.5 ... of its standard deviations and before the nearer edge, down to
    1e-4 of the deposit. `halo_sigma` is NaN and `halo_weight` 0 where less than 1e-4 is so far out, or
    where the wide one is not twice as wide. For a single beam: of several nothing is a Gaussian."""
    return TwoGaussians(*_core.proton_two_gaussians(_parts_of(result)))


def let_map(result: MarchResult, with_secondaries: bool = False) -> Map:
    """[plane, column]: dose-averaged LET, keV/um in water of unit density; NaN where less than 1e-4
    of the highest deposit is. The march needs `let_map=True`; `march_beams` keeps it always."""
    out: Map = _core.proton_let_map(_parts_of(result), bool(with_secondaries))
    return out


def sum_of(spectra: Sequence[Spectrum]) -> Spectrum:
    """All that several beams sent through one depth."""
    return Spectrum(*_core.proton_sum_of(
        [(_number(s.depth, "depth"), as_numbers(s.edges, "edges", ("edge",)),
          as_numbers(s.protons, "protons", ("bin",))) for s in spectra]))


@dataclass(frozen=True, eq=False)
class GammaResult:
    """How far two doses are apart."""

    gamma: Map  #: of the reference's points; NaN where left out
    points: int
    passed: float  #: part of the points with at most 1
    mean: float
    outside: int = 0  #: points that lie outside of the evaluated volume
    volume: Optional[Volume] = None  #: gamma in its place, of doses with three axes


def _dose_map(value: Any, name: str, spacing: Any, origin: Any) -> "tuple[Map, list[float], int]":
    if isinstance(value, MarchResult):
        grid = [value.dz, value.dx, value.dz / 2, value.x0 + value.dx / 2]
        return as_numbers(value.deposit, name, ("row", "column")), grid, 2
    array = as_numpy(value, name)
    axes = array.ndim
    if axes not in (1, 2):
        raise InvalidArgument(f"{name} has {axes} axes; it is a map [row, column], a curve [point], or a "
                              "Volume for doses in space")
    dense = as_numbers(array, name, ("row", "column")[:axes]).reshape(array.shape[0], -1)
    steps = [_number(v, "spacing") for v in np.broadcast_to(as_numpy(spacing, "spacing"), (axes,))]
    first = [_number(v, "origin") for v in np.broadcast_to(as_numpy(origin, "origin"), (axes,))] \
        if origin is not None else [step / 2 for step in steps]
    return dense, [steps[0], steps[-1] if axes == 2 else 1.0, first[0],
                   first[-1] if axes == 2 else 0.0], axes


def _in_space(value: Any, name: str, spacing: Any, origin: Any) -> Optional[Volume]:
    """The volume that a dose is, if it is one."""
    if isinstance(value, (str, os.PathLike)):
        value = load_volume(value)
    if isinstance(value, Volume):
        if np.ndim(spacing) or spacing != 1.0 or origin is not None:
            raise InvalidArgument(f"{name} is a Volume, which says where its dose lies; spacing and origin are for "
                                  "arrays")
        return value
    if isinstance(value, MarchResult):
        return None
    array = as_numpy(value, name)
    if array.ndim != 3:
        return None
    steps, first = (_three(v, what) for v, what in ((spacing, "spacing"), (origin, "origin")))
    return Volume(array, spacing=steps, origin=first or [step / 2 for step in steps])


def _three(value: Any, name: str) -> "list[float]":
    """Of the axes [z, y, x], as volumes have them: x first."""
    if value is None:
        return []
    sides = [_number(v, name) for v in np.broadcast_to(as_numpy(value, name), (3,))]
    return sides[::-1]


def gamma_index(reference: Any, evaluated: Any, spacing: Any = 1.0, *,
                evaluated_spacing: Any = None, origin: Any = None, evaluated_origin: Any = None,
                dose: float = 0.02, distance: float = 2.0, local: bool = False,
                cutoff: float = 0.1, most: float = 2.0, threads: int = 0,
                progress: Progress = None) -> GammaResult:
    """Gamma of Low et al. 1998 at each point of the reference: the exact distance to the evaluated
    dose as a surface of triangles (of lines, if it is a curve; of tetrahedra, if it is a volume).

    Args:
        reference: doses [z, y, x], [row, column] or [point], a `MarchResult`, a `Volume` of three axes,
            or the name of its file: RT dose, NRRD, MetaImage.
        evaluated: the same kind, in the same unit; it may lie elsewhere and differently dense.
        spacing: mm from point to point: one number, or one for each axis of the array. Volumes have their own.
        evaluated_spacing: if that of `evaluated` is another; wanted where its shape is.
        origin: mm of the first point; None: half a spacing, so that edges coincide.
        evaluated_origin: likewise.
        dose: the criterion, as part of the reference's highest dose.
        distance: the criterion, mm.
        local: `dose` is a part of each point's own dose.
        cutoff: points with less of the highest dose are left out.
        most: larger ones are told as this.
        threads: 0: one per processor.
        progress: f(rows done, all); returning False cancels.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> dose = numpy.exp(-numpy.linspace(-2, 2, 41) ** 2)
        >>> proton.gamma_index(dose, 1.01 * dose).passed
        1.0
    """
    other_spacing = spacing if evaluated_spacing is None else evaluated_spacing
    first = _in_space(reference, "reference", spacing, origin)
    second = _in_space(evaluated, "evaluated", other_spacing, evaluated_origin)
    if first is not None or second is not None:
        if first is None or second is None:
            raise InvalidArgument("one dose has three axes and one has not; give two volumes")
        if first.shape != second.shape and evaluated_spacing is None and evaluated_origin is None \
                and not isinstance(evaluated, (Volume, str, os.PathLike)):
            raise InvalidArgument(f"the doses have the shapes {first.shape} and {second.shape} and one spacing; give "
                                  "evaluated_spacing, even if it is the same")
        with shown(progress, "gamma", "row") as tell:
            found = _core.proton_gamma_volume(
                first._native, second._native, _number(dose, "dose"), _number(distance, "distance"),
                bool(local), _number(cutoff, "cutoff"), _number(most, "most"), threads, tell)
        made = Volume._of(found.pop("volume"))
        return GammaResult(gamma=made.image.astype(np.float64), volume=made, **found)
    a, grid, axes = _dose_map(reference, "reference", spacing, origin)
    b, other, axes_of_b = _dose_map(evaluated, "evaluated", other_spacing, evaluated_origin)
    if axes != axes_of_b:
        raise InvalidArgument(f"reference has {axes} axes and evaluated {axes_of_b}; give two maps "
                              "or two curves")
    if a.shape != b.shape and evaluated_spacing is None and evaluated_origin is None \
            and not isinstance(evaluated, MarchResult):
        raise InvalidArgument(f"the doses have the shapes {a.shape[:axes]} and {b.shape[:axes]} and "
                              "one spacing, with which their extents differ; give "
                              "evaluated_spacing, even if it is the same")
    with shown(progress, "gamma", "row") as tell:
        found = _core.proton_gamma_index(
            a, grid, b, other, _number(dose, "dose"), _number(distance, "distance"), bool(local),
            _number(cutoff, "cutoff"), _number(most, "most"), threads, tell)
    if axes == 1:
        found["gamma"] = found["gamma"].reshape(-1)
    return GammaResult(**found)


@dataclass(frozen=True, eq=False)
class Dvh:
    """A cumulative dose volume histogram, without bins: the doses and areas of pixels as they are."""

    area: float  #: of the mask, in pixels
    least: float
    mean: float
    most: float
    dose: Map  #: all doses, descending
    part: Map  #: the part of the area that has at least each

    def _at(self, values: Any, name: str, coverage: bool) -> Any:
        array = np.asarray(as_numpy(values, name), dtype=np.float64)
        if not np.all(np.isfinite(array)):
            raise InvalidArgument(f"{name} has a value that is not a finite number")
        out = _core.proton_dvh_at(as_numbers(self.dose, "dose", ("pixel",)),
                                  as_numbers(self.part, "part", ("pixel",)),
                                  np.ascontiguousarray(array.reshape(-1)), coverage)
        return float(out[0]) if array.ndim == 0 else out.reshape(array.shape)

    def coverage(self, part: Union[float, Any]) -> Any:
        """The highest dose that `part` (0 to 1) of the area has: D95 is coverage(0.95)."""
        return self._at(part, "part", True)

    def volume(self, dose: Union[float, Any]) -> Any:
        """The part of the area that has at least a dose: V20 is volume(20)."""
        return self._at(dose, "dose", False)


def dvh(dose: Any, mask: Any) -> Dvh:
    """The histogram of a dose in a structure.

    Args:
        dose: an array of any shape; as float32.
        mask: of the same shape: what part of each pixel counts, 0 to 1, or booleans.

    Raises:
        InvalidArgument: another shape, nothing in the mask, doses that are not finite in it.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> proton.dvh(numpy.arange(100.0), numpy.ones(100)).coverage(0.95)
        5.0
    """
    d, m = as_numpy(dose, "dose"), as_numpy(mask, "mask")
    if d.shape != m.shape:
        raise InvalidArgument(f"a structure of the shape {m.shape} for a dose of {d.shape}; give one "
                              "of the same shape")
    return Dvh(**_core.proton_dvh(as_numbers(d.reshape(-1), "dose", ("pixel",), np.float32),
                                  as_numbers(m.reshape(-1), "mask", ("pixel",), np.float32)))
