"""The viewer in a notebook for data of any kind.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, List, Tuple, Union, overload

from numpy.typing import NDArray

from . import _core
from ._errors import InvalidArgument
from ._option_sets import ShowOptions
from ._options import Path
from ._scans import Dataset, Scan

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._view._kinds import ShownResults, ShownSlides, ShownVolumes
    from .slide import Slide
    from .stem4d import PtychographyResult, ShownScans


@overload
def show(first: "Slide", /, *more: "Union[Slide, Path]", height: int = 600) -> "ShownSlides": ...


@overload
def show(first: "PtychographyResult", /, *more: "Union[PtychographyResult, Path]",
         height: int = 600) -> "ShownResults": ...


@overload
def show(first: "Union[Scan, Dataset, NDArray[Any], List[Any], Tuple[Any, ...]]", /,
         *more: "Union[Scan, Dataset, NDArray[Any], Path]", height: int = 600,
         **options: "Unpack[ShowOptions]") -> "ShownScans": ...


@overload
def show(*sources: Path, height: int = 600, **options: "Unpack[ShowOptions]"
         ) -> "Union[ShownScans, ShownResults, ShownSlides, ShownVolumes]": ...


def show(*sources: Any, height: int = 600, **options: Unpack[ShowOptions]
         ) -> "Union[ShownScans, ShownResults, ShownSlides, ShownVolumes]":
    """The viewer in a notebook, for whatever `sluice view` shows: scans, reconstructions, slides, dose volumes.

    Args:
        sources: paths and objects of one kind, as `stem4d.show`, `slide.show` and `proton.show` take them.
        height: of the page, in CSS pixels.
        options: of scans: those of `stem4d.show`; of volumes: `memory_limit`.

    Returns:
        What the kind's own `show` gives.

    Raises:
        ImportError: anywidget is missing. InvalidArgument: sources of several kinds.

    Example:
        >>> import sluice
        >>> w = sluice.show("synthetic:stem4d?scan=8x8&detector=32x32", mode="icom")
        >>> w.mode, w.image.shape
        ('icom', (8, 8))
        >>> w.free()
    """
    kinds = sorted({_kind(one) for one in sources})
    if len(kinds) > 1:
        raise InvalidArgument(f"{' and '.join(kinds)} are not shown together; call show for each kind")
    if kinds == ["slides"]:
        from . import slide
        _expect_none(options, "slides")
        return slide.show(*sources, height=height)
    if kinds == ["volumes"]:
        from . import proton
        memory_limit = options.pop("memory_limit", 0)
        _expect_none(options, "volumes")
        return proton.show(*sources, height=height, memory_limit=memory_limit)
    from . import stem4d
    return stem4d.show(*sources, height=height, **options)


def _expect_none(options: "ShowOptions", kind: str) -> None:
    left: List[str] = list(options)
    if left:
        raise InvalidArgument(f"{', '.join(left)} is of scans ({kind} have no such option); leave it out")


def _kind(source: Any) -> str:
    slide = sys.modules.get("sluice.slide")
    if slide is not None and isinstance(source, slide.Slide):
        return "slides"
    if not isinstance(source, (str, os.PathLike)):
        return "scans"
    return {"slide": "slides", "volume": "volumes", "dose": "volumes"}.get(_core.kind_of(os.fspath(source)), "scans")
