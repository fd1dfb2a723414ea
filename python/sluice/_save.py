"""Results in files: arrays, images in space and pictures, each with where it came from.

Every function writes under a temporary name and renames at the end: a file is there whole or not
at all, and one that stood there before stays until the new one is complete.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_numbers, as_numpy
from ._errors import InvalidArgument
from ._progress import Progress, shown

if TYPE_CHECKING:
    import xarray as xr

Path = Union[str, "os.PathLike[str]"]


class Provenance:
    """Where a result comes from: texts by name, as the program writes them into its own files.

    It begins with `program`, `version`, `commit`, `command` and a `source` for each file, with its
    bytes. Values of one name are joined with line breaks in the file.

    Args:
        command: what made the result, as a person would type it.
        sources: the files that it was made of.
        fields: more texts by name.

    Example:
        >>> import sluice
        >>> where = sluice.Provenance("notebook 7", note="second try")
        >>> where["command"], where["note"]
        ('notebook 7', 'second try')
    """

    def __init__(self, command: str = "", sources: Sequence[Path] = (), **fields: str) -> None:
        self.fields: List[Tuple[str, str]] = list(
            _core.provenance_of(command, [os.fspath(source) for source in sources]))
        for name, value in fields.items():
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """One more text."""
        self.fields.append((str(name), str(value)))

    def __getitem__(self, name: str) -> str:
        found = [value for known, value in self.fields if known == name]
        if not found:
            raise KeyError(name)
        return "\n".join(found)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.fields))

    def __repr__(self) -> str:
        return f"<sluice.Provenance of {', '.join(self)}>"


Where = Union[Provenance, Mapping[str, Any], None]


def _fields(provenance: Where) -> List[Tuple[str, str]]:
    if provenance is None:
        return Provenance().fields
    if isinstance(provenance, Provenance):
        return provenance.fields
    if not isinstance(provenance, Mapping):
        raise InvalidArgument(f"provenance is a {type(provenance).__name__}; it is a Provenance, a "
                              "dictionary of texts, or None")
    made = Provenance()
    for name, value in provenance.items():
        for text in [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) \
                else value:
            made.add(name, text)
    return made.fields


def _elements(array: Any, name: str) -> "tuple[NDArray[Any], str, list[int]]":
    """The bytes of a dense array, its type and its shape."""
    given = as_numpy(array, name)
    dense = np.ascontiguousarray(given.astype(given.dtype.newbyteorder("="), copy=False))
    if dense.dtype.kind not in "biufc" or dense.dtype.itemsize > 16 \
            or dense.dtype == np.longdouble:
        raise InvalidArgument(f"{name} has dtype {given.dtype}; numbers of NumPy's own types can be "
                              "saved")
    return dense.reshape(-1).view(np.uint8), dense.dtype.name, list(given.shape)


def save_npy(path: Path, array: Any, progress: Progress = None) -> None:
    """Writes an array of any shape and number type as NPY 1.0, in C order and little-endian.

    Args:
        path: the file.
        array: NumPy's, or whatever becomes one.
        progress: f(done, total) in bytes; returning False cancels, and no file appears.

    Raises:
        InvalidArgument: elements that are not numbers. IoError: the disk.

    Example:
        >>> import sluice, numpy, tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sluice.save_npy(os.path.join(folder, "a.npy"), numpy.eye(3))
        ...     numpy.load(os.path.join(folder, "a.npy")).sum()
        np.float64(3.0)
    """
    with shown(progress, "npy") as tell:
        _core.save_npy(os.fspath(path), *_elements(array, "the array"), tell)


def save_tiff(path: Path, pages: Any, provenance: Where = None, *, samples: bool = False) -> None:
    """Writes an array [row, col], or [..., row, col] as a page for each of the others.

    Args:
        path: the file; more than 4 GB become a BigTIFF.
        pages: uint8, uint16, int32, float32 or float64.
        provenance: a `Provenance` or a dictionary of texts; a JSON object in ImageDescription.
        samples: the last axis holds 1, 3 or 4 samples of a pixel, the fourth an alpha.

    Raises:
        InvalidArgument: another type or shape.
    """
    array = as_numpy(pages, "pages")
    if array.dtype.newbyteorder("=") not in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        raise InvalidArgument(f"pages have dtype {array.dtype}; TIFF files of uint8, uint16, int32, "
                              "float32 and float64 are written")
    axes = 3 if samples else 2
    if array.ndim < axes or (samples and array.shape[-1] not in (1, 3, 4)):
        raise InvalidArgument(f"pages have the shape {array.shape}; they are [..., row, col"
                              + (", sample], with 1, 3 or 4 samples" if samples else "]"))
    if array.size == 0:
        raise InvalidArgument(f"pages have the shape {array.shape}, without a pixel")
    values, dtype, shape = _elements(array, "pages")
    _core.save_tiff(os.fspath(path), values, dtype, shape if samples else [*shape, 1],
                    _fields(provenance))


def _for_hdf5(array: Any, name: str) -> NDArray[Any]:
    given = as_numpy(array, name)
    if given.dtype.kind not in "buif":
        raise InvalidArgument(f"{name} has dtype {given.dtype}; HDF5 files of real numbers are "
                              "written")
    if given.dtype.kind in "bu":
        return np.ascontiguousarray(given, dtype=np.uint64)
    if given.dtype.itemsize <= 4 and given.dtype.kind == "f":
        return np.ascontiguousarray(given, dtype=np.float32)
    out = np.ascontiguousarray(given, dtype=np.float64)
    if given.dtype.kind == "i" and np.any(out.astype(given.dtype) != given):
        raise InvalidArgument(f"{name} has integers that float64 does not hold; save them as NPY")
    return out


def save_hdf5(path: Path, arrays: Mapping[str, Any], provenance: Where = None, *,
              units: Optional[Mapping[str, str]] = None) -> None:
    """Writes a dataset for each array, with the attribute `units`.

    Args:
        path: the file; it is put together in memory first.
        arrays: by name below the root, as "com/row". Unsigned integers become uint64, signed ones
            float64 where that is exact, float16 and float32 become float32.
        provenance: attributes of the root.
        units: of some of the arrays, by the same names.

    Raises:
        InvalidArgument: names that HDF5 does not have, elements that are not real numbers.
    """
    if not isinstance(arrays, Mapping):
        raise InvalidArgument("arrays is a dictionary of arrays by name")
    known = dict(units or {})
    for name in known:
        if name not in arrays:
            raise InvalidArgument(f"a unit of '{name}', which is not one of the arrays")
    given = []
    for name, array in arrays.items():
        dense = _for_hdf5(array, f"'{name}'")
        shape = as_numpy(array, name).shape
        given.append((str(name), str(known.get(name, "")), dense.reshape(shape)))
    _core.save_hdf5(os.fspath(path), given, _fields(provenance))


def save_png(path: Path, picture: Any, provenance: Where = None) -> None:
    """Writes a picture [row, col, 3] of uint8 (sRGB), or a grey one [row, col].

    Raises:
        InvalidArgument: another type or shape; nothing is scaled or clipped here.
    """
    array = as_numpy(picture, "the picture")
    if array.dtype != np.uint8:
        raise InvalidArgument(f"the picture has dtype {array.dtype}; it is uint8, 0 to 255")
    if array.ndim == 2:
        array = np.repeat(array[:, :, None], 3, axis=2)
    if array.ndim != 3 or array.shape[2] != 3:
        raise InvalidArgument(f"the picture has the shape {array.shape}; it is [row, col, 3]")
    _core.save_png(os.fspath(path), np.ascontiguousarray(array), _fields(provenance))


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
        """[y, x] or [z, y, x], with coordinates in mm where they are known and the axes are those of space."""
        import xarray as xr
        names = "zyx"[-self.image.ndim:]
        coordinates = {}
        if self.spacing is not None and not self.turned:
            origin = self.origin or (0.0,) * len(names)
            coordinates = {name: (name, first + np.arange(size) * step, {"units": "mm"}) for name, size, step, first
                           in zip(names, self.shape, self.spacing[::-1], origin[::-1])}
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


__all__: List[str] = ["Provenance", "Volume", "load_volume", "save_hdf5", "save_metaimage",
                      "save_npy", "save_nrrd", "save_png", "save_tiff"]
