"""Several products of a scan in one pass, and each alone.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Union, overload

import numpy as np

from .. import _core
from .._arrays import as_choice, as_image
from .._axes import Axes, axes_of
from .._errors import InvalidArgument
from .._options import PatternKind
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan
from ._detectors import Detectors, _detector, _detectors
from ._disk import Disk
from ._results import CenterOfMass, DiffractionPattern, Products, VirtualImages, _com, _images, _said


def products(scan: Sources, *, detectors: "Union[Detectors, Sequence[Detectors]]" = (),
             center_of_mass: bool = False, within: Optional[Detectors] = None,
             patterns: "Union[PatternKind, Sequence[PatternKind]]" = (), where: Any = None, device: str = "cpu",
             threads: int = 0, disk: Optional[Disk] = None, mean: bool = False,
             dark: Any = None, gain: Any = None, progress: Progress = None) -> Products:
    """Several products of a scan, each as its own function gives it. A scan that is streamed is
    read and decoded once for all of them.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        detectors: a virtual image of each: `Detector`, text, mask or weights [row, col].
        center_of_mass: whether the first moments are wanted.
        within: their mask.
        patterns: "sum", "mean", "max", "variance".
        where: [row, col] of the scan: points that count for the patterns.
        device: "cpu", "cpu:avx2", "reference", "cuda".
        disk: the bright-field disk, instead of measuring it where one is needed.
        mean: divide images by their valid pixels.
        dark, gain: references [row, col] of the full, unbinned detector, or paths of their NPY files. A pixel
            that reads v counts as (v - dark) * gain; a gain of 0 leaves it out. Masked pixels may have any.
        progress: f(done, total) in bytes of the files; returning False cancels.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> p = sluice.stem4d.products(scan, detectors="bf", patterns="mean")
        >>> p.images["bf"].shape, p.patterns[0].values.shape
        ((8, 8), (32, 32))
    """
    loaded = as_scan(scan)
    wanted, _ = _detectors(detectors)
    kinds = [patterns] if isinstance(patterns, str) else list(patterns)
    with shown(progress, "stem4d") as tell:
        found = _core.products(loaded._open(), wanted, center_of_mass,
                               None if within is None else _detector(within), kinds,
                               as_choice(where, "where"), device, threads,
                               None if disk is None else disk._native(), mean,
                               _references(dark, gain), tell)
    return _products(found, axes_of(loaded), mean, kinds)


def _references(dark: Any, gain: Any) -> Any:
    """Arrays or paths of files, whose names reports have."""
    files = [os.fspath(one) if isinstance(one, (str, os.PathLike)) else "" for one in (dark, gain)]
    arrays = [None if one is None or file else as_image(one, name, np.float32)
              for one, file, name in zip((dark, gain), files, ("dark", "gain"))]
    return _core.references(*arrays, *files)


def _products(found: Dict[str, Any], axes: Axes, mean: bool, kinds: Sequence[str]) -> Products:
    of_sums = replace(axes, unit="counts/pixel") if mean else axes
    images, com = found["images"], found["center_of_mass"]
    patterns = [DiffractionPattern(**_said(p), axes=replace(axes, unit=axes.unit + ("^2" if kind == "variance" else "")))
                for p, kind in zip(found["patterns"], kinds)]
    return Products(None if images is None else _images({**images, "axes": of_sums}),
                    None if com is None else _com({**com, "axes": axes}), patterns)


def virtual_image(scan: Sources, detectors: "Union[Detectors, Sequence[Detectors]]", *,
                  mean: bool = False, disk: Optional[Disk] = None, dark: Any = None,
                  gain: Any = None, device: str = "cpu", threads: int = 0,
                  progress: Progress = None) -> VirtualImages:
    """One image per detector, all in one pass over the data.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        detectors: one or several: `Detector`, a text of `parse_detector`, mask or weights.
        mean, disk, dark, gain, device, threads, progress: of `products`.

    Returns:
        `VirtualImages`, values [detector, row, col]; sums of counts are exact.

    Raises:
        InvalidArgument: a detector that covers no pixel, or whose text says nothing.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> sluice.stem4d.virtual_image(scan, "annulus:r=4..9,center=16:16").values.shape
        (1, 8, 8)
    """
    found = products(scan, detectors=detectors, mean=mean, disk=disk, dark=dark, gain=gain,
                     device=device, threads=threads, progress=progress).images
    if found is None:
        raise InvalidArgument("no detector; give at least one, as in 'bf'")
    return found


def center_of_mass(scan: Sources, within: Optional[Detectors] = None, *,
                   disk: Optional[Disk] = None, dark: Any = None, gain: Any = None,
                   device: str = "cpu", threads: int = 0,
                   progress: Progress = None) -> CenterOfMass:
    """First moments of the whole detector, or of what is `within` a detector.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        within: a detector that limits what counts.
        disk, dark, gain, device, threads, progress: of `products`.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> sluice.stem4d.center_of_mass(scan).row.shape
        (8, 8)
    """
    found = products(scan, center_of_mass=True, within=within, disk=disk, dark=dark, gain=gain,
                     device=device, threads=threads, progress=progress).center_of_mass
    assert found is not None
    return found


@overload
def diffraction_pattern(  # type: ignore[overload-overlap]
                        scan: Sources, kind: PatternKind = "mean", where: Any = None, *,
                        dark: Any = None, gain: Any = None, device: str = "cpu",
                        threads: int = 0, progress: Progress = None) -> DiffractionPattern: ...


@overload
def diffraction_pattern(scan: Sources, kind: Sequence[PatternKind], where: Any = None, *,
                        dark: Any = None, gain: Any = None, device: str = "cpu",
                        threads: int = 0, progress: Progress = None
                        ) -> Dict[str, DiffractionPattern]: ...


def diffraction_pattern(scan: Sources, kind: "Union[PatternKind, Sequence[PatternKind]]" = "mean",
                        where: Any = None, *, dark: Any = None, gain: Any = None,
                        device: str = "cpu", threads: int = 0, progress: Progress = None
                        ) -> "Union[DiffractionPattern, Dict[str, DiffractionPattern]]":
    """The "sum", "mean", "max" or "variance" of all frames, or of those where `where` is not 0.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        kind: one, or a list of them, all in one pass over the data.
        where: [row, col] of the scan: points that count.
        dark, gain, device, threads, progress: of `products`.

    Returns:
        A `DiffractionPattern`; of a list, a dictionary of them by their kinds.

    Raises:
        InvalidArgument: no such kind, none, or one that is asked for twice.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> sluice.stem4d.diffraction_pattern(scan, "max").frames
        64
        >>> list(sluice.stem4d.diffraction_pattern(scan, ["mean", "max"]))
        ['mean', 'max']
    """
    kinds: List[PatternKind] = [kind] if isinstance(kind, str) else list(kind)
    if not kinds or len(set(kinds)) < len(kinds):
        raise InvalidArgument(f"kind is {kinds!r}; give one or several, each once")
    found = products(scan, patterns=kinds, where=where, dark=dark, gain=gain, device=device,
                     threads=threads, progress=progress).patterns
    return found[0] if isinstance(kind, str) else dict(zip(kinds, found))
