"""The viewer of scans in a notebook, as a type: what can be read and set.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Literal, Optional, Protocol, Sequence, Tuple, Union

from numpy.typing import NDArray

from .._view._kinds import Shown
from ._detectors import Detector
from ._disk import Disk
from ._phase import Rotation

#: What the image is.
Mode = Literal["sum", "mean", "com_row", "com_col", "com_magnitude", "com_vector", "divergence", "curl", "icom"]
#: What the diffraction panel shows.
PanelSource = Literal["probe", "region", "sum", "mean", "max", "variance"]


class ShownScans(Shown, Protocol):
    """Scans in a notebook; made by `sluice.stem4d.show`.

    Coordinates and lengths on the detector are pixels of the full, unbinned detector. Setting an attribute changes
    the page; what is set in the page changes the attribute.
    """

    index: int  #: which dataset is looked at, from 0
    selected: int  #: which detector makes the image, from 0
    mode: Mode
    mask: Literal["selected", "whole"]  #: what the centre of mass is of
    descan: Literal["mean", "plane"]  #: what is subtracted from it
    rotation: Union[Rotation, Literal["none", "auto"]]
    region: Optional[Detector]  #: a shape on the scan, in scan points
    region_kind: Literal["sum", "mean", "max"]
    source: PanelSource

    @property
    def detectors(self) -> List[Detector]:
        """Virtual detectors; texts like "bf" and "disk:r=20" can be set, too."""

    @detectors.setter
    def detectors(self, value: Union[Detector, str, Sequence[Union[Detector, str]]]) -> None: ...

    @property
    def probe(self) -> Tuple[int, int]:
        """(row, column) of the scan point whose frame is looked at."""

    @probe.setter
    def probe(self, value: Sequence[float]) -> None: ...

    @property
    def datasets(self) -> List[Dict[str, Any]]:
        """What is known of each dataset (docs/protocol.md), as of now."""

    @property
    def scan_shape(self) -> Tuple[int, int]:
        """(rows, columns) of the scan."""

    @property
    def detector_shape(self) -> Tuple[int, int]:
        """(rows, columns) of the patterns as loaded."""

    @property
    def disk(self) -> Optional[Disk]:
        """The measured bright-field disk, or None."""

    @property
    def image(self) -> NDArray[Any]:
        """The values of the image [row, col]; of "com_vector" two of them."""

    @property
    def frame(self) -> NDArray[Any]:
        """The frame at the probe [row, col]."""

    @property
    def pattern(self) -> NDArray[Any]:
        """What the diffraction panel shows [row, col]."""

    @property
    def session(self) -> Dict[str, Any]:
        """All that is set, also how it is displayed."""

    @session.setter
    def session(self, value: Dict[str, Any]) -> None: ...

    def load(self, timeout: Optional[float] = None) -> None:
        """Waits until all that will be in memory is."""

    def apply_preset(self, name: str) -> None:
        """Selects "bf", "abf", "adf" or "haadf" at the measured disk."""

    def on(self, name: str, call: Callable[[Any], Any]) -> Callable[[], None]:
        """Calls `call(value)` when an attribute has changed; gives back what ends that."""
