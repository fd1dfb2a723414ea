"""Scans from the detector while they are measured.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import logging
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_choice
from ._detector import Arm, ControlReport, DetectorChange
from ._errors import Cancelled, InvalidArgument, IoError, Unavailable, Unsupported
from ._options import LineEdge, Order, Pair, Path, PatternKind, Protocol, Rectangle
from ._scan import Dataset, Scan, open

if TYPE_CHECKING:
    from .stem4d import CenterOfMass, Detectors, DiffractionPattern, Disk, VirtualImages

log = logging.getLogger("sluice")


@dataclass(frozen=True)
class LiveState:
    """What is known of a scan now, in frames of the scan."""

    received: int  #: that came
    lost: int  #: that will not come, or cannot be decoded
    ready: int  #: of `so_far`, lost ones among them; in sixteens, one by one where those take 0.1 s
    waiting: int  #: that came and are not ready
    lag_s: float  #: how long the one that waits longest has waited, in seconds
    ended: bool  #: no frame comes any more


@dataclass(frozen=True)
class LiveProblem:
    """What was wrong with what came: "images that came twice", how often, and the first in words."""

    what: str
    count: int
    first: str


@dataclass(frozen=True)
class Recording:
    """What was recorded of a series, in images."""

    recorded: int
    damaged: int  #: cannot be decompressed, and are not written
    not_recorded: int  #: the disk was full, or stood still
    outside: int  #: numbers that the series did not announce
    bytes: int
    waited_s: float  #: for the disk: nothing was read from the stream, in seconds
    error: str  #: what the recording lacks something for; "" if it lacks nothing
    files: List[str]  #: the master last


@dataclass
class LiveLook:
    """What `LiveScan.looks` found in the frames that had come."""

    scan: Scan  #: these frames, for analyses of any kind
    state: LiveState
    images: Optional["VirtualImages"]  #: NaN where no frame has come
    center_of_mass: Optional["CenterOfMass"]
    patterns: Dict[str, "DiffractionPattern"] = field(default_factory=dict)  #: by their kinds


class _LiveDataset(Dataset):
    """Frames that come once and go into memory."""

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        raise Unsupported("the frames of a scan that is measured are not read from a file; index "
                          "scan.so_far(), or open the recording")


def _problems(listed: Sequence[Tuple[str, int, str]]) -> List[LiveProblem]:
    return [LiveProblem(*one) for one in listed]


class LiveScan:
    """One series of a detector, whose frames go into memory while they come. `live` makes it."""

    def __init__(self, native: Any, load: Dict[str, Any]) -> None:
        self._native: Any = native
        self._disk: Optional["Disk"] = None
        self._told = False
        native.keep(**load)

    def _open(self) -> Any:
        if self._native is None:
            raise InvalidArgument("the live scan is closed; what so_far() gave stays")
        return self._native

    @property
    def series(self) -> str:
        """What the stream calls it."""
        return str(self._open().series)

    @property
    def scan_shape(self) -> Pair:
        """(rows, columns) of the scan."""
        rows, cols = self._open().dataset.scan_shape
        return rows, cols

    @property
    def detector_shape(self) -> Pair:
        """(rows, columns) of the detector, in pixels."""
        rows, cols = self._open().dataset.detector_shape
        return rows, cols

    @property
    def control(self) -> Optional[ControlReport]:
        """What was done to the detector, complete after `finish`; None if it was not armed."""
        its = self._open().control
        if its is None:
            return None
        address, software, series, changes, notes, ended, error = its
        return ControlReport(address, software, series, [DetectorChange(*one) for one in changes], list(notes), ended,
                             error)

    @property
    def dataset(self) -> Dataset:
        """What the stream says of the scan: type, masks, calibration, metadata. Its frames are those of `so_far`."""
        return _LiveDataset(self._open().dataset, None)

    @property
    def state(self) -> LiveState:
        """What is known now."""
        return LiveState(**self._open().state)

    @property
    def ended(self) -> bool:
        """Whether no frame comes any more."""
        return self.state.ended

    @property
    def why_ended(self) -> str:
        """Why it ended early; "" while it goes on, and when it is complete."""
        return str(self._open().why_ended)

    @property
    def gaps(self) -> "list[tuple[int, int]]":
        """(first, count) of frames that are lost, in the order of the scan; complete at the end."""
        return list(self._open().gaps)

    @property
    def problems(self) -> List[LiveProblem]:
        """What was wrong with what came of this scan, and before it began."""
        return _problems(self._open().problems)

    @property
    def recording(self) -> Optional[Recording]:
        """What was recorded, after `finish`; None before, and where it was not asked for."""
        found = self._open().record
        return None if found is None else Recording(**found)

    def so_far(self) -> Scan:
        """The frames that have come as a `Scan` like any other: every function of `sluice.stem4d` takes it, while the
        scan goes on, too. Points whose frames have not come are NaN in images, and no sum counts them.

        It costs no copy of the frames, and stays as it is when more come.
        """
        native = self._open().so_far()
        return Scan(native, _LiveDataset(native.dataset, None))

    def wait(self, seconds: Optional[float] = None) -> bool:
        """Waits until the scan has ended, or so long. Returns whether it has."""
        return bool(self._open().wait_for_end(seconds))

    def finish(self) -> Scan:
        """Waits until the series is over, and its recording written. Returns the scan.

        Raises:
            OutOfMemory: the scan found no room; what came before stays in `so_far`.
            IoError: `Arm.on_armed` or the trigger failed; so it does.
        """
        native = self._open()
        native.finish()
        control = self.control
        if control is not None and control.error:
            raise IoError(control.error)
        recorded = self.recording
        if not self._told and recorded is not None and recorded.error:
            self._told = True
            log.warning("the recording is not complete: %s", recorded.error)
        return self.so_far()

    def stop(self, why: str = "the scan was stopped by the user") -> None:
        """No more frames are taken. What came stays."""
        self._open().end(why)

    def close(self) -> None:
        """Stops it and lets go of it; scans that `so_far` gave stay."""
        if self._native is not None:
            self._native.end("the scan was closed")
            self._native = None

    def __enter__(self) -> "LiveScan":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find_disk(self, frames: int = 64) -> "Disk":
        """The bright-field disk on what has come, when these are at least so many frames, or all."""
        from . import stem4d
        while self.state.ready < frames and not self.wait(0.02):
            pass
        if self.ended:
            self.finish()
        return stem4d.find_disk(self.so_far())

    def looks(self, detectors: "Union[Detectors, Sequence[Detectors]]" = ("bf", "adf"), *, every: float = 0.5,
              center_of_mass: bool = True, within: "Optional[Detectors]" = None,
              patterns: Sequence[PatternKind] = ("sum",), disk: "Optional[Disk]" = None, disk_frames: int = 64,
              mean: bool = False, dark: Any = None, gain: Any = None, threads: int = 0) -> Iterator[LiveLook]:
        """Images, moments and patterns of what has come, again and again until the scan has ended.

        Each look is `products` of `so_far`. The last one is of the finished scan.

        Args:
            detectors: virtual images, as `products` has them.
            every: seconds between looks. One that brings nothing new is left out.
            center_of_mass: whether the first moments are wanted, `within` a mask.
            patterns: "sum", "mean", "max", "variance".
            disk: the bright-field disk; without it, that of the first `disk_frames` frames, for all looks.
            mean: divide images by their valid pixels.
            dark, gain: references, as `products` has them.

        Raises:
            Error: no disk can be told, and a detector needs it; give `disk`.

        Example:
            >>> import sluice
            >>> with sluice.stem4d.simulate_detector("synthetic:stem4d?scan=8x8&detector=32x32") as detector:
            ...     for scan in sluice.stem4d.live(detector.address, scans=1):
            ...         for look in scan.looks("disk:r=5,center=16:16", every=0.01):
            ...             pass
            >>> look.images.values.shape, look.state.received
            ((1, 8, 8), 64)
        """
        from . import stem4d
        if not every >= 0:
            raise InvalidArgument(f"every is {every}; it is at least 0 seconds")
        wanted = stem4d._detectors(detectors)[0] + ([] if within is None else [stem4d._detector(within)])
        if disk is None and any(one.needs_disk for one in wanted):
            disk = self.find_disk(disk_frames)
        seen = 0
        last = False
        while not last:
            begin = time.monotonic()
            last = self.ended
            if last:
                self.finish()
            state = self.state
            if last or state.ready > seen:
                seen = state.ready
                scan = self.so_far()
                found = stem4d.products(scan, detectors=detectors, center_of_mass=center_of_mass, within=within,
                                        patterns=list(patterns), disk=disk, mean=mean, dark=dark, gain=gain,
                                        threads=threads)
                yield LiveLook(scan, state, found.images, found.center_of_mass,
                               dict(zip(patterns, found.patterns)))
            if not last:
                self.wait(max(0.0, every - (time.monotonic() - begin)))


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


def live(address: Path, *, scan: Optional[Pair] = None, order: Order = "raster", flyback: int = 0, positions: Any = None,
         scans: Optional[int] = None, wait_s: Optional[float] = None, protocol: Protocol = "by-port", channel: str = "",
         first_image: Optional[int] = None, patience_s: float = 10.0, verify: bool = False, reorder: int = 4096,
         reorder_s: float = 0.25, memory_limit: int = 1 << 30, record: str = "", images_per_file: int = 10000,
         raw_dtype: str = "", raw_frame: Optional[Pair] = None, raw_offset: int = 0, dataset: str = "",
         existing: bool = False, line_edge: LineEdge = "tdc1-rise", one_edge: bool = False, point_s: float = 0.0,
         window_s: float = 1e-3,
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
    native = _core.live(os.fspath(address), protocol, channel, first_image, patience_s, verify, scan, order, flyback, places,
                        reorder, reorder_s, memory_limit, record, scans != 1, images_per_file,
                        raw_dtype, raw_frame, raw_offset, dataset, existing,
                        line_edge, one_edge, float(point_s), float(window_s),
                        None if arm is None else arm._words())
    load = {"pixel_mask": pixel_mask, "as_stored": as_stored, "user_mask": as_choice(mask, "mask"),
            "det_bin": det_bin, "memory": 0, "threads": threads}
    return LiveStream(native, os.fspath(address), scans, wait_s, load)


class SimulatedDetector:
    """Sends a dataset as a DECTRIS detector does (Stream V2), on a thread of its own. `with` ends it."""

    def __init__(self, native: Any) -> None:
        self._native: Any = native
        self.address: str = native.address  #: that receivers connect to
        self.control: str = native.control  #: the control port; "" if it has none

    def wait(self) -> Dict[str, Any]:
        """Waits until all is sent. Returns how many `series` and `images` were to be sent, and `sent`; how many found
        `no_room` in the buffer; `seconds` and `bytes`."""
        return dict(self._native.wait())

    def stop(self) -> None:
        """Sends nothing more."""
        self._native.stop()

    def close(self) -> None:
        """Stops, and waits until it has stopped."""
        self._native.stop()
        try:
            self._native.wait()
        except Cancelled:
            pass

    def __enter__(self) -> "SimulatedDetector":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def simulate_detector(source: Any, address: str = "tcp://127.0.0.1:*", *, control: str = "", rate: float = 1000.0, buffer: int = 1000,
                      repeat: int = 1, order: Order = "raster", flyback: int = 0, drop: float = 0.0,
                      duplicate: float = 0.0, reorder: float = 0.0, corrupt: float = 0.0,
                      stop_at: Optional[int] = None, seed: int = 1, wait_s: float = 60.0) -> SimulatedDetector:
    """A detector that is not there: sends a dataset, paced by the clock, to who connects to its address.

    Args:
        source: a `Dataset`, or a path for `sluice.open`.
        address: that it is bound to; a port * is any that is free (`SimulatedDetector.address` says which).
        control: a control port as DECTRIS detectors have, as "http://127.0.0.1:*": series begin when it is armed.
        rate: images a second.
        buffer: images that wait in the detector; those without room are lost.
        repeat: series, one after the other.
        order, flyback: as `live` has them.
        drop, duplicate, reorder, corrupt: probabilities that an image is never sent, sent twice, comes after the next
            one, or is damaged, drawn from `seed`.
        stop_at: the image at which the detector falls silent.
        wait_s: seconds to wait for a receiver.
    """
    dataset = source if isinstance(source, Dataset) else open(source)
    return SimulatedDetector(_core.simulate_detector(dataset._open(), address, control, rate, buffer, repeat, order, flyback, drop,
                                                     duplicate, reorder, corrupt, stop_at, seed, wait_s))
