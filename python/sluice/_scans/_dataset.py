"""An opened acquisition: its shape, what is known of it, and the way to its frames.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument
from .._options import LoadOptions, OpenOptions, Pair, Rectangle
from .._words import said
from . import _lazy
from ._frames import _Frames, _told
from ._scan import Scan, load_dataset, _load_native

if TYPE_CHECKING:
    import dask.array as da
    import xarray as xr
    from hyperspy._signals.signal2d import LazySignal2D  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from typing_extensions import Unpack


def stamp(file: str) -> "tuple[int, int]":
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


class Dataset(_Frames):
    """An opened acquisition: its shape, what is known of it, and the way to its frames.

    It indexes like an array of four axes, and reads only what is asked for: the values as they are
    stored, those that the file masks and its marks for no data, too. `load` makes a `Scan` of it, for analyses.
    """

    def __init__(self, native: Any, how: "Optional[tuple[str, OpenOptions]]") -> None:
        self._native: Any = native
        self._how = how
        self.path: str = native.path  #: what was opened
        self.format: str = native.format  #: as "nxmx"
        self._raw: Dict[int, Any] = {}  # streamed scans of the stored values, by their threads

    @classmethod
    def _at(cls, path: str, options: OpenOptions) -> "Dataset":
        """Opens it by its path."""
        return cls(_core.open(path, dict(options)), (path, options))

    def _open(self) -> Any:
        if self._native is None:
            raise InvalidArgument("the dataset is closed; open it again")
        return self._native

    @property
    def scan_shape(self) -> Pair:  # type: ignore[override]
        """(rows, columns) of the scan."""
        rows, cols = self._open().scan_shape
        return rows, cols

    @property
    def detector_shape(self) -> Pair:  # type: ignore[override]
        """(rows, columns) of the detector, in pixels."""
        rows, cols = self._open().detector_shape
        return rows, cols

    @property
    def dtype(self) -> "np.dtype[Any]":
        kind: "np.dtype[Any]" = np.dtype(self._open().dtype)
        return kind

    @property
    def files(self) -> List[str]:
        """Every file that belongs to it."""
        return list(self._open().files)

    @property
    def missing(self) -> int:
        """Frames that no file holds whole; indexing gives the file's fill value there, or 0 where
        that is not a count (NaN, infinite or the detector's mark for no data)."""
        return int(self._open().missing)

    @property
    def missing_runs(self) -> "list[tuple[int, int]]":
        """(first frame, frames) of each stretch that is missing, ascending."""
        return list(self._open().missing_runs)

    @property
    def scan_from(self) -> str:
        """Who said what the scan's shape is."""
        return said(str(self._open().scan_from))

    @property
    def pixel_mask(self) -> "Optional[NDArray[np.uint32]]":
        """[row, col] of NXdetector's bits, or None."""
        mask: "Optional[NDArray[np.uint32]]" = self._open().pixel_mask
        return mask

    @property
    def saturation(self) -> Optional[int]:
        """The largest valid count, if it is known."""
        value: Optional[int] = self._open().saturation
        return value

    @property
    def energy_kv(self) -> float:
        """Energy of the electrons in kV; 0: unknown."""
        return float(self._open().energy_kv)

    @property
    def semiangle_mrad(self) -> float:
        """Semiangle of the aperture that forms the probe, in mrad; 0: unknown."""
        return float(self._open().semiangle_mrad)

    @property
    def scan_step_nm(self) -> float:
        """Distance of two scan points in nm, along both axes; 0: unknown."""
        return float(self._open().scan_step_nm)

    @property
    def detector_step_mrad(self) -> float:
        """Angle of one detector pixel in mrad; 0: unknown."""
        return float(self._open().detector_step_mrad)

    @property
    def detector_step_per_nm(self) -> float:
        """Frequency of one detector pixel in 1/nm, where the file states it instead of the angle;
        0: unknown."""
        return float(self._open().detector_step_per_nm)

    @property
    def detector_pixel_um(self) -> float:
        """Side of one detector pixel in um; 0: unknown."""
        return float(self._open().detector_pixel_um)

    @property
    def camera_length_mm(self) -> float:
        """The nominal camera length in mm; 0: unknown."""
        return float(self._open().camera_length_mm)

    @property
    def detector_turn(self) -> "Optional[tuple[float, bool]]":
        """How the detector lies against the scan, (degrees, transpose), as `stem4d.Rotation` has
        it; None: unknown."""
        turn: "Optional[tuple[float, bool]]" = self._open().detector_turn
        return turn

    @property
    def dwell_s(self) -> float:
        """Time per frame in seconds; 0: unknown."""
        return float(self._open().dwell_s)

    @property
    def metadata(self) -> "dict[str, tuple[str, str]]":
        """name: (value, unit); the calibration comes first."""
        return {name: (value, unit) for name, value, unit in self._open().metadata}

    @property
    def notes(self) -> List[str]:
        """What was assumed, converted or left out."""
        return [said(note) for note in self._open().notes]

    @property
    def warnings(self) -> List[str]:
        """Those of the notes that may make results wrong."""
        return [said(note) for note in self._open().warnings]

    def load(self, **options: Unpack[LoadOptions]) -> "Scan":
        """The same as `sluice.load(dataset, **options)`."""
        return load_dataset(self, **options)

    def close(self) -> None:
        """Lets go of the file; scans that were loaded of it stay."""
        self._native = None
        self._raw.clear()

    def __enter__(self) -> "Dataset":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def to_dask(self, chunks: Any = None) -> "da.Array":
        """A dask array of four axes; chunks are whole frames, about 128 MiB of them. Workers open
        the file by its path."""
        return _lazy.to_dask(self, chunks)

    def to_xarray(self, chunks: Any = None) -> "xr.DataArray":
        """An xarray.DataArray of dask, with coordinates in nm and mrad where the steps are
        known."""
        return _lazy.to_xarray(self, chunks)

    def to_hyperspy(self, chunks: Any = None) -> "LazySignal2D":
        """A lazy hyperspy Signal2D, with calibrated axes where the steps are known."""
        return _lazy.to_hyperspy(self, chunks)

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        return self._raw_frames(0, frames, part)

    def _read_with(self, index: Any, threads: int) -> NDArray[Any]:
        return self._indexed(index, lambda frames, part: self._raw_frames(threads, frames, part))

    def _raw_frames(self, threads: int, frames: NDArray[np.int64],
                    part: Rectangle) -> NDArray[Any]:
        if threads not in self._raw:
            self._raw[threads] = _load_native(self._open(), as_stored=True, layout="dense",
                                              stream=True, threads=threads,
                                              progress=False)
        return _told(self._raw[threads].frames(frames, part, None), self.path)

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        if self._how is None:
            raise TypeError("a dataset of an array in memory does not travel; send the array")
        path, options = self._how
        return type(self)._at, (path, options)

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        if self._how is None:
            return ("sluice", id(self._open()))
        path, options = self._how
        stamps = tuple((f, *stamp(f)) for f in self.files)
        return ("sluice", path, tuple(sorted(options.items())), stamps, _core.__version__)

    def __repr__(self) -> str:
        if self._native is None:
            return "<sluice.Dataset, closed>"
        shape = "x".join(map(str, self.shape))
        return f"<sluice.Dataset {self.path!r}: {shape} {self.dtype}, {self.format}>"
