"""The scan of a path in every process, and what is kept of it there.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, Mapping, Tuple

from .._cluster import Kept, digest
from .._errors import InvalidArgument
from .._scans._dataset import Dataset
from .._scans._open import load, open as open_dataset
from .._scans._scan import Scan

_scans = Kept(4)
_parts = Kept(4)


def _scan_of(path: str, opened: Dict[str, Any], loaded: Dict[str, Any], token: Any) -> Scan:
    scan: Scan = _scans.get(token, lambda: load(open_dataset(path, **opened), progress=False,
                                                **loaded))
    return scan


def _identity(dataset: Dataset, loaded: Dict[str, Any]) -> Tuple[Any, ...]:
    return (*dataset.__dask_tokenize__(), digest(sorted(loaded.items())))


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
