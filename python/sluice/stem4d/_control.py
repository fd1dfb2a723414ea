"""The detector's control port: how it is set and armed.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Union

from .. import _core

Setting = Union[str, bool, int, float]


class DetectorChange(NamedTuple):
    """A setting that was changed, as texts; `before` is "" where it is not known."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class DetectorStatus:
    """What a detector says of itself."""

    kind: str  #: "simplon" or "merlin"
    software: str
    state: str  #: "unknown", "idle", "armed", "busy" or "error"
    word: str  #: its own word for the state; "" if it does not say


@dataclass(frozen=True)
class ControlReport:
    """What was done to the detector for a scan."""

    address: str
    software: str
    series: str  #: the number that arming gave; "" if the detector says none
    changes: List[DetectorChange]
    notes: List[str]
    ended: str  #: "disarmed", "cancelled", or why neither could be done
    error: str  #: of `on_armed` or the trigger


@dataclass
class Arm:
    """Sets the detector for a scan and arms it, for `live`.

    `control` is its control port; "" that of the stream's host. `trigger` says what takes the images: "point" (a signal
    begins each), "gate" (a signal lasts as long as each), "line" (a signal begins each row) or "software" (this program,
    once). Times that are None stay as they are on the detector. `set` has other settings. `on_armed` is called with the
    scan that is armed (`series`, `scan_shape`, `images`, `wanted()`) in a thread of its own while images come; what it
    raises cancels the scan. It should return when `wanted()` is false. `take_over` cancels what is armed already.
    """

    control: str = ""
    trigger: str = "point"
    dwell_s: Optional[float] = None  #: from image to image
    exposure_s: Optional[float] = None  #: of an image
    set: Dict[str, Setting] = field(default_factory=dict)
    take_over: bool = False
    on_armed: Optional[Callable[[Any], None]] = None

    def _words(self) -> Dict[str, Any]:
        words = dict(vars(self))
        words["set"] = [f"{name}={_text(value)}" for name, value in self.set.items()]
        return words


def _text(value: Setting) -> str:
    return value if isinstance(value, str) else json.dumps(value)


class DetectorControl:
    """The control port of a detector: "http://dcu" (DECTRIS' SIMPLON API) or "tcp://merlin:6341" (Quantum Detectors'
    Merlin). `kind` says which, where the address does not: "simplon" or "merlin".

    Settings of SIMPLON are "nimages", of other modules "stream/mode", states "detector/status/state"; of Merlin
    "NUMFRAMESTOACQUIRE".
    """

    def __init__(self, address: str, kind: str = "by-address") -> None:
        self._native: Any = _core.detector_control(str(address), kind)

    @property
    def address(self) -> str:
        """Of the control port."""
        return str(self._native.address)

    def status(self) -> DetectorStatus:
        """Whether it is idle or armed."""
        return DetectorStatus(*self._native.status())

    def get(self, name: str) -> str:
        """A setting, as text."""
        return str(self._native.get(name))

    def set(self, name: str, value: Setting) -> List[DetectorChange]:
        """Returns what was changed: this, and what the detector says that changed with it."""
        return [DetectorChange(*one) for one in self._native.set(name, _text(value))]

    def arm(self) -> Optional[int]:
        """The number of the series that comes; None if the detector does not say it."""
        series = self._native.arm()
        return None if series is None else int(series)

    def trigger(self) -> None:
        """Takes images. SIMPLON answers when they are taken."""
        self._native.trigger()

    def disarm(self) -> None:
        """Takes no more images."""
        self._native.disarm()

    def cancel(self) -> None:
        """Ends the series that is measured."""
        self._native.cancel()

    def initialize(self) -> None:
        """As after it was switched on."""
        self._native.initialize()
