"""Each beam of a list or sweep marched on its own.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Union

from .. import _core
from .._options import GridPrecision
from .._progress import Progress, shown


@dataclass(frozen=True)
class Batch:
    """What `batch` did, and what its folder has."""

    beams: int  #: of the configuration
    marched: int  #: by this call
    before: int  #: that earlier calls had done
    warned: int  #: beams with warnings
    seconds: float
    assumed: List[str]  #: what a reader of the results has to know
    library: List[Dict[str, Any]]  #: the lines of library.csv, with the guards of each beam


def batch(path: "Union[str, os.PathLike[str]]", folder: "Union[str, os.PathLike[str]]", *,
          dose: bool = False, anyway: bool = False, force: bool = False, precision: GridPrecision = "f32",
          threads: int = 0, progress: Progress = None) -> Batch:
    """What `sluice proton batch` does: marches each beam of a configuration's file on its own.

    The folder gets NNN.csv of each beam (its depth dose), library.csv with a line for each, and
    state.json, which says what is done. A batch that was stopped goes on with the same call.

    Args:
        path: a TOML file.
        folder: for the results; what is done there is kept.
        dose: also writes the dose of each beam, [plane, column], Gy mm a proton.
        anyway: marches beams that are refused because their dose would be wrong.
        force: begins anew, whatever the folder has.
        precision: "f32" or "f64".
        threads: 0: one per processor.
        progress: f(planes of all beams done, all); returning False cancels.

    Raises:
        InvalidArgument: a dose that would be wrong, or a folder of another configuration.
    """
    with shown(progress, "march", "plane") as tell:
        found = _core.proton_batch(os.fspath(path), os.fspath(folder), precision, dose, anyway,
                                   force, threads, tell)
    return Batch(**{**found, "library": json.loads(found["library"])})
