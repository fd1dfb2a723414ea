"""Any function of items on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Sequence

from .._cluster import gather, workers_of
from .._progress import Progress, shown

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]


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
