"""What the library says, in Python's words: options of the command line become keyword arguments.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re
from typing import Any, Dict

#: Those with another name here, or a flag there.
_HERE = {"scan": "scan_shape", "arrange": "layout", "stated-pixel-size": "stated", "out": "path",
         **{option: option.replace("-", "_") + "=True" for option in (
             "stream", "allow-incomplete", "skip-bad", "recover", "trust-directory", "force", "resume", "reduced",
             "verify", "hot-pixels", "skip-existing", "take-over", "anyway")}, "mmap": "map=True"}
#: How the program writes values that are pairs and disks here.
_VALUES = {"ROWSxCOLS": "(rows, columns)", "ROWSxCOLUMNS": "(rows, columns)",
           "ROW:COL:RADIUS": "Disk((row, col), radius)"}
#: Commands in backticks, and options of other programs, stay as they are.
_OPTION = re.compile(r"(`[^`]*`|\bh5repack --\S+)|--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"
                     r"(?:[ =](ROWSxCOL(?:UMN)?S|ROW:COL:RADIUS|/[^\s,;)]+|\d[\w.:,x-]*\w|\d|(?:u?int|float)\d+"
                     r"|(?:cpu|dense|f64|mean|merged|partial|poisson|sum)\b|[A-Z]{3,}\b))?")
_PAIR = re.compile(r"(\d+)x(\d+)")
_REGION = re.compile(r"(\d+):(\d+),(\d+):(\d+)")


def said(text: str) -> str:
    """An error or a note as Python says it.

    >>> said("8.86 GB are needed in memory; use --stream, --det-bin 8, or a --scan-region")
    '8.86 GB are needed in memory; use stream=True, det_bin=8, or a scan_region'
    >>> said("give --raw-frame 192x128 --raw-dtype uint16, or see `sluice info --memory`")
    "give raw_frame=(192, 128) raw_dtype='uint16', or see `sluice info --memory`"
    >>> said("take a shorter chunk, or --device cpu; or choose another --out")
    "take a shorter chunk, or device='cpu'; or choose another path"
    """
    return _OPTION.sub(_argument, text) if "--" in text else text


def _argument(found: "re.Match[str]") -> str:
    if found[1]:
        return found[1]
    name, value = _HERE.get(found[2], found[2].replace("-", "_")), found[3]
    if value is None:
        return name
    return f"{name.removesuffix('=True')}={_value(value)}"


def _value(text: str) -> str:
    if text in _VALUES:
        return _VALUES[text]
    if pair := _PAIR.fullmatch(text):
        return f"({pair[1]}, {pair[2]})"
    if region := _REGION.fullmatch(text):
        top, bottom, left, right = map(int, region.groups())
        return f"({top}, {left}, {bottom - top}, {right - left})"
    return text if re.fullmatch(r"[\d.]+|[A-Z]+", text) else repr(text)


#: What results say in sentences.
_SENTENCES = frozenset({"advice", "error", "evidence", "first", "message", "notes", "text", "tiles_filled", "warnings",
                        "why"})


def in_words(found: Any) -> Any:
    """A text, or the texts of a list or a tuple, as Python says them; what is no text stays."""
    if isinstance(found, str):
        return said(found)
    return type(found)(map(in_words, found)) if type(found) in (list, tuple) else found


def told(found: Any) -> Dict[str, Any]:
    """Fields of a result with their sentences as Python says them."""
    return {name: in_words(value) if name in _SENTENCES else value for name, value in dict(found).items()}
