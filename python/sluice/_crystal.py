"""Crystals: templates of disks, Bragg disks, lattices and strain, each number with its error.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_choice, as_image, as_pair
from ._bragg_vectors import DISK_REASONS, BraggVectors
from ._errors import InvalidArgument
from ._options import Convention, DiskMode
from ._progress import Progress, shown
from ._result import Result, sides
from ._scan import Scan, Sources, as_scan

if TYPE_CHECKING:
    import xarray as xr

Path = Union[str, "os.PathLike[str]"]
Point = Tuple[float, float]
Image = NDArray[np.float64]
#: What `LatticeFit.reason` means: why a pattern has no lattice.
LATTICE_REASONS: Tuple[str, ...] = tuple(_core.lattice_reasons())


@dataclass(frozen=True)
class ProbeTemplate:
    """A disk about (0, 0) as a continuous function, 1 inside and 0 far outside. Made by
    `fit_template`, `synthetic_template` and `load_template`. Lengths are in pixels of the full
    detector."""

    radius: float
    #: The distance over which the edge falls from 0.88 to 0.12.
    edge_width: float
    #: [k][cos, sin] of the edge's angular harmonics, k = 2, 3, ...; the angle turns from row to column.
    harmonics: NDArray[np.float64]
    #: Values at r = 0, profile_step, ...; empty: the edge says all.
    profile: NDArray[np.float64]
    profile_step: float
    #: What it was made of.
    source: str
    #: Where the disk lies in the image it was fitted to.
    center: Point
    #: One standard deviation each; 0 of templates that were not fitted.
    radius_error: float
    edge_width_error: float
    #: Rms of image - fit in and around the disk, over its height.
    residual: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def value(self, row: float, col: float) -> float:
        """The value at a place relative to the centre."""
        return float(self._native.value(float(row), float(col)))

    def save(self, path: Path) -> None:
        """Writes the template as JSON, which `load_template` and `sluice stem4d disks --template` read."""
        _core.save_template(os.fspath(path), self._native)


def _template(native: Any) -> ProbeTemplate:
    fields = dict(native.fields)
    fields["harmonics"] = np.array(fields["harmonics"], dtype=float).reshape(-1, 2)
    fields["profile"] = np.array(fields["profile"], dtype=float)
    fields["notes"] = tuple(fields["notes"])
    return ProbeTemplate(_native=native, **fields)


def fit_template(what: Any, bad: Any = None, *, harmonics: int = 0, profile: bool = False, device: str = "cpu",
                 threads: int = 0, progress: Progress = False) -> ProbeTemplate:
    """The template of a scan's disks: fitted to the direct disk of its mean pattern, or, of a scan in
    vacuum whose disk wanders, pooled over its frames about the centre of each.

    Args:
        what: a scan (or whatever `load` takes), or a pattern [row, col] in vacuum.
        bad: of a pattern: [row, col], pixels to ignore.
        harmonics: of the edge beside the circle, from the second on.
        profile: fit the radial profile instead of an edge of one width.

    Raises:
        Error: no disk can be told, or the frame cuts it.
    """
    if isinstance(what, np.ndarray) and what.ndim == 2:
        return _template(_core.fit_template_of_pattern(as_image(what, "the pattern"), as_choice(bad, "bad"),
                                                       int(harmonics), bool(profile)))
    if bad is not None:
        raise InvalidArgument("bad is of a pattern (a scan has pixels of its own that are left out); load the "
                              "scan with mask")
    scan = as_scan(what)
    with shown(progress, "template") as tell:
        return _template(_core.fit_template(scan._open(), int(harmonics), bool(profile), device, threads, tell))


def synthetic_template(radius: float, edge_width: float = 1.0) -> ProbeTemplate:
    """A round disk with this radius and edge, in pixels.

    Example:
        >>> from sluice import stem4d
        >>> stem4d.synthetic_template(6.0).value(0, 0) > 0.99
        True
    """
    return _template(_core.synthetic_template(float(radius), float(edge_width)))


def load_template(path: Path) -> ProbeTemplate:
    """A template that `ProbeTemplate.save` or `sluice stem4d disks --save-template` wrote."""
    return _template(_core.load_template(os.fspath(path)))


@dataclass(frozen=True)
class DiskPlan:
    """How disks are to be found: what `plan_disks` was given, and what it decided."""

    template: ProbeTemplate
    #: "isolated", "touching", "overlapping" or "fringes".
    mode: str
    least_snr: float
    least_score: float
    least_distance: float
    fit_radius: float
    most: int
    bin: int
    #: Values of a pixel for each count, and the standard deviation in values that electronics add.
    gain: float
    read_noise: float
    #: The shape of the background [row, col] of the detector as loaded; None: a plane under each disk.
    background: Optional[Image]
    #: The lattice that `know_lattice` added; None: every pattern is searched.
    lattice: Optional["LatticeBasis"]
    #: A sentence for each decision.
    why: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


def _plan(template: ProbeTemplate, native: Any) -> DiskPlan:
    fields = dict(native.fields)
    fields["why"] = tuple(fields["why"])
    if fields["lattice"] is not None:
        fields["lattice"] = _basis(fields["lattice"])
    return DiskPlan(template=template, _native=native, **fields)


def plan_disks(scan: Sources, template: Optional[ProbeTemplate] = None, *, mode: DiskMode = "automatic",
               least_snr: float = 3.5, least_score: float = 25.0, least_distance: float = 0.0,
               fit_radius: float = 0.0, most: int = 512, bin: int = 0, gain: float = 0.0, read_noise: float = 0.0,
               background: Any = None, device: str = "cpu", threads: int = 0, progress: Progress = False) -> DiskPlan:
    """Decides what is left open, from the template and a sample of patterns that it names.

    Args:
        scan: the scan.
        template: of its disks; None: `fit_template(scan)`.
        mode: how disks are fitted. "isolated": each on its own. "touching": in turns beside the models
            of the others. "overlapping": likewise, and `refine_lattice` fits all disks of a pattern at
            once. "fringes": by their edges, for disks with contrast inside. "automatic": by the
            distance of disks and by what their edges say, in a sample of patterns.
        least_snr: signal to noise that a candidate needs in the correlation.
        least_score: twice the gain in log-likelihood over no disk that a disk needs.
        least_distance: between two disks of a pattern, in pixels; 0: a radius.
        fit_radius: how far from its centre pixels have a say about a disk, in pixels; 0: by the
            template and the nearest neighbours.
        most: disks of a pattern.
        bin: of patterns before they are correlated, 1 or 2; 0: by the radius.
        gain: values of a pixel for each count; 0: by the noise of a sample; 1: they are counts.
        read_noise: standard deviation that electronics add to a pixel, in values.
        background: its shape [row, col] of the detector as loaded; None: measured on the scan.

    Raises:
        Error: a template that is larger than the patterns, or no pattern that can be read.
    """
    loaded = as_scan(scan)
    shape = template if template is not None else fit_template(loaded, device=device, threads=threads)
    if not isinstance(shape, ProbeTemplate):
        raise InvalidArgument(f"template is a {type(shape).__name__}; give what fit_template, synthetic_template or "
                              "load_template made")
    under = None if background is None else as_image(background, "background")
    with shown(progress, "plan") as tell:
        native = _core.plan_disks(loaded._open(), shape._native, mode, float(least_snr), float(least_score),
                                  float(least_distance), float(fit_radius), int(most), int(bin), float(gain),
                                  float(read_noise), under, device,
                                  threads, tell)
    return _plan(shape, native)


class WrittenVectors(NamedTuple):
    """What `find_disks` wrote into a file."""

    scan_shape: Tuple[int, int]
    detector_shape: Tuple[int, int]
    #: How many there are.
    disks: int
    #: The number of patterns by their reason, a text of `DISK_REASONS`.
    reasons: Dict[str, int]


@overload
def find_disks(what: Any, plan: Union[DiskPlan, ProbeTemplate, None] = ..., bad: Any = ..., *, out: None = ...,
               device: str = ..., threads: int = ..., progress: Progress = ...) -> BraggVectors: ...
@overload
def find_disks(what: Any, plan: Union[DiskPlan, ProbeTemplate, None] = ..., bad: Any = ..., *, out: Path,
               device: str = ..., threads: int = ..., progress: Progress = ...) -> WrittenVectors: ...
def find_disks(what: Any, plan: Union[DiskPlan, ProbeTemplate, None] = None, bad: Any = None, *,
               out: Optional[Path] = None, device: str = "cpu", threads: int = 0,
               progress: Progress = False) -> Union[BraggVectors, WrittenVectors]:
    """The Bragg disks of all patterns of a scan, in memory or streamed, or of one pattern [row, col]:
    candidates by correlation, then the maximum of Poisson's likelihood, whose curvature gives the errors.

    Args:
        what: a scan, or a pattern [row, col] (with the plan of its scan).
        plan: what `plan_disks` made; a template, or None: with the usual plan.
        bad: of a pattern: [row, col], pixels to ignore.
        out: of a scan: a file (".h5", ".npy" or ".csv") that the disks go to as they are found, with
            the bytes that `BraggVectors.save` writes. Memory does not hold them all.

    Returns:
        The disks; with `out` how many there are, a `WrittenVectors`.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x4&dose=50000")
        >>> vectors = stem4d.find_disks(scan)
        >>> bool(vectors.count.min() > 10)
        True
    """
    if isinstance(what, np.ndarray) and what.ndim == 2:
        if not isinstance(plan, DiskPlan):
            raise InvalidArgument("a pattern alone does not say how to find its disks; give the plan that plan_disks "
                                  "made of its scan")
        if out is not None:
            raise InvalidArgument("out is for scans (a pattern's disks fit into memory); call save on what find_disks "
                                  "returns")
        return BraggVectors._of(_core.find_disks_in_pattern(as_image(what, "the pattern"), as_choice(bad, "bad"),
                                                            plan._native, device, threads))
    if bad is not None:
        raise InvalidArgument("bad is of a pattern (a scan has pixels of its own that are left out); load the scan "
                              "with mask")
    scan: Scan = as_scan(what)
    if not isinstance(plan, DiskPlan):
        plan = plan_disks(scan, plan, device=device, threads=threads)
    with shown(progress, "disks") as tell:
        if out is not None:
            made = _core.find_disks_to(os.fspath(out), scan._open(), plan._native, device, threads, tell)
            return WrittenVectors(**{**made, "reasons": dict(zip(DISK_REASONS, made["reasons"]))})
        return BraggVectors._of(_core.find_disks(scan._open(), plan._native, device, threads, tell))


class LatticeBasis(NamedTuple):
    """Disks lie at origin + h a + k b; each is (row, col) in pixels of the full detector."""

    origin: Point
    a: Point
    b: Point


def _basis(numbers: Any) -> LatticeBasis:
    row, col, a_row, a_col, b_row, b_col = (float(n) for n in numbers)
    return LatticeBasis((row, col), (a_row, a_col), (b_row, b_col))


#: What begins a lattice: a `LatticeBasis`, or (origin, a, b), each (row, col).
Basis = Union[LatticeBasis, Sequence[Any], NDArray[Any]]


def _numbers(basis: Any, name: str) -> "list[float]":
    try:
        origin, a, b = basis
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {basis!r}; it is a LatticeBasis, (origin, a, b) of (row, col) each") from None
    return [*as_pair(origin, f"{name}.origin"), *as_pair(a, f"{name}.a"), *as_pair(b, f"{name}.b")]


def _vectors(vectors: Any) -> Any:
    if not isinstance(vectors, BraggVectors):
        raise InvalidArgument(f"vectors is a {type(vectors).__name__}; give BraggVectors")
    return vectors._native


def find_basis(vectors: BraggVectors) -> LatticeBasis:
    """Two short vectors that index the disks of the whole scan, and the origin.

    Raises:
        Error: fewer than three places with disks, all on a line, or no basis that explains them.
    """
    numbers, _ = _core.find_basis(_vectors(vectors))
    return _basis(numbers)


@dataclass(frozen=True)
class LatticeFit:
    """The lattice of each pattern. Arrays begin with the axes of the scan."""

    basis: LatticeBasis
    #: [.., 6]: row and column of the origin, of a and of b, in pixels; NaN where `reason` says why.
    values: Image
    #: [.., 6, 6] of these.
    covariance: Image
    #: Per degree of freedom, `sigma_sys` included; NaN where there is no such degree.
    chi2: Image
    used: NDArray[np.int64]
    left_out: NDArray[np.int64]
    #: Numbers of `LATTICE_REASONS`.
    reason: NDArray[np.uint8]
    #: Pixels, added to the errors of every disk in both directions.
    sigma_sys: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


def fit_lattice(vectors: BraggVectors, basis: "Optional[Basis]" = None, *, tolerance: float = 0.0,
                cut: float = 4.0, least_disks: int = 4, model_variance: bool = True, device: str = "cpu",
                threads: int = 0, progress: Progress = False) -> LatticeFit:
    """Fits origin, a and b to the disks of each pattern, weighted by their covariances.

    Args:
        vectors: the disks.
        basis: where to begin; None: `find_basis(vectors)`.
        tolerance: pixels from a lattice point in the first round; 0: a fifth of the shorter vector.
        cut: standard deviations beyond which disks are left out of later rounds.
        least_disks: fewer near the lattice make no fit.
        model_variance: add a variance to all disks so that the scan's median chi2 is 1.

    Raises:
        Error: vectors that are collinear, or a basis that no pattern fits.
    """
    native_vectors = _vectors(vectors)
    notes: Tuple[str, ...] = ()
    if basis is None:
        numbers, found = _core.find_basis(native_vectors)
        notes = tuple(found)
    else:
        numbers = _numbers(basis, "basis")
    with shown(progress, "lattices") as tell:
        native = _core.fit_lattice(native_vectors, numbers, float(tolerance), float(cut), int(least_disks),
                                   bool(model_variance), device, threads, tell)
    return _fit(_basis(numbers), native, notes)


def know_lattice(scan: Sources, plan: Optional[DiskPlan] = None, basis: "Optional[Basis]" = None, *,
                 device: str = "cpu", threads: int = 0, progress: Progress = False) -> DiskPlan:
    """Adds the lattice that a sample of patterns shows to a plan. Disks are then fitted where they must
    be, weak ones too, and only patterns that lie off the lattice are searched.

    Args:
        scan: the scan.
        plan: what `plan_disks` made; None: the usual plan.
        basis: vectors to take; None: those of the sample.

    Returns:
        The plan with `lattice`, or without where less than half of the sample lies on one; `why` says so.

    Raises:
        Error: a sample without a lattice.
    """
    loaded = as_scan(scan)
    made = plan if plan is not None else plan_disks(loaded, device=device, threads=threads)
    if not isinstance(made, DiskPlan):
        raise InvalidArgument(f"plan is a {type(made).__name__}; give what plan_disks made")
    numbers = None if basis is None else _numbers(basis, "basis")
    with shown(progress, "lattice") as tell:
        return _plan(made.template, _core.know_lattice(loaded._open(), made._native, numbers, device, threads, tell))


def refine_lattice(scan: Sources, plan: DiskPlan, *, tolerance: float = 0.0, cut: float = 4.0, least_disks: int = 4,
                   model_variance: bool = True, device: str = "cpu", threads: int = 0,
                   progress: Progress = False) -> Tuple[BraggVectors, LatticeFit]:
    """The disks of a scan whose lattice is known, and the lattice of each pattern. Overlapping disks are
    fitted at once, heights and lattice: `chi2` is then Pearson's of the pixels.

    Args:
        scan: the scan.
        plan: what `know_lattice` made.
        tolerance, cut, least_disks, model_variance: as of `fit_lattice`.

    Raises:
        Error: a plan that knows no lattice.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x8&dose=100000&strain=0.02,0,0,0&field=gradient")
        >>> vectors, fit = stem4d.refine_lattice(scan, stem4d.know_lattice(scan))
        >>> bool(fit.reason.max() == 0)
        True
    """
    if not isinstance(plan, DiskPlan) or plan.lattice is None:
        raise InvalidArgument("the plan knows no lattice (its patterns are searched for disks); give what "
                              "know_lattice made, or take find_disks and fit_lattice")
    with shown(progress, "disks") as tell:
        vectors, native = _core.refine_lattice(as_scan(scan)._open(), plan._native, float(tolerance), float(cut),
                                               int(least_disks), bool(model_variance), device, threads, tell)
    return BraggVectors._of(vectors), _fit(plan.lattice, native, ())


def _fit(basis: LatticeBasis, native: Any, notes: Tuple[str, ...]) -> LatticeFit:
    fields = dict(native.fields)
    fields["notes"] = notes + tuple(fields["notes"])
    return LatticeFit(basis=basis, _native=native, **fields)


@dataclass(frozen=True, eq=False, repr=False)
class StrainMaps(Result):
    """Strain [row, col] of the scan; NaN where no lattice is. `notes` begin with the convention."""

    e_xx: Image
    e_yy: Image
    e_xy: Image
    #: In degrees.
    omega: Image
    #: One standard deviation of each map, by its name.
    errors: Dict[str, Image]
    #: [row, col, 4, 4] of e_xx, e_yy, e_xy and omega in radian.
    covariance: Image
    reference: LatticeBasis
    notes: Tuple[str, ...]

    def to_xarray(self) -> "xr.Dataset":
        """Each map over scan_row and scan_col, omega in degrees; its error is e_xx_error and so on."""
        import xarray as xr
        over, names = ("scan_row", "scan_col"), ("e_xx", "e_yy", "e_xy", "omega")
        units = {name: {"units": "degree" if name == "omega" else "1"} for name in names}
        maps = {name: (over, getattr(self, name), units[name]) for name in names}
        maps.update({f"{name}_error": (over, self.errors[name], units[name]) for name in names if name in self.errors})
        return xr.Dataset(maps, attrs={"notes": list(self.notes)})

    def _about(self) -> str:
        return f"{sides(self.e_xx)}, {int(np.isfinite(self.e_xx).sum())} points with a lattice"

    def _pictures(self) -> Dict[str, Image]:
        return {name: getattr(self, name) for name in ("e_xx", "e_yy", "e_xy", "omega")}


def strain(fit: LatticeFit, *, reference: Any = None, region: Any = None, axis_degrees: float = 0.0,
           scan_rotation_degrees: float = 0.0, transpose: bool = False, convention: Convention = "sluice") -> StrainMaps:
    """How the lattice of each pattern differs from a reference: F = beta^-T, polar decomposition.

    Args:
        fit: the lattices.
        reference: a LatticeBasis, as `theoretical_basis` makes; None: the median.
        region: [row, col] of the scan, points whose median is the reference; None: all.
        axis_degrees: turns the axes of the strain, from the row axis to the column axis.
        scan_rotation_degrees: turns vectors of the detector onto the scan.
        transpose: exchange rows and columns of the detector's vectors before they are turned.
        convention: "sluice", "py4dstem" or "pyxem": signs and axes of the output.

    Raises:
        Error: a region in which no lattice is fitted, or a collinear reference.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x8&dose=100000&strain=0.02,0,0,0&field=gradient")
        >>> maps = stem4d.strain(stem4d.fit_lattice(stem4d.find_disks(scan)))
        >>> bool(abs(np.ptp(maps.e_xx[0]) - 0.02) < 0.004)
        True
    """
    if not isinstance(fit, LatticeFit):
        raise InvalidArgument(f"fit is a {type(fit).__name__}; give what fit_lattice made")
    if reference is not None and region is not None:
        raise InvalidArgument("reference and region both say what strain is measured from; give one of them")
    made = dict(_core.strain(fit._native, None if reference is None else _numbers(reference, "reference"),
                             as_choice(region, "region"), float(axis_degrees), float(scan_rotation_degrees),
                             bool(transpose), convention))
    return _strain_maps(made)


def _strain_maps(made: Any) -> StrainMaps:
    fields = dict(made)
    fields["reference"] = _basis(fields["reference"])
    fields["notes"] = tuple(fields["notes"])
    fields["errors"] = dict(fields["errors"])
    return StrainMaps(**fields)


class Grain(NamedTuple):
    """One grain of a scan."""

    #: The median of its patterns.
    basis: LatticeBasis
    patterns: int
    #: Degrees by which it is turned from the first grain, the least that symmetry allows; NaN: it is
    #: another lattice.
    disorientation: float


@dataclass(frozen=True)
class GrainFit:
    """The grains of a scan, most patterns first, and the lattice of each pattern."""

    fit: LatticeFit
    grains: Tuple[Grain, ...]
    #: [row, col] of the scan: the number of a grain in `grains`; -1 where `fit.reason` says why.
    grain: NDArray[np.int64]
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


@dataclass(frozen=True)
class GrainMaps:
    """Strain of each grain from the median of its own patterns."""

    strain: StrainMaps
    #: [row, col], from 1 on; NaN: none.
    grain: Image
    #: [row, col] of each pattern from the first grain, in degrees.
    disorientation: Image


def fit_grains(vectors: BraggVectors, first: Optional[LatticeBasis] = None, *, most_bases: int = 16,
               least_turn: float = 2.0, least_patterns: int = 2, tolerance: float = 0.0, cut: float = 4.0,
               least_disks: int = 4, model_variance: bool = True, device: str = "cpu", threads: int = 0) -> GrainFit:
    """Finds lattices in turn, each in the patterns that those before do not explain, and fits every pattern
    by the one that is least turned from it.

    Args:
        vectors: the disks.
        first: where to begin; None: `find_basis(vectors)`.
        most_bases: that are looked for.
        least_turn: degrees without a lattice between two grains.
        least_patterns: that a basis must fit.
        tolerance, cut, least_disks, model_variance: as of `fit_lattice`.

    Raises:
        Error: disks without a lattice.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x8&dose=100000&grains=2&grain_turn=40")
        >>> grains = stem4d.fit_grains(stem4d.find_disks(scan))
        >>> bool((grains.grain >= 0).all())
        True
    """
    native = _core.fit_grains(_vectors(vectors), None if first is None else _numbers(first, "first"), int(most_bases),
                              float(least_turn), int(least_patterns), float(tolerance), float(cut), int(least_disks),
                              bool(model_variance), device, threads)
    fields = dict(native.fields)
    grains = tuple(Grain(_basis(b), int(n), float(turn)) for b, n, turn in fields["grains"])
    basis = grains[0].basis if grains else LatticeBasis((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    return GrainFit(fit=_fit(basis, native.fit, ()), grains=grains, grain=fields["grain"],
                    notes=tuple(fields["notes"]), _native=native)


def grain_strain(fit: GrainFit, *, axis_degrees: float = 0.0, scan_rotation_degrees: float = 0.0,
                 transpose: bool = False, convention: Convention = "sluice") -> GrainMaps:
    """The strain of each grain from the median of its own patterns, and by how much patterns are turned.

    Args:
        fit: what `fit_grains` made.
        axis_degrees, scan_rotation_degrees, transpose, convention: as of `strain`.

    Raises:
        Error: no pattern belongs to a grain.
    """
    if not isinstance(fit, GrainFit):
        raise InvalidArgument(f"fit is a {type(fit).__name__}; give what fit_grains made")
    made = dict(_core.grain_strain(fit._native, float(axis_degrees), float(scan_rotation_degrees), bool(transpose),
                                   convention))
    return GrainMaps(_strain_maps(made["strain"]), made["grain"], made["disorientation"])


def theoretical_basis(a: float, b: float, angle_degrees: float, pixel_size: float, like: LatticeBasis) -> LatticeBasis:
    """The lattice of theory in pixels, turned to where it fits `like` best: the strain from it is absolute.

    Args:
        a, b: spacings of the planes in angstrom.
        angle_degrees: between the two vectors.
        pixel_size: of a detector pixel, in 1/angstrom.
        like: a lattice that was found.
    """
    return _basis(_core.theoretical_basis(float(a), float(b), float(angle_degrees), float(pixel_size),
                                          _numbers(like, "like")))
