"""Probes of electrons, and the phase by the single side band.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Complex, as_numpy
from .._errors import InvalidArgument
from ._patterns import Patterns


def electron_wavelength_nm(kilovolts: float) -> float:
    """The wavelength of electrons that fell through so many kilovolts, with relativity.

    Example:
        >>> import sluice
        >>> round(sluice.stem4d.electron_wavelength_nm(300), 7)
        0.0019687
    """
    return float(_core.electron_wavelength_nm(float(kilovolts)))


def single_side_band(patterns: Patterns, probe: Any, *, margin: int = 8, device: str = "cpu",
                     threads: int = 0) -> "NDArray[np.float64]":
    """The phase of a weak object [row, col] in rad by the single side band, without a reconstruction.

    Args:
        patterns: far fields of a dense scan, as `patterns_of` makes them.
        probe: [row, col] of the patterns' grid, as `probe_of` makes it; its power does not matter.
        margin: pixels around the outermost windows, as of `ptychography`.
        device: "cpu", "cpu:avx2", "reference".
        threads: 0: one per processor.

    Raises:
        InvalidArgument: near fields; a probe of another shape.

    Example:
        >>> import sluice
        >>> from sluice import stem4d
        >>> patterns = stem4d.patterns_of("synthetic:stem4d?scan=6x6&detector=32x32", size=32,
        ...                               center=(16, 16), progress=False)
        >>> probe = stem4d.probe_of(32, patterns.pixel_nm, patterns.wavelength_nm, semiangle_mrad=25)
        >>> stem4d.single_side_band(patterns, probe).ndim
        2
    """
    wave = np.ascontiguousarray(as_numpy(probe, "probe"), np.complex64)
    if wave.ndim != 2:
        raise InvalidArgument(f"probe has the shape {wave.shape}; it is [row, col]")
    phases: "NDArray[np.float64]" = _core.single_side_band(patterns._native, wave, int(margin),
                                                           device, int(threads))
    return phases


def probe_of(size: int, pixel_nm: float, wavelength_nm: float, *, semiangle_mrad: float = 0.0,
             defocus_nm: float = 0.0, astigmatism_nm: float = 0.0, astigmatism_degrees: float = 0.0,
             spherical_mm: float = 0.0, aberrations: "Sequence[str]" = (), vacuum: Any = None,
             vacuum_center: "Optional[Tuple[float, float]]" = None) -> Complex:
    """A probe [row, col] out of an aperture and its aberrations, of power 1.

    It is exp(-i chi), chi = 2 pi / wavelength (C10 a^2 / 2 + C12 a^2 cos(2 (phi - phi12)) / 2 +
    C30 a^4 / 4 and others) for the angle a, and C10 = -defocus. Its middle is at
    [size // 2, size // 2].

    Args:
        size: pixels of a side.
        pixel_nm, wavelength_nm: of the object, and of the electrons.
        semiangle_mrad: of a round aperture.
        defocus_nm: positive: under focus.
        astigmatism_nm, astigmatism_degrees: C12, and its angle from columns to rows.
        spherical_mm: C30.
        aberrations: others after Krivanek, such as ["C21=30@10", "C34=2000"]: lengths in nm at
            angles in degrees.
        vacuum: [row, col] of the detector, the direct beam without a specimen: its roots are the
            moduli, instead of those of a round aperture.
        vacuum_center: where its beam is (row, col); None: the centre of mass of what is bright.

    Raises:
        InvalidArgument: the aperture is wider than the patterns; there is no such aberration; the
            vacuum image is empty.

    Example:
        >>> import sluice
        >>> probe = sluice.stem4d.probe_of(64, 0.02, 0.00197, semiangle_mrad=21, defocus_nm=10,
        ...                                aberrations=["C23=40@30"])
        >>> probe.shape, round(float((abs(probe) ** 2).sum()), 4)
        ((64, 64), 1.0)
    """
    image = None if vacuum is None else np.ascontiguousarray(as_numpy(vacuum, "vacuum"), np.float64)
    if image is not None and image.ndim != 2:
        raise InvalidArgument(f"vacuum has the shape {image.shape}; it is an image [row, col]")
    center = None if vacuum_center is None else (float(vacuum_center[0]), float(vacuum_center[1]))
    probe: Complex = _core.probe_of(
        int(size), float(pixel_nm), float(wavelength_nm), float(semiangle_mrad), float(defocus_nm),
        float(astigmatism_nm), float(astigmatism_degrees), float(spherical_mm), list(aberrations),
        image, center)
    return probe
