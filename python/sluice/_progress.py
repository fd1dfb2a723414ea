"""How long work tells how far it is.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

#: Called with work done and all of it; returning False cancels. None: a bar where a person looks
#: on and tqdm is installed. False: nothing.
Progress = Union[Callable[[int, int], Any], bool, None]

_PATIENCE = 0.5  # seconds; shorter work shows no bar


_asked: "tuple[Any, bool]" = (None, False)  # a stream, and whether it is a terminal


def _person_looks_on() -> bool:
    global _asked
    if "ipykernel" in sys.modules:
        return True
    stream = sys.stderr
    if _asked[0] is not stream:  # a system call, which costs as much as a small analysis
        _asked = (stream, stream is not None and stream.isatty())
    return _asked[1]


class _Bar:
    """A bar of tqdm's that appears once work has taken a while."""

    def __init__(self, title: str, unit: str) -> None:
        self._title = title
        self._unit = unit
        self._start = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._start < _PATIENCE or done >= total:
                return
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._start = float("inf")
                return
            self._bar = tqdm(total=total, desc=self._title, unit=self._unit,
                             unit_scale=self._unit == "B", leave=False)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class shown:
    """A context whose value `_core` calls: the caller's function, a bar, or None."""

    __slots__ = ("_tell",)

    def __init__(self, progress: Progress, title: str, unit: str = "B") -> None:
        self._tell: Optional[Callable[[int, int], Any]] = None
        if callable(progress):
            self._tell = progress
        elif progress is None:
            if _person_looks_on():
                self._tell = _Bar(title, unit)
        elif not isinstance(progress, bool):
            raise TypeError(f"progress is a {type(progress).__name__}; it is a function of (done, "
                            "total), None or False")

    def __enter__(self) -> Optional[Callable[[int, int], Any]]:
        return self._tell

    def __exit__(self, *_: object) -> None:
        if isinstance(self._tell, _Bar):
            self._tell.close()
