"""Values of images in space: at points, on planes and lines in mm, and how two images differ.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._volume import as_volume

Place = Tuple[float, float, float]


def _place(value: Any, name: str) -> Place:
    try:
        x, y, *z = (float(v) for v in value)
        third, = z or [0.0]
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {value!r}; it is two or three numbers in mm, x first") \
            from None
    return x, y, third


def sample(volume: Any, places: Any) -> Any:
    """Values at places: linear between the middles of elements, NaN outside.

    Args:
        volume: a `Volume`, an array, or the name of a file.
        places: [..., 2 or 3] in mm, x first; the third number of an image of two axes is not read.

    Returns:
        A number for one place, else an array [...].

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> proton.sample(proton.Volume(numpy.eye(2), spacing=(1, 1), origin=(0, 0)), (0.5, 0))
        0.5
    """
    array = as_numpy(places, "places")
    if array.ndim < 1 or array.shape[-1] not in (2, 3):
        raise InvalidArgument(f"places have the shape {array.shape}; they are [..., 2 or 3], x first")
    flat = as_numbers(array.reshape(-1, array.shape[-1]), "places", ("place", "axis"))
    if flat.shape[1] == 2:
        flat = np.column_stack([flat, np.zeros(len(flat))])
    out = _core.proton_sample(as_volume(volume), np.ascontiguousarray(flat))
    return float(out[0]) if array.ndim == 1 else out.reshape(array.shape[:-1])


@dataclass(frozen=True)
class Plane:
    """A plane along two axes of space: rows go along `down`, columns along `across`."""

    across: int = 0  #: axes, 0 to 2, different ones
    down: int = 1
    rows: int = 1
    columns: int = 1
    step_across: float = 1.0  #: mm; negative: from the axis's other end
    step_down: float = 1.0
    first: Place = (0.0, 0.0, 0.0)  #: of row 0, column 0, mm


def plane_of(volume: Any, across: int = 0, down: int = 1, at: float = 0.0, *,
             across_back: bool = False, down_back: bool = False) -> Plane:
    """The plane through a volume's own elements; `at` is its place along the third axis, mm."""
    return Plane(**_core.proton_plane_of(as_volume(volume), across, bool(across_back), down,
                                         bool(down_back), float(at)))


def sample_plane(volume: Any, plane: Plane) -> NDArray[np.float32]:
    """[row, column]: what `sample` gives at each point of a plane."""
    if not isinstance(plane, Plane):
        raise InvalidArgument(f"plane is a {type(plane).__name__}; give a Plane")
    out: NDArray[np.float32] = _core.proton_sample_plane(
        as_volume(volume), plane.across, plane.down, plane.rows, plane.columns,
        float(plane.step_across), float(plane.step_down), _place(plane.first, "first"))
    return out


def sample_line(volume: Any, axis: int, through: Sequence[float],
                positions: Any) -> NDArray[np.float32]:
    """What `sample` gives on a line through a place along an axis (0 is x), at each of the
    positions, mm."""
    out: NDArray[np.float32] = _core.proton_sample_line(
        as_volume(volume), axis, _place(through, "through"),
        as_numbers(positions, "positions", ("position",)))
    return out


def stations(volumes: Sequence[Any], axis: int) -> NDArray[np.float64]:
    """All middles of some volumes along an axis, ascending, mm; near ones are one."""
    out: NDArray[np.float64] = _core.proton_stations([as_volume(v) for v in volumes], axis)
    return out


@dataclass(frozen=True)
class ValueRange:
    """What the values of an image are like."""

    least: float  #: of the finite values; NaN where there are none
    most: float
    most_at: Place  #: the middle of the first element that has `most`, mm
    not_finite: int  #: values that are NaN or infinite


def value_range(volume: Any) -> ValueRange:
    """The least and the most of an image, and where."""
    return ValueRange(**_core.proton_value_range(as_volume(volume)))


@dataclass(frozen=True)
class Difference:
    """How one image differs from another."""

    points: int  #: elements of the first where both have a finite value
    mean: float  #: of a - b; NaN where there are no points
    mean_size: float  #: of |a - b|
    least: float  #: of a - b
    most: float
    least_at: Place  #: mm
    most_at: Place


def comparable(a: Any, b: Any) -> None:
    """Raises InvalidArgument where places in mm do not mean the same in two images."""
    _core.proton_comparable(as_volume(a), as_volume(b))


def difference(a: Any, b: Any, progress: Progress = None) -> Difference:
    """a - b at the elements of a; b is sampled there.

    Args:
        a, b: `Volume`, array, or the name of a file.
        progress: f(planes of a done, all); returning False cancels.
    """
    with shown(progress, "difference", "plane") as tell:
        return Difference(**_core.proton_difference(as_volume(a), as_volume(b), tell))
