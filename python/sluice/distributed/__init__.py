"""The same analyses on a cluster: ranges of a scan go to the workers of a Dask client, packed partial
results come back and are merged in order. The answer has the bits of one process.

Every worker opens the file by its path, so all of them must see it. One task at a time runs on a
worker process, with as many threads as the worker has.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from .._calls import speak as _speak
from ._analyze import analyze
from ._disks import find_disks, refine_lattice
from ._fold import fold
from ._map import map
from ._orientation import orientation
from ._products import products

__all__ = ["analyze", "find_disks", "fold", "map", "orientation", "products", "refine_lattice"]

_speak(globals())
