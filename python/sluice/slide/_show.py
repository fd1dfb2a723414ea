"""The viewer of slides in a notebook.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
from typing import Any, Callable

from .. import _core
from .._view._files import files_class, paths_of
from .._view._kinds import ShownSlides


def show(*sources: Any, height: int = 600) -> ShownSlides:
    """The viewer of slides in a notebook, answered by this kernel.

    Args:
        sources: paths of CZI files and OME-Zarr folders, or objects with such a `path`.
        height: of the page, in CSS pixels.

    Returns:
        A widget: `slides` is what is known of them, `free()` gives the memory back.

    Raises:
        ImportError: anywidget is missing. NotFound, Corrupt: no path is a slide.
    """
    paths = paths_of(sources, "slides")
    made: Callable[..., ShownSlides] = files_class("slide", "slides")
    return made(functools.partial(_core.view_slides, paths), height=height)
