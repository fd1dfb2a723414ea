"""The scans of a detector, one after the other.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import os
from typing import Any, Dict, Iterator, List, Optional

import numpy as np

from .. import _core
from .._arrays import as_choice
from .._errors import Error, InvalidArgument, Unavailable
from .._options import LineEdge, Order, Pair, Path, Protocol
from ._control import Arm
from ._live_scan import LiveScan
from ._live_states import LiveProblem, _problems


class LiveStream:
    """The scans of a detector, one after the other: an iterator. `with` closes it."""

    def __init__(self, native: Any, address: str, scans: Optional[int], wait_s: Optional[float],
                 load: Dict[str, Any]) -> None:
        self._native: Any = native
        self._address = address
        self._left = scans
        self._wait_s = wait_s
        self._load = load
        self._now: Optional[LiveScan] = None

    @property
    def problems(self) -> List[LiveProblem]:
        """What was wrong with what came."""
        return [] if self._native is None else _problems(self._native.problems)

    def __iter__(self) -> "LiveStream":
        return self

    def __next__(self) -> LiveScan:
        if self._native is None or self._left == 0:
            raise StopIteration
        with _words_of_live():
            native = self._native.next(self._wait_s)
        if native is None:
            raise Unavailable(f"{self._address}: no scan began within {self._wait_s:g} s (the detector is not armed, or "
                              "sends to another address) arm it, or wait longer")
        if self._left is not None:
            self._left -= 1
        self._now = LiveScan(native, self._load)
        return self._now

    def close(self) -> None:
        """Ends the scan that is received, and lets go of the sockets."""
        if self._now is not None:
            self._now.close()
        self._now = self._native = None

    def __enter__(self) -> "LiveStream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def _words_of_live() -> Iterator[None]:
    """What is `scan_shape` where files are opened is `scan` here, as on the command line."""
    try:
        yield
    except Error as error:
        if "scan_shape" not in error.text:
            raise
        raise type(error)(error.text.replace("scan_shape", "scan"), error.file, error.at) from None


def live(address: Path, *, scan: Optional[Pair] = None, order: Order = "raster", flyback: int = 0, positions: Any = None,
         scans: Optional[int] = None, wait_s: Optional[float] = None, protocol: Protocol = "by-port", channel: str = "",
         first_image: Optional[int] = None, patience_s: float = 10.0, verify: bool = False, reorder: int = 4096,
         reorder_s: float = 0.25, memory_limit: int = 1 << 30, record: str = "", images_per_file: int = 10000,
         raw_dtype: str = "", raw_frame: Optional[Pair] = None, raw_offset: int = 0, dataset: str = "",
         existing: bool = False, line_edge: LineEdge = "tdc1-rise", one_edge: bool = False, point_s: float = 0.0,
         window_s: float = 1e-3, chip_layout: str = "",
         pixel_mask: bool = True, as_stored: bool = False, mask: Any = None, det_bin: int = 1, threads: int = 0,
         arm: Optional[Arm] = None) -> LiveStream:
    """Scans from a detector while they are measured.

    Args:
        address: of the stream, as "tcp://127.0.0.1:31001"; or the path of a file that is being written (a DECTRIS
            master, HDF5, MIB, NPY or raw), or of a folder in which scans will appear.
        scan: (rows, columns); without it, what the stream or the files say, else a square.
        order: "raster", or "serpentine": every second row from its last point.
        flyback: images after each row that belong to no point.
        positions: [image][row, column] of points, instead of both; -1, -1: of none.
        scans: how many to receive; None: until the iteration is left.
        wait_s: seconds to wait for a scan to begin; None: for ever.
        protocol: "by-port", "dectris-v2", "dectris-v1", "merlin" or "timepix3".
        channel: of a detector with several thresholds.
        first_image: number of a series' first image; None: the protocol's.
        patience_s: seconds of silence after which a series without an end has ended.
        verify: leaves out images whose bytes have another MD5 than Stream V1 says.
        reorder: an image so many numbers behind the newest one is lost.
        reorder_s: so is one that two later images have waited for so many seconds; 0: only numbers count.
        memory_limit: bytes of frames that wait to be decoded; half of it for `record`.
        record: "run/scan" also writes each series as run/scan_master.h5 and its data files of `images_per_file`
            images; with more than one scan they are run/scan_0001_master.h5 and so on. No file is replaced.
        raw_dtype, raw_frame, raw_offset, dataset: of files, as `sluice.open` has them.
        existing: of a folder: give what is in it already, too.
        line_edge: of Timepix3: the signal that begins a line, "tdc1-rise", "tdc1-fall", "tdc2-rise" or "tdc2-fall".
        one_edge: of Timepix3: the first such signal begins the whole scan; give `point_s`.
        point_s: of Timepix3: seconds of a point; 0: the points of a line divide its time.
        window_s: of Timepix3: seconds by which hits come out of their order.
        chip_layout: of Timepix3 with several chips: where each lies, as "0:0:260,1:260:260:180": its number, row and column
            of its upper left corner, and 180 where it is turned by half a turn; "": one chip, whatever its number.
        pixel_mask, as_stored, mask, det_bin, threads: as `sluice.load` has them.
        arm: an `Arm` sets the detector for each scan, arms it, and disarms it at the end; None leaves it alone. `scan`
            is needed.

    Returns:
        A `LiveStream`, which gives a `LiveScan` for each series. The frames of a scan stay in memory, as bit planes, as
        long as the scan or one of its `so_far()` is held.

    Raises:
        InvalidArgument: an address, a path of the scan or a name for the recording that cannot be.
        Unavailable: while iterating: no scan began within `wait_s`.

    Example:
        >>> import sluice
        >>> with sluice.stem4d.simulate_detector("synthetic:stem4d?scan=8x8&detector=32x32") as detector:
        ...     for scan in sluice.stem4d.live(detector.address, scans=1):
        ...         found = scan.finish()
        >>> sluice.stem4d.diffraction_pattern(found).frames
        64
    """
    if scans is not None and scans < 1:
        raise InvalidArgument(f"scans is {scans}; it is at least 1, or None for no end")
    places = None if positions is None else np.ascontiguousarray(positions, np.float32)
    if places is not None and (places.ndim != 2 or places.shape[1] != 2):
        raise InvalidArgument(f"positions have the shape {places.shape}; they are [image][row, column]")
    with _words_of_live():
        native = _core.live(os.fspath(address), protocol, channel, first_image, patience_s, verify,
                            scan, order, flyback, places,
                            reorder, reorder_s, memory_limit, record, scans != 1, images_per_file,
                            raw_dtype, raw_frame, raw_offset, dataset, existing,
                            line_edge, one_edge, float(point_s), float(window_s), chip_layout,
                            None if arm is None else arm._words())
    load = {"pixel_mask": pixel_mask, "as_stored": as_stored, "user_mask": as_choice(mask, "mask"),
            "det_bin": det_bin, "memory": 0, "threads": threads}
    return LiveStream(native, os.fspath(address), scans, wait_s, load)
