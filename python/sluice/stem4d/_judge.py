"""Reconstructions judged and compared: artefacts, ramps, truths and rings.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Complex, as_choice, as_numpy
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._words import said
from ._patterns import Patterns
from ._ptychography import _probe
from ._ptychography_result import PtychographyResult, _array_of, _fields_of


@dataclass(frozen=True)
class TriedCause:
    """A setting that a misfit may come from, tried on a part of the patterns."""

    #: As in "rotation".
    name: str
    #: What to give instead.
    advice: str
    #: R of patterns that the trial did not see.
    r: float
    #: Row by row, what it multiplies positions (row, col) by.
    turn: Tuple[float, float, float, float]


@dataclass(frozen=True)
class Judgement:
    """One thing that a reconstruction was looked at for."""

    name: str
    value: float
    threshold: float
    #: The value is beyond the threshold.
    found: bool
    #: What was seen, why, and what to do.
    advice: str
    #: Of a misfit whose causes were tried: the name of the one that mends it, "still falling" or
    #: "unexplained"; "": none was tried.
    cause: str = ""
    #: R of the same trial with the settings as they were.
    tried_r: float = 0.0
    #: Least R first.
    tried: Tuple[TriedCause, ...] = ()


def judge(result: PtychographyResult, patterns: Optional[Patterns] = None, *, probe: Any = None,
          device: str = "cpu", threads: int = 0, progress: Progress = None) -> List[Judgement]:
    """Looks for artefacts: the scan's grid, a checkerboard, ringing, streaks, phase wraps, low
    contrast, a misfit, and a probe that drifts, reaches its edge or loses its power.

    Args:
        patterns: what the result was made of. Where there is a misfit, its causes are tried on a
            part of them: orientations and rotations of the detector, a defocus of the other sign,
            units of positions, another probe, more modes. Settings are those of the result.
        probe: what the result's probe began with, as `ptychography` got it.
        progress: f(done, total) in trials; returning False cancels.

    Example:
        >>> [f.name for f in stem4d.judge(result) if f.found]  # doctest: +SKIP
        ['misfit']
        >>> [f.cause for f in stem4d.judge(result, patterns) if f.found]  # doctest: +SKIP
        ['rotation']
    """
    _expect_result(result)
    if patterns is None:
        r = float(result.r[-1]) if len(result.r) else 0.0
        return _findings(_core.ptychography_judge(
            *_seen(result), r, float(result.floor), tuple(result.probe_moved),
            float(result.probe_power), result.propagation == "near"))
    _expect_patterns(patterns)
    with shown(progress, "causes of the misfit") as tell:
        return _findings(_core.ptychography_judge_with(
            _fields_of(result), patterns._native, _probe(probe), device, int(threads), tell))


def _findings(found: "List[Any]") -> List[Judgement]:
    return [Judgement(name, value, threshold, beyond, said(advice), cause, r,
                    tuple(TriedCause(n, said(a), tried_r, tuple(t)) for n, a, tried_r, t in tried))
            for name, value, threshold, beyond, advice, cause, r, tried in found]


def remove_ramp(result: PtychographyResult) -> Tuple[PtychographyResult,
                                                     Tuple[float, float, float]]:
    """Without the ramp of the object's phase over the lit part, and that ramp.

    The ramp is (rad per row, rad per column, rad at [0, 0]). The probe of a single slice takes it
    over, so that all patterns stay as they are.
    """
    _expect_result(result)
    thing, probe, ramp = _core.ptychography_remove_ramp(*_seen(result))
    return replace(result, object=thing, probe=probe), ramp


@dataclass(frozen=True)
class Alignment:
    """An object laid on its truth."""

    #: [row, col]: moved, without the ramp and the scale.
    object: Complex
    #: What it was moved by, in pixels.
    shift: Tuple[float, float]
    #: What was taken off: rad per row, rad per column, rad at [0, 0].
    ramp: Tuple[float, float, float]
    scale: float
    #: Of the difference, in rad, and of amplitudes as a part of the truth's mean.
    phase_rms: float
    amplitude_rms: float


def align(found: Any, truth: Any, region: Any = None) -> Alignment:
    """Takes off what no pattern tells: a complex scale, a ramp, a translation of up to an eighth.

    Args:
        found, truth: [row, col] of one shape.
        region: [row, col], not 0 where to look; None: everywhere.

    Example:
        >>> import numpy as np
        >>> from sluice import stem4d
        >>> y, x = np.mgrid[:64, :64]
        >>> truth = np.exp(0.5j * np.cos(0.3 * y) * np.cos(0.2 * x))
        >>> round(stem4d.align(2 * truth * np.exp(0.1j * x), truth).phase_rms, 3)
        0.0
    """
    marked = as_choice(region, "region")
    return Alignment(**_core.ptychography_align(
        _plane(found, "found"), _plane(truth, "truth"),
        None if marked is None else np.ascontiguousarray(marked)))


@dataclass(frozen=True)
class RingCorrelation:
    """The correlation of two objects on rings of frequencies, with the half-bit threshold."""

    #: 1/nm; cycles per pixel where the pixel is not known.
    frequency: NDArray[np.float64]
    correlation: NDArray[np.float64]
    threshold: NDArray[np.float64]
    #: The period at which the correlation falls below the threshold, in nm (or pixels); where it
    #: never does, two pixels, and `crossed` is False.
    resolution: float
    crossed: bool
    #: Of the second object against the first in pixels, taken off before.
    shift: Tuple[float, float]


def ring_correlation(a: Any, b: Any, pixel_nm: float = 0.0) -> RingCorrelation:
    """Correlates two objects [row, col] of one shape, within four pixels of each other.

    Ramps, the mean and the shift are taken off before, and a Hann window is laid on both.
    """
    return RingCorrelation(**_core.ring_correlation(_plane(a, "a"), _plane(b, "b"),
                                                    float(pixel_nm)))


def _seen(result: PtychographyResult) -> "Tuple[NDArray[Any], NDArray[Any], NDArray[Any]]":
    """The object, the probe and the positions as the library takes them."""
    return (_array_of(result.object, "object", np.complex64),
            _array_of(result.probe, "probe", np.complex64),
            _array_of(result.positions, "positions", np.float64))


def _plane(array: Any, name: str) -> Complex:
    plane = as_numpy(array, name)
    if plane.ndim != 2 or plane.dtype.kind not in "fc":
        raise InvalidArgument(f"{name} has the shape {plane.shape} and dtype {plane.dtype}; it is "
                              "a complex array [row, col]")
    return np.ascontiguousarray(plane, dtype=np.complex64)


def _expect_patterns(patterns: Any) -> None:
    if not isinstance(patterns, Patterns):
        raise InvalidArgument(f"patterns is {type(patterns).__name__}; give Patterns")


def _expect_result(result: Any) -> None:
    if not isinstance(result, PtychographyResult):
        raise InvalidArgument(f"result is {type(result).__name__}; give a PtychographyResult")
