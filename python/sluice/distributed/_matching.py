"""What a worker of a Dask client needs to match patterns against a library.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import threading
from typing import Any, Tuple

import numpy as np

from .. import _core
from .._cluster import Kept, digest, own_name, own_threads, version
from .._errors import InvalidArgument
from ..stem4d._bragg_vectors import BraggVectors, load_vectors
from ..stem4d._orientation_library import OrientationLibrary

_libraries = Kept(2)
_parts = Kept(4)


def digest_of_disks(vectors: BraggVectors) -> str:
    made = hashlib.sha256(repr((vectors.scan_shape, vectors.detector_shape)).encode())
    for name, column in vectors.__getstate__().items():
        if isinstance(column, np.ndarray):
            made.update(column.tobytes())
    return made.hexdigest()


class Matching:
    """All but the disks, and what tells whether a worker has the same ones."""

    def __init__(self, disks: BraggVectors, calibration: Any, library: OrientationLibrary,
                 options: Tuple[Any, ...]) -> None:
        self.disks = digest_of_disks(disks)
        self.calibration, self.options, self.version = calibration, options, version()
        self.cells, self.numbers = list(library._native.cells), tuple(library._native.numbers)
        self.library = digest((self.cells, self.numbers))
        self.key = digest((self.disks, calibration, self.library, options))

    def parts(self, vectors: Any, threads: int) -> Any:
        if self.version != version():
            raise InvalidArgument(f"{own_name()} has Sluice {version()}, and the client's process {self.version} "
                                  "(other versions may find other bits); install the same everywhere")
        disks = load_vectors(vectors) if isinstance(vectors, str) else vectors
        if digest_of_disks(disks) != self.disks:
            raise InvalidArgument(f"{vectors}: {own_name()} sees other disks there than the client's process; let all "
                                  "see the same file, or give the disks themselves")
        library = _libraries.get((self.library, threads), lambda: _core.orientation_library(
            self.cells, *self.numbers, "cpu", threads, None))
        return _core.OrientationParts(_core.apply_calibration(disks._native, self.calibration), library,
                                      *self.options, threads)


def orientation_range(vectors: Any, matching: Matching, first: int, last: int) -> bytes:
    threads = own_threads()
    parts, lock = _parts.get((matching.key, threads), lambda: (matching.parts(vectors, threads), threading.Lock()))
    with lock:  # a worker may run several tasks at once
        packed: bytes = parts.part(first, last - first)
    return packed
