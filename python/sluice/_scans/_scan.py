"""A scan: what is loaded of a dataset, in memory or streamed.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, cast

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_choice
from .._errors import InvalidArgument
from .._options import BinEdge, BinMode, Layout, Pair, Path, Rectangle, ScanOptions, Tables
from .._progress import Progress, shown
from .._words import said
from . import _lazy
from ._frames import _Frames, _told

if TYPE_CHECKING:
    import dask.array as da
    import xarray as xr

    from ._dataset import Dataset


def _load_native(dataset: Any, *, scan_region: Optional[Rectangle] = None,
                 detector_region: Optional[Rectangle] = None, det_bin: int = 1, scan_bin: int = 1,
                 scan_step: int = 1, bin_mode: BinMode = "sum", bin_edge: BinEdge = "floor",
                 pixel_mask: bool = True, as_stored: bool = False, mask: Any = None,
                 hot_pixels: bool = False, detector_step_mrad: float = 0.0,
                 layout: Layout = "auto", tables: Tables = "auto", tables_file: Path = "",
                 stream: Optional[bool] = None,
                 memory_limit: int = 0, share: int = 1, device: str = "cpu", threads: int = 0,
                 progress: Progress = None) -> Any:
    residency = {None: "auto", False: "memory", True: "stream"}[stream]
    with shown(progress, "load") as tell:
        return _core.load(dataset, scan_region, detector_region, det_bin, scan_bin, scan_step,
                          bin_mode, bin_edge, pixel_mask, as_stored, as_choice(mask, "mask"),
                          hot_pixels, float(detector_step_mrad), layout, tables, os.fspath(tables_file), residency,
                          memory_limit, share, device, threads, tell)


class Scan(_Frames):
    """A dataset with what is read of it decided, in memory or streamed from its files.

    It indexes like an array of four axes of the values as loaded: cut, binned and masked.
    """

    def __init__(self, native: Any, dataset: Dataset, how: Optional[ScanOptions] = None) -> None:
        self._native: Any = native
        self._dataset = dataset
        #: What makes the same values of the dataset again.
        self._how: ScanOptions = how or {}

    def _open(self) -> Any:
        if self._native is None:
            raise InvalidArgument("the scan is closed; load it again")
        return self._native

    @property
    def dataset(self) -> Dataset:
        """What it was loaded of."""
        return self._dataset

    @property
    def scan_shape(self) -> Pair:  # type: ignore[override]
        """(rows, columns) of the scan, after regions and binning."""
        rows, cols = self._open().scan_shape
        return rows, cols

    @property
    def detector_shape(self) -> Pair:  # type: ignore[override]
        """(rows, columns) of the detector, after regions and binning."""
        rows, cols = self._open().detector_shape
        return rows, cols

    @property
    def dtype(self) -> "np.dtype[Any]":
        kind: "np.dtype[Any]" = np.dtype(self._open().dtype)
        return kind

    @property
    def resident(self) -> bool:
        """Whether it is in memory; else every analysis reads the files."""
        return bool(self._open().resident)

    @property
    def layout(self) -> str:
        """"bit planes", "uint16 values" and so on."""
        return str(self._open().layout)

    @property
    def memory(self) -> Dict[str, int]:
        """Bytes that it takes (`resident`), with its `tables`, and would take as `planes`, `source` and `float32`."""
        return dict(self._open().memory)

    @property
    def notes(self) -> List[str]:
        """What was masked, binned, converted or missing."""
        return [said(note) for note in self._open().notes]

    @property
    def warnings(self) -> List[str]:
        """Those of the notes that may make results wrong."""
        return [said(note) for note in self._open().warnings]

    @property
    def tables_notes(self) -> List[str]:
        """Why a file of tables beside it was not believed, or parts of it; so far."""
        return [said(note) for note in self._open().tables_notes]

    @property
    def bad_pixels(self) -> NDArray[np.bool_]:
        """[row, col]: detector pixels without any valid stored pixel."""
        marked: NDArray[np.uint8] = self._open().bad_pixels
        return np.asarray(marked != 0)

    @property
    def scan_step_nm(self) -> float:
        """Distance of two scan points as loaded, in nm; 0: unknown."""
        return float(self._open().scan_step_nm)

    @property
    def detector_step_mrad(self) -> float:
        """Angle of one detector pixel as loaded, in mrad; 0: unknown."""
        return float(self._open().detector_step_mrad)

    def to_dask(self, chunks: Any = None) -> "da.Array":
        """A dask array of the values as loaded; chunks are whole frames, about 128 MiB of them. Other
        processes open the file by its path, and stream it."""
        return _lazy.scan_to_dask(self, chunks)

    def to_xarray(self, chunks: Any = None) -> "xr.DataArray":
        """An xarray.DataArray of dask, with coordinates in nm and mrad where the steps are known."""
        return _lazy.scan_to_xarray(self, chunks)

    def close(self) -> None:
        """Gives its memory back."""
        self._native = None

    def __enter__(self) -> "Scan":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        return _told(self._open().frames(frames, part, None), self.dataset.path)

    def __repr__(self) -> str:
        if self._native is None:
            return "<sluice.Scan, closed>"
        shape = "x".join(map(str, self.shape))
        where = "in memory" if self.resident else "streamed"
        return f"<sluice.Scan of {self.dataset.path!r}: {shape}, {self.layout}, {where}>"


def load_dataset(dataset: "Dataset", *, scan_region: Optional[Rectangle] = None,
                 detector_region: Optional[Rectangle] = None, det_bin: int = 1, scan_bin: int = 1,
                 scan_step: int = 1, bin_mode: BinMode = "sum", bin_edge: BinEdge = "floor",
                 pixel_mask: bool = True, as_stored: bool = False, mask: Any = None,
                 hot_pixels: bool = False, detector_step_mrad: float = 0.0, layout: Layout = "auto",
                 tables: Tables = "auto", tables_file: Path = "", stream: Optional[bool] = None,
                 memory_limit: int = 0, share: int = 1, device: str = "cpu", threads: int = 0,
                 progress: Progress = None) -> Scan:
    """What `load` does with an opened dataset."""
    how = ScanOptions(scan_region=scan_region, detector_region=detector_region, det_bin=det_bin,
                      scan_bin=scan_bin, scan_step=scan_step, bin_mode=bin_mode, bin_edge=bin_edge,
                      pixel_mask=pixel_mask, as_stored=as_stored, mask=mask, hot_pixels=hot_pixels,
                      detector_step_mrad=detector_step_mrad)
    native = _load_native(dataset._open(), layout=layout, tables=tables, tables_file=tables_file, stream=stream,
                          memory_limit=memory_limit, share=share, device=device, threads=threads, progress=progress,
                          **cast(Dict[str, Any], how))
    if det_bin == 0:  # what fitted here
        how["det_bin"] = int(_core.pixel_grid(native)[2])
    return Scan(native, dataset, how)
