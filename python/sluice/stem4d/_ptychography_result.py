"""What a reconstruction gives, and its files.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field, fields as dataclass_fields
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import Complex, as_numpy
from .._errors import InvalidArgument
from .._options import Path, Propagation
from .._result import Result
from .._provenance import Where
from .._provenance import _fields as as_fields
from ._patterns import Patterns


@dataclass(frozen=True, eq=False, repr=False)
class PtychographyResult(Result):
    """What `ptychography` found."""

    #: [slice, row, col] and [mode, row, col], complex64.
    object: Complex
    probe: Complex
    #: Of the whole; their sum is 1.
    mode_powers: NDArray[np.float64]
    #: [mode, row, col] and [pattern, 1 + mode]: what patterns add to the first mode, and the factor
    #: of all modes before the weights; None where the probe does not vary.
    opr_modes: Optional[Complex]
    opr_weights: Optional[NDArray[np.float64]]
    #: [pattern, 2]: the windows' first pixels on the object.
    positions: NDArray[np.float64]
    #: What was added to the positions given.
    shift: Tuple[float, float]
    #: Of the object, in nm; 0: not known.
    pixel_nm: float
    #: [pattern, 2]: shifts of the patterns in their pixels; None: not refined.
    descan: Optional[NDArray[np.float64]]
    #: [row, col] with zero frequency at [0, 0]: counts that all patterns share; None: not refined.
    background: Optional[NDArray[np.float32]]
    slice_nm: float
    #: (row, col), of the specimen.
    tilt_mrad: Tuple[float, float]
    #: For each iteration, before its updates: the stage, R of amplitudes, R of intensities, the
    #: loss for each pixel, and how long it took.
    stage: NDArray[np.int64]
    r: NDArray[np.float64]
    r_intensity: NDArray[np.float64]
    loss: NDArray[np.float64]
    seconds: NDArray[np.float64]
    #: The R that counting alone makes of patterns like those modelled.
    floor: float
    #: Bytes planned beyond the patterns.
    memory: int
    notes: List[str] = field(default_factory=list)
    #: How far the centre of the probe's power moved since the start (row, col), in pixels.
    probe_moved: Tuple[float, float] = (0.0, 0.0)
    #: Of all modes, over the counts of the mean pattern; 0: not known.
    probe_power: float = 0.0
    #: [pattern, 2]: `positions` as they were at first; None: not known.
    started: Optional[NDArray[np.float64]] = None
    #: 0: not known.
    wavelength_nm: float = 0.0
    #: What it was made with: those of all, and "stage 1 solver" and so on of stages.
    settings: Dict[str, str] = field(default_factory=dict)
    #: To the detector: "far" or "near".
    propagation: Propagation = "far"

    def _about(self) -> str:
        last = f", R {self.r[-1]:.4g}" if len(self.r) else ""
        return (f"{'x'.join(map(str, self.object.shape))} object, {len(self.probe)} mode(s), {self.pixel_nm:.4g} nm a "
                f"pixel, {len(self.r)} iterations{last}")

    def _pictures(self) -> Dict[str, NDArray[Any]]:
        return {"phase": np.angle(self.object[0]), "amplitude": np.abs(self.object[0]),
                "probe": np.abs(self.probe[0])}

    @property
    def likelihoods(self) -> List[str]:
        """What each stage minimised: "amplitude", "poisson" or "gaussian"."""
        found: List[str] = []
        while (name := f"stage {len(found) + 1} likelihood") in self.settings:
            found.append(self.settings[name])
        return found

    @property
    def phase(self) -> NDArray[np.float32]:
        """[slice, row, col], rad."""
        phase: NDArray[np.float32] = np.angle(self.object)
        return phase

    @property
    def amplitude(self) -> NDArray[np.float32]:
        """[slice, row, col]."""
        amplitude: NDArray[np.float32] = np.abs(self.object)
        return amplitude

    def save(self, path: Path, patterns: "Optional[Patterns]" = None,
             provenance: Where = None) -> None:
        """Writes all of it as HDF5, with the names of CXI as well: entry_1/image_1/data.

        Args:
            patterns: what it was made of: where the result does not know its pixel's size and
                wavelength, they do.
            provenance: a `Provenance` or a dictionary of texts, such as settings.

        Example:
            >>> found.save("result.h5", patterns)  # doctest: +SKIP
        """
        fields = _fields_of(self)
        if patterns is not None:
            fields["pixel_nm"] = self.pixel_nm or patterns.pixel_nm
            fields["wavelength_nm"] = self.wavelength_nm or patterns.wavelength_nm
        _core.save_ptychography(os.fspath(path), fields, as_fields(provenance))


#: The arrays of a result by their types.
_TYPES = {np.float64: ("mode_powers", "stage", "r", "r_intensity", "loss", "seconds", "positions",
                       "started", "descan", "opr_weights"),
          np.complex64: ("object", "probe", "opr_modes"), np.float32: ("background",)}


#: Their axes, where they are not one.
_AXES = {"object": 3, "probe": 3, "opr_modes": 3, "opr_weights": 2, "positions": 2, "started": 2,
         "descan": 2, "background": 2}
_OPTIONAL = ("opr_modes", "opr_weights", "started", "descan", "background")


def _fields_of(result: PtychographyResult) -> "Dict[str, Any]":
    """All of a result, with its arrays as the library takes them."""
    fields = {f.name: getattr(result, f.name) for f in dataclass_fields(result)}
    for dtype, names in _TYPES.items():
        for name in names:
            if fields[name] is not None or name not in _OPTIONAL:
                fields[name] = _array_of(fields[name], name, dtype)
    return fields


def _array_of(value: Any, name: str, dtype: Any) -> NDArray[Any]:
    array, axes = as_numpy(value, name), _AXES.get(name, 1)
    kinds = "buifc" if dtype is np.complex64 else "buif"
    if array.ndim != axes or array.dtype.kind not in kinds:
        raise InvalidArgument(f"the result's {name} has the shape {array.shape} and dtype "
                              f"{array.dtype}; it has {axes} axes of numbers (a reconstruction "
                              "makes no such array)")
    return np.ascontiguousarray(array, dtype=dtype)


def load_ptychography(path: Path) -> PtychographyResult:
    """A result that `PtychographyResult.save` or `sluice stem4d ptychography --format hdf5` wrote.

    Raises:
        NotFound: there is no such file. Unsupported: it is no such result.
        Corrupt: an array is missing, or does not fit to the others. Truncated: the file is cut.
        OutOfMemory: it does not fit.

    Example:
        >>> found = sluice.stem4d.load_ptychography("result/ptychography.h5")  # doctest: +SKIP
        >>> found.phase.shape, found.r[-1]  # doctest: +SKIP
    """
    found, _ = _core.load_ptychography(os.fspath(path))
    return PtychographyResult(**found)
