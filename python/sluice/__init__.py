"""Sluice: the raw output of big instruments, as answers at the speed of the hardware.

Four lines from a file to a picture:

    >>> import sluice
    >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
    >>> images = sluice.stem4d.virtual_image(scan, ["bf", "adf"])
    >>> images["bf"].shape
    (8, 8)

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import importlib
from typing import Any, List

from ._calls import speak as _speak
from ._core import __commit__ as __commit__
from ._core import __version__ as __version__
from ._acquisition import Acquisition, acquisition
from ._doctor import Examination, doctor
from ._errors import (Cancelled, Corrupt, Error, Incomplete, InvalidArgument, IoError, NotFound,
                      OutOfMemory, Truncated, Unavailable, Unsupported, WrongType)
from ._plan import WorkPlan, plan
from ._program import info, synth
from ._provenance import Provenance
from ._save import save_hdf5, save_npy, save_png, save_tiff
from ._scans import Dataset, Scan, Series, from_array, list_members, load, open, open_series
from ._show import show
from ._validate import Validation, validate
from ._volume import Volume, load_volume, save_metaimage, save_nrrd

#: Loaded when they are first used, so that `import sluice` costs little more than NumPy.
_LATER = ("distributed", "music", "proton", "slide", "stem4d")

__all__ = ["Acquisition", "Cancelled", "Corrupt", "Dataset", "Error", "Examination", "Incomplete", "InvalidArgument", "IoError",
           "NotFound", "OutOfMemory", "Provenance", "Scan", "Series", "Truncated", "Unavailable",
           "Unsupported", "Validation", "Volume", "WorkPlan", "WrongType", "acquisition", "doctor", "from_array",
           "info", "list_members", "load", "load_volume", "open",
           "open_series", "plan", "save_hdf5", "save_metaimage", "save_npy", "save_nrrd", "save_png",
           "save_tiff", "show", "synth", "validate", *_LATER]


_speak(globals())


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted(__all__)
