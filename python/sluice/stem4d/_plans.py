"""The tables of a plan of `analyze`, as the library has them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import difflib
import os
from typing import Any, Dict, List, Mapping

import numpy as np

from .. import _core
from .._arrays import as_image
from .._errors import InvalidArgument, warn
from ._detectors import Detector, _detector, _detectors
from ._phase import Rotation
from ._templates import ProbeTemplate, fit_template, load_template, synthetic_template


def _check(names: Any, known: List[str], where: str) -> None:
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, 1, 0.0)
            raise InvalidArgument(f"the plan has no {where} '{name}'; did you mean '{near[0]}'?")


#: Keys of earlier versions, and what they are called now.
_EARLIER = {"most": "most_disks"}


def _now(part: Mapping[str, Any], where: str) -> Dict[str, Any]:
    found = dict(part)
    for old, new in _EARLIER.items():
        if old in found and new in found:
            raise InvalidArgument(f"{where} has both {old} and {new}, which are the same; give one of them")
        if old in found:
            warn(f"the plan's key {where}.{old} is called {new} now; it is read as that", DeprecationWarning)
            found[new] = found.pop(old)
    return found


def native_plan(plan: Mapping[str, Any], device: str, threads: int) -> Any:
    """The tables as the library has them. A template of a scan in vacuum that is loaded is fitted here."""
    keys: Dict[str, List[str]] = _core.analysis_keys()
    if not isinstance(plan, Mapping):
        raise InvalidArgument(f"plan is a {type(plan).__name__}; give tables, or the path of a TOML file")
    _check(plan, list(keys), "table")
    native = _core.AnalysisPlan()
    for kind in keys:
        if kind not in plan:
            continue
        table = plan[kind]
        if not isinstance(table, Mapping):
            raise InvalidArgument(f"the plan's {kind} is a {type(table).__name__}; it is a table of keys, as in "
                                  f"{{'{kind}': {{}}}}")
        named = {name: part for name, part in table.items() if isinstance(part, Mapping)}
        own = {name: value for name, value in table.items() if name not in named}
        for name, part in ([("", own)] if own or not named else []) + list(named.items()):
            part = _now(part, kind + (f".{name}" if name else "")) if kind == "disks" else part
            _check(part, keys[kind], f"key of {kind}" + (f".{name}" if name else ""))
            _ADD[kind](native, name, part, device, threads)
    return native


def _add_images(native: Any, name: str, part: Mapping[str, Any], device: str, threads: int) -> None:
    given = part.get("detector", "bf")
    wanted, _ = _detectors(given)
    if name:
        named = []
        for one in wanted:
            fields = dict(one.fields)
            fields["name"] = name if len(wanted) == 1 else f"{name}_{fields['name']}"
            named.append(Detector(**fields)._native())
        wanted = named
    native.add_images(name, wanted, bool(part.get("mean", False)))


def _add_patterns(native: Any, name: str, part: Mapping[str, Any], device: str, threads: int) -> None:
    kinds = part.get("kind", "mean")
    at = part.get("at")
    if isinstance(at, str):
        row, _, col = at.partition(":")
        at = (row, col)
    where = part.get("where")
    if isinstance(where, (str, os.PathLike)):
        where = np.load(where)
    native.add_patterns(name, [kinds] if isinstance(kinds, str) else list(kinds),
                        None if at is None else (int(at[0]), int(at[1])),
                        None if where is None else as_image(where, "where", np.float32))


def _add_moments(native: Any, name: str, part: Mapping[str, Any], device: str, threads: int) -> None:
    within, rotation = part.get("within"), part.get("rotation")
    if isinstance(rotation, Rotation):
        rotation = f"{rotation.degrees!r}" + (",transpose" if rotation.transpose else "")
    native.add_moments(name, None if within is None else _detector(within),
                       None if rotation is None else str(rotation), bool(part.get("periodic", False)),
                       part.get("descan"))


def _add_disks(native: Any, name: str, part: Mapping[str, Any], device: str, threads: int) -> None:
    given = [key for key in ("template", "vacuum", "template_radius") if part.get(key) is not None]
    if len(given) > 1:
        raise InvalidArgument(f"{' and '.join(given)} exclude each other (each gives the template); give one")
    fitted = {key: part[key] for key in ("harmonics", "profile") if key in part}
    shape, vacuum = part.get("template"), part.get("vacuum")
    if isinstance(shape, (str, os.PathLike)):
        shape = load_template(shape)
    if part.get("template_radius") is not None:
        numbers = part["template_radius"]
        numbers = numbers.split(",") if isinstance(numbers, str) else np.atleast_1d(numbers)
        shape = synthetic_template(*(float(n) for n in numbers))
    if vacuum is not None and not isinstance(vacuum, (str, os.PathLike)):
        shape = fit_template(vacuum, device=device, threads=threads, **fitted)
        fitted, vacuum = {}, None
    if shape is not None and not isinstance(shape, ProbeTemplate):
        raise InvalidArgument(f"template is a {type(shape).__name__}; give what fit_template, synthetic_template or "
                              "load_template made")
    options = {key: value for key, value in part.items() if key not in ("template", "vacuum", "template_radius",
                                                                       "harmonics", "profile")}
    native.add_disks(name, None if shape is None else shape._native, os.fspath(vacuum or ""),
                     {key: _text(value) for key, value in {**options, **fitted}.items()})


def _text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(value.item() if isinstance(value, np.generic) else value)


_ADD = {"virtual_image": _add_images, "diffraction_pattern": _add_patterns, "center_of_mass": _add_moments,
        "disks": _add_disks}
