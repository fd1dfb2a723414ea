"""Ways of reading a slide, measured side by side.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, Literal, Optional, Sequence

from .._options import Path
from .._program import joined, options, told

Pattern = Literal["mosaic", "rectangles", "tiles", "regions", "small"]


def benchmark(path: Path, *, effort: Literal["quick", "medium", "full"] = "quick",
              pattern: Sequence[Pattern] = (), region: Optional[Sequence[int]] = None, scene: Optional[int] = None,
              channel: Optional[int] = None, workers: Sequence[int] = (), batch: Sequence[int] = (),
              max_tiles: Optional[int] = None, rounds: Optional[int] = None, cold: bool = False) -> Dict[str, Any]:
    """Measures ways of reading a slide, as `sluice slide benchmark` does, each in a process of its own. The answers
    are compared before anything is timed.

    Args:
        path: a CZI file, or the folder of an OME-Zarr image.
        effort: "quick", "medium" (also batches, processes and mmap) or "full" (also the disk).
        pattern: what is read: "mosaic", "rectangles", "tiles", "regions" and "small"; empty: as usual.
        region: (x, y, width, height) in pixels of the full resolution.
        scene, channel: numbers; None: all scenes together, the first channel.
        workers: numbers of threads and processes.
        batch: numbers of tiles of one call.
        max_tiles: so many tiles of the middle; 0: all; None: by the effort.
        rounds: of which the median is told; None: by the effort.
        cold: also with the system's cache emptied of the file.

    Returns:
        The report of `--json`.

    Example:
        >>> slide.benchmark("x.czi", pattern=["tiles"], workers=[1, 2])  # doctest: +SKIP
    """
    return told(["slide", "benchmark", os.fspath(path), f"--{effort}",
                 *options(pattern=joined(pattern), region=joined(region), scene=scene, channel=channel,
                          workers=joined(workers), batch=joined(batch), max_tiles=max_tiles, rounds=rounds,
                          cold=cold)])
