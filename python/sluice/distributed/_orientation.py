"""Orientations on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _core, stem4d
from .._cluster import add_parts, workers_of
from .._option_sets import MatchOptions
from .._progress import Progress
from ..stem4d._orientation import calibrated, _map, match_numbers
from ._matching import Matching, orientation_range

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    from typing_extensions import Unpack


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
    ready = calibrated(stem4d.load_vectors(given) if isinstance(given, str) else given, library,
                                    calibration)
    numbers = match_numbers(**options)
    here = _core.OrientationParts(ready._native, library._native, *numbers, 0)
    disks = stem4d.remove_calibration(ready)
    matching = Matching(disks, ready.calibration._native, library, numbers)
    workers_of(client)
    sent = given
    if not isinstance(given, str):
        sent = client.scatter(disks, broadcast=True, hash=False)  # type: ignore[no-untyped-call,unused-ignore]
    add_parts(here, client, orientation_range, (sent, matching), "orientations", progress)
    return _map(here.finish())
