"""Images in space, and their files: MetaImage and NRRD.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_numbers, as_numpy
from ._errors import InvalidArgument
from ._options import Path
from ._provenance import Where, _fields

if TYPE_CHECKING:
    import xarray as xr


class Volume:
    """An image in space: float32 [y, x] or [z, y, x], and where the middles of its elements lie.

    Args:
        image: two or three axes of real numbers; a copy is kept, as float32.
        spacing: mm between elements, in the order of files: x first. None: not known.
        origin: the middle of the first element, mm, x first. None: not known.
        direction: [axis, component] unit vectors of the axes, x first; components are counted to
            the left, the back and the head. None: the axes are those of space.
        content: what it is and its unit, as in "dose, Gy".

    Example:
        >>> import sluice, numpy
        >>> v = sluice.Volume(numpy.zeros((4, 5)), spacing=(1, 2))
        >>> v.shape, v.spacing
        ((4, 5), (1.0, 2.0))
    """

    def __init__(self, image: Any, spacing: Optional[Sequence[float]] = None,
                 origin: Optional[Sequence[float]] = None, *, direction: Any = None,
                 content: str = "") -> None:
        array = as_numpy(image, "the image")
        if array.ndim not in (2, 3):
            raise InvalidArgument(f"the image has {array.ndim} axes; it is [y, x] or [z, y, x]")
        dense = as_numbers(array, "the image", "zyx"[-array.ndim:], np.float32)
        self._native = _core.make_volume(dense, _along(spacing, "spacing", array.ndim),
                                         _along(origin, "origin", array.ndim),
                                         _directions(direction, array.ndim), str(content))

    @classmethod
    def _of(cls, native: Any) -> "Volume":
        made = cls.__new__(cls)
        made._native = native
        return made

    @property
    def image(self) -> NDArray[np.float32]:
        """[y, x] or [z, y, x], float32: the volume's own memory."""
        out: NDArray[np.float32] = self._native.image
        return out

    @property
    def shape(self) -> Tuple[int, ...]:
        """Of the image: rows of files run along its last axis."""
        return tuple(self.image.shape)

    @property
    def spacing(self) -> Optional[Tuple[float, ...]]:
        """mm, x first; None where it is not known."""
        return tuple(self._native.spacing) or None

    @property
    def origin(self) -> Optional[Tuple[float, ...]]:
        """The middle of the first element, mm, x first; None where it is not known."""
        return tuple(self._native.origin) or None

    @property
    def turned(self) -> bool:
        """Whether the axes are not those of space: mirrored, exchanged or oblique."""
        return bool(self._native.turned)

    @property
    def direction(self) -> NDArray[np.float64]:
        """[axis, component] the unit vectors of the axes x, y, z."""
        return np.array(self._native.direction)

    def to_xarray(self) -> "xr.DataArray":
        """[y, x] or [z, y, x], with coordinates in mm where they are known and the axes are those of space; axes
        that are mirrored have coordinates that descend."""
        import xarray as xr
        names = "zyx"[-self.image.ndim:]
        coordinates = {}
        signs = np.diag(self.direction)
        if self.spacing is not None and np.allclose(self.direction, np.diag(np.sign(signs)), rtol=0, atol=1e-6):
            origin = self.origin or (0.0,) * len(names)
            coordinates = {name: (name, first + np.arange(size) * step * sign, {"units": "mm"})
                           for name, size, step, first, sign in
                           zip(names, self.shape, self.spacing[::-1], origin[::-1],
                               np.sign(signs[:len(names)][::-1]))}
        what, _, unit = self.content.partition(", ")
        return xr.DataArray(self.image, dims=tuple(names), coords=coordinates, name=what or "volume",
                            attrs={"units": unit} if unit else {})

    @property
    def content(self) -> str:
        """What it is and its unit."""
        return str(self._native.content)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            return self.image if dtype is None else self.image.astype(dtype, copy=False)
        return np.array(self.image, dtype=dtype)

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        return _volume, (self.image, self.spacing, self.origin, self.direction, self.content)

    def __repr__(self) -> str:
        sides = "x".join(map(str, self.shape))
        return f"<sluice.Volume {sides}, spacing {self.spacing}, {self.content or 'no content'}>"


def _volume(image: Any, spacing: Any, origin: Any, direction: Any, content: str) -> Volume:
    return Volume(image, spacing, origin, direction=direction, content=content)


def _directions(values: Any, axes: int) -> List[List[float]]:
    out = np.eye(3)
    if values is None:
        return list(out.tolist())
    try:
        given = np.array(values, np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape not in ((3, 3), (axes, axes)) \
            or not np.allclose(np.linalg.norm(given, axis=1), 1, rtol=0, atol=1e-6):
        raise InvalidArgument(f"direction is {values!r}; it is a unit vector for each axis, x "
                              f"first: an array of 3x3 or {axes}x{axes}")
    out[:len(given), :len(given)] = given
    return list(out.tolist())


def _along(values: Optional[Sequence[float]], name: str, axes: int) -> List[float]:
    if values is None:
        return []
    try:
        out = [float(value) for value in values]
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {values!r}; it is {axes} numbers in mm, x first") from None
    if len(out) != axes or not all(np.isfinite(out)) or (name == "spacing" and min(out) <= 0):
        raise InvalidArgument(f"{name} is {values!r}; it is {axes} numbers in mm, x first"
                              + (", above 0" if name == "spacing" else ""))
    return out


def as_volume(value: Any, name: str = "the volume") -> Any:
    """The compiled volume of a `Volume`, an array, or a file's name."""
    if isinstance(value, Volume):
        return value._native
    if isinstance(value, (str, os.PathLike)):
        return load_volume(value)._native
    try:
        return Volume(value)._native
    except InvalidArgument as error:
        raise InvalidArgument(f"{name}: {error}") from None


def load_volume(path: Path, most_bytes: Optional[int] = None) -> Volume:
    """Reads MetaImage (.mhd, .mha), NRRD (.nrrd, .nhdr), NPY or DICOM, as float32.

    Args:
        path: the file; elements may be integers or floats of any byte order, raw or packed. Of
            DICOM a CT series (its folder, or one of its files) in HU, or an RT dose in Gy.
        most_bytes: more memory for its elements is refused before any is taken.

    Raises:
        NotFound, Unsupported, Corrupt, Truncated, OutOfMemory.
    """
    return Volume._of(_core.load_volume(os.fspath(path), most_bytes))


def save_metaimage(path: Path, volume: "Union[Volume, Any]") -> None:
    """Writes MetaImage of float32: `.mha` holds header and elements; beside `.mhd` they become
    `.raw`. An array has a spacing of 1 mm and its origin at 0."""
    _core.save_metaimage(os.fspath(path), as_volume(volume))


def save_nrrd(path: Path, volume: "Union[Volume, Any]", provenance: Where = None) -> None:
    """Writes NRRD of float32 in one file; the provenance becomes comments."""
    _core.save_nrrd(os.fspath(path), as_volume(volume), _fields(provenance))
