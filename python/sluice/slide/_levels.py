"""Which levels of a pyramid show all of a scene.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import List, Optional

import numpy as np

from .._errors import InvalidArgument
from ._file import SlideFile


def complete_levels(slide: "SlideFile", scene: Optional[int]) -> List[int]:
    """The levels that show all of a scene: those of a pyramid that lacks tiles are left out."""
    if not slide.tiles:
        raise InvalidArgument(f"{slide.path} has no tiles")
    cells = 256
    bounds = slide._bounds(scene)
    tiles = slide.tiles
    left, top = tiles.column("x") - bounds.x, tiles.column("y") - bounds.y
    # Cells whose centres are under a tile.
    edges = [np.clip(np.round(place * cells / extent), 0, cells).astype(int)
             for place, extent in ((left, bounds.width), (top, bounds.height),
                                   (left + tiles.column("width"), bounds.width),
                                   (top + tiles.column("height"), bounds.height))]
    scenes, levels = tiles.column("scene"), tiles.column("level")
    out: List[int] = []
    area = 0
    for level in range(len(slide.levels)):
        covered = np.zeros((cells, cells), bool)
        here = levels == level
        if scene is not None:
            here &= scenes == scene
        for x0, y0, x1, y1 in zip(*(edge[here] for edge in edges)):
            covered[y0:y1, x0:x1] = True
        if level == 0:
            area = int(covered.sum())
        if level == 0 or covered.sum() >= 0.98 * area:
            out.append(level)
    return out
