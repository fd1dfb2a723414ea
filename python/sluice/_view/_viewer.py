"""The engine of the viewer in this process: requests and their answers.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import atexit
import json
import threading
import time
import weakref
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _errors
from .._errors import InvalidArgument

#: A message: its header as JSON text, and the bytes of its arrays or None.
Hear = Callable[[int, str, Optional[NDArray[np.uint8]]], None]
Answer = Tuple[Dict[str, Any], Dict[str, NDArray[Any]]]

_ERRORS = {"invalid_argument": _errors.InvalidArgument, "not_found": _errors.NotFound,
           "unsupported": _errors.Unsupported, "corrupt": _errors.Corrupt,
           "truncated": _errors.Truncated, "incomplete": _errors.Incomplete,
           "out_of_memory": _errors.OutOfMemory, "io": _errors.IoError,
           "cancelled": _errors.Cancelled, "unavailable": _errors.Unavailable}
#: Of datasets of which no more comes than there is.
_SETTLED = ("stopped", "incomplete", "failed")

_all: "weakref.WeakSet[Viewer]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # A thread that asks for the GIL while Python ends would wait for ever.
    for viewer in list(_all):
        viewer.close()


def arrays_in(header: Dict[str, Any],
              payload: Optional[NDArray[np.uint8]]) -> "dict[str, NDArray[Any]]":
    """The arrays of a message by name; they share its memory."""
    out: Dict[str, NDArray[Any]] = {}
    for one in header.get("arrays", []) if payload is not None else []:
        dtype = np.dtype(one["dtype"])
        size = int(np.prod(one["shape"], dtype=np.int64)) * dtype.itemsize
        at = one["offset"]
        out[one["name"]] = payload[at:at + size].view(dtype).reshape(one["shape"])  # type: ignore[index]
    return out


class Viewer:
    """Opened data and the threads that answer for them, until `close`."""

    def __init__(self, begin: Callable[[Hear], Any], hear: Hear) -> None:
        self._changed = threading.Condition()
        self._hear = hear
        self._own = 0
        self._asked = 0
        self._waiting: Dict[int, List[Tuple[Dict[str, Any], Any]]] = {}
        self.hello: Dict[str, Any] = {}
        #: By id, in order.
        self.datasets: Dict[str, Dict[str, Any]] = {}
        me = weakref.ref(self)

        # The engine's thread holds this, and must not keep the viewer alive.
        def heard(client: int, header: str, payload: Optional[NDArray[np.uint8]]) -> None:
            viewer = me()
            if viewer is not None:
                viewer._deliver(client, header, payload)

        self._native = begin(heard)
        with self._changed:
            self._own = self._native.open(False)
        self._wait(lambda: bool(self.hello), None)
        _all.add(self)

    def _deliver(self, client: int, header: str, payload: Optional[NDArray[np.uint8]]) -> None:
        with self._changed:
            own = self._own
        if client != own:
            self._hear(client, header, payload)
            return
        message = json.loads(header)
        with self._changed:
            self._take(message, payload)
            self._changed.notify_all()

    def _take(self, message: Dict[str, Any], payload: Optional[NDArray[np.uint8]]) -> None:
        op = message["op"]
        if op == "hello":
            self.hello = message
        if op in ("hello", "datasets"):
            self.datasets = {one["id"]: one for one in message.get("datasets", [])}
        elif op == "dataset":
            self.datasets[message["dataset"]["id"]] = message["dataset"]
        elif op != "progress" and message.get("id") in self._waiting:
            self._waiting[message["id"]].append((message, payload))

    def _wait(self, done: Callable[[], bool], timeout: Optional[float]) -> bool:
        end = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not done():
                if self.closed:
                    raise InvalidArgument("the viewer is closed; show the data again")
                left = 0.5 if end is None else min(0.5, end - time.monotonic())
                if left <= 0:
                    return False
                self._changed.wait(left)
            return True

    @property
    def closed(self) -> bool:
        """Whether its memory was given back."""
        return self._native is None or bool(self._native.closed)

    @property
    def notes(self) -> List[str]:
        """Paths that could not be opened, and why."""
        return list(self.hello.get("notes", []))

    def open(self) -> int:
        """A page that opens, as a client of the engine."""
        return int(self._native.open(True))

    def submit(self, client: int, request: str) -> bool:
        """A client's request; False: the client is gone."""
        return not self.closed and bool(self._native.submit(client, request))

    def leave(self, client: int) -> None:
        """A client goes."""
        if not self.closed:
            self._native.leave(client)

    def usable(self, which: str, timeout: Optional[float] = None) -> Dict[str, Any]:
        """A dataset's description, once its data can be asked for.

        Raises:
            IoError: it cannot be read. The message says why.
        """
        def there() -> bool:
            one = self.datasets[which]
            return bool(one["step"] > 0 or one["state"] == "streaming"
                        or one["state"] in _SETTLED or one["awaited"])
        self._wait(there, timeout)
        one = self.datasets[which]
        if one["step"] == 0 and one["state"] != "streaming":
            raise _errors.IoError(one["message"] or "nothing of it could be read", one["path"])
        return one

    def ask(self, request: Dict[str, Any], timeout: Optional[float] = None) -> Answer:
        """The answer for all scan points, or for as many as there will be, and its arrays.

        Raises:
            Error: of the class that the engine says. TimeoutError.
        """
        with self._changed:
            if self.closed:
                raise InvalidArgument("the viewer is closed; show the data again")
            self._asked += 1
            number = self._asked
            answers = self._waiting.setdefault(number, [])
        # Requests of several threads do not replace each other.
        text = json.dumps({**request, "id": number, "slot": f"python {number % 64}"})
        try:
            self.submit(self._own, text)
            if not self._wait(lambda: self._complete(answers), timeout):
                raise TimeoutError(f"no answer for {timeout} s")
        finally:
            with self._changed:
                del self._waiting[number]
        header, payload = answers[-1]
        if header["op"] == "error":
            raise _ERRORS.get(header["code"], _errors.Error)(header["message"])
        return header, arrays_in(header, payload)

    def _complete(self, answers: "list[tuple[dict[str, Any], Any]]") -> bool:
        if not answers:
            return False
        last = answers[-1][0]
        if last["op"] == "error" or last.get("step", 1) <= 1:
            return True
        return self.datasets.get(last["dataset"], {}).get("state") in _SETTLED

    def close(self) -> None:
        """Ends all work and gives the memory back."""
        native, self._native = self._native, None
        if native is not None:
            native.close()
        with self._changed:
            self._changed.notify_all()
