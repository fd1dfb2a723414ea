"""What a model's files say, and models as safetensors files.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .. import _core
from .._errors import InvalidArgument
from .._options import Path
from .._progress import Progress, shown
from .._words import told
from ._config import ModelConfig, _config
from ._network import Network


@dataclass(frozen=True)
class Chunk:
    """How a song is cut: MSST and UVR read the same configuration differently."""

    rule: str  #: "msst" or "uvr"
    samples: int
    frames: int
    macs: float
    elements: float


@dataclass(frozen=True)
class Inspection:
    """What a model's files say."""

    container: str  #: the kind of file
    file_bytes: int
    tensors: int
    parameters: int  #: numbers that were trained
    weight_numbers: float  #: all numbers
    element_types: List[str]
    network: Network
    #: Each number of the configuration, and where it is from: "tensors", "YAML" and the like.
    facts: Dict[str, Tuple[Union[int, str], str]]
    stems: List[str]
    stems_origin: str
    sample_rate: int
    chunks: List[Chunk]  #: one, or one for each rule where they differ
    notes: List[str]

    def memory(self, chunk: Chunk, number_bytes: int = 4) -> float:
        """Estimated bytes for a chunk at a time, with numbers of so many bytes."""
        return (self.weight_numbers + chunk.elements) * number_bytes


def _inspection(found: Dict[str, Any]) -> Inspection:
    return Inspection(**{**told(found), "network": Network(**found["network"]),
                         "chunks": [Chunk(**c) for c in found["chunks"]]})


def _maybe(path: Optional[Path]) -> Optional[str]:
    return None if path is None else os.fspath(path)


Assume = Mapping[str, Union[int, str, Sequence[str]]]


def _assumed(assume: Optional[Assume]) -> List[str]:
    """Keys and values as the command line writes them."""
    if assume is None:
        return []
    if not isinstance(assume, Mapping):
        raise InvalidArgument("assume is a dictionary, as {'act': 'relu'}")
    return [f"{key}={value if isinstance(value, (str, int)) else ','.join(map(str, value))}"
            for key, value in assume.items()]


def inspect(model: Path, config: Optional[Path] = None, *,
            assume: Optional[Assume] = None) -> Inspection:
    """Reads a model's description and its configuration, and compares them. Reads no weights.

    Args:
        model: a checkpoint of PyTorch, or a safetensors file.
        config: the YAML that was published with it; None: the one within the file, if there is one.
        assume: what the YAML lacks and you know, as for `Model`.
    """
    return _inspection(_core.music_inspect(os.fspath(model), _maybe(config), _assumed(assume)))


def convert(model: Path, out: Path, config: Optional[Path] = None, *, type: str = "same",
            force: bool = False, progress: Progress = None) -> Inspection:
    """Writes a safetensors file with the model's tensors and its configuration.

    Args:
        model: a checkpoint of PyTorch, or a safetensors file.
        out: the file; it appears whole or not at all.
        config: the YAML that was published with it.
        type: "same" (bit by bit), "fp32", "fp16" or "bf16".
        force: replaces a file that is there.
        progress: f(bytes read, all); returning False cancels.

    Returns:
        What `inspect` says of the result; a note says how much was rounded.
    """
    with shown(progress, "convert") as tell:
        return _inspection(_core.music_convert(os.fspath(model), _maybe(config), os.fspath(out),
                                               bool(force), type, tell))


def synthesize(config: ModelConfig, out: Path, seed: int = 1, *, force: bool = False,
               progress: Progress = None) -> Inspection:
    """Writes a safetensors model whose weights nobody trained: they depend on `seed` alone. It
    takes as long as a trained one and separates nothing."""
    with shown(progress, "synthesize") as tell:
        return _inspection(_core.music_synthesize(_config(config), seed, os.fspath(out),
                                                  bool(force), tell))
