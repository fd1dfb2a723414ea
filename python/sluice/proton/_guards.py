"""Numbers that say how wrong a dose may be.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple

from .. import _core
from .._words import told


class DoseWarning(UserWarning):
    """A dose may be wrong: what `run` tells through Python's `warnings`."""


@dataclass(frozen=True)
class Guard:
    """A number that says how wrong a dose may be."""

    name: str  #: stays the same from version to version
    value: float
    limit: float
    unit: str = ""
    severity: str = "warning"  #: "note", "warning" or "refusal"
    text: str = ""  #: what is wrong, with the value in it
    key: str = ""  #: which key needs which value, or empty
    wanted: str = ""

    def __str__(self) -> str:
        return str(_core.proton_sentences([self._numbers()])[0])

    def _numbers(self) -> Tuple[Any, ...]:
        return (self.name, self.value, self.limit, self.unit, self.severity, self.text, self.key,
                self.wanted)


def _guards(found: Any) -> List[Guard]:
    return [Guard(**told(guard)) for guard in found]


def refuse(guards: Sequence[Guard]) -> None:
    """Raises InvalidArgument with all refusals among them, if there are any."""
    _core.proton_refuse([guard._numbers() for guard in guards])


def summary(guards: Sequence[Guard]) -> str:
    """The names and numbers of all that are more than notes, in one line."""
    return str(_core.proton_summary([guard._numbers() for guard in guards]))
