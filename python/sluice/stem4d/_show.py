"""The viewer of scans and of reconstructions in a notebook.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple, Union, overload

from numpy.typing import NDArray

from .. import _core
from .._errors import InvalidArgument
from .._options import BinMode, OpenOptions, Path
from .._scans import Dataset, Scan
from .._view._files import files_class
from .._view._kinds import ShownResults
from ._ptychography_result import PtychographyResult, _fields_of
from ._scan_widget import show_scans
from ._shown import Mode, PanelSource, ShownScans

if TYPE_CHECKING:
    from typing_extensions import Unpack


def _is_result(source: Any) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return _core.kind_of(os.fspath(source)) in ("reconstruction", "checkpoint")
    return isinstance(source, PtychographyResult)


@overload
def show(first: PtychographyResult, /, *more: "Union[PtychographyResult, Path]", height: int = 600) -> ShownResults: ...


@overload
def show(*sources: "Union[Scan, Dataset, Path, NDArray[Any], Sequence[Any]]", height: int = 600, detectors: Any = None,
         selected: Optional[int] = None, mode: Optional[Mode] = None, probe: Optional[Tuple[int, int]] = None,
         source: Optional[PanelSource] = None, det_bin: int = 1, scan_bin: int = 1, scan_step: int = 1,
         bin_mode: BinMode = "sum", memory_limit: int = 0, device: str = "cpu", threads: int = 0,
         **open_options: Unpack[OpenOptions]) -> ShownScans: ...


def show(*sources: Any, height: int = 600, detectors: Any = None, selected: Optional[int] = None,
         mode: Optional[Mode] = None, probe: Optional[Tuple[int, int]] = None,
         source: Optional[PanelSource] = None, det_bin: int = 1, scan_bin: int = 1, scan_step: int = 1,
         bin_mode: BinMode = "sum", memory_limit: int = 0, device: str = "cpu", threads: int = 0,
         **open_options: Unpack[OpenOptions]) -> "Union[ShownScans, ShownResults]":
    """The viewer in a notebook: the page of `sluice view`, answered by this kernel.

    Args:
        sources: paths of files and folders (which are watched), `Dataset`s, `Scan`s, or arrays of
            4 axes; several of one size, and an array of 5 axes, are a series. Or results of
            ptychography: `PtychographyResult`s, and paths of their files and folders. (Type checkers take
            a path for that of a scan.)
        height: of the page, in CSS pixels.
        detectors: virtual detectors, as `virtual_image` takes them, but no masks and weights.
        selected: which of them makes the image.
        mode: "sum", "mean", "com_row", "com_col", "com_magnitude", "com_vector", "divergence",
            "curl" or "icom".
        probe: (row, column) of the scan point whose frame is looked at.
        source: what the diffraction panel shows: "probe", "sum", "mean", "max", "variance".
        det_bin, scan_bin, scan_step, bin_mode, memory_limit: of `sluice.load`, for what is not loaded.
        device, threads: what computes; 0 threads: one per processor.
        open_options: of `sluice.open`, for paths.

    Returns:
        A widget, whose attributes `detectors`, `probe`, `mode` and others can be read and set,
        and whose `image` and `frame` are arrays. `free()` gives the memory back. Of results:
        `results` is what is known of them.

    Raises:
        ImportError: anywidget is missing. NotFound: no path is a dataset.
        InvalidArgument: scans and results together, or options of scans for results.

    Example:
        >>> from sluice import stem4d
        >>> w = stem4d.show("synthetic:stem4d?scan=8x8&detector=32x32", detectors="adf")
        >>> w.image.shape
        (8, 8)
        >>> w.free()
    """
    results = [_is_result(one) for one in sources]
    state = dict(detectors=detectors, selected=selected, mode=mode, probe=probe, source=source)
    if any(results):
        if not all(results):
            raise InvalidArgument("scans and results of ptychography are not shown together; call "
                                  "show for each kind")
        if open_options or any(value is not None for value in state.values()):
            raise InvalidArgument("options of scans (a result of ptychography has none of them); "
                                  "give height alone")
        return show_results(sources, height)
    return show_scans(sources, height=height, det_bin=det_bin, scan_bin=scan_bin,
                      scan_step=scan_step, bin_mode=bin_mode, memory=memory_limit, device=device,
                      threads=threads, state=state, open_options=dict(open_options))


def show_results(given: Sequence[Any], height: int = 600) -> ShownResults:
    """Finished reconstructions in the notebook: files, folders, and objects."""
    objects = [one for one in given if isinstance(one, PtychographyResult)]
    named = [("result" if len(objects) == 1 else f"result {i + 1}", _fields_of(one))
             for i, one in enumerate(objects)]
    paths = [os.fspath(one) for one in given if not isinstance(one, PtychographyResult)]
    made: Callable[..., ShownResults] = files_class("ptychography", "results")
    return made(functools.partial(_core.view_results, paths, named), height=height)
