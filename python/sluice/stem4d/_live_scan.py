"""A scan from the detector while it is measured.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import logging
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .._errors import InvalidArgument, IoError, Unsupported
from .._options import Pair, PatternKind, Rectangle
from .._scans._dataset import Dataset
from .._scans._scan import Scan
from .._words import in_words, said
from ._control import ControlReport, DetectorChange
from ._detectors import Detectors, _detector, _detectors
from ._disk import Disk, find_disk
from ._live_states import LiveLook, LiveProblem, LiveState, Recording, _problems
from ._products import products

log = logging.getLogger("sluice")


class _LiveDataset(Dataset):
    """Frames that come once and go into memory."""

    def _read(self, frames: NDArray[np.int64], part: Rectangle) -> NDArray[Any]:
        raise Unsupported("the frames of a scan that is measured are not read from a file; index "
                          "scan.so_far(), or open the recording")


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
        return ControlReport(address, software, series, [DetectorChange(*one) for one in changes], in_words(list(notes)), ended,
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
            log.warning("the recording is not complete: %s", said(recorded.error))
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
        while self.state.ready < frames and not self.wait(0.02):
            pass
        if self.ended:
            self.finish()
        return find_disk(self.so_far())

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
        if not every >= 0:
            raise InvalidArgument(f"every is {every}; it is at least 0 seconds")
        wanted = _detectors(detectors)[0] + ([] if within is None else [_detector(within)])
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
                found = products(scan, detectors=detectors, center_of_mass=center_of_mass, within=within,
                                        patterns=list(patterns), disk=disk, mean=mean, dark=dark, gain=gain,
                                        threads=threads)
                yield LiveLook(scan, state, found.images, found.center_of_mass,
                               dict(zip(patterns, found.patterns)))
            if not last:
                self.wait(max(0.0, every - (time.monotonic() - begin)))
