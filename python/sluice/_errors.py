"""Exceptions: one class for each kind of error, with the message of the program and its place.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Callable, Optional, Type

from ._words import said

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(text: str, kind: Type[Warning]) -> None:
    """Warns where the caller of the package stands, however many of its own functions are between."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
        level += 1
    warnings.warn(said(text), kind, stacklevel=level)


def _again(kind: "type[Error]", text: str, file: str, at: Optional[int]) -> "Error":
    return kind(text, file, at)


class Error(Exception):
    """Whatever the library refuses or cannot do.

    Attributes:
        file: the file that it was found in, or "".
        at: the byte in that file, or None.
    """

    def __init__(self, text: str = "", file: str = "", at: Optional[int] = None) -> None:
        text = said(text)
        super().__init__(text)
        self.text = text
        self.file = file
        self.at = at

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> "tuple[Callable[..., Error], tuple[Any, ...]]":
        return _again, (type(self), self.text, self.file, self.at)


class InvalidArgument(Error, ValueError):
    """The caller asked for something that makes no sense."""


class WrongType(InvalidArgument, TypeError):
    """A function has no such keyword, or a value is of a kind that it cannot be."""


class NotFound(Error, FileNotFoundError):
    """A file, a dataset or a name is not there."""


class Unsupported(Error):
    """A valid input that this version cannot read."""


class Corrupt(Error):
    """Bytes break the rules of their format."""


class Truncated(Error):
    """A file ends before its own sizes say."""


class Incomplete(Error):
    """An acquisition has frames missing."""


class OutOfMemory(Error, MemoryError):
    """More than the machine, or the limit given, has."""


class IoError(Error, OSError):
    """The operating system refused."""


class Cancelled(Error):
    """A progress callback returned False."""


class Unavailable(Error):
    """A device that this machine does not have."""
