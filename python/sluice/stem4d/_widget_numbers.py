"""What the viewer of scans looks at, and what it shows as numbers.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np
from numpy.typing import NDArray

from .._errors import InvalidArgument
from . import _widget_state as state_of
from ._disk import Disk

Json = Dict[str, Any]


class Numbers:
    """A part of the widget: it reads what is set, and asks the engine."""

    _viewer: Any
    index: Any
    mode: Any
    mask: Any
    descan: Any
    rotation: Any
    detectors: Any
    selected: Any
    probe: Any
    source: Any
    region: Any
    region_kind: Any

    @property
    def datasets(self) -> List[Json]:
        """What is known of each dataset (docs/protocol.md), as of now."""
        return list(self._viewer.datasets.values())

    def _id(self) -> str:
        ids = list(self._viewer.datasets)
        if not 0 <= self.index < len(ids):
            raise InvalidArgument(f"index is {self.index}; there are {len(ids)} datasets")
        which: str = ids[self.index]
        return which

    def _dataset(self) -> Json:
        here: Json = self._viewer.usable(self._id())
        return here

    def load(self, timeout: Optional[float] = None) -> None:
        """Waits until all that will be in memory is.

        Raises:
            TimeoutError. IoError: it cannot be read.
        """
        which = self._id()
        self._viewer.usable(which, timeout)
        if not self._viewer._wait(lambda: self._viewer.datasets[which]["state"] not in
                                  ("waiting", "preview"), timeout):
            raise TimeoutError(f"it was not loaded within {timeout} s")

    @property
    def scan_shape(self) -> "tuple[int, int]":
        """(rows, columns) of the scan."""
        rows, cols = self._dataset()["scan"]
        return rows, cols

    @property
    def detector_shape(self) -> "tuple[int, int]":
        """(rows, columns) of the patterns as loaded."""
        rows, cols = self._dataset()["detector"]
        return rows, cols

    @property
    def disk(self) -> Optional[Disk]:
        """The measured bright-field disk, or None."""
        return state_of.disk_of(self._dataset())

    @property
    def image(self) -> NDArray[Any]:
        """The values of the image [row, col]; of "com_vector" two of them."""
        here = self._dataset()
        grid = state_of.grid_of(here)
        moment = self.mode not in ("sum", "mean")
        masked = not moment or self.mask == "selected"
        chosen = self._selected()
        request = {"op": "image", "dataset": here["id"], "mode": self.mode,
                   "detectors": [state_of.shape_to_page(chosen, grid)] if masked else [],
                   "rotation": state_of.rotation_to_page(self.rotation) if moment else "none"}
        if moment:
            request["descan"] = self.descan
        found: NDArray[Any] = self._viewer.ask(request)[1]["images"]
        return found[0].copy() if len(found) == 1 else found.copy()

    @property
    def frame(self) -> NDArray[Any]:
        """The frame at the probe [row, col]."""
        row, col = self.probe
        return self._pattern({"op": "frame", "row": row, "col": col})

    @property
    def pattern(self) -> NDArray[Any]:
        """What the diffraction panel shows [row, col]."""
        if self.source == "probe":
            return self.frame
        if self.source != "region":
            return self._pattern({"op": "pattern", "kind": self.source})
        if self.region is None:
            raise InvalidArgument("there is no region; set one, as in "
                                  "w.region = stem4d.disk(5, (20, 30))")
        shape = state_of.shape_to_page(self.region, state_of.PLAIN)
        return self._pattern({"op": "region", "region": shape, "kind": self.region_kind})

    def _pattern(self, request: Json) -> NDArray[Any]:
        found = self._viewer.ask({**request, "dataset": self._dataset()["id"]})[1]["pattern"]
        return np.array(found)

    def _selected(self) -> Any:
        if not 0 <= self.selected < len(self.detectors):
            raise InvalidArgument(f"selected is {self.selected}; there are "
                                  f"{len(self.detectors)} detectors")
        return self.detectors[self.selected]
