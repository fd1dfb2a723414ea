"""Arrays and pictures in files, each with where it came from.

Every function writes under a temporary name and renames at the end: a file is there whole or not
at all, and one that stood there before stays until the new one is complete.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Mapping, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_numpy
from ._errors import InvalidArgument
from ._options import Path
from ._progress import Progress, shown
from ._provenance import Where, _fields


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
