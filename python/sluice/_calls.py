"""Calls of what is public, checked: a keyword or a value that a function does not take is told in
Python's words, with the nearest name.

`speak(globals())` at the end of a public module puts the check before all that its `__all__` names.
The signatures are the only table: what they say to mypy is what is checked.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import difflib
import functools
import inspect
import re
import sys
import typing
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple

import numpy as np

from ._errors import Error, WrongType
from ._kinds import evaluated, fits, words

#: Keywords of earlier versions, and what they are called now, as on the command line.
EARLIER = {"kilovolts": ("energy",), "memory": ("memory_limit",), "take": ("where",), "user_mask": ("mask",),
           "residency": ("stream",), "mask": ("within",), "most": ("most_disks",), "fill": ("background",),
           "overwrite": ("force",), "tolerance": ("match_tolerance", "shape_tolerance")}


class Calls:
    """What a function takes, found when it is called for the first time."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.name = name
        parameters = list(inspect.signature(function).parameters.values())
        names = getattr(function, "__globals__", {})
        kinds = {p.name: evaluated(p.annotation, names) if p.annotation is not p.empty else Any
                 for p in parameters}
        several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        self.positional = [p.name for p in parameters
                           if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self.kinds: Dict[str, Any] = {p.name: kinds[p.name] for p in parameters if p.kind not in several}
        # Types of values that are right without a look: a default's own, when it is not None.
        self.right: Dict[str, type] = {p.name: type(p.default) for p in parameters
                                       if p.kind not in several and p.default is not p.empty
                                       and kinds[p.name] in (int, float, bool, str)}
        self.open = False
        for p in parameters:
            if p.kind is p.VAR_KEYWORD:
                options = _options(p.annotation, names)
                self.open = options is None
                self.kinds.update(options or {})
        self.fits = {name: fits(kind) for name, kind in self.kinds.items()
                     if kind is not Any and kind is not object}

    def check(self, given: Tuple[Any, ...], keywords: Dict[str, Any]) -> None:
        """Raises WrongType where a keyword is unknown or a value cannot be meant."""
        fits, right = self.fits, self.right
        for name in keywords:
            if name not in self.kinds and not self.open:
                raise self._unknown(name)
        for name, value in zip(self.positional, given):
            if name in fits and right.get(name) is not type(value) and not fits[name](value):
                raise self._wrong(name, value)
        for name, value in keywords.items():
            if name in fits and right.get(name) is not type(value):
                if not fits[name](value):
                    raise self._wrong(name, value)
                if isinstance(value, np.bool_):
                    keywords[name] = bool(value)

    def _unknown(self, name: str) -> WrongType:
        known = [one for one in self.kinds if one != "self"]
        text = f"{self.name}() has no keyword '{name}'"
        for now in EARLIER.get(name, ()):
            if now in known:
                return WrongType(f"{text}; it is called '{now}'")
        near = difflib.get_close_matches(name, known, 1, 0.0)
        return WrongType(f"{text}; did you mean '{near[0]}'?" if near else f"{text}; it has none")

    def _wrong(self, name: str, value: Any) -> WrongType:
        kind = self.kinds[name]
        text = f"{name} is {shown(value)}; give {words(kind)}"
        listed = [one for part in (kind, *typing.get_args(kind)) if typing.get_origin(part) is Literal
                  for one in typing.get_args(part) if isinstance(one, str)]
        if isinstance(value, str) and listed:
            near = difflib.get_close_matches(value, listed, 1, 0.5)
            text += f" (did you mean '{near[0]}'?)" if near else ""
        return WrongType(text)

    def told(self, error: BaseException, given: Tuple[Any, ...], keywords: Dict[str, Any]) -> Optional[Error]:
        """An error of the compiled part about the types of its arguments, in words; None: of anything else."""
        text = str(error)
        if "incompatible function arguments" not in text and "bad_cast" not in text:
            return None
        for name, value in [*zip(self.positional, given), *keywords.items()]:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                if type(one) is int and not -2**63 <= one < 2**63:
                    return WrongType(f"{name} is {shown(value)}; that is too much")
        values = ", ".join(f"{name} = {shown(value)}" for name, value in
                           [*zip(self.positional, given), *keywords.items()] if name != "self")
        return WrongType(f"{self.name}() cannot take one of {values or 'its values'}; help({self.name}) has the types")


def _options(annotation: Any, names: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """The fields of `**options: Unpack[Options]`; None: any name will do."""
    if not isinstance(annotation, str) or not annotation.startswith("Unpack["):
        return None
    table = evaluated(annotation[len("Unpack["):-1], names)
    found: Dict[str, Any] = {}
    for base in reversed([table, *getattr(table, "__orig_bases__", ())]):
        where = vars(sys.modules[base.__module__]) if hasattr(base, "__annotations__") else {}
        for name, kind in getattr(base, "__annotations__", {}).items():
            found[name] = evaluated(getattr(kind, "__forward_arg__", kind), where)
    return found or None


def shown(value: Any) -> str:
    """A value in an error: itself where it is short, else its type."""
    if isinstance(value, (str, bytes, int, float, bool, list, tuple, type(None))):
        text = repr(value)
        return text if len(text) <= 60 else f"a {type(value).__name__} ({text[:50]}...)"
    shape = getattr(value, "shape", None)
    return f"a {type(value).__name__}" + (f" of shape {shape}" if isinstance(shape, tuple) else "")


def checked(function: Any, name: str) -> Any:
    """The function behind a check of its arguments."""
    calls: List[Calls] = []

    @functools.wraps(function)
    def call(*given: Any, **keywords: Any) -> Any:
        if not calls:
            calls.append(Calls(function, name))
        calls[0].check(given, keywords)
        try:
            return function(*given, **keywords)
        except (TypeError, RuntimeError) as error:
            told = None if isinstance(error, Error) else calls[0].told(error, given, keywords)
            if told is None:
                raise
        raise told

    call.__checked__ = True  # type: ignore[attr-defined]
    return call


def _check_class(made: type) -> None:
    members = [member for one in reversed(made.__mro__) if one.__module__.startswith("sluice")
               for member in vars(one).items()]
    for name, member in dict(members).items():
        if name.startswith("_") and name != "__init__":
            continue
        called = made.__name__ if name == "__init__" else f"{made.__name__}.{name}"
        if isinstance(member, (classmethod, staticmethod)):
            inner = member.__func__
            if not hasattr(inner, "__checked__"):
                setattr(made, name, type(member)(checked(inner, called)))
        elif inspect.isfunction(member) and not hasattr(member, "__checked__"):
            setattr(made, name, checked(member, called))


def _lend(namespace: Dict[str, Any], made: type, home: Dict[str, Any]) -> None:
    """What the annotations of a class name: typing.get_type_hints() looks for it where the class says it is."""
    annotations = vars(made).get("__annotations__", {})
    for field, annotation in annotations.items():
        for name in re.findall(r"[A-Za-z_]\w*", annotation if isinstance(annotation, str) else ""):
            if name in home and namespace.setdefault(name, home[name]) is not home[name]:
                annotations[field] = evaluated(annotation, home)  # `Sequence` is another one in sluice.proton


def speak(namespace: Dict[str, Any]) -> None:
    """Puts the check before each function, and each method of each class, that `__all__` names; dir() of the
    module then tells these names, and not what it imports."""
    names = sorted(namespace["__all__"])
    namespace.setdefault("__dir__", lambda: names)
    for name in namespace["__all__"]:
        thing = namespace.get(name)
        home = getattr(thing, "__module__", None) or ""
        if not home.startswith("sluice"):
            continue
        if inspect.isfunction(thing):
            if not hasattr(thing, "__checked__"):
                thing = checked(thing, name)
                setattr(sys.modules[home], thing.__name__, thing)  # what its own module calls is this one, too
            namespace[name] = thing
        elif inspect.isclass(thing) and not issubclass(thing, BaseException) \
                and not getattr(thing, "_is_protocol", False):
            _check_class(thing)
        if (inspect.isfunction(thing) or inspect.isclass(thing)) and "._" in home:
            # Where people find it, and pickle and doctest do.
            for one in [thing, *filter(inspect.isfunction, vars(thing).values())]:
                one.__module__ = namespace["__name__"]
            if inspect.isclass(thing):
                _lend(namespace, thing, vars(sys.modules[home]))
