"""A detector that is not there.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, Optional

from .. import _core
from .._errors import Cancelled
from .._options import Order
from .._scans._dataset import Dataset
from .._scans._open import open


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
