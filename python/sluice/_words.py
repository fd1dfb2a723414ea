"""What the library says, in Python's words: options of the command line become keyword arguments.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re

#: Those with another name here, or a flag there.
_HERE = {"scan": "scan_shape", "stream": "stream=True", "allow_incomplete": "allow_incomplete=True",
         "skip_bad": "skip_bad=True", "recover": "recover=True", "trust_directory": "trust_directory=True",
         "force": "overwrite=True", "resume": "resume=True"}
#: Commands in backticks, and options of other programs, stay as they are.
_OPTION = re.compile(r"(`[^`]*`|\bh5repack --\S+)|--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"
                     r"(?:[ =](/[^\s,;)]+|\d[\w.:,x-]*\w|\d|(?:u?int|float)\d+|[A-Z]{3,}\b))?")
_PAIR = re.compile(r"(\d+)x(\d+)")
_REGION = re.compile(r"(\d+):(\d+),(\d+):(\d+)")


def said(text: str) -> str:
    """An error or a note as Python says it.

    >>> said("8.86 GB are needed in memory; use --stream, --det-bin 8, or a --scan-region")
    '8.86 GB are needed in memory; use stream=True, det_bin=8, or a scan_region'
    >>> said("give --raw-frame 192x128 --raw-dtype uint16, or see `sluice info --memory`")
    "give raw_frame=(192, 128) raw_dtype='uint16', or see `sluice info --memory`"
    """
    return _OPTION.sub(_argument, text) if "--" in text else text


def _argument(found: "re.Match[str]") -> str:
    if found[1]:
        return found[1]
    name = found[2].replace("-", "_")
    name, value = _HERE.get(name, name), found[3]
    if value is None:
        return name
    return f"{name.removesuffix('=True')}={_value(value)}"


def _value(text: str) -> str:
    if pair := _PAIR.fullmatch(text):
        return f"({pair[1]}, {pair[2]})"
    if region := _REGION.fullmatch(text):
        top, bottom, left, right = map(int, region.groups())
        return f"({top}, {left}, {bottom - top}, {right - left})"
    return text if re.fullmatch(r"[\d.]+|[A-Z]+", text) else repr(text)
