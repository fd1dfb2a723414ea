"""What is known of a scan while it is measured.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

from .._scans._scan import Scan
from .._words import said
from ._results import CenterOfMass, DiffractionPattern, VirtualImages


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


def _problems(listed: Sequence[Tuple[str, int, str]]) -> List[LiveProblem]:
    return [LiveProblem(what, count, said(first)) for what, count, first in listed]
