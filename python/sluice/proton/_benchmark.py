"""How long a step and a beam take on this machine.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict

from .._options import GridPrecision
from .._program import options, told


def benchmark(*, precision: GridPrecision = "f32", rounds: int = 20, device: str = "cpu",
              threads: int = 0) -> Dict[str, Any]:
    """Measures the march of a beam, as `sluice proton benchmark` does, in a process of its own.

    Args:
        precision: of the state, "f32" or "f64".
        rounds: of which the median is told.
        device: "reference", "cpu", "cpu:avx2" or "cuda".
        threads: 0: one per processor.

    Returns:
        The report of `--json`.

    Example:
        >>> proton.benchmark(threads=1)  # doctest: +SKIP
    """
    return told(["proton", "benchmark", *options(precision=precision, rounds=rounds, device=device,
                                                 threads=threads or None)])
