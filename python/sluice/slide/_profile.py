"""Where the time of reading a slide goes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from .. import _core
from .._option_sets import Planes
from .._progress import Progress, shown
from ._file import opened
from ._given import _MOST, Rectangle, whole
from ._times import Profile, profile_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


def profile(source: Any, *, region: Optional[Rectangle] = None, rect: Optional[Rectangle] = None,
            scene: Optional[int] = None, level: int = 0, max_tiles: int = 100,
            threads: Sequence[int] = (), cold: bool = True, progress: Progress = None,
            **plane: Unpack[Planes]) -> Profile:
    """Reads a region of a CZI file once for each number of threads, and tells where the time goes.

    Args:
        source: a `Slide`, or a path for `open`.
        region: and `rect`, `scene`, `level`, `plane`: as `Slide.read` has them.
        max_tiles: of the middle of the region; 0: all, as memory allows.
        threads: numbers of threads to compare; empty: 1, 2, 4, 8 as far as there are processors.
        cold: also measure with the system's cache emptied of the file.
        progress: f(done, all); returning False cancels. None: a bar.
    """
    with opened(source, "profile") as slide, shown(progress, "measuring", "tiles") as tell:
        native = slide._open()
        options = slide._how[1]
        made = _core.slide_profile(
            native, slide._plane(plane), *slide._where(scene, region, rect),
            slide._level(level, None), whole(max_tiles, "max_tiles", 0, _MOST),
            [whole(t, "a number of threads", 1, 1024) for t in threads], bool(cold),
            options.get("map", False), options.get("recover", False),
            options.get("trust_directory", False), tell)
        return profile_of(made, native)
