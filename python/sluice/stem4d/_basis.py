"""Two vectors and an origin: the lattice that disks lie on.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence, Union

from numpy.typing import NDArray

from .. import _core
from .._arrays import Point, as_pair
from .._errors import InvalidArgument
from ._bragg_vectors import BraggVectors


class LatticeBasis(NamedTuple):
    """Disks lie at origin + h a + k b; each is (row, col) in pixels of the full detector."""

    origin: Point
    a: Point
    b: Point


def _basis(numbers: Any) -> LatticeBasis:
    row, col, a_row, a_col, b_row, b_col = (float(n) for n in numbers)
    return LatticeBasis((row, col), (a_row, a_col), (b_row, b_col))


#: What begins a lattice: a `LatticeBasis`, or (origin, a, b), each (row, col).
Basis = Union[LatticeBasis, Sequence[Any], NDArray[Any]]


def _numbers(basis: Any, name: str) -> "list[float]":
    try:
        origin, a, b = basis
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {basis!r}; it is a LatticeBasis, (origin, a, b) of (row, col) each") from None
    return [*as_pair(origin, f"{name}.origin"), *as_pair(a, f"{name}.a"), *as_pair(b, f"{name}.b")]


def _vectors(vectors: Any) -> Any:
    if not isinstance(vectors, BraggVectors):
        raise InvalidArgument(f"vectors is a {type(vectors).__name__}; give BraggVectors")
    return vectors._native


def find_basis(vectors: BraggVectors) -> LatticeBasis:
    """Two short vectors that index the disks of the whole scan, and the origin.

    Raises:
        Error: fewer than three places with disks, all on a line, or no basis that explains them.
    """
    numbers, _ = _core.find_basis(_vectors(vectors))
    return _basis(numbers)


def theoretical_basis(a: float, b: float, angle_degrees: float, pixel_size: float, like: LatticeBasis) -> LatticeBasis:
    """The lattice of theory in pixels, turned to where it fits `like` best: the strain from it is absolute.

    Args:
        a, b: spacings of the planes in angstrom.
        angle_degrees: between the two vectors.
        pixel_size: of a detector pixel, in 1/angstrom.
        like: a lattice that was found.
    """
    return _basis(_core.theoretical_basis(float(a), float(b), float(angle_degrees), float(pixel_size),
                                          _numbers(like, "like")))
