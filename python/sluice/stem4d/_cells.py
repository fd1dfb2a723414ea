"""Crystals that are known: cells and their reflections.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Sequence, Tuple

from .. import _core
from .._options import Path
from .._words import told
from ._origins import _three


@dataclass(frozen=True)
class UnitCell:
    """A crystal that is known, as `load_cif` reads it."""

    name: str
    #: a, b and c in angstrom; alpha, beta and gamma in degrees.
    axes: Tuple[float, float, float]
    angles: Tuple[float, float, float]
    #: In a cell; 0: symmetry alone says which reflections are absent.
    atoms: int
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def spacing(self, hkl: Sequence[int]) -> float:
        """Of the planes of these indices, in angstrom."""
        return float(self._native.spacing(_three(hkl, "hkl")))

    def reflections(self, most_frequency: float) -> "dict[str, Any]":
        """Those that are not absent, up to a frequency in 1/angstrom, the lowest first: `hkl` [n, 3], `frequency`
        [n] in 1/angstrom and `strength` [n], |F| over the sum of all atoms."""
        return dict(self._native.reflections(float(most_frequency)))


def load_cif(path: Path) -> UnitCell:
    """The cell, the symmetry and the atoms of the first block of a CIF that has a cell.

    Raises:
        Error: text that is no CIF, with the line, or no cell.
    """
    native = _core.load_cif(os.fspath(path))
    fields = told(native.fields)
    return UnitCell(name=fields["name"], axes=tuple(fields["axes"]), angles=tuple(fields["angles"]),
                    atoms=fields["atoms"], notes=tuple(fields["notes"]), _native=native)
