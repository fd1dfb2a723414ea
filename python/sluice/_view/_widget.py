"""The viewer in a notebook: anywidget shows the page of `sluice view`, and the kernel answers it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
import json
import pathlib
import threading
from typing import Any, Callable, Dict, List, Optional, Sequence

from .._errors import Unavailable
from .._words import said
from ._viewer import Hear, Viewer

#: Pages of one widget at a time; more are those that a browser forgot to close.
_MOST_PAGES = 16


def page_module(domain: str) -> str:
    """The page as an ECMAScript module, from the package."""
    path = pathlib.Path(__file__).parents[1] / "static" / f"{domain}.js"
    if not path.exists():
        raise Unavailable("this build of sluice has no page (npm was missing when it was built); "
                          "use `sluice view`, or install a wheel")
    # anywidget takes text of one line for the name of a file.
    return path.read_text(encoding="utf-8") + "\n"


@functools.lru_cache(maxsize=None)
def base() -> Any:
    """The class of all widgets. anywidget is imported here, so that sluice does without it."""
    try:
        import anywidget
        import traitlets
    except ImportError as missing:
        raise ImportError("the viewer in a notebook needs anywidget; run: "
                          "pip install 'sluice[notebook]'") from missing

    class Widget(anywidget.AnyWidget):
        """A page in a notebook, and the engine behind it."""

        #: CSS pixels.
        height = traitlets.Int(600).tag(sync=True)

        _viewer: Any = None  # until data could be opened

        def __init__(self, begin: Callable[[Hear], Any], **more: Any) -> None:
            self._pages: Dict[int, str] = {}
            self._lock = threading.RLock()
            self._viewer = Viewer(begin, self._deliver)
            self._output: Any = None
            #: The last picture that a page drew: PNG, or None.
            self.png: Optional[bytes] = None
            super().__init__(**more)
            self.on_msg(self._heard)

        def _begin_state(self) -> Optional[Dict[str, Any]]:
            """What a page begins with."""
            return None

        def _take_state(self, state: Dict[str, Any], revision: int) -> None:
            """What a page says that was set in it."""

        # On the engine's thread.
        def _deliver(self, client: int, header: str, payload: Any) -> None:
            with self._lock:
                page = self._pages.get(client)
            if page is None:
                return
            if header.startswith('{"op":"hello"'):
                header = json.dumps({**json.loads(header), "session": self._begin_state()})
            self.send({"op": "say", "to": page, "header": header},
                      None if payload is None else [payload.data])

        # What a page says, on a thread of the kernel.
        def _heard(self, _: Any, content: Dict[str, Any], buffers: Sequence[Any]) -> None:
            op, page = content.get("op"), str(content.get("from", ""))
            if self._viewer.closed:
                if op != "close":
                    self.send({"op": "closed", "to": page, "final": True})
            elif op == "ask":
                self._ask(page, str(content["request"]))
            elif op == "open":
                self._open(page)
            elif op == "close":
                self._leave(page)
            elif op == "state":
                self._take_state(content["state"], int(content["revision"]))
            elif op == "picture" and buffers:
                self._keep(bytes(buffers[0]))

        def _client(self, page: str) -> Optional[int]:
            with self._lock:
                return next((client for client, key in self._pages.items() if key == page), None)

        def _open(self, page: str) -> None:
            self._leave(page)
            # Held until it is known whose the engine's hello is.
            with self._lock:
                self._pages[self._viewer.open()] = page
                forgotten = list(self._pages.values())[:-_MOST_PAGES]
            for key in forgotten:
                self._leave(key)

        def _leave(self, page: str) -> None:
            client = self._client(page)
            if client is not None:
                with self._lock:
                    self._pages.pop(client, None)
                self._viewer.leave(client)

        def _ask(self, page: str, request: str) -> None:
            client = self._client(page)
            if client is None or not self._viewer.submit(client, request):
                self._leave(page)
                # It may open again.
                self.send({"op": "closed", "to": page, "final": False})

        def _keep(self, png: bytes) -> None:
            self.png = png
            if self._output is not None:
                self._output.update({"image/png": _base64(png)}, raw=True)

        def _ipython_display_(self, **kwargs: Any) -> None:
            """Shows the widget, and below it its last picture for who opens the saved notebook."""
            from IPython import display as shown
            display: Any = shown.display
            made = self._repr_mimebundle_(**kwargs)
            data, metadata = made if isinstance(made, tuple) else (made, {})
            display(data, metadata=metadata, raw=True)
            first = {"image/png": _base64(self.png)} if self.png else {"text/plain": ""}
            self._output = display(first, raw=True, display_id=True)

        @property
        def notes(self) -> List[str]:
            """What could not be opened, and why."""
            return [said(note) for note in self._viewer.notes]

        def free(self) -> None:
            """Gives the memory back. Its pages say so; show the data again to look at them."""
            if self._viewer is None or self._viewer.closed:
                return
            self.send({"op": "closed", "to": "*", "final": True})
            with self._lock:
                self._pages.clear()
            self._viewer.close()

        def close(self) -> None:
            """Gives the memory back, and takes the widget out of its notebook."""
            self.free()
            super().close()

    return Widget


def _base64(data: Optional[bytes]) -> str:
    import base64
    return base64.b64encode(data or b"").decode("ascii")
