"""The lattice of each pattern, with its errors.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image
from .._axes import Axes, axes_of
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan
from .._words import in_words, told
from ._basis import Basis, LatticeBasis, _basis, _numbers, _vectors
from ._bragg_vectors import BraggVectors
from ._find_disks import DiskPlan, _plan, plan_disks

#: What `LatticeFit.reason` means: why a pattern has no lattice.
LATTICE_REASONS: Tuple[str, ...] = tuple(_core.lattice_reasons())


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
    #: Where the scan's points lie, for `to_xarray` of its strain.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)


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
        notes = tuple(in_words(list(found)))
    else:
        numbers = _numbers(basis, "basis")
    with shown(progress, "lattices") as tell:
        native = _core.fit_lattice(native_vectors, numbers, float(tolerance), float(cut), int(least_disks),
                                   bool(model_variance), device, threads, tell)
    return _fit(_basis(numbers), native, notes, vectors._axes)


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
    loaded = as_scan(scan)
    with shown(progress, "disks") as tell:
        vectors, native = _core.refine_lattice(loaded._open(), plan._native, float(tolerance), float(cut),
                                               int(least_disks), bool(model_variance), device, threads, tell)
    axes = axes_of(loaded)
    return BraggVectors._of(vectors, axes), _fit(plan.lattice, native, (), axes)


def _fit(basis: LatticeBasis, native: Any, notes: Tuple[str, ...], axes: Axes) -> LatticeFit:
    fields = told(native.fields)
    fields["notes"] = notes + tuple(fields["notes"])
    return LatticeFit(basis=basis, _native=native, axes=axes, **fields)
