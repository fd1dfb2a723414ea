"""`sluice.slide.show` and `sluice.proton.show`, which those modules take from here.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any


def show_slides(*sources: Any, height: int = 600) -> Any:
    """The viewer of slides in a notebook, answered by this kernel.

    Args:
        sources: paths of CZI files and OME-Zarr folders, or objects with such a `path`.
        height: of the page, in CSS pixels.

    Returns:
        A widget: `slides` is what is known of them, `free()` gives the memory back.

    Raises:
        ImportError: anywidget is missing. NotFound, Corrupt: no path is a slide.
    """
    from ._widget import show_slides as show
    return show(sources, height)


def show_volumes(*sources: Any, height: int = 600, memory_limit: int = 0) -> Any:
    """The viewer of dose volumes and images in space in a notebook, answered by this kernel.

    Args:
        sources: paths of MetaImage, NRRD and NPY files and of folders of `sluice proton run`.
        height: of the page, in CSS pixels.
        memory_limit: most bytes for all of them; 0: as much as can be spared.

    Returns:
        A widget: `volumes` is what is known of them, `free()` gives the memory back.

    Raises:
        ImportError: anywidget is missing. NotFound, Corrupt: nothing could be loaded.
    """
    from ._widget import show_volumes as show
    return show(sources, height, memory_limit)
