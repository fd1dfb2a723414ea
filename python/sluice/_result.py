"""What results of arrays have in common: they compare, and show themselves in a line and in a notebook.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import base64
import html
import struct
import zlib
from dataclasses import fields
from typing import Any, Dict

import numpy as np
from numpy.typing import NDArray

#: Pixels along the longer side of a thumbnail, and images in a row.
_SIDE, _MOST = 160, 6


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same; NaN is NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        numbers = a.dtype.kind in "fc" and b.dtype.kind in "fc"
        return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=numbers))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    return bool(a == b)


class Result:
    """For dataclasses of arrays, with eq=False and repr=False."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(same(getattr(self, f.name), getattr(other, f.name))
                   for f in fields(self) if f.compare)  # type: ignore[arg-type]

    def _about(self) -> str:
        """The line of repr, without the name of the class."""
        raise NotImplementedError

    def _pictures(self) -> Dict[str, NDArray[Any]]:
        """Images [row, col] by their names."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._about()}>"

    def _repr_html_(self) -> str:
        """A thumbnail of each image, for notebooks."""
        shown = list(self._pictures().items())[:_MOST]
        cells = "".join(f'<figure style="display:inline-block;margin:4px"><img alt="" src="data:image/png;base64,'
                        f'{base64.b64encode(thumbnail(image)).decode()}" style="image-rendering:pixelated">'
                        f"<figcaption>{html.escape(name)}</figcaption></figure>" for name, image in shown)
        return f"<div>{html.escape(repr(self))}<br>{cells}</div>"


def sides(image: NDArray[Any]) -> str:
    """As "8x12"."""
    return "x".join(map(str, image.shape))


def thumbnail(image: NDArray[Any]) -> bytes:
    """A small grey PNG: the darkest and the brightest hundredth are black and white."""
    step = max(1, -(-max(image.shape) // _SIDE))
    part = np.asarray(image[::step, ::step], dtype=float)
    known = part[np.isfinite(part)]
    low, high = np.percentile(known, [1, 99]) if known.size else (0.0, 1.0)
    scaled = np.clip((part - low) / ((high - low) or 1.0), 0, 1)
    grey = np.where(np.isfinite(scaled), scaled * 255, 0).astype(np.uint8)
    grey = np.kron(grey, np.ones((max(1, 96 // max(grey.shape)),) * 2, np.uint8))
    rows = np.concatenate([np.zeros((len(grey), 1), np.uint8), grey], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) \
        + chunk(b"IEND", b"")
