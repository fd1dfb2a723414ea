"""Acquisitions and scans: what is opened, and what is loaded of it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import logging
import os
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Union, cast,
                    overload)

import numpy as np
from numpy.typing import NDArray

from . import _core, _index, _lazy
from ._arrays import as_choice, as_counts, as_masked
from ._errors import InvalidArgument, WrongType
from ._options import BinEdge, BinMode, Layout, LoadOptions, OpenOptions, Pair, Path, RawType, Rectangle, ScanOptions
from ._progress import Progress, shown
from ._words import said

if TYPE_CHECKING:
    import dask.array as da
    import xarray as xr
    from typing_extensions import Unpack


log = logging.getLogger("sluice")


def _told(found: "tuple[NDArray[Any], list[str]]", path: str) -> NDArray[Any]:
    """What was read; what reading met besides ordinary counts goes to the log."""
    values, notes = found
    for note in notes:
        log.warning("%s: %s", path, said(note))
    return values


class _Frames:
    """Frames that are read when they are asked for: an array [row, col, row, col]."""

    scan_shape: Pair
    detector_shape: Pair

    @property
    def dtype(self) -> "np.dtype[Any]":
        """NumPy's type of the elements."""
        raise NotImplementedError

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        raise NotImplementedError

    @property
    def shape(self) -> "tuple[int, int, int, int]":
        """(scan rows, scan columns, detector rows, detector columns)"""
        return (*self.scan_shape, *self.detector_shape)

    @property
    def ndim(self) -> int:
        """4: two axes of the scan, two of the detector."""
        return 4

    @property
    def size(self) -> int:
        """Elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements as NumPy would hold them."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.scan_shape[0]

    def __iter__(self) -> "Iterator[NDArray[Any]]":
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> NDArray[Any]:
        return self._indexed(index, self._read)

    def _indexed(self, index: Any, read: "Callable[[NDArray[np.int64], Rectangle], NDArray[Any]]"
                 ) -> NDArray[Any]:
        axes = _index.parse(index, self.shape)
        rows, cols, detector_rows, detector_cols = axes
        frames = (rows.numbers[:, None] * self.scan_shape[1] + cols.numbers[None, :]).ravel()
        top, height = detector_rows.span()
        left, width = detector_cols.span()
        out = read(frames, (top, left, height, width))
        for axis, first, full in ((1, top, detector_rows), (2, left, detector_cols)):
            numbers = full.numbers - first
            if not np.array_equal(numbers, np.arange(out.shape[axis])):
                out = np.take(out, numbers, axis=axis)
        return out.reshape(_index.shape_of(axes))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("its elements are in a file or packed; an array of them is a copy")
        array = self[...]
        return array if dtype is None else array.astype(dtype, copy=False)

    def to_numpy(self) -> NDArray[Any]:
        """All elements: [scan row, scan column, detector row, detector column]."""
        return self[...]


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
        return load(self, **options)

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

    def to_hyperspy(self, chunks: Any = None) -> Any:
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
        return _open_again, (path, options)

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        from . import __version__
        if self._how is None:
            return ("sluice", id(self._open()))
        path, options = self._how
        stamps = tuple((f, *_stamp(f)) for f in self.files)
        return ("sluice", path, tuple(sorted(options.items())), stamps, __version__)

    def __repr__(self) -> str:
        if self._native is None:
            return "<sluice.Dataset, closed>"
        shape = "x".join(map(str, self.shape))
        return f"<sluice.Dataset {self.path!r}: {shape} {self.dtype}, {self.format}>"


def _stamp(file: str) -> "tuple[int, int]":
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _open_again(path: str, options: OpenOptions) -> Dataset:
    return open(path, **options)


def open(path: Path, *, scan_shape: Optional[Pair] = None, allow_incomplete: bool = False,
         dataset: str = "", channel: str = "", raw_dtype: RawType = "",
         raw_frame: Optional[Pair] = None, raw_offset: int = 0, axis_order: str = "") -> Dataset:
    """Opens an acquisition of any format that `sluice info` knows, or "synthetic:...".

    Args:
        path: a file: NXmx and arina masters, EMD, HDF5, MIB, raw binary, NPY and more.
        scan_shape: (rows, columns) of the scan where the file does not say.
        allow_incomplete: open although frames are missing.
        dataset: the path inside an HDF5 file, when there are several.
        channel: the channel of a multi-threshold file; empty: the first.
        raw_dtype: raw binary only: uint8, uint16, uint32 or float32.
        raw_frame: raw binary only: (rows, columns) of a frame.
        raw_offset: raw binary only: bytes before the first frame.
        axis_order: what the file's dimensions are, slowest first, where it has another order.

    Raises:
        NotFound, Unsupported, Corrupt, Truncated, Incomplete: each names the file and the place.

    Example:
        >>> import sluice
        >>> sluice.open("synthetic:stem4d?scan=4x5&detector=16x16").shape
        (4, 5, 16, 16)
    """
    where = os.fspath(path)
    options = OpenOptions(scan_shape=scan_shape, allow_incomplete=allow_incomplete,
                          dataset=dataset, channel=channel, raw_dtype=raw_dtype,
                          raw_frame=raw_frame, raw_offset=raw_offset, axis_order=axis_order)
    given = {key: value for key, value in options.items() if value not in (None, "", 0, False)}
    return Dataset(_core.open(where, given), (where, cast(OpenOptions, given)))


class Series(Sequence["Dataset"]):
    """Acquisitions of one shape in their order, as a 5-D series: `series[i]` is a `Dataset`."""

    def __init__(self, members: "list[Dataset]", skipped: "list[str]") -> None:
        self._members = members
        #: "name: reason" of files that were left out.
        self.skipped = skipped

    @property
    def shape(self) -> "tuple[int, int, int, int, int]":
        """(members, scan rows, scan columns, detector rows, detector columns)"""
        return (len(self._members), *self._members[0].shape)

    def __len__(self) -> int:
        return len(self._members)

    @overload
    def __getitem__(self, which: int) -> Dataset: ...

    @overload
    def __getitem__(self, which: slice) -> "list[Dataset]": ...

    def __getitem__(self, which: "Union[int, slice]") -> "Union[Dataset, list[Dataset]]":
        return self._members[which]

    def __repr__(self) -> str:
        return f"<sluice.Series of {len(self)}: {'x'.join(map(str, self.shape))}>"


def list_members(folder: Path, **open_options: Unpack[OpenOptions]) -> List[str]:
    """The files of a folder that `open_series` would open, in its order.

    Raises:
        NotFound: there is none.
    """
    return list(_core.list_members(os.fspath(folder), dict(open_options)))


def open_series(source: Any, *, skip_bad: bool = False, **open_options: Unpack[OpenOptions]) -> Series:
    """Opens a 5-D series: a folder, one file with several members, a list of paths, or an array of
    five axes [member, scan row, scan column, detector row, detector column].

    Args:
        source: what holds the members; all have one shape and type.
        skip_bad: leave out members that are incomplete or differ; `series.skipped` names them.
        open_options: of `sluice.open`.

    Example:
        >>> import sluice
        >>> one = "synthetic:stem4d?scan=4x5&detector=16x16"
        >>> [stem.shape for stem in sluice.open_series([one + "&seed=1", one + "&seed=2"])]
        [(4, 5, 16, 16), (4, 5, 16, 16)]
    """
    if isinstance(source, (str, os.PathLike)):
        paths = [os.fspath(source)]
        if os.path.isdir(paths[0]):
            paths = list_members(paths[0], **open_options)
    elif hasattr(source, "ndim"):
        if source.ndim != 5:
            raise InvalidArgument(f"an array of {source.ndim} axes; a series has five, the members "
                                  "first")
        values, left_out = as_masked(source, "source")
        values = as_counts(values, left_out)  # one type for all members
        whole = np.ma.array(values, mask=left_out, copy=False) if left_out is not None else values
        return Series([_of_array(member, f"memory, member {i}", count=False)
                       for i, member in enumerate(whole)], [])
    else:
        paths = [os.fspath(p) for p in source]
    natives, skipped = _core.open_series(paths, dict(open_options), skip_bad)
    return Series([Dataset(native, (native.path, open_options)) for native in natives],
                  list(skipped))


def from_array(array: Any, *, name: str = "memory") -> Dataset:
    """A dataset of an array in memory, without a copy where its frames lie dense.

    Args:
        array: [scan row, scan column, detector row, detector column] of integers or floats, of
            NumPy or of anything that gives one (DLPack, `__array__`). It is kept alive, and must
            not change while the dataset is used. Whole numbers of any type are counts where none
            is below 0 or has more than 32 bits; else they are read as float32, and `notes` say so.
            Three axes [frame, row, col] are one row. What a masked array leaves out was not measured: pixels that all frames leave out become
            `pixel_mask`, others of floats NaN, in a copy.
        name: what errors and provenance call it.

    Raises:
        InvalidArgument: another number of axes, an empty axis, objects; a mask of integers that
            differs from frame to frame.
        Unsupported: a type that counts and intensities do not have.

    Example:
        >>> import numpy as np, sluice
        >>> sluice.from_array(np.zeros((2, 3, 8, 8), np.uint16)).shape
        (2, 3, 8, 8)
    """
    return _of_array(array, name, count=True)


def _of_array(array: Any, name: str, count: bool) -> Dataset:
    a, left_out = as_masked(array, "array")
    if a.ndim == 3:
        a, left_out = a[None], None if left_out is None else left_out[None]
    if a.ndim != 4:
        raise InvalidArgument(f"an array of {a.ndim} axes; a dataset has four: scan row, scan "
                              "column, detector row, detector column (load members of a 5-D "
                              "series one by one)")
    if a.dtype.byteorder not in "=|" and a.dtype != a.dtype.newbyteorder("="):
        a = a.astype(a.dtype.newbyteorder("="))
    pixels = None
    if left_out is not None:
        a, pixels = _without(a, left_out)
    a = as_counts(a, left_out) if count else a
    return Dataset(_core.from_array(a, a.__array_interface__["data"][0], a.dtype.name, a.shape,
                                    a.strides, name, pixels), None)


#: The bit of NXdetector's pixel_mask for what a user leaves out.
_USER_MASK = 1 << 8


def _without(a: NDArray[Any], left_out: "NDArray[np.bool_]"
             ) -> "tuple[NDArray[Any], Optional[NDArray[np.uint32]]]":
    """Frames whose own masks are NaN, and the pixels [row, col] that all of them leave out."""
    everywhere = left_out.all(axis=(0, 1))
    of_frames = left_out & ~everywhere
    if of_frames.any():
        if a.dtype.kind != "f":
            raise InvalidArgument(
                f"the masked array leaves out {int(of_frames.sum())} elements that differ from "
                f"frame to frame, and {a.dtype} has no value for what was not measured; give "
                "floats, as in a.astype('float32'), or a mask that is the same in all frames")
        a = np.where(of_frames, np.asarray(np.nan, dtype=a.dtype), a)
    if not everywhere.any():
        return a, None
    return a, np.where(everywhere, _USER_MASK, 0).astype(np.uint32)


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
        """Bytes that it takes (`resident`), and would take as `planes`, `source` and `float32`."""
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


def _load_native(dataset: Any, *, scan_region: Optional[Rectangle] = None,
                 detector_region: Optional[Rectangle] = None, det_bin: int = 1, scan_bin: int = 1,
                 scan_step: int = 1, bin_mode: BinMode = "sum", bin_edge: BinEdge = "floor",
                 pixel_mask: bool = True, as_stored: bool = False, mask: Any = None,
                 hot_pixels: bool = False, detector_step_mrad: float = 0.0,
                 layout: Layout = "auto", stream: Optional[bool] = None, memory_limit: int = 0,
                 share: int = 1, device: str = "cpu", threads: int = 0,
                 progress: Progress = None) -> Any:
    residency = {None: "auto", False: "memory", True: "stream"}[stream]
    with shown(progress, "load") as tell:
        return _core.load(dataset, scan_region, detector_region, det_bin, scan_bin, scan_step,
                          bin_mode, bin_edge, pixel_mask, as_stored, as_choice(mask, "mask"),
                          hot_pixels, float(detector_step_mrad), layout, residency, memory_limit,
                          share, device, threads, tell)


def load(source: Any, *, scan_region: Optional[Rectangle] = None,
         detector_region: Optional[Rectangle] = None, det_bin: int = 1, scan_bin: int = 1,
         scan_step: int = 1, bin_mode: BinMode = "sum", bin_edge: BinEdge = "floor",
         pixel_mask: bool = True, as_stored: bool = False, mask: Any = None,
         hot_pixels: bool = False, detector_step_mrad: float = 0.0, layout: Layout = "auto",
         stream: Optional[bool] = None, memory_limit: int = 0, share: int = 1,
         device: str = "cpu", threads: int = 0, progress: Progress = None,
         **open_options: Unpack[OpenOptions]) -> Scan:
    """Loads a scan into memory, or prepares to stream it.

    Args:
        source: a `Dataset`, a path for `sluice.open`, or an array for `sluice.from_array`.
        scan_region: (row, col, rows, cols) of the scan points that are read.
        detector_region: (row, col, rows, cols) of the detector pixels that are read.
        det_bin: detector pixels along each side of a bin; 0: the smallest of 1, 2, 4, 8 that fits.
        scan_bin: scan points along each side of a bin.
        scan_step: every how many-th scan point is read, in both directions.
        bin_mode: "sum": exact integers; "mean": float32 per valid pixel.
        bin_edge: "floor" leaves out what does not fill a bin; "partial" keeps it.
        pixel_mask: leave out the pixels that the file marks as bad.
        as_stored: keep masked pixels, marks for no data and NaN as the files have them.
        mask: [row, col] of the full detector; pixels that are not 0 are left out as well.
        hot_pixels: look for single pixels that outshine their neighbours, and leave them out.
        detector_step_mrad: angle of a detector pixel as loaded, bins included; 0: as the file
            states it.
        layout: "auto", "planes" (lossless bit planes) or "dense".
        stream: True: every analysis reads the files; False: all is kept in memory; None: in memory
            where it fits.
        memory_limit: most bytes; 0: 60 % of what is free now.
        share: how many scans like this one share that memory.
        device: "cpu", "cpu:avx2", "reference".
        threads: 0: one per processor.
        progress: f(done, total) in bytes of the files; returning False cancels. None: a bar.
        open_options: of `sluice.open`, where `source` is a path.

    Raises:
        OutOfMemory: it says what would fit. InvalidArgument: a region outside, and the like.

    Example:
        >>> import sluice
        >>> sluice.load("synthetic:stem4d?scan=4x5&detector=16x16", det_bin=2).shape
        (4, 5, 8, 8)
    """
    if isinstance(source, (str, os.PathLike)):
        dataset = open(source, **open_options)
    elif open_options:
        raise WrongType(f"load() got {', '.join(open_options)}, which are of opening a path, and source is "
                        f"a {type(source).__name__}")
    else:
        dataset = source if isinstance(source, Dataset) else from_array(source)
    how = ScanOptions(scan_region=scan_region, detector_region=detector_region, det_bin=det_bin,
                      scan_bin=scan_bin, scan_step=scan_step, bin_mode=bin_mode, bin_edge=bin_edge,
                      pixel_mask=pixel_mask, as_stored=as_stored, mask=mask, hot_pixels=hot_pixels,
                      detector_step_mrad=detector_step_mrad)
    native = _load_native(dataset._open(), layout=layout, stream=stream, memory_limit=memory_limit,
                          share=share, device=device, threads=threads, progress=progress,
                          **cast(Dict[str, Any], how))
    if det_bin == 0:  # what fitted here
        how["det_bin"] = int(_core.pixel_grid(native)[2])
    return Scan(native, dataset, how)


def as_scan(source: Any) -> Scan:
    """A scan as it is, or whatever `load` takes, loaded."""
    return source if isinstance(source, Scan) else load(source)


Sources = Union[Scan, Dataset, Path, Sequence[Any]]
