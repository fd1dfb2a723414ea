"""What a reconstruction shows while it is at work.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, List

import numpy as np
from numpy.typing import NDArray

from .._words import said



class PtychographyView:
    """A reconstruction between two iterations; it is good while `watch` is called.

    Every property makes a copy when it is read, which is yours to keep.
    """

    def __init__(self, look: Any) -> None:
        self._look = look

    def __repr__(self) -> str:
        r = self.r
        return f"PtychographyView(iteration {len(r)} of {self.iterations}, R {r[-1]:.4f})"

    @property
    def iteration(self) -> int:
        """Iterations that are done."""
        return len(self.r)

    @property
    def iterations(self) -> int:
        """Of all stages."""
        return int(self._look.iterations)

    @property
    def r(self) -> NDArray[np.float64]:
        """R of every iteration that is done."""
        r: NDArray[np.float64] = self._look.r
        return r

    @property
    def floor(self) -> float:
        """The R that counting alone leaves; it costs the time of 200 patterns and more."""
        return float(self._look.floor)

    @property
    def object(self) -> NDArray[np.complex64]:
        """[slice, row, col]."""
        values: NDArray[np.complex64] = self._look.object
        return values

    @property
    def probe(self) -> NDArray[np.complex64]:
        """[mode, row, col]."""
        values: NDArray[np.complex64] = self._look.probe
        return values

    @property
    def positions(self) -> NDArray[np.float64]:
        """[pattern, 2]: the windows' first pixels on the object."""
        values: NDArray[np.float64] = self._look.positions
        return values

    @property
    def started(self) -> NDArray[np.float64]:
        """[pattern, 2]: the same places as they were at first."""
        values: NDArray[np.float64] = self._look.started
        return values

    @property
    def notes(self) -> List[str]:
        """So far."""
        return [said(note) for note in self._look.notes]
