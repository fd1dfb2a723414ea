"""Maps of orientations: grains, boundaries, colours and pole figures.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Image
from .._errors import InvalidArgument
from .._options import Path
from ._orientation import OrientationMap
from ._origins import _three

Direction = Tuple[float, float, float]
#: Of the sample: along the columns of the scan, along its rows, along the beam.
AXES: Tuple[Direction, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _of(map: Any) -> Any:
    if not isinstance(map, OrientationMap):
        raise InvalidArgument(f"map is a {type(map).__name__}; give what orientation or load_orientations made")
    return map._native


def _direction(value: Any) -> List[float]:
    numbers = [float(x) for x in np.ravel(value)]
    if len(numbers) != 3:
        raise InvalidArgument(f"a direction is {value!r}; give its parts along the sample's x, y and z")
    return numbers


@dataclass(frozen=True)
class OrientationGrain:
    """Patterns of one phase beside each other that lie alike."""

    #: Number in `OrientationMap.phases`.
    phase: int
    #: The mean of its patterns: w, x, y, z, and Bunge's angles in degrees.
    quaternion: Tuple[float, float, float, float]
    euler: Tuple[float, float, float]
    #: Mean and largest disorientation of its patterns from the mean.
    spread_degrees: float
    farthest_degrees: float
    patterns: int
    #: Of the circle of its area; 0: the map has no step.
    diameter_nm: float
    #: The middle of its patterns.
    row: float
    col: float


@dataclass(frozen=True)
class OrientationGrains:
    """The grains of a map, those of most patterns first."""

    grains: Tuple[OrientationGrain, ...]
    #: [row, col]: number in `grains`; -1: in none.
    grain: NDArray[np.int32]
    #: Disorientation of each pattern from the mean of its grain, and the spread of its grain, in degrees; NaN: in none.
    from_mean: Image
    spread: Image
    notes: Tuple[str, ...]


def find_orientation_grains(map: OrientationMap, *, threshold_degrees: float = 5.0,
                            least_patterns: int = 3) -> OrientationGrains:
    """Joins indexed patterns, row by row and column by column.

    Args:
        map: of orientations.
        threshold_degrees: neighbours of one phase that differ less are of one grain.
        least_patterns: what is smaller is no grain.
    """
    found = dict(_core.orientation_grains(_of(map), float(threshold_degrees), int(least_patterns)))
    grains = tuple(OrientationGrain(**{**g, "quaternion": tuple(g["quaternion"]), "euler": tuple(g["euler"])})
                   for g in found.pop("grains"))
    return OrientationGrains(grains=grains, notes=tuple(found.pop("notes")), **found)


def orientation_boundaries(map: OrientationMap, least_degrees: float = 5.0) -> "Tuple[NDArray[np.int64], Image]":
    """Where indexed neighbours differ by at least so much, or in their phases.

    Returns:
        [n, 2] numbers of patterns (row times columns plus column), and [n] disorientations in degrees; NaN: between
        two phases.
    """
    found = _core.orientation_boundaries(_of(map), float(least_degrees))
    return found["patterns"], found["degrees"]


@dataclass(frozen=True)
class DisorientationHistogram:
    """How often crystals of a phase differ by which angle, per degree: bins times their width add up to 1."""

    bin_degrees: float
    #: Of patterns beside or below each other, of patterns wherever they are, and of crystals that lie in any way.
    neighbours: Image
    drawn: Image
    random: Image
    neighbour_pairs: int
    drawn_pairs: int


def disorientation_histogram(map: OrientationMap, phase: int = 0, *, bin_degrees: float = 1.0,
                             least_degrees: float = 0.0, pairs: int = 100000) -> DisorientationHistogram:
    """Disorientations of a phase, beside those that chance would make.

    Args:
        map: of orientations.
        phase: number in `map.phases`.
        bin_degrees: width of a bin.
        least_degrees: pairs that differ less are left out.
        pairs: that are drawn; the draw is the same each time.
    """
    return DisorientationHistogram(**_core.disorientation_histogram(
        _of(map), int(phase), float(bin_degrees), float(least_degrees), int(pairs)))


def kernel_average_misorientation(map: OrientationMap, *, rings: int = 1, most_degrees: float = 5.0) -> Image:
    """The mean disorientation of each pattern from its neighbours of its phase, in degrees.

    Args:
        map: of orientations.
        rings: neighbours are up to so many steps along rows and columns away.
        most_degrees: those that differ more are of another grain, and left out.
    """
    image: Image = _core.kernel_average_misorientation(_of(map), int(rings), float(most_degrees))
    return image


def ipf_colors(map: OrientationMap, direction: Sequence[float] = AXES[2], *,
               white: bool = False) -> NDArray[np.uint8]:
    """[row, col, 3]: red, green and blue of the crystal's direction along one of the sample. Indexed patterns are
    never black or white, and others always are.

    Args:
        map: of orientations.
        direction: of the sample: its parts along x (columns), y (rows) and z (the beam).
        white: patterns that are not indexed are white, else black.
    """
    colors: NDArray[np.uint8] = _core.ipf_colors(_of(map), _direction(direction), bool(white))
    return colors


def save_ipf_map(path: Path, map: OrientationMap, directions: Sequence[Sequence[float]] = AXES, *,
                 white: bool = False, boundary_degrees: float = 0.0) -> None:
    """A picture of `ipf_colors` for each direction, with the triangles of the phases.

    Args:
        path: ends with .png, .svg or .pdf.
        map: of orientations.
        directions: of the sample.
        white: patterns that are not indexed are white, else black.
        boundary_degrees: lines where neighbours differ by so much; 0: none.
    """
    _core.save_ipf_map(os.fspath(path), _of(map), [_direction(d) for d in directions], bool(white),
                       float(boundary_degrees))


@dataclass(frozen=True)
class PoleDensity:
    """How often directions occur, in multiples of what crystals that lie in any way would have."""

    #: [row, col] of the square around the equal-area projection of a hemisphere; NaN outside.
    values: Image
    largest: float
    #: That took part; 0: all values are 0.
    patterns: int


def pole_density(map: OrientationMap, hkl: Sequence[int], phase: int = 0, *,
                 halfwidth_degrees: float = 5.0) -> PoleDensity:
    """Where the normals of planes {hkl} point in the sample: x (columns) to the right, y (rows) down, seen from where
    the electrons come from.

    Args:
        map: of orientations.
        hkl: of the planes, those that symmetry makes equal included.
        phase: number in `map.phases`.
        halfwidth_degrees: each pole is smeared so far, 1 to 45.
    """
    return PoleDensity(**_core.pole_density(_of(map), _three(hkl, "hkl"), int(phase), float(halfwidth_degrees)))


def inverse_pole_density(map: OrientationMap, direction: Sequence[float] = AXES[2], phase: int = 0, *,
                         halfwidth_degrees: float = 5.0) -> PoleDensity:
    """Which directions of the crystal point along one of the sample: x to the right, y up, seen from z.

    Args:
        map: of orientations.
        direction: of the sample.
        phase: number in `map.phases`.
        halfwidth_degrees: each direction is smeared so far, 1 to 45.
    """
    return PoleDensity(**_core.inverse_pole_density(_of(map), _direction(direction), int(phase),
                                                    float(halfwidth_degrees)))


def save_pole_figures(path: Path, map: OrientationMap, planes: Sequence[Sequence[int]], phase: int = 0, *,
                      halfwidth_degrees: float = 5.0, projection: str = "equal-area") -> None:
    """A picture of `pole_density` for each family of planes.

    Args:
        path: ends with .png, .svg or .pdf.
        map: of orientations.
        planes: (h, k, l) of each.
        phase: number in `map.phases`.
        halfwidth_degrees: each pole is smeared so far, 1 to 45.
        projection: "equal-area" or "stereographic".
    """
    _core.save_pole_figures(os.fspath(path), _of(map), [_three(p, "planes") for p in planes], int(phase),
                            float(halfwidth_degrees), projection)


def save_inverse_pole_figures(path: Path, map: OrientationMap, directions: Sequence[Sequence[float]] = AXES,
                              phase: int = 0, *, halfwidth_degrees: float = 5.0,
                              projection: str = "equal-area") -> None:
    """A picture of `inverse_pole_density` in the triangle of the phase, for each direction of the sample.

    Args:
        path: ends with .png, .svg or .pdf.
        map: of orientations.
        directions: of the sample.
        phase: number in `map.phases`.
        halfwidth_degrees: each direction is smeared so far, 1 to 45.
        projection: "equal-area" or "stereographic".
    """
    _core.save_inverse_pole_figures(os.fspath(path), _of(map), [_direction(d) for d in directions], int(phase),
                                    float(halfwidth_degrees), projection)
