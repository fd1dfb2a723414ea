"""Plans of `stem4d.analyze` on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple

from .. import _core, stem4d
from .._axes import axes_of
from .._cluster import add_parts, digest, digest_of_file, own_name, own_threads
from .._errors import InvalidArgument, warn
from .._options import ScanOptions
from .._progress import Progress
from ..stem4d._analyze import Plan, result, source_of, without_templates
from ..stem4d._plans import native_plan
from ._source import _parts, _prepared, _scan_of

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    from typing_extensions import Unpack


def _plan_of(plan: Any) -> Any:
    """The tables, or a file of them with its digest, as the library has them."""
    if not isinstance(plan, tuple):
        return native_plan(plan, "cpu", 0)
    path, expected = plan
    if digest_of_file(path) != expected:
        raise InvalidArgument(f"{path}: {own_name()} sees another file there than the client's process; let all see "
                              "the same one")
    return _core.read_analysis(path).plan


def _analysis_range(source: Tuple[str, Dict[str, Any], Dict[str, Any], Any], plan: Any, decided: Any,
                    key: str, first: int, last: int) -> bytes:
    scan = _scan_of(*source)
    threads = own_threads()
    parts, lock = _parts.get((source[3], key, threads),
                             lambda: (_core.AnalysisParts(scan._open(), _plan_of(plan), decided, threads),
                                      threading.Lock()))
    with lock:
        packed: bytes = parts.part(first, last - first)
    return packed


def analyze(source: Any, plan: Plan, *, client: "Client", disk: "Optional[stem4d.Disk]" = None,
            progress: Progress = None, **load_options: Unpack[ScanOptions]) -> stem4d.Analyzed:
    """`stem4d.analyze` on the workers of a Dask client; the same bits. What the plan leaves open is decided
    here, once.

    Args:
        source: a `Dataset`, a `Scan`, or a path, of files that all workers see; None: the scan that the file of the
            plan names.
        plan: tables, or the path of a TOML file that all workers see, as of `stem4d.analyze`.
        client: of `distributed`.
        disk: the bright-field disk, instead of measuring it where one is needed.
        progress: f(parts done, all). None: a bar.
        load_options: of `sluice.load`, beside those of the file; scans are streamed unless `stream` says
            otherwise.
    """
    travels: Any
    options: Mapping[str, Any] = load_options
    if isinstance(plan, (str, os.PathLike)):
        path = os.path.abspath(plan)
        travels = path, digest_of_file(path)
        config = _core.read_analysis(path)
        for note in config.notes:
            warn(note, DeprecationWarning)
        native, own = config.plan, config.disk
        source, options = source_of(source, config, path, load_options)
    else:
        if source is None:
            raise InvalidArgument("source is None (only a file of a plan names one); give the scan")
        native, own = native_plan(plan, "cpu", 0), None
        travels = without_templates(plan)
    scan, where = _prepared(source, options)
    decided = _core.decide_analysis(scan._open(), native, "cpu", 0, own if disk is None else disk._native())
    here = _core.AnalysisParts(scan._open(), native, decided, 0)
    add_parts(here, client, _analysis_range, (where, travels, decided, digest((travels, decided))), "analyze",
              progress)
    return result(here.finish(), decided, axes_of(scan))
