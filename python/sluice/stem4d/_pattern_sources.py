"""Patterns of scans and of files of ptychography.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Optional, Tuple

from .. import _core
from .._arrays import Complex, as_numbers, as_pair
from .._options import Path, Propagation
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan
from ._disk import find_disk
from ._patterns import Patterns
from ._pixels import pixel_grid


def patterns_of(scan: Sources, *, energy: float = 0.0, wavelength_nm: float = 0.0,
                size: int = 0,
                center: "Optional[Tuple[float, float]]" = None, detector_step_mrad: float = 0.0,
                propagation: Propagation = "far", detector_pixel_um: float = 0.0,
                scan_step_nm: float = 0.0, rotation_degrees: Optional[float] = None,
                transpose: Optional[bool] = None,
                positions: Any = None, progress: Progress = None) -> Patterns:
    """The frames of a scan as patterns for `ptychography`.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        energy: in kV, what the electrons fell through; 0: what the scan's file states.
        wavelength_nm: instead of energy, as of X-rays.
        size: side of the patterns; 0: the smallest of 64, 128, 192 and 256 that holds the
            detector, else its own side.
        center: the direct beam (row, col) in pixels of the detector as loaded; None: measured.
        detector_step_mrad, scan_step_nm: 0: what the scan says.
        propagation: "near": frames are images, cut about the detector's middle, whose pixel is
            detector_pixel_um (0: what the scan says). They have no center and no step in mrad.
        rotation_degrees, transpose: how the detector lies against the scan, as in `Rotation`; both
            None: as the file says it (py4DSTEM's QR_rotation and QR_flip), else 0 and False.
        positions: [frame, 2] in pixels of the object, instead of the raster.

    Raises:
        InvalidArgument: the geometry is not known.
        Unsupported: counts of other types.
        OutOfMemory: the patterns do not fit.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=4x4&detector=32x32")
        >>> sluice.stem4d.patterns_of(scan, energy=300, center=(16, 16), detector_step_mrad=1,
        ...                           scan_step_nm=0.1).size
        64
    """
    loaded = as_scan(scan)
    if center is None and propagation != "near":
        grid = pixel_grid(loaded)
        row, col = find_disk(loaded).center
        center = ((row - grid.origin[0]) / grid.bin, (col - grid.origin[1]) / grid.bin)
    places = None if positions is None else as_numbers(positions, "positions",
                                                       ("frame", "row and column"))
    with shown(progress, "patterns") as tell:
        native, notes = _core.patterns_of(
            loaded._open(), int(size), None if center is None else as_pair(center, "center"),
            float(energy), float(wavelength_nm), float(detector_step_mrad), str(propagation),
            float(detector_pixel_um), float(scan_step_nm),
            None if rotation_degrees is None else float(rotation_degrees),
            None if transpose is None else bool(transpose), places, tell)
    return Patterns._of(native, notes)


def read_patterns(path: Path, *, size: int = 0, center: "Optional[Tuple[float, float]]" = None,
                  energy: float = 0.0, wavelength_nm: float = 0.0,
                  detector_step_mrad: float = 0.0, propagation: Propagation = "far",
                  detector_pixel_um: float = 0.0,
                  transpose: bool = False, flip_rows: bool = False, flip_cols: bool = False,
                  memory_limit: int = 0,
                  progress: Progress = None) -> "Tuple[Patterns, Optional[Complex]]":
    """Patterns, and the probe if there is one, out of a file of ptychography: CXI, ptyd or npz.

    The notes of the patterns say what was assumed of units, axes and signs. The probe is
    [row, col], or [mode, row, col] where the file has several.

    Args:
        size: side of the patterns; 0: the probe's, if the file has one, else the smallest of 64,
            128, 192 and 256 that holds the detector, else its own side.
        center: the direct beam (row, col) in pixels of the detector; None: what the file says,
            else the middle.
        energy: of electrons, in kV; 0: the file's wavelength, or that of photons of its energy.
        wavelength_nm: instead of energy, as of X-rays.
        detector_step_mrad: 0: what the file says.
        propagation: "near": patterns are images; their pixel is the detector's, which
            detector_pixel_um gives (0: what the file says). They have no center.
        transpose, flip_rows, flip_cols: what is done to the positions after all that, in this
            order.
        memory_limit: bytes; 0: what the machine has.

    Raises:
        Unsupported: a file of another kind. Corrupt, Truncated: a damaged one.
        InvalidArgument: the geometry is not known.
        OutOfMemory: the patterns do not fit.

    Example:
        >>> patterns, probe = sluice.stem4d.read_patterns("scan.cxi")  # doctest: +SKIP
        >>> sluice.stem4d.ptychography(patterns, probe=probe)  # doctest: +SKIP
    """
    with shown(progress, "patterns") as tell:
        native, probe, notes = _core.read_patterns(
            os.fspath(path), int(size), None if center is None else as_pair(center, "center"),
            float(energy), float(wavelength_nm), float(detector_step_mrad), str(propagation),
            float(detector_pixel_um), bool(transpose), bool(flip_rows), bool(flip_cols),
            int(memory_limit), tell)
    return Patterns._of(native, notes), probe
