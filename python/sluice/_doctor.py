"""What this machine can do, and what is wrong with it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from . import _core
from ._options import Path
from ._words import told


@dataclass(frozen=True)
class Examination:
    """What `doctor` measured; `findings` is empty for a healthy machine."""

    #: part, name, text, value, unit, expected (at least; least: the same in words), rule, not_taken ("": it was),
    #: topic ("limits", "noise", "instructions" or ""), waited (part of the time that threads had no processor).
    rows: List[Dict[str, Any]]
    #: How much faster all threads are than one: work, threads, factor, expected (at least), not_taken.
    scaling: List[Dict[str, Any]]
    #: rule, text, advice, evidence.
    findings: List[Dict[str, str]]
    seconds: float
    quick: bool

    def __str__(self) -> str:
        lines = [f"{row['part']}: {row['name']}: {row['text'] or row['not_taken']}" for row in self.rows]
        return "\n".join(lines + [f"* {f['text']} {f['advice']}" for f in self.findings])


def doctor(*, quick: bool = False, folder: Path = ".",
           progress: Optional[Callable[[int, int], Any]] = None) -> Examination:
    """Measures this machine beside what such a machine gives.

    Takes half a minute, or with `quick` some seconds. Rates that other programs disturbed say so in
    their row's not_taken, and no finding rests on them.

    Args:
        quick: fewer and shorter rounds.
        folder: on the disk to measure; nothing is left there.
        progress: f(steps done, all); returning False cancels.

    >>> import sluice
    >>> found = sluice.doctor(quick=True)
    >>> sorted({row["part"] for row in found.rows})
    ['disk', 'gpu', 'memory', 'processors', 'work']
    """
    return Examination(**told(_core.doctor(quick, os.fspath(folder), progress)))
