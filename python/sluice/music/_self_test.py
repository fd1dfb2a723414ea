"""Whether this machine separates rightly.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from .. import _core
from .._options import Path
from .._words import told
from ._inspect import _maybe


@dataclass(frozen=True)
class SelfTest:
    """What `self_test` found; `good` says whether anything is wrong."""

    model: str
    device: str
    threads: int
    multiplies_bf16: bool
    capabilities: List[str]
    #: A small network beside its slow twin: precision, must_db, good, and stages (name, snr_db,
    #: largest, rms).
    twins: List[Dict[str, Any]]
    #: The model on one chunk: precision, load_s, first_s, second_s, snr_db, planned_bytes,
    #: before_bytes, after_bytes, repeats, convolutions.
    wholes: List[Dict[str, Any]]
    notes: List[str]
    good: bool


def self_test(model: Optional[Path] = None, config: Optional[Path] = None, *,
              like: str = "instvoc-hq", sound: Optional[Path] = None, device: str = "cpu",
              threads: int = 0, progress: Optional[Callable[[str], Any]] = None) -> SelfTest:
    """Tests separating on this machine: each stage beside its slow twin, and each precision.

    Args:
        model: None: a network without training, as the published configuration `like`.
        config: the model's YAML.
        like: instead of a model: one of `published_configs`.
        sound: a song whose middle is the chunk; None: a made one.
        device: "cpu", "cpu:avx2", "reference".
        threads: 0: one per processor.
        progress: f(name of the step); returning False cancels.
    """
    if progress is not None and not callable(progress):
        raise TypeError("progress is a function of the step's name, or None")
    return SelfTest(**told(_core.music_self_test(_maybe(model) or "", _maybe(config), like,
                                            _maybe(sound) or "", device, threads, progress)))
