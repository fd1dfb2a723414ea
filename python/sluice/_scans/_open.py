"""Opening acquisitions, and loading scans of them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union, cast

from .._errors import WrongType
from .._options import BinEdge, BinMode, Layout, LineEdge, OpenOptions, Pair, Path, RawType, Rectangle, Tables
from .._progress import Progress
from ._dataset import Dataset
from ._memory import from_array
from ._scan import Scan, load_dataset

if TYPE_CHECKING:
    from typing_extensions import Unpack


def open(path: Path, *, scan_shape: Optional[Pair] = None, allow_incomplete: bool = False,
         dataset: str = "", channel: str = "", raw_dtype: RawType = "",
         raw_frame: Optional[Pair] = None, raw_offset: int = 0, dm_image: int = 0,
         tvips_start: int = 0, line_edge: LineEdge = "tdc1-rise", one_edge: bool = False, point_s: float = 0.0,
         window_s: float = 1e-3, chip_layout: str = "", tpx3_flyback: int = 0, axis_order: str = "") -> Dataset:
    """Opens an acquisition of any format that `sluice info` knows, or "synthetic:...".

    Args:
        path: a file: NXmx and arina masters, EMD, HDF5, MIB, EMPAD, DM4, BLO, raw binary, NPY and more.
        scan_shape: (rows, columns) of the scan where the file does not say.
        allow_incomplete: open although frames are missing.
        dataset: the path inside an HDF5 file, when there are several.
        channel: the channel of a multi-threshold file; empty: the first.
        raw_dtype: raw binary only: uint8, uint16, uint32 or float32.
        raw_frame: raw binary only: (rows, columns) of a frame.
        raw_offset: raw binary only: bytes before the first frame.
        dm_image: DM3 and DM4 files only: which of several images, from 1 on.
        tvips_start: TVIPS recordings only: the scan's first frame, from 1 on.
        line_edge: files of Timepix3 only: the signal that begins a line of the scan.
        one_edge: files of Timepix3 only: the first such signal begins the whole scan; give `point_s`.
        point_s: files of Timepix3 only: seconds of a point; 0: the points of a line divide its time.
        window_s: files of Timepix3 only: seconds by which hits come later than they were.
        chip_layout: files of Timepix3 with several chips: where each lies, as "0:0:260,1:260:260:180".
        tpx3_flyback: files of Timepix3 only: images after each line that belong to no point.
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
                          raw_frame=raw_frame, raw_offset=raw_offset,
                          dm_image=dm_image, tvips_start=tvips_start, line_edge=line_edge, one_edge=one_edge,
                          point_s=float(point_s), window_s=float(window_s), chip_layout=chip_layout,
                          tpx3_flyback=tpx3_flyback, axis_order=axis_order)
    given = {key: value for key, value in options.items() if value not in (None, "", 0, False)}
    return Dataset._at(where, cast(OpenOptions, given))


def load(source: Any, *, scan_region: Optional[Rectangle] = None,
         detector_region: Optional[Rectangle] = None, det_bin: int = 1, scan_bin: int = 1,
         scan_step: int = 1, bin_mode: BinMode = "sum", bin_edge: BinEdge = "floor",
         pixel_mask: bool = True, as_stored: bool = False, mask: Any = None,
         hot_pixels: bool = False, detector_step_mrad: float = 0.0, layout: Layout = "auto",
         tables: Tables = "auto", tables_file: Path = "", stream: Optional[bool] = None,
         memory_limit: int = 0, share: int = 1, device: str = "cpu", threads: int = 0, progress: Progress = None,
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
        layout: "auto", "planes" (lossless bit planes), "dense" or "lines" (planes turned by frames:
            images of masks come four times as fast, all else takes longer).
        tables: of sums, from which some answers come at once: "auto", "all" (patterns, too, when it
            is loaded) or "none". Answers are the same.
        tables_file: that `sluice.stem4d.tables` made, from which a scan that is streamed takes
            answers; "": the one beside the scan, if any.
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
    return load_dataset(dataset, scan_region=scan_region, detector_region=detector_region, det_bin=det_bin,
                        scan_bin=scan_bin, scan_step=scan_step, bin_mode=bin_mode, bin_edge=bin_edge,
                        pixel_mask=pixel_mask, as_stored=as_stored, mask=mask, hot_pixels=hot_pixels,
                        detector_step_mrad=detector_step_mrad, layout=layout, tables=tables,
                        tables_file=tables_file, stream=stream, memory_limit=memory_limit, share=share,
                        device=device, threads=threads, progress=progress)


def as_scan(source: Any) -> Scan:
    """A scan as it is, or whatever `load` takes, loaded."""
    return source if isinstance(source, Scan) else load(source)


Sources = Union[Scan, Dataset, Path, Sequence[Any]]
