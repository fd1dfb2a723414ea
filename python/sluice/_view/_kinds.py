"""What `show` gives, as types: anywidget, which makes the classes, is imported when something is shown.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Protocol


class Shown(Protocol):
    """A page in a notebook, and the engine behind it."""

    height: int  #: CSS pixels
    png: Optional[bytes]  #: the last picture that a page drew

    @property
    def notes(self) -> List[str]:
        """What could not be opened, and why."""

    def free(self) -> None:
        """Gives the memory back. Its pages say so; show the data again to look at them."""

    def close(self) -> None:
        """Gives the memory back, and takes the widget out of its notebook."""

    def observe(self, handler: Callable[[Any], None], names: Any = ...) -> None:
        """Calls handler(change) when a trait changes (traitlets)."""


class ShownSlides(Shown, Protocol):
    """Slides in a notebook; made by `sluice.slide.show`."""

    @property
    def slides(self) -> List[Dict[str, Any]]:
        """What is known of them (docs/protocol.md)."""


class ShownVolumes(Shown, Protocol):
    """Dose volumes and images in space in a notebook; made by `sluice.proton.show`."""

    @property
    def volumes(self) -> List[Dict[str, Any]]:
        """What is known of them (docs/protocol.md)."""


class ShownResults(Shown, Protocol):
    """Finished reconstructions in a notebook; made by `sluice.stem4d.show`."""

    @property
    def results(self) -> List[Dict[str, Any]]:
        """What is known of them (docs/protocol.md)."""
