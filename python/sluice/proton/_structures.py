"""Structures in doses: what part of each element lies in one, and histograms of their doses.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._errors import InvalidArgument
from .._volume import as_volume
from ._metrics import Dvh
from ._physics import _number
from ._plan import Structure

NamedContours = Tuple[str, List[NDArray[np.float64]]]


def named_contours(structure: Any) -> NamedContours:
    """What the compiled module takes of a structure."""
    if not isinstance(structure, Structure):
        raise InvalidArgument(f"the structure is a {type(structure).__name__}; give one of "
                              "load_structures()")
    return str(structure.name), [as_numbers(as_numpy(c, "a contour"), "a contour", ("corner", "axis"))
                                 for c in structure.contours]


def check_coordinates(dose: Any, structure: Structure) -> None:
    """A file of DICOM tells its coordinates: they are those of the structure."""
    if not isinstance(dose, (str, os.PathLike)) or not structure.frame_of_reference:
        return
    frame = _core.frame_of_reference(os.fspath(dose))
    if frame and frame != structure.frame_of_reference:
        raise InvalidArgument(f"{os.fspath(dose)} lies in the coordinates {frame} (FrameOfReferenceUID), and the "
                              f"structure in {structure.frame_of_reference}; give both of one CT")


@dataclass(frozen=True, eq=False)
class StructureDvh(Dvh):
    """The histogram of a structure: of what lies in the dose's grid. `area` is in its elements."""

    volume_cm3: float  #: of the whole structure
    inside_cm3: float  #: of what lies in the dose's grid
    samples: int  #: that were taken along each axis of an element


def structure_dvh(dose: Any, structure: Structure, *, samples: int = 0) -> StructureDvh:
    """The histogram of a dose in a structure of contours.

    Each element of the dose counts by the part of it that is in the structure, or each sample in it
    by that of its box; the dose is interpolated between the middles of elements. What lies outside
    of the grid does not count: compare `inside_cm3` with `volume_cm3`.

    Args:
        dose: a `Volume` [z, y, x] with spacing and origin, or the name of a file; in any unit. It
            lies in the coordinates of the structure, which is checked where files of DICOM say so.
        structure: one of `load_structures`.
        samples: along each axis of an element; 1: its middle alone. 0: four, and more where a
            structure has fewer than 80 across.

    Raises:
        InvalidArgument: no contours, or of one plane; the structure lies outside of the dose; the
            dose is not finite in it; other coordinates.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> square = numpy.array([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0.0)])
        >>> target = proton.Structure(1, "target", "PTV", (square, square + (0, 0, 3)))
        >>> dose = proton.Volume(numpy.full((9, 9, 9), 2.0), (3, 3, 3), (-12, -12, -12))
        >>> found = proton.structure_dvh(dose, target)
        >>> round(found.volume_cm3, 3), found.coverage(0.95)
        (1.944, 2.0)
    """
    contours = named_contours(structure)
    check_coordinates(dose, structure)
    return StructureDvh(**_core.proton_structure_dvh(as_volume(dose, "the dose"), contours,
                                                     int(_number(samples, "samples"))))


def structure_parts(structure: Structure, volume: Any) -> NDArray[np.float32]:
    """[z, y, x], 0 to 1: what part of each element of a volume lies in a structure.

    Exact areas of the contours (one within another is a hole: even and odd). Planes reach half way
    to their neighbours; the outermost, and those whose neighbour is farther than 1.5 of the usual
    distance, half of this. `dvh` takes the result as its mask.

    Args:
        structure: one of `load_structures`.
        volume: a `Volume` of three axes with spacing and origin, or the name of a file.

    Raises:
        InvalidArgument: no contours, or of one plane, or oblique ones; an oblique volume.

    Example:
        >>> import numpy
        >>> from sluice import proton
        >>> square = numpy.array([(0, 0, 0), (3, 0, 0), (3, 4, 0), (0, 4, 0.0)])
        >>> box = proton.Structure(1, "box", "", (square, square + (0, 0, 2)))
        >>> grid = proton.Volume(numpy.zeros((1, 1, 2)), (2, 4, 2), (1, 2, 0))
        >>> proton.structure_parts(box, grid).tolist()
        [[[1.0, 0.5]]]
    """
    parts: NDArray[np.float32] = _core.structure_parts(named_contours(structure), as_volume(volume))[0]
    return parts
