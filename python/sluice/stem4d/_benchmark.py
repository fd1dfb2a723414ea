"""How long loading and analyses of scans take on this machine.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, Literal, Optional, Sequence, Union

from .._options import Pair, Path
from .._program import options, told


def benchmark(kind: Literal["load", "virtual", "stream"], path: Path, *,
              detector: "Union[str, Sequence[str]]" = (), rounds: Optional[int] = None,
              scan_shape: Optional[Pair] = None, dataset: str = "", det_bin: int = 1, device: str = "cpu",
              threads: int = 0, memory_limit: int = 0) -> Dict[str, Any]:
    """Measures a job on this machine, as `sluice stem4d benchmark` does, in a process of its own. The answers of all
    contestants are compared before anything is timed.

    Args:
        kind: "load": loading, beside LZ4's own time for the same blocks; "virtual": analyses in memory, beside the
            speed of copying it; "stream": virtual detectors straight from the files.
        path: an acquisition, or "synthetic:...".
        detector: of "virtual" and "stream": one or several texts of `parse_detector`.
        rounds: of which the median is told; None: as usual.
        scan_shape, dataset, det_bin: of `sluice.load`.
        device, threads: what computes; 0 threads: one per processor.
        memory_limit: most bytes; 0: 60 % of what is free.

    Returns:
        The report of `--json`: times in seconds, and a note where they mean nothing.

    Example:
        >>> stem4d.benchmark("load", "scan_master.h5", rounds=3)  # doctest: +SKIP
    """
    texts = [detector] if isinstance(detector, str) else list(detector)
    words = ["stem4d", "benchmark", kind, os.fspath(path)]
    for text in texts:
        words += ["--detector", text]
    return told([*words, *options(rounds=rounds, scan=scan_shape, dataset=dataset or None,
                                  det_bin=None if det_bin == 1 else det_bin, device=device, threads=threads or None,
                                  memory_limit=memory_limit or None)])
