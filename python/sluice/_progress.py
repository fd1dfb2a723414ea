"""How long work tells how far it is.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

#: Called with work done and all of it; returning False cancels. None: a bar where a person looks
#: on and tqdm is installed. False: nothing.
Progress = Union[Callable[[int, int], Any], bool, None]

_PATIENCE = 0.5  # seconds; shorter work shows no bar


def _person_looks_on() -> bool:
    if "ipykernel" in sys.modules:
        return True
    stream = sys.stderr
    return stream is not None and stream.isatty()


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


@contextlib.contextmanager
def shown(progress: Progress, title: str,
          unit: str = "B") -> Iterator[Optional[Callable[[int, int], Any]]]:
    """What `_core` calls: the caller's function, a bar, or None."""
    if callable(progress):
        yield progress
    elif progress is None and _person_looks_on():
        bar = _Bar(title, unit)
        try:
            yield bar
        finally:
            bar.close()
    elif progress is None or progress is False or progress is True:
        yield None
    else:
        raise TypeError(f"progress is a {type(progress).__name__}; it is a function of (done, "
                        "total), None or False")
