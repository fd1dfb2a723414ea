"""What a conversion did.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Tuple

from .._words import told



@dataclass(frozen=True)
class ConvertedImage:
    """An image of an OME-Zarr folder."""

    path: str
    name: str
    shape: Tuple[int, int, int, int, int]  #: t, c, z, y, x
    dtype: str
    levels: int


@dataclass(frozen=True)
class ConvertReport:
    """What a conversion did."""

    path: str
    images: List[ConvertedImage]
    pixels: int  #: of the full resolution, over all planes, where tiles may lie
    bytes: int  #: of the full resolution as elements
    bytes_written: int  #: of chunks of all levels
    chunks: int
    chunks_empty: int  #: of nothing but background, and not written
    chunks_verified: int
    band_memory: int  #: bytes planned for bands
    peak_memory: int  #: bytes of the process, as the system counted them
    seconds: float
    verify_seconds: float
    resumed: bool
    files_made_again: int  #: by resume, because they were missing or damaged
    tiles_filled: List[str]  #: with fill_bad: each tile, and why
    notes: List[str]


def convert_report(found: "dict[str, Any]") -> ConvertReport:
    """Of what `_core` gives."""
    return ConvertReport(**{**told(found), "images": [ConvertedImage(**i) for i in found["images"]]})
