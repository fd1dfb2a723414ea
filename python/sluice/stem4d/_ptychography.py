"""Ptychography: an object and a probe out of diffraction patterns of overlapping places.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import inspect
import os
from dataclasses import asdict
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from .. import _core
from .._arrays import Complex, as_numpy
from .._errors import InvalidArgument
from .._options import ObjectStart, Path, Propagation
from .._progress import Progress, shown
from .._scans._dataset import Dataset
from .._scans._scan import Scan
from .._words import said
from ._pattern_sources import patterns_of, read_patterns
from ._patterns import Patterns
from ._ptychography_result import PtychographyResult, _fields_of, load_ptychography
from ._ptychography_view import PtychographyView
from ._stages import PtychographyStage, Stages, _as_kind, _stages


def _settings(**given: Any) -> "dict[str, Any]":
    """Each as its default is."""
    usual = inspect.signature(ptychography).parameters
    return {name: _as_kind(name, value, type(usual[name].default))
            for name, value in given.items()}


def read_stages(path: "Union[str, os.PathLike[str]]") -> (
        "Tuple[List[PtychographyStage], Dict[str, Any]]"):
    """The stages of a TOML file, and its other settings as keyword arguments of `ptychography`.

    Raises:
        Corrupt: the file is not TOML. InvalidArgument: it names an unknown setting.

    Example:
        >>> stages, others = sluice.stem4d.read_stages("stages.toml")  # doctest: +SKIP
        >>> sluice.stem4d.ptychography(patterns, stages, **others)  # doctest: +SKIP
    """
    settings, listed = _core.ptychography_settings(os.fspath(path))
    usual = asdict(PtychographyStage())
    stages = [PtychographyStage(**{name: _typed(text, usual[name]) for name, text in one.items()})
              for one in listed]
    defaults = {name: p.default for name, p in inspect.signature(ptychography).parameters.items()}
    return stages, {name: _typed(text, defaults[name]) for name, text in settings.items()}


def _typed(text: str, like: Any) -> Any:
    return text == "true" if isinstance(like, bool) else type(like)(text)


def _waves(given: Any, name: str, axis: str) -> Optional[Complex]:
    if given is None:
        return None
    array = as_numpy(given, name)
    if array.ndim not in (2, 3) or array.dtype.kind not in "fc":
        raise InvalidArgument(f"{name} has the shape {array.shape} and dtype {array.dtype}; it is a "
                              f"complex array [row, col] or [{axis}, row, col]")
    return np.ascontiguousarray(array if array.ndim == 3 else array[None], dtype=np.complex64)


def _probe(probe: Any) -> Optional[Complex]:
    return _waves(probe, "probe", "mode")


def _patterns(given: Any, progress: Progress) -> "Tuple[Patterns, Optional[Complex]]":
    """Patterns as they are, of a file of ptychography with its probe, or of a scan whose file has the geometry."""
    if isinstance(given, Patterns):
        return given, None
    if isinstance(given, (str, os.PathLike)) and _core.kind_of(os.fspath(given)) == "patterns":
        return read_patterns(given, progress=progress)
    return patterns_of(given, progress=progress), None


def ptychography(patterns: "Union[Patterns, Scan, Dataset, Path]", stages: Stages = None, *, modes: int = 1, probe: Any = None,
                 object: Any = None, object_start: ObjectStart = "ones",
                 start: "Union[PtychographyResult, Path, None]" = None,
                 margin: int = 8, sub_pixel: bool = True, slices: int = 1, slice_nm: float = 0.0,
                 tilt_row_mrad: float = 0.0, tilt_col_mrad: float = 0.0, propagation: Propagation = "far",
                 distance_mm: float = 0.0, focus_distance_mm: float = 0.0, detector_bin: int = 1, detector_blur: float = 0.0,
                 window: int = 0, seed: int = 0, stop_early: bool = False,
                 restore_best: bool = True, memory_limit: int = 0,
                 checkpoint: Path = "", checkpoint_every: int = 0, resume: Path = "",
                 device: str = "cpu", threads: int = 0, progress: Progress = None,
                 watch: "Optional[Callable[[PtychographyView], None]]" = None) -> PtychographyResult:
    """Reconstructs an object and a probe out of patterns.

    Args:
        patterns: `Patterns`, of arrays or by `patterns_of`. Of a scan, or a file of one, they are made as
            `patterns_of` makes them where the file states energy and steps; of a CXI, ptyd or npz file as
            `read_patterns` does, with its probe.
        stages: one `PtychographyStage` or several; None: 20 iterations of LSQML.
        modes: of a partially coherent probe.
        probe: [row, col], what the first mode begins with, or [mode, row, col] for the first ones;
            None: the mean pattern's moduli.
        object: [slice, row, col], what the object begins with, on the grid of
            `PtychographyResult.object` for the same positions and margin; None: object_start.
        object_start: "ones"; "random": phases drawn evenly within 0.1 rad; "ssb": a weak phase by
            the single side band with the aberrations of the probe, for dense scans with a direct
            beam.
        start: instead of probe and object: a result of the same patterns, or the file of one, whose
            object, probe and positions are begun with. Modes, solvers and margin may be others.
        margin: pixels around the outermost windows, for positions that move.
        sub_pixel: move the probe by parts of a pixel; else positions are rounded.
        slices, slice_nm: of a thick object, and their distance.
        tilt_row_mrad, tilt_col_mrad: of the specimen: how slices shift against each other.
        propagation, distance_mm: to the detector: "far", or "near" over a distance (0: what the
            patterns say); then patterns are images, and centred=False.
        focus_distance_mm: of a near field in a cone beam, from the beam's focus to the object; 0:
            the beam is parallel. The object's pixel is that of the patterns over M = 1 +
            distance_mm / focus_distance_mm, and the wave spreads over distance_mm / M.
        detector_bin: pixels of the computed wave in one of the patterns, in each direction.
        detector_blur: standard deviation of the detector's response, in pixels.
        window: side that waves are computed on; 0: detector_bin times the patterns'.
        seed: of the order of patterns. The same seed gives the same bits, for any threads.
        stop_early: stop when R fell by less than 0.001 in ten iterations.
        restore_best: where R rises three times in a row, to half more than the best, go back to
            the best state with half the steps; projections and mPIE are left alone.
        memory_limit: bytes; 0: what the machine has.
        checkpoint: a file that always has the newest state, whole, whatever stops the work.
        checkpoint_every: iterations from one checkpoint to the next; 0: so many that writing
            takes less than a tenth of the time.
        resume: a checkpoint to go on from, with the same bits as without interruption. The
            iterations of its stage, and the stages after it, may be others.
        device: "cpu", "reference" (plain loops in double), or "cuda"; what a GPU does not know is
            refused by name before the work begins.
        progress: f(done, total) in patterns, over all iterations; returning False cancels.
        watch: f(view) after every iteration, with a `PtychographyView`; what it raises ends the
            work. The result does not depend on it.

    Raises:
        InvalidArgument: too few patterns, places that do not overlap, counts that are not finite,
            or steps so long that values became NaN; a checkpoint of other patterns or settings.
        Corrupt: a damaged checkpoint.
        OutOfMemory: it says what it would take.
        Cancelled: progress returned False.

    Example:
        >>> import numpy as np, sluice
        >>> from sluice import stem4d
        >>> scan = sluice.load("synthetic:stem4d?scan=4x4&detector=32x32")
        >>> patterns = stem4d.patterns_of(scan, energy=300, center=(16, 16),
        ...                               detector_step_mrad=1, scan_step_nm=0.1)
        >>> found = stem4d.ptychography(patterns, stem4d.PtychographyStage("epie", 3))
        >>> found.object.ndim, len(found.r)
        (3, 3)
    """
    made, found_probe = _patterns(patterns, progress)
    listed, wave = _stages(stages), _probe(found_probe if probe is None and start is None else probe)
    earlier = None
    if start is not None:
        if probe is not None or object is not None:
            raise InvalidArgument("start gives the probe and the object; leave out probe and object")
        earlier = _fields_of(start if isinstance(start, PtychographyResult)
                             else load_ptychography(start))
    settings = _settings(
        modes=modes, object_start=object_start, margin=margin, sub_pixel=sub_pixel, slices=slices,
        slice_nm=slice_nm, tilt_row_mrad=tilt_row_mrad, tilt_col_mrad=tilt_col_mrad,
        propagation=propagation, distance_mm=distance_mm, focus_distance_mm=focus_distance_mm,
        detector_bin=detector_bin, detector_blur=detector_blur, window=window, seed=seed, stop_early=stop_early,
        restore_best=restore_best, memory_limit=memory_limit, checkpoint_every=checkpoint_every)
    with shown(progress, "ptychography") as tell:
        found = _core.ptychography(
            made._native, listed, settings, wave, _waves(object, "object", "slice"), earlier,
            os.fspath(checkpoint), os.fspath(resume), device,
            int(threads), tell, None if watch is None else lambda look: watch(PtychographyView(look)))
    found["notes"] = made.notes + [said(note) for note in found["notes"]]
    return PtychographyResult(**found)


def ptychography_memory(patterns: Patterns, stages: Stages = None, *, modes: int = 1,
                        margin: int = 8, slices: int = 1, slice_nm: float = 0.0,
                        detector_bin: int = 1, window: int = 0, device: str = "cpu") -> int:
    """Bytes that `ptychography` takes beyond the patterns."""
    if not isinstance(patterns, Patterns):
        raise InvalidArgument(f"patterns is {type(patterns).__name__}; give Patterns")
    settings = _settings(modes=modes, margin=margin, slices=slices, slice_nm=slice_nm,
                         detector_bin=detector_bin, window=window)
    return int(_core.ptychography_memory(patterns._native, _stages(stages), settings, device))
