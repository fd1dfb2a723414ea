"""What the file of a slide says of itself.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

from .._words import told
from ._tiles import LETTERS


@dataclass(frozen=True)
class Channel:
    """A channel as the file describes it; "" and 0 where it says nothing."""

    index: int
    id: str
    name: str
    fluor: str
    color: str  #: "RRGGBB"
    excitation_nm: float
    emission_nm: float
    exposure_ms: float
    bits: int  #: of a component
    low: float  #: display window, 0 to 1 of the range; both 0: unknown
    high: float


@dataclass(frozen=True)
class SceneInfo:
    """A scene as the file describes it."""

    index: int
    name: str
    well: str  #: as "D6", or ""
    row: int  #: of the well, from 1; 0: unknown
    column: int


@dataclass(frozen=True)
class Metadata:
    """What a file says of itself; it may lack any of it."""

    x_um: float  #: size of a pixel of the full resolution; 0: unknown
    y_um: float
    z_um: float  #: between two slices; 0: unknown
    t_s: float  #: between two time points, in seconds; 0: unknown
    channels: List[Channel]
    scenes: List[SceneInfo]
    acquired: str
    objective: str
    application: str
    title: str
    pixel_type: str
    sizes: Dict[str, int]  #: what it says of each dimension, where it says anything
    scene_count: int
    notes: List[str]  #: what is wrong with the description


def metadata_of(found: "dict[str, Any]") -> Metadata:
    """Of what `_core` gives."""
    sizes = {letter: n for letter, n in zip(LETTERS, found["sizes"]) if n}
    return Metadata(**{**told(found), "sizes": sizes,
                       "channels": [Channel(**c) for c in found["channels"]],
                       "scenes": [SceneInfo(**s) for s in found["scenes"]]})


@dataclass(frozen=True)
class Attachment:
    """A file within the file."""

    name: str
    content_type: str  #: as "JPG" or "CZI"
    size: int  #: bytes
    problem: str  #: why it cannot be read, or ""


@dataclass(frozen=True)
class Violation:
    """A rule of the format that a file breaks."""

    rule: str
    message: str
    at: int  #: byte in the file
    note: bool  #: odd, and seen in files of good writers
