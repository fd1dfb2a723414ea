"""The same analyses on a cluster: ranges of a scan go to the workers of a Dask client, packed partial
results come back and are merged in order. The answer has the bits of one process.

Every worker opens the file by its path, so all of them must see it. One task at a time runs on a
worker process, with as many threads as the worker has.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import pickle
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _analyze, _core, _crystal, _orientation, stem4d
from ._analysis import Analysis, Merging, Result, Tile, as_analysis, fold_groups
from ._arrays import as_choice
from ._calls import speak as _speak
from ._axes import axes_of
from ._cluster import (Kept, add_parts, digest, digest_of_file, gather, own_name, own_threads, ranges_of,
                       workers_of)
from ._cluster_orientation import Matching, orientation_range
from ._option_sets import MatchOptions
from ._errors import InvalidArgument
from ._options import Path, PatternKind, ScanOptions
from ._progress import Progress, shown
from ._scan import Dataset, Scan, load, log
from ._scan import open as open_dataset

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from distributed import Client  # type: ignore[import-not-found,unused-ignore]

__all__ = ["analyze", "find_disks", "fold", "map", "orientation", "products", "refine_lattice"]

_scans = Kept(4)
_parts = Kept(4)


def _scan_of(path: str, opened: Dict[str, Any], loaded: Dict[str, Any], token: Any) -> Scan:
    scan: Scan = _scans.get(token, lambda: load(open_dataset(path, **opened), progress=False,
                                                **loaded))
    return scan


def _identity(dataset: Dataset, loaded: Dict[str, Any]) -> Tuple[Any, ...]:
    return (*dataset.__dask_tokenize__(), digest(sorted(loaded.items())))


def _fold_range(source: Tuple[str, Dict[str, Any], Dict[str, Any], Any], pickled: bytes,
                first: int, last: int) -> Tuple[List[Tuple[int, Any]], List[str]]:
    scan = _scan_of(*source)
    analysis: Analysis[Any] = as_analysis(pickle.loads(pickled), scan)
    made: List[Tuple[int, Any]] = []
    notes = fold_groups(scan, analysis, first, last,
                        lambda group, partial: made.append((group, partial)), own_threads(), None)
    return made, notes


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
        scan._open(), [stem4d._detector(d) for d in wanted["detectors"]],
        wanted["center_of_mass"], None if within is None else stem4d._detector(within),
        wanted["patterns"], wanted["where"], threads, wanted["disk"], wanted["mean"],
        stem4d._references(wanted["dark"], wanted["gain"]))


def _as_dataset(source: Any) -> Dataset:
    if isinstance(source, Scan):
        source = source.dataset
    dataset = source if isinstance(source, Dataset) else open_dataset(source)
    if dataset._how is None:
        raise InvalidArgument("a dataset of an array in memory does not travel to other "
                              "processes; save it to a file, or use stem4d.fold here")
    return dataset


def _prepared(source: Any, options: Mapping[str, Any]) -> Tuple[Scan, Tuple[Any, ...]]:
    dataset = _as_dataset(source)
    assert dataset._how is not None
    path, opened = dataset._how
    if isinstance(source, Scan):  # loaded there in the same way; where it lies here does not matter
        options = {**source._how, **options}
    loaded = {"stream": True, **options}
    scan = load(dataset, progress=False, **loaded)
    return scan, (path, opened, loaded, _identity(dataset, loaded))


@overload
def fold(source: "Union[Scan, Dataset, Path]", analysis: Analysis[Result], *, client: "Client",
         progress: Progress = None, **load_options: Unpack[ScanOptions]) -> Result: ...


@overload
def fold(source: "Union[Scan, Dataset, Path]", analysis: Callable[[Tile], Any], *, client: "Client",
         progress: Progress = None, **load_options: Unpack[ScanOptions]) -> "NDArray[Any]": ...


def fold(source: "Union[Scan, Dataset, Path]",
         analysis: "Union[Analysis[Any], Callable[[Tile], Any]]", *, client: "Client",
         progress: Progress = None, **load_options: Unpack[ScanOptions]) -> Any:
    """`stem4d.fold` on the workers of a Dask client; the same bits.

    Args:
        source: a `Dataset`, a `Scan`, or a path, of files that all workers see.
        analysis: as of `stem4d.fold`; it is pickled by cloudpickle, with its partial results.
        client: of `distributed`.
        progress: f(parts done, all). None: a bar.
        load_options: of `sluice.load`; scans are streamed unless `stream` says otherwise.

    Raises:
        InvalidArgument: a dataset in memory, no workers. What `analysis` raises.
    """
    import cloudpickle  # type: ignore[import-untyped,unused-ignore]  # comes with distributed
    scan, where = _prepared(source, load_options)
    own = as_analysis(analysis, scan)
    merging = Merging(own, scan)
    pickled = cloudpickle.dumps(analysis)
    workers = workers_of(client)
    ranges = ranges_of(merging.groups, 2 * workers)
    notes: List[str] = []
    with shown(progress, "fold", "parts") as tell:
        done = 0
        for _, (made, said) in gather(client, _fold_range,
                                       ((where, pickled, *r) for r in ranges), 2 * workers):
            for group, partial in made:
                merging.take(group, partial)
            notes += [n for n in said if n not in notes]
            done += 1
            if tell is not None:
                tell(done, len(ranges))
    for note in notes:
        log.warning("%s, in a part: %s", where[0], note)
    return merging.finish()


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
        natives = [stem4d._detector(d) for d in [*listed, *([] if within is None else [within])]]
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
    return stem4d._products(found, axes_of(scan), mean, wanted["patterns"])


def _as_array(reference: Any) -> Any:
    """Workers need not see its file, and do not keep what an older one held."""
    if isinstance(reference, (str, os.PathLike)):
        return np.load(reference, allow_pickle=False)
    return reference


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
                  progress: Progress, load_options: Mapping[str, Any]) -> Any:
    scan, where = _prepared(source, load_options)
    if plan is None:  # once, not by every worker: a plan looks at a sample of the scan
        plan = stem4d.plan_disks(scan)
    if not isinstance(plan, stem4d.DiskPlan):
        raise InvalidArgument(f"plan is a {type(plan).__name__}; give what plan_disks or know_lattice "
                              "made")
    here = _core.DiskParts(scan._open(), plan._native, 0)
    key = digest(plan)
    add_parts(here, client, _disks_range, (where, plan, key), "disks", progress)
    return here


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
    here = _disks_of_all(source, plan, client, progress, load_options)
    return stem4d.BraggVectors._of(here.finish())


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
    here = _disks_of_all(source, plan, client, progress, load_options)
    vectors, fit = here.finish_lattice(float(tolerance), float(cut), int(least_disks),
                                       bool(model_variance))
    return stem4d.BraggVectors._of(vectors), _crystal._fit(plan.lattice, fit, ())


def _plan_of(plan: Any) -> Any:
    """The tables, or a file of them with its digest, as the library has them."""
    if not isinstance(plan, tuple):
        return _analyze.native_plan(plan, "cpu", 0)
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


def analyze(source: Any, plan: "_analyze.Plan", *, client: "Client", disk: "Optional[stem4d.Disk]" = None,
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
        native, own = config.plan, config.disk
        source, options = _analyze.source_of(source, config, path, load_options)
    else:
        if source is None:
            raise InvalidArgument("source is None (only a file of a plan names one); give the scan")
        native, own = _analyze.native_plan(plan, "cpu", 0), None
        travels = _analyze.without_templates(plan)
    scan, where = _prepared(source, options)
    decided = _core.decide_analysis(scan._open(), native, "cpu", 0, own if disk is None else disk._native())
    here = _core.AnalysisParts(scan._open(), native, decided, 0)
    add_parts(here, client, _analysis_range, (where, travels, decided, digest((travels, decided))), "analyze",
              progress)
    return _analyze.result(here.finish(), decided)


def orientation(vectors: "Union[stem4d.BraggVectors, stem4d.CalibratedVectors, str, os.PathLike[str]]",
                library: "stem4d.OrientationLibrary", calibration: "Optional[stem4d.Calibration]" = None, *,
                client: "Client", progress: Progress = None, **options: Unpack[MatchOptions]) -> "stem4d.OrientationMap":
    """`stem4d.orientation` on the workers of a Dask client; the same bits. Each worker builds the library once.

    Args:
        vectors: the disks, or the path of a file of them that all workers see, which saves sending them.
        library: of `orientation_library`.
        calibration: with origins and a pixel size; not of disks that are calibrated.
        client: of `distributed`.
        progress: f(parts done, all). None: a bar.
        options: of `stem4d.orientation`, but for `device` and `threads`.

    Raises:
        InvalidArgument: workers that have another Sluice, or see other disks under the path.
    """
    given: Any = os.path.abspath(vectors) if isinstance(vectors, (str, os.PathLike)) else vectors
    ready = _orientation.calibrated(stem4d.load_vectors(given) if isinstance(given, str) else given, library,
                                    calibration)
    numbers = _orientation.match_numbers(**options)
    here = _core.OrientationParts(ready._native, library._native, *numbers, 0)
    disks = stem4d.remove_calibration(ready)
    matching = Matching(disks, ready.calibration._native, library, numbers)
    workers_of(client)
    sent = given
    if not isinstance(given, str):
        sent = client.scatter(disks, broadcast=True, hash=False)  # type: ignore[no-untyped-call,unused-ignore]
    add_parts(here, client, orientation_range, (sent, matching), "orientations", progress)
    return _orientation._map(here.finish())


def map(function: Callable[[Any], Any], items: Sequence[Any], *, client: "Client",
        progress: Progress = None) -> List[Any]:
    """function(item) for each of the items, one at a time on each worker process, in their order:
    slides to convert, proton plans to compute, songs to separate.

    Example:
        >>> def convert(path):  # doctest: +SKIP
        ...     with sluice.slide.open(path) as slide:
        ...         return sluice.slide.convert(slide, path + ".zarr")
        >>> sluice.distributed.map(convert, paths, client=client)  # doctest: +SKIP
    """
    answers: List[Any] = [None] * len(items)
    with shown(progress, "map", "items") as tell:
        done = 0
        for number, answer in gather(client, function, ((item,) for item in items),
                                      workers_of(client)):
            answers[number] = answer
            done += 1
            if tell is not None:
                tell(done, len(items))
    return answers


_speak(globals())
