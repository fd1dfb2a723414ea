"""A file of sums beside a scan, from which answers come without its frames.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Optional

from .. import _core
from .._arrays import Point, as_pair
from .._options import LoadOptions, Path
from .._progress import shown
from .._scans._open import load
from .._scans._scan import Scan
from .._words import told

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class TablesMade:
    """A file of tables."""

    file: str
    bytes: int
    center: Optional[Point]  #: of the rings, in pixels of the full detector; None: there are no rings
    patterns: bool  #: False: they would have taken too much memory
    notes: List[str]


def tables(source: Any, path: Path = "", *, center: Optional[Point] = None,
           **load_options: Unpack[LoadOptions]) -> TablesMade:
    """Reads a scan once and writes sums of its frames into a file beside it.

    Virtual images of disks and annuli of whole radii about the centre, centres of mass of the whole
    detector and mean patterns of the scan then come from the file, bit by bit the same, where the scan
    is streamed (`sluice.load(..., stream=True)`) and nothing of it has changed.

    Args:
        source: a `Scan`, whose masks and bins the tables have, or what `sluice.load` takes.
        path: the file; "": beside the scan, as NAME.sluice-tables. Elsewhere it is found by
            `sluice.load(..., tables_file=path)`.
        center: (row, col) of the rings, in pixels of the full detector; None: that of the bright-field disk.
        load_options: of `sluice.load`, where the source is no `Scan`; `progress` is that of the pass.

    Raises:
        Unsupported: the scan has no files, or its values are no whole numbers.

    Example:
        >>> import numpy as np, sluice, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     np.save(folder + "/scan.npy", np.ones((4, 5, 16, 16), np.uint16))
        ...     made = sluice.stem4d.tables(folder + "/scan.npy", center=(8, 8), progress=False)
        ...     scan = sluice.load(folder + "/scan.npy", stream=True)
        ...     sums = sluice.stem4d.virtual_image(scan, "disk:r=3,center=8:8", progress=False).values
        >>> made.file.endswith("/scan.npy.sluice-tables"), float(sums[0, 0, 0])
        (True, 29.0)
    """
    progress = load_options.pop("progress", None)
    if isinstance(source, Scan):
        scan = source
    else:
        load_options.setdefault("stream", True)
        load_options.setdefault("tables", "none")
        load_options["progress"] = False
        scan = load(source, **load_options)
    with shown(progress, "reading") as tell:
        return TablesMade(**told(_core.stem4d_tables(
            scan._open(), os.fspath(path), None if center is None else as_pair(center, "center"),
            load_options.get("device", "cpu"), load_options.get("threads", 0), tell)))
