"""Grains of several lattices, and the strain of each.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image
from .._errors import InvalidArgument
from .._options import Convention
from .._words import told
from ._basis import LatticeBasis, _basis, _numbers, _vectors
from ._bragg_vectors import BraggVectors
from ._lattice import LatticeFit, _fit
from ._strain import StrainMaps, _strain_maps


class Grain(NamedTuple):
    """One grain of a scan."""

    #: The median of its patterns.
    basis: LatticeBasis
    patterns: int
    #: Degrees by which it is turned from the first grain, the least that symmetry allows; NaN: it is
    #: another lattice.
    disorientation: float


@dataclass(frozen=True)
class GrainFit:
    """The grains of a scan, most patterns first, and the lattice of each pattern."""

    fit: LatticeFit
    grains: Tuple[Grain, ...]
    #: [row, col] of the scan: the number of a grain in `grains`; -1 where `fit.reason` says why.
    grain: NDArray[np.int64]
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)


@dataclass(frozen=True)
class GrainMaps:
    """Strain of each grain from the median of its own patterns."""

    strain: StrainMaps
    #: [row, col], from 1 on; NaN: none.
    grain: Image
    #: [row, col] of each pattern from the first grain, in degrees.
    disorientation: Image


def fit_grains(vectors: BraggVectors, first: Optional[LatticeBasis] = None, *, most_bases: int = 16,
               least_turn: float = 2.0, least_patterns: int = 2, tolerance: float = 0.0, cut: float = 4.0,
               least_disks: int = 4, model_variance: bool = True, device: str = "cpu", threads: int = 0) -> GrainFit:
    """Finds lattices in turn, each in the patterns that those before do not explain, and fits every pattern
    by the one that is least turned from it.

    Args:
        vectors: the disks.
        first: where to begin; None: `find_basis(vectors)`.
        most_bases: that are looked for.
        least_turn: degrees without a lattice between two grains.
        least_patterns: that a basis must fit.
        tolerance, cut, least_disks, model_variance: as of `fit_lattice`.

    Raises:
        Error: disks without a lattice.

    Example:
        >>> from sluice import load, stem4d
        >>> scan = load("synthetic:crystal?scan=4x8&dose=100000&grains=2&grain_turn=40")
        >>> grains = stem4d.fit_grains(stem4d.find_disks(scan))
        >>> bool((grains.grain >= 0).all())
        True
    """
    native = _core.fit_grains(_vectors(vectors), None if first is None else _numbers(first, "first"), int(most_bases),
                              float(least_turn), int(least_patterns), float(tolerance), float(cut), int(least_disks),
                              bool(model_variance), device, threads)
    fields = told(native.fields)
    grains = tuple(Grain(_basis(b), int(n), float(turn)) for b, n, turn in fields["grains"])
    basis = grains[0].basis if grains else LatticeBasis((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    return GrainFit(fit=_fit(basis, native.fit, (), vectors._axes), grains=grains, grain=fields["grain"],
                    notes=tuple(fields["notes"]), _native=native)


def grain_strain(fit: GrainFit, *, axis_degrees: float = 0.0, scan_rotation_degrees: float = 0.0,
                 transpose: bool = False, convention: Convention = "sluice") -> GrainMaps:
    """The strain of each grain from the median of its own patterns, and by how much patterns are turned.

    Args:
        fit: what `fit_grains` made.
        axis_degrees, scan_rotation_degrees, transpose, convention: as of `strain`.

    Raises:
        Error: no pattern belongs to a grain.
    """
    if not isinstance(fit, GrainFit):
        raise InvalidArgument(f"fit is a {type(fit).__name__}; give what fit_grains made")
    made = dict(_core.grain_strain(fit._native, float(axis_degrees), float(scan_rotation_degrees), bool(transpose),
                                   convention))
    return GrainMaps(_strain_maps(made["strain"], fit.fit.axes), made["grain"], made["disorientation"])
