"""Frames that are read when they are asked for, as arrays of other packages.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import collections
import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Type

import numpy as np

from .. import _core
from .._axes import axes_of
from .._cluster import digest
from .._options import OpenOptions

if TYPE_CHECKING:
    import dask.array as da
    import xarray as xr
    from hyperspy._signals.signal2d import LazySignal2D  # type: ignore[import-not-found,import-untyped,unused-ignore]

    from ._dataset import Dataset
    from ._scan import Scan

CHUNK_BYTES = 128 << 20

#: Names of the axes, as xarray has them.
DIMENSIONS = ("scan_row", "scan_col", "detector_row", "detector_col")

_lock = threading.Lock()
_opened: "collections.OrderedDict[Any, Dataset]" = collections.OrderedDict()


class OneThread:
    """A dataset that reads with one thread, because a scheduler has many; it travels by its path,
    and a process opens the file once."""

    def __init__(self, dataset: "Dataset") -> None:
        self._dataset = dataset
        self.shape = dataset.shape
        self.ndim = dataset.ndim
        self.dtype = dataset.dtype

    def __getitem__(self, index: Any) -> Any:
        return self._dataset._read_with(index, threads=1)

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        if self._dataset._how is None:
            raise TypeError("a dataset of an array in memory does not travel to other processes; "
                            "use dask.array.from_array on the array itself")
        return _again, (type(self._dataset), self._dataset._how, self._dataset.__dask_tokenize__())

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        return self._dataset.__dask_tokenize__()


def _again(kind: "Type[Dataset]", how: "tuple[str, OpenOptions]", token: Any) -> OneThread:
    with _lock:
        key = repr(token)
        if key not in _opened:
            path, options = how
            _opened[key] = kind._at(path, options)
        _opened.move_to_end(key)
        while len(_opened) > 4:
            _opened.popitem(last=False)
        return OneThread(_opened[key])


class ScanFrames:
    """A scan as loaded: cut, binned and masked. It travels by the path of its file, and is streamed there."""

    def __init__(self, scan: "Scan") -> None:
        self._scan = scan
        self.shape = scan.shape
        self.ndim = scan.ndim
        self.dtype = scan.dtype

    def __getitem__(self, index: Any) -> Any:
        return self._scan[index]

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        how = self._scan.dataset._how
        if how is None:
            raise TypeError("a scan of an array in memory does not travel to other processes; "
                            "compute on threads, or use dask.array.from_array on the array itself")
        return _scan_again, (type(self._scan.dataset), how, dict(self._scan._how), self.__dask_tokenize__())

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        if self._scan.dataset._how is None:
            return ("sluice", id(self._scan._open()))
        return (*self._scan.dataset.__dask_tokenize__(), digest(sorted(self._scan._how.items())))


_scans: "collections.OrderedDict[Any, ScanFrames]" = collections.OrderedDict()


def _scan_again(kind: "Type[Dataset]", how: "tuple[str, OpenOptions]", loaded: Dict[str, Any],
                token: Any) -> ScanFrames:
    with _lock:
        key = repr(token)
        if key not in _scans:
            path, options = how
            _scans[key] = ScanFrames(kind._at(path, options).load(stream=True, threads=1, progress=False,
                                                                 **loaded))
        _scans.move_to_end(key)
        while len(_scans) > 4:
            _scans.popitem(last=False)
        return _scans[key]


def scan_to_dask(scan: "Scan", chunks: Any = None) -> "da.Array":
    """A dask array of the values as loaded."""
    import dask.array as da
    wrap: Any = da.from_array
    made: da.Array = wrap(ScanFrames(scan), chunks=chunks or chunks_of(scan.shape, scan.dtype.itemsize), asarray=True,
                          fancy=False, inline_array=True, meta=np.empty((0,) * 4, scan.dtype))
    return made


def scan_to_xarray(scan: "Scan", chunks: Any = None) -> "xr.DataArray":
    """A DataArray of them, where a region has its place and a bin is at its middle."""
    import xarray as xr
    axes = axes_of(scan)
    return xr.DataArray(scan_to_dask(scan, chunks), dims=DIMENSIONS, name="counts",
                        coords={**axes.scan(scan.shape[:2]), **axes.detector(scan.shape[2:])},
                        attrs={"units": str(_core.pixel_unit(scan._open())), "path": scan.dataset.path})


def chunks_of(shape: Tuple[int, ...], itemsize: int) -> Tuple[int, int, int, int]:
    """Whole frames, about 128 MiB of them, whole rows of the scan where they fit."""
    frame = max(1, shape[2] * shape[3] * itemsize)
    frames = max(1, CHUNK_BYTES // frame)
    if frames >= shape[1]:
        return max(1, min(shape[0], frames // max(1, shape[1]))), shape[1], shape[2], shape[3]
    return 1, frames, shape[2], shape[3]


def to_dask(dataset: "Dataset", chunks: Any = None) -> "da.Array":
    """A dask array of the stored values."""
    import dask.array as da
    wrap: Any = da.from_array
    made: da.Array = wrap(OneThread(dataset),
                          chunks=chunks or chunks_of(dataset.shape, dataset.dtype.itemsize),
                          asarray=True, fancy=False, inline_array=True,
                          meta=np.empty((0,) * 4, dataset.dtype))
    return made


def _steps(dataset: "Dataset") -> List[Tuple[str, int, float, str]]:
    """(name, size, step, unit) of each axis; step 0: not known."""
    steps = (dataset.scan_step_nm,) * 2 + (dataset.detector_step_mrad,) * 2
    units = ("nm", "nm", "mrad", "mrad")
    return list(zip(DIMENSIONS, dataset.shape, steps, units))


def to_xarray(dataset: "Dataset", chunks: Any = None) -> "xr.DataArray":
    """A DataArray with a coordinate along each axis whose step is known."""
    import xarray as xr
    coordinates: Dict[str, Any] = {
        name: (name, np.arange(size) * step, {"units": unit})
        for name, size, step, unit in _steps(dataset) if step > 0}
    about = {"units": "counts", "path": dataset.path, "format": dataset.format}
    return xr.DataArray(to_dask(dataset, chunks), dims=DIMENSIONS, coords=coordinates,
                        name="counts", attrs=about)


def to_hyperspy(dataset: "Dataset", chunks: Any = None) -> "LazySignal2D":
    """A lazy Signal2D of hyperspy, with calibrated axes where the steps are known."""
    from hyperspy.signals import Signal2D  # type: ignore[import-not-found,unused-ignore]
    axes = []
    for i, (name, size, step, unit) in enumerate(_steps(dataset)):
        axis: Dict[str, Any] = dict(name=name, size=size, navigate=i < 2)
        if step > 0:
            axis.update(scale=step, offset=0.0, units=unit)
        axes.append(axis)
    lazy: "LazySignal2D" = Signal2D(to_dask(dataset, chunks), axes=axes).as_lazy()
    return lazy


def guess(path: Any) -> Optional[bool]:
    """Whether xarray may ask us to open a path: masters of detectors."""
    return str(path).endswith(("_master.h5", ".mib", ".emd"))
