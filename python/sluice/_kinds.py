"""What an annotation lets in, told of a value; annotations are what mypy reads, too.

Only what an annotation rules out for sure is refused: arrays come from many packages.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import collections.abc
import os
import typing
from types import UnionType
from typing import Any, Callable, Dict, List, Literal, Mapping, Union

import numpy as np

#: Elements of longer lists are not looked at, so that a call costs the same.
_FEW = 16


def evaluated(annotation: Any, names: Mapping[str, Any]) -> Any:
    """The type that a text stands for; Any where it cannot be found, as of other packages."""
    try:
        for _ in range(3):
            if not isinstance(annotation, str):
                break
            annotation = eval(annotation, dict(names))
    except Exception:
        return Any
    if isinstance(annotation, str):
        return Any
    if typing.get_origin(annotation) is Union:
        parts = tuple(evaluated(getattr(one, "__forward_arg__", one), {"os": os, **names})
                      for one in typing.get_args(annotation))
        return Union[parts]
    return annotation


def _is_number(value: Any) -> bool:
    if type(value) is float or type(value) is int:
        return True
    return (hasattr(value, "__float__") or hasattr(value, "__index__")) and not isinstance(value, np.ndarray) \
        or (getattr(value, "ndim", None) == 0 and getattr(value, "dtype", np.dtype("O")).kind in "buif")


def _is_truth(value: Any) -> bool:
    return isinstance(value, np.bool_) or (isinstance(value, (int, np.integer)) and value in (0, 1))


def _is_array(value: Any) -> bool:
    return hasattr(value, "__len__") or hasattr(value, "__array__") or hasattr(value, "__dlpack__")


Fits = Callable[[Any], bool]
_SCALARS: Dict[Any, Fits] = {
    int: lambda v: hasattr(v, "__index__") and getattr(v, "ndim", 0) == 0,
    float: _is_number,
    bool: _is_truth,
    complex: lambda v: _is_number(v) or hasattr(v, "__complex__"),
    str: lambda v: isinstance(v, str),
    bytes: lambda v: isinstance(v, (bytes, bytearray, memoryview)),
    type(None): lambda v: v is None,
    None: lambda v: v is None,
}


def _anything(value: Any) -> bool:
    return True


def fits(hint: Any) -> Fits:
    """What tells whether a value may be meant for an argument of this annotation."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union or origin is UnionType:
        return _one_of([fits(one) for one in of])
    if origin is Literal:
        return lambda v: any(type(v) is type(one) and v == one for one in of)
    if origin is tuple:
        return _tuple(of)
    if origin is collections.abc.Callable:
        return callable
    if origin in (collections.abc.Mapping, dict):
        return lambda v: hasattr(v, "keys")
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
        return _sequence(fits(of[0]) if of else _anything)
    if origin is np.ndarray:
        return lambda v: _is_array(v) and not isinstance(v, (str, bytes))
    if origin is os.PathLike:
        return lambda v: hasattr(v, "__fspath__")
    if isinstance(hint, type) and origin is None and hint.__module__.startswith("sluice") \
            and not getattr(hint, "_is_protocol", False) and not hasattr(hint, "__total__"):
        return lambda v: isinstance(v, hint)
    return _anything


def _one_of(several: List[Fits]) -> Fits:
    if _anything in several:
        return _anything

    def of(value: Any) -> bool:
        for one in several:
            if one(value):
                return True
        return False
    return of


def _tuple(of: Any) -> Fits:
    each = None if len(of) == 2 and of[1] is ... else [fits(one) for one in of]

    def right(value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return each is None or (len(value) == len(each)
                                    and all([one(v) for one, v in zip(each, value)]))
        if isinstance(value, (str, bytes)) or not _is_array(value) or getattr(value, "ndim", 1) == 0:
            return False
        return each is None or not hasattr(value, "__len__") or len(value) == len(each)
    return right


def _sequence(each: Fits) -> Fits:
    def right(value: Any) -> bool:
        if isinstance(value, (str, bytes)) or not (_is_array(value) or hasattr(value, "__iter__")):
            return False
        if isinstance(value, (list, tuple)) and len(value) <= _FEW:
            return all([each(one) for one in value])
        return True
    return right


_WORDS: Dict[Any, str] = {int: "a whole number", float: "a number", bool: "True or False", str: "a text",
                          bytes: "bytes", type(None): "None", complex: "a complex number"}


def words(hint: Any) -> str:
    """What an annotation asks for, as a sentence goes on after "give"."""
    if hint in _WORDS:
        return _WORDS[hint]
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union or origin is UnionType:
        several = [words(one) for one in of]
        if os.PathLike in (typing.get_origin(one) for one in of):
            several = ["a path" if typing.get_origin(one) is os.PathLike else words(one)
                       for one in of if one is not str]
        several = list(dict.fromkeys(several))
        return several[0] if len(several) == 1 else ", ".join(several[:-1]) + " or " + several[-1]
    if origin is Literal:
        return "one of " + ", ".join(str(one) for one in of)
    if origin is tuple:
        if len(of) == 2 and of[1] is ...:
            return f"several, each {words(of[0])}"
        same = len(set(of)) == 1
        plural = {int: "whole numbers", float: "numbers", str: "texts"}.get(of[0]) if same else None
        return f"{len(of)} {plural}" if plural else "(" + ", ".join(words(one) for one in of) + ")"
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
        return "a list" + ("" if not of or of[0] is Any else f", each {words(of[0])}")
    if origin is np.ndarray:
        return "an array"
    if origin is collections.abc.Callable:
        return "a function"
    if origin in (collections.abc.Mapping, dict):
        return "a dictionary"
    return getattr(hint, "__name__", str(hint))
