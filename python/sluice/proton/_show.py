"""The viewer of dose volumes and images in space in a notebook.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
from typing import Any, Callable

from .. import _core
from .._view._files import files_class, paths_of
from .._view._kinds import ShownVolumes


def show(*sources: Any, height: int = 600, memory_limit: int = 0) -> ShownVolumes:
    """The viewer of dose volumes and images in space in a notebook, answered by this kernel.

    Args:
        sources: paths of MetaImage, NRRD, NPY and DICOM files (a CT series is its folder), of folders of
            `sluice proton run`, and of RT structure sets, which are drawn over them.
        height: of the page, in CSS pixels.
        memory_limit: most bytes for all of them; 0: as much as can be spared.

    Returns:
        A widget: `volumes` is what is known of them, `free()` gives the memory back.

    Raises:
        ImportError: anywidget is missing. NotFound, Corrupt: nothing could be loaded.
    """
    paths = paths_of(sources, "volumes")
    made: Callable[..., ShownVolumes] = files_class("proton", "volumes")
    return made(functools.partial(_core.view_volumes, paths, memory_limit), height=height)
