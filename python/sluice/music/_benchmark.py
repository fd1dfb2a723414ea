"""How long separating takes on this machine.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, Literal, Optional, Sequence

from .._options import Path
from .._program import joined, options, told


def benchmark(model: Optional[Path] = None, config: Optional[Path] = None, *, like: str = "instvoc-hq",
              rule: Literal["msst", "uvr"] = "msst", precision: "Sequence[Literal['fp32', 'bf16', 'tf32']]" = ("fp32",),
              threads: Sequence[int] = (0,), batch: Sequence[int] = (1,), rounds: int = 5,
              device: str = "cpu") -> Dict[str, Any]:
    """Measures how long a chunk and a song take, as `sluice music benchmark` does, in a process of its own.

    Args:
        model: None: one without training, as the published configuration `like`.
        config: the YAML that was published with the model.
        like: one of `published_configs`.
        rule: whose chunks, where MSST and UVR differ.
        precision: one or several.
        threads: numbers of threads; 0: one per processor.
        batch: numbers of chunks at once.
        rounds: of which the median is told.
        device: "cpu", "cuda", "cuda:1" or "best".

    Returns:
        The report of `--json`.

    Example:
        >>> music.benchmark(like="tiny", threads=[1, 2])  # doctest: +SKIP
    """
    return told(["music", "benchmark", *([] if model is None else [os.fspath(model)]),
                 *options(config=None if config is None else os.fspath(config), like=None if model else like, rule=rule,
                          precision=joined(precision), threads=joined(threads), batch=joined(batch), rounds=rounds,
                          device=device)])
