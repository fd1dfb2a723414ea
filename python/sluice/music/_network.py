"""Networks, as configurations and tensors describe them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple

from .. import _core
from ._config import ModelConfig, _config


@dataclass(frozen=True)
class Network:
    """A TFC-TDF U-Net, version 3, as the shapes of its tensors say it."""

    channels: int = 0  #: of the outermost level
    growth: int = 0  #: channels that each level has more
    scales: int = 0  #: levels without the bottleneck
    blocks: int = 0  #: in each level
    bottleneck: int = 1  #: how much narrower a TDF is within
    subbands: int = 1
    bins: int = 0  #: of frequency in a subband, at the outermost level
    stems: int = 0
    scale: Tuple[int, int] = (2, 2)  #: of time and frequency from level to level
    norm: str = "per_channel"  #: or "none", "batch"

    def _numbers(self) -> "tuple[list[int], tuple[int, int], str]":
        return ([self.channels, self.growth, self.scales, self.blocks, self.bottleneck,
                 self.subbands, self.bins, self.stems], self.scale, self.norm)


def network_of(config: ModelConfig) -> Network:
    """The network that a configuration describes."""
    return Network(**_core.music_network_of(_config(config)))


def places(network: Network) -> List[Tuple[str, Tuple[int, ...]]]:
    """Names and shapes of all tensors of a network, in the order of PyTorch."""
    return [(name, shape) for name, shape in _core.music_places(*network._numbers())]


def cost_of(network: Network, frames: int) -> Tuple[float, float]:
    """What a chunk of so many frames costs: multiplications with their additions, and the numbers
    that are kept at once."""
    macs, elements = _core.music_cost_of(*network._numbers(), frames)
    return macs, elements
