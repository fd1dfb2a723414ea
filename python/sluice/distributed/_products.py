"""Images, moments and patterns on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core, stem4d
from .._arrays import as_choice
from .._axes import axes_of
from .._cluster import add_parts, digest, own_threads
from .._options import PatternKind, ScanOptions
from .._progress import Progress
from .._scans._scan import Scan
from ..stem4d._detectors import _detector
from ..stem4d._products import _products, _references
from ._source import _parts, _prepared, _scan_of

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    from typing_extensions import Unpack


def _products_range(source: Tuple[str, Dict[str, Any], Dict[str, Any], Any],
                    wanted: Dict[str, Any], key: str, first: int, last: int) -> bytes:
    scan = _scan_of(*source)
    threads = own_threads()
    parts, lock = _parts.get((source[3], key, threads),
                             lambda: (_parts_of(scan, wanted, threads), threading.Lock()))
    with lock:  # a worker may run several tasks at once
        packed: bytes = parts.part(first, last - first, None)
    return packed


def _parts_of(scan: Scan, wanted: Dict[str, Any], threads: int) -> Any:
    within = wanted["within"]
    return _core.ProductParts(
        scan._open(), [_detector(d) for d in wanted["detectors"]],
        wanted["center_of_mass"], None if within is None else _detector(within),
        wanted["patterns"], wanted["where"], threads, wanted["disk"], wanted["mean"],
        _references(wanted["dark"], wanted["gain"]))


def products(source: Any, *, client: "Client",
             detectors: "Union[stem4d.Detectors, Sequence[stem4d.Detectors]]" = (),
             center_of_mass: bool = False, within: "Optional[stem4d.Detectors]" = None,
             patterns: "Union[PatternKind, Sequence[PatternKind]]" = (), where: Any = None,
             disk: "Optional[stem4d.Disk]" = None, mean: bool = False,
             dark: Any = None, gain: Any = None, progress: Progress = None, **load_options: Unpack[ScanOptions]) -> stem4d.Products:
    """`stem4d.products` on the workers of a Dask client; the same bits.

    Args:
        source: a `Dataset`, a `Scan`, or a path, of files that all workers see.
        client: of `distributed`.
        detectors, center_of_mass, within, patterns, where, disk, mean, dark, gain: of
            `stem4d.products`.
        progress: f(parts done, all). None: a bar.
        load_options: of `sluice.load`; scans are streamed unless `stream` says otherwise.
    """
    scan, travels = _prepared(source, load_options)
    one = isinstance(detectors, (stem4d.Detector, str)) or getattr(detectors, "ndim", 0) == 2
    asked: Any = detectors
    listed: List[Any] = [asked] if one else list(asked)
    if disk is None:  # measured once, not by every worker
        natives = [_detector(d) for d in [*listed, *([] if within is None else [within])]]
        if any(n.needs_disk for n in natives):
            disk = stem4d.find_disk(scan)
    wanted: Dict[str, Any] = dict(
        detectors=listed, center_of_mass=center_of_mass, within=within,
        patterns=[patterns] if isinstance(patterns, str) else list(patterns),
        where=as_choice(where, "where"), disk=None if disk is None else disk._native(), mean=mean,
        dark=_as_array(dark), gain=_as_array(gain))
    here = _parts_of(scan, wanted, 0)
    key = digest(wanted)
    add_parts(here, client, _products_range, (travels, wanted, key), "products", progress)
    found = here.finish()
    return _products(found, axes_of(scan), mean, wanted["patterns"])


def _as_array(reference: Any) -> Any:
    """Workers need not see its file, and do not keep what an older one held."""
    if isinstance(reference, (str, os.PathLike)):
        return np.load(reference, allow_pickle=False)
    return reference
