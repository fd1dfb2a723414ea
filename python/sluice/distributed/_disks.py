"""Bragg disks and lattices on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple

from .. import _core, stem4d
from .._axes import Axes, axes_of
from .._cluster import add_parts, digest, own_threads
from .._errors import InvalidArgument
from .._options import ScanOptions
from .._progress import Progress
from ..stem4d._lattice import _fit
from ._source import _parts, _prepared, _scan_of

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    from typing_extensions import Unpack


def _disks_range(source: Tuple[str, Dict[str, Any], Dict[str, Any], Any], plan: stem4d.DiskPlan,
                 key: str, first: int, last: int) -> bytes:
    scan = _scan_of(*source)
    threads = own_threads()
    parts, lock = _parts.get((source[3], key, threads),
                             lambda: (_core.DiskParts(scan._open(), plan._native, threads),
                                      threading.Lock()))
    with lock:
        packed: bytes = parts.part(first, last - first, None)
    return packed


def _disks_of_all(source: Any, plan: "Optional[stem4d.DiskPlan]", client: "Client",
                  progress: Progress, load_options: Mapping[str, Any]) -> Tuple[Any, Axes]:
    scan, where = _prepared(source, load_options)
    if plan is None:  # once, not by every worker: a plan looks at a sample of the scan
        plan = stem4d.plan_disks(scan)
    if not isinstance(plan, stem4d.DiskPlan):
        raise InvalidArgument(f"plan is a {type(plan).__name__}; give what plan_disks or know_lattice "
                              "made")
    here = _core.DiskParts(scan._open(), plan._native, 0)
    key = digest(plan)
    add_parts(here, client, _disks_range, (where, plan, key), "disks", progress)
    return here, axes_of(scan)


def find_disks(source: Any, plan: "Optional[stem4d.DiskPlan]" = None, *, client: "Client",
               progress: Progress = None, **load_options: Unpack[ScanOptions]) -> stem4d.BraggVectors:
    """`stem4d.find_disks` of a scan on the workers of a Dask client; the same bits.

    Args:
        source: a `Dataset`, a `Scan`, or a path, of files that all workers see.
        plan: what `stem4d.plan_disks` or `stem4d.know_lattice` made of this scan, loaded with the
            same options; None: the usual plan.
        client: of `distributed`.
        progress: f(parts done, all). None: a bar.
        load_options: of `sluice.load`; scans are streamed unless `stream` says otherwise.
    """
    here, axes = _disks_of_all(source, plan, client, progress, load_options)
    return stem4d.BraggVectors._of(here.finish(), axes)


def refine_lattice(source: Any, plan: stem4d.DiskPlan, *, client: "Client", tolerance: float = 0.0,
                   cut: float = 4.0, least_disks: int = 4, model_variance: bool = True,
                   progress: Progress = None,
                   **load_options: Unpack[ScanOptions]) -> "Tuple[stem4d.BraggVectors, stem4d.LatticeFit]":
    """`stem4d.refine_lattice` on the workers of a Dask client; the same bits.

    Args:
        source: a `Dataset`, a `Scan`, or a path, of files that all workers see.
        plan: what `stem4d.know_lattice` made of this scan, loaded with the same options.
        client: of `distributed`.
        tolerance, cut, least_disks, model_variance: of `stem4d.fit_lattice`.
        progress: f(parts done, all). None: a bar.
        load_options: of `sluice.load`; scans are streamed unless `stream` says otherwise.

    Raises:
        InvalidArgument: a plan without a lattice.
    """
    if not isinstance(plan, stem4d.DiskPlan) or plan.lattice is None:
        raise InvalidArgument("the plan knows no lattice (its patterns are searched for disks) give "
                              "what know_lattice made")
    here, axes = _disks_of_all(source, plan, client, progress, load_options)
    vectors, fit = here.finish_lattice(float(tolerance), float(cut), int(least_disks),
                                       bool(model_variance))
    return stem4d.BraggVectors._of(vectors, axes), _fit(plan.lattice, fit, (), axes)
