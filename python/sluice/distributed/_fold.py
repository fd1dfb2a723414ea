"""Analyses of one's own on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple, Union, overload

from numpy.typing import NDArray

from .._cluster import gather, own_threads, ranges_of, workers_of
from .._options import Path, ScanOptions
from .._progress import Progress, shown
from .._scans._dataset import Dataset
from .._scans._frames import log
from .._scans._scan import Scan
from .._words import said
from ..stem4d._analysis import Analysis, Merging, Result, Tile, as_analysis, fold_groups
from ._source import _prepared, _scan_of

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    from typing_extensions import Unpack


def _fold_range(source: Tuple[str, Dict[str, Any], Dict[str, Any], Any], pickled: bytes,
                first: int, last: int) -> Tuple[List[Tuple[int, Any]], List[str]]:
    scan = _scan_of(*source)
    analysis: Analysis[Any] = as_analysis(pickle.loads(pickled), scan)
    made: List[Tuple[int, Any]] = []
    notes = fold_groups(scan, analysis, first, last,
                        lambda group, partial: made.append((group, partial)), own_threads(), None)
    return made, notes


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
        for _, (made, told) in gather(client, _fold_range,
                                       ((where, pickled, *r) for r in ranges), 2 * workers):
            for group, partial in made:
                merging.take(group, partial)
            notes += [n for n in told if n not in notes]
            done += 1
            if tell is not None:
                tell(done, len(ranges))
    for note in notes:
        log.warning("%s, in a part: %s", where[0], said(note))
    return merging.finish()
