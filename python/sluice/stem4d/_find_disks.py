"""Bragg disks: how they are to be found, and finding them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union, overload

import numpy as np

from .. import _core
from .._arrays import Image, as_choice, as_image
from .._axes import axes_of
from .._errors import InvalidArgument, warn
from .._options import DiskMode, Path
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan
from .._scans._scan import Scan
from .._words import told
from ._basis import LatticeBasis, _basis
from ._bragg_vectors import DISK_REASONS, BraggVectors
from ._templates import ProbeTemplate, fit_template


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
    most_disks: int
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

    @property
    def most(self) -> int:
        """What `most_disks` was called before."""
        warn("DiskPlan.most is called most_disks now", DeprecationWarning)
        return self.most_disks


def _plan(template: ProbeTemplate, native: Any) -> DiskPlan:
    fields = told(native.fields)
    fields["why"] = tuple(fields["why"])
    if fields["lattice"] is not None:
        fields["lattice"] = _basis(fields["lattice"])
    return DiskPlan(template=template, _native=native, **fields)


def plan_disks(scan: Sources, template: Optional[ProbeTemplate] = None, *, mode: DiskMode = "automatic",
               least_snr: float = 3.5, least_score: float = 25.0, least_distance: float = 0.0,
               fit_radius: float = 0.0, most_disks: int = 512, bin: int = 0, gain: float = 0.0, read_noise: float = 0.0,
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
        most_disks: of a pattern.
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
                                  float(least_distance), float(fit_radius), int(most_disks), int(bin), float(gain),
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
        return BraggVectors._of(_core.find_disks(scan._open(), plan._native, device, threads, tell),
                                axes_of(scan))
