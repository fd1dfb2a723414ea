"""What the viewer of scans is given: paths for the engine, and what is open already.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, List, Sequence, Tuple

from .._scans import Dataset, Scan, from_array, open

Json = Dict[str, Any]
#: A dataset, and the scan that is loaded of it or None.
Given = Tuple[Any, Any]


def _given(source: Any, name: str) -> "list[Given]":
    """Opened datasets, with their scans where they are loaded."""
    if isinstance(source, Scan):
        return [(source.dataset._open(), source._open())]
    if isinstance(source, Dataset):
        return [(source._open(), None)]
    if getattr(source, "ndim", 0) == 5:
        return [one for i in range(len(source)) for one in _given(source[i], f"{name} {i}")]
    return [(from_array(source, name=name)._open(), None)]


def sources(given: Sequence[Any], open_options: Json) -> "tuple[list[str], list[Given]]":
    """Paths for the engine, and what is open already."""
    paths: List[str] = []
    opened: List[Given] = []
    for one in given:
        if isinstance(one, (list, tuple)):
            more, others = sources(one, open_options)
            paths += more
            opened += others
        elif isinstance(one, (str, os.PathLike)) and not open_options:
            paths.append(os.fspath(one))
        elif isinstance(one, (str, os.PathLike)):
            opened += _given(open(one, **open_options), "")
        else:
            opened += _given(one, "array")
    return paths, opened
