"""Whether a detector, its network, this machine and its disk keep up with each other.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Optional

from . import _program
from ._options import Path
from ._words import said

Network = Literal["1GbE", "10GbE", "25GbE", "40GbE", "100GbE"]


@dataclass(frozen=True)
class Acquisition:
    """The links of the chain, and the one that breaks first."""

    #: name, rows, columns, bits, most_per_s, hits, bytes, source.
    detector: Dict[str, Any]
    #: frames or hits a second.
    rate: float
    breaks: bool
    #: the name of the stage with the least room.
    first: str
    #: name, needed_bytes_per_s, can_bytes_per_s, frames_per_s, room (below 1 it breaks), basis.
    stages: List[Dict[str, Any]]
    advice: List[str]

    def __str__(self) -> str:
        lines = [f"{stage['name']}: {stage['room']:.2f} times what is needed" for stage in self.stages]
        return "\n".join([f"{self.detector['name']} at {self.rate:g} a second", *lines, *self.advice])


def acquisition(detector: str, *, rate: Optional[float] = None, network: Optional[Network] = None,
                compression: float = 1, disk: Optional[float] = None, folder: Path = ".",
                threads: Optional[int] = None) -> Acquisition:
    """Plans an acquisition as `sluice acquisition` does. Decoding, and without `disk` the disk, are measured.

    Args:
        detector: one of the table, as "ARINA", or rows, columns and bits as "256x256x16".
        rate: frames or hits a second; the detector's most without it.
        network: between detector and machine; it is left out without a name.
        compression: how many times smaller the detector sends its frames.
        disk: MB a second that the disk takes.
        folder: on the disk that is measured; nothing is left there.
        threads: of processors that decode; all without it.

    Raises:
        InvalidArgument: a detector that nobody knows, or no rate.

    Example:
        >>> import sluice
        >>> sluice.acquisition("256x256x16", rate=1000, network="1GbE", disk=500).first  # doctest: +SKIP
        'network'
    """
    made = _program.told(["acquisition", detector, *_program.options(
        rate=rate, network=network, compression=compression, disk=disk, folder=folder, threads=threads)])
    made["advice"] = [said(text) for text in made["advice"]]
    return Acquisition(**made)
