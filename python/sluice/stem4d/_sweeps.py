"""Several reconstructions of the same patterns: halves, orientations, sweeps.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._option_sets import PtychographyOptions
from .._progress import Progress, shown
from .._words import told
from ._judge import RingCorrelation, _expect_patterns
from ._patterns import Patterns
from ._ptychography import _probe
from ._stages import Stages, _stages

if TYPE_CHECKING:
    from typing_extensions import Unpack


def correlate_halves(patterns: Patterns, stages: Stages = None, *, halves: str = "patterns",
                     probe: Any = None, device: str = "cpu", threads: int = 0,
                     progress: Progress = None, **settings: Unpack[PtychographyOptions]) -> RingCorrelation:
    """Reconstructs two halves of the data and correlates them: the resolution of half the data.

    Args:
        halves: "patterns": every other one; "counts": each count goes to one half by chance.
        settings: those of `ptychography`, such as modes.
    """
    _expect_patterns(patterns)
    with shown(progress, "ptychography") as tell:
        return RingCorrelation(**_core.correlate_halves(
            patterns._native, _stages(stages), settings, _probe(probe), device, int(threads),
            halves, tell))


@dataclass(frozen=True)
class ScanOrientation:
    """One of the eight ways in which a detector may lie against its scan."""

    #: Done to the positions (row, col), in this order.
    transpose: bool
    flip_rows: bool
    flip_cols: bool
    #: Of the last iteration.
    r: float
    #: [row, col] of the lit part, rad, without its ramp.
    phase: NDArray[np.float32]


def orientations(patterns: Patterns, stages: Stages = None, *, probe: Any = None,
                 device: str = "cpu", threads: int = 0, progress: Progress = None,
                 **settings: Unpack[PtychographyOptions]) -> List[ScanOrientation]:
    """All eight orientations of the detector, reconstructed, best R first.

    Few iterations tell. An orientation turned by 180 degrees has the same patterns with an object
    that is conjugated; only a probe that is given tells the two apart.
    """
    _expect_patterns(patterns)
    with shown(progress, "ptychography") as tell:
        return [ScanOrientation(*o) for o in _core.orientations(
            patterns._native, _stages(stages), settings, _probe(probe), device, int(threads),
            tell)]


@dataclass(frozen=True)
class SweepRun:
    """One run of a sweep."""

    #: Those that the sweep varies, as texts.
    settings: Dict[str, str]
    r: float
    floor: float
    #: R of the patterns that were held out; 0: none were.
    held_out_r: float
    seconds: float
    #: The names of what `judge` found.
    findings: List[str]
    #: Why there is no result; "": there is one.
    error: str
    #: [row, col] of the lit part, rad, without its ramp.
    phase: Optional[NDArray[np.float32]]


def ptychography_sweep(patterns: Patterns, sweep: Mapping[str, Sequence[Any]],
                       stages: Stages = None, *, held_out: float = 0.0, probe: Any = None,
                       device: str = "cpu", threads: int = 0, progress: Progress = None,
                       **settings: Unpack[PtychographyOptions]) -> List[SweepRun]:
    """Runs all combinations of settings, best R first; what failed comes last.

    Args:
        sweep: values of settings by their names, as in {"modes": [1, 2, 4], "solver": ["epie",
            "lsqml"]}.
        held_out: part of the patterns, up to 0.2, that no run sees; runs are ranked by their R,
            which does not fall when noise is fitted.

    Example:
        >>> import sluice
        >>> from sluice import stem4d
        >>> scan = sluice.load("synthetic:stem4d?scan=6x6&detector=32x32")
        >>> patterns = stem4d.patterns_of(scan, energy=300, center=(16, 16),
        ...                               detector_step_mrad=1, scan_step_nm=0.2)
        >>> runs = stem4d.ptychography_sweep(patterns, {"iterations": [1, 4]})
        >>> runs[0].settings
        {'iterations': '4'}
    """
    _expect_patterns(patterns)
    axes = [(str(name), [_text(value) for value in values]) for name, values in sweep.items()]
    with shown(progress, "ptychography") as tell:
        return [SweepRun(**told(run)) for run in _core.ptychography_sweep(
            patterns._native, axes, float(held_out), _stages(stages), settings, _probe(probe),
            device, int(threads), tell)]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
