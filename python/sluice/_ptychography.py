"""Ptychography: an object and a probe out of diffraction patterns of overlapping places.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import inspect
import operator
import os
from dataclasses import asdict, dataclass, field
from dataclasses import fields as dataclass_fields
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_choice, as_masked, as_numbers, as_numpy, as_pair
from ._errors import InvalidArgument
from ._options import Grouping, Likelihood, Moduli, ObjectStart, PositionModel, Propagation, Solver
from ._progress import Progress, shown
from ._ptychography_view import PtychographyView
from ._result import Result
from ._save import Where
from ._save import _fields as as_fields
from ._scan import Dataset, Scan, Sources, as_scan
from ._words import said

Complex = NDArray[np.complex64]
Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class PtychographyStage:
    """One stage of a reconstruction; the next one goes on from where it ends.

    The guide `docs/guide/ptychography.md` says what the solvers do, and where they are from.
    """

    #: "epie", "rpie", "mpie", "ap", "dm", "raar", "rrr", "sdr", "lsqml", "sgd", "adam"
    #: or "mlcg".
    solver: Solver = "lsqml"
    iterations: int = 20
    #: Patterns that see the same object and probe; 1: one after the other; 0: as suits the solver.
    group: int = 0
    grouping: Grouping = "random"
    #: Of lsqml, sgd, adam and mlcg: "amplitude", "poisson" or "gaussian". "auto": poisson where
    #: values are counts (whole numbers, or whole multiples of one value), else amplitude, with a note.
    likelihood: Likelihood = "auto"
    #: Lengths of steps; 0: the solver's own.
    object_step: float = 0.0
    probe_step: float = 0.0
    #: rPIE and mPIE: how much of the largest illumination replaces the local one, 0 to 1.
    object_regularisation: float = 0.05
    probe_regularisation: float = 1.0
    momentum: float = 0.7
    momentum_gain: float = 0.3
    momentum_chance: float = 0.05
    #: Of dm, raar, rrr and sdr; 0: 1, 0.75, 0.5 and 1.
    relaxation: float = 0.0
    #: Of the projections: errors below this part of a pattern's power are noise.
    power_bound: float = 0.05
    #: The first iteration that changes the probe.
    probe_from: int = 2
    fix_object: bool = False
    fix_probe: bool = False
    refine_positions: bool = False
    position_step: float = 1.0
    #: Orthogonal modes that each pattern adds to the first one with weights of its own, and
    #: whether it has a factor of its own for all of them (lsqml, epie, rpie and mpie).
    opr_modes: int = 0
    opr_intensity: bool = False
    #: "each" position moves on its own, or all by one "affine" map.
    position_model: PositionModel = "each"
    #: Places that each position also tries in an iteration, 0 to 8; how far off they are at first,
    #: in pixels.
    position_search: int = 0
    position_search_radius: float = 2.0
    #: Shifts of the patterns on the detector, counts that all share, and of slices their distance
    #: and the specimen's tilt.
    refine_descan: bool = False
    refine_background: bool = False
    refine_slice_distance: bool = False
    refine_tilt: bool = False
    #: The probe's power stays that of the mean pattern.
    probe_power: bool = True
    #: Constraints, after each iteration; 0: none. Weight of the object's total variation (some
    #: 0.001 to 0.01), iterations from one time to the next, and its steps each time.
    tv_weight: float = 0.0
    tv_every: int = 1
    tv_steps: int = 10
    #: How far each pixel of the object moves towards its four neighbours, 0 to 0.125.
    tikhonov: float = 0.0
    #: Standard deviation of a blur across slices, in slices.
    slice_blur: float = 0.0
    #: The object is 1 where it is lit less than this part of the most.
    object_support: float = 0.0
    #: Of the object: "any", "at_most_one" or "one".
    moduli: Moduli = "any"
    #: Phases below this quantile of all that are lit are raised to it, and it becomes phase 0.
    positive_phase: float = 0.0
    #: The probe is kept within this part of the window from its middle, with a soft edge. 0: what lies
    #: beyond 0.45 fades by a tenth in an iteration with PIE and LSQML, unless it is much; 1: it is free.
    probe_support: float = 0.0
    #: The probe's spectrum is 0 beyond.
    probe_aperture_mrad: float = 0.0


class Patterns:
    """Square patterns [pattern, row, col] and their positions.

    Those of far fields have zero frequency at [0, 0]; those of near fields are images as the
    detector has them.

    `patterns_of` makes them of a scan; of arrays:

    Args:
        counts: [pattern, row, col] of numbers that uint8, uint16 or float32 hold exactly. NaN and infinite counts were not
            measured and take no part; counts below 0 become 0. `notes` counts both, and `positions`
            lacks those of patterns that were left out. Pixels that a masked array leaves out of all
            patterns are bad.
        positions: [pattern, 2], rows and columns in pixels of the object.
        centred: zero frequency is in the middle, at [n // 2, n // 2]; it is put at [0, 0]. False
            for near fields, which have none: others are refused.
        bad: [row, col] as the counts lie, not 0: the pixel holds no counts.
        wavelength_nm, pixel_nm: wanted for slices and near fields only.

    Raises:
        InvalidArgument: arrays of other types or shapes, or that do not belong together: another
            number of positions than patterns, a position that is not finite, bad pixels of another
            shape; a mask that differs from pattern to pattern.

    Example:
        >>> import numpy as np, sluice
        >>> counts = np.ones((4, 8, 8), np.uint16)
        >>> sluice.stem4d.Patterns(counts, [(0, 0), (0, 2), (2, 0), (2, 2)]).size
        8
    """

    def __init__(self, counts: Any, positions: Any, *, centred: bool = True, bad: Any = None,
                 wavelength_nm: float = 0.0, pixel_nm: float = 0.0) -> None:
        array, left_out = as_masked(counts, "counts")
        if array.ndim != 3:
            raise InvalidArgument(f"counts has {array.ndim} axes; it is an array [pattern, row, col]")
        array = _counts(array.astype(array.dtype.newbyteorder("="), copy=False))
        places = as_numbers(positions, "positions", ("pattern", "row and column"))
        if places.shape[0] != array.shape[0] or places.shape[1] != 2:
            raise InvalidArgument(f"positions have the shape {places.shape} and counts "
                                  f"{array.shape}; give (row, col) for each of the "
                                  f"{array.shape[0]} patterns")
        marked = as_choice(bad, "bad")
        if marked is not None and marked.shape != array.shape[1:]:
            raise InvalidArgument(f"bad has the shape {marked.shape}; patterns have "
                                  f"{array.shape[1:]}")
        if left_out is not None:
            marked = _bad_with(marked, left_out)
        if centred:
            array = np.fft.ifftshift(array, axes=(1, 2))
            marked = None if marked is None else np.fft.ifftshift(marked)
        self._native = _core.make_patterns(
            np.ascontiguousarray(array), places,
            None if marked is None else np.ascontiguousarray(marked), float(wavelength_nm),
            float(pixel_nm), bool(centred))
        self.notes: List[str] = _core.keep_measured(self._native)

    @classmethod
    def _of(cls, native: Any, notes: List[str]) -> "Patterns":
        made = cls.__new__(cls)
        made._native = native
        made.notes = [said(note) for note in notes]
        return made

    def __repr__(self) -> str:
        return f"Patterns({len(self)} of {self.size}x{self.size}, {self.pixel_nm:.5g} nm a pixel)"

    def __len__(self) -> int:
        return int(self.positions.shape[0])

    @property
    def counts(self) -> NDArray[Any]:
        """[pattern, row, col], of far fields zero frequency at [0, 0]; the memory is shared."""
        counts: NDArray[Any] = self._native.counts
        return counts

    @property
    def positions(self) -> NDArray[np.float64]:
        """[pattern, 2] in pixels of the object."""
        positions: NDArray[np.float64] = self._native.positions
        return positions

    @property
    def bad(self) -> Optional[NDArray[np.uint8]]:
        """[row, col], 1: holds no counts; None: all pixels do."""
        bad: Optional[NDArray[np.uint8]] = self._native.bad
        return bad

    @property
    def size(self) -> int:
        return int(self._native.size)

    @property
    def wavelength_nm(self) -> float:
        return float(self._native.wavelength_nm)

    @property
    def pixel_nm(self) -> float:
        """Of the object, and the unit of positions; of near fields a pixel of the detector."""
        return float(self._native.pixel_nm)

    @property
    def distance_mm(self) -> float:
        """Of near fields, from object to detector, as the file says it; 0: not known."""
        return float(self._native.distance_mm)


def _counts(array: NDArray[Any]) -> NDArray[Any]:
    """As uint8, uint16 or float32, whichever holds all of them exactly."""
    if array.dtype in (np.uint8, np.uint16, np.float32):
        return array
    if array.dtype.kind not in "buif":
        raise InvalidArgument(f"counts has dtype {array.dtype}; give real numbers")
    if array.dtype.kind in "bui" and array.size and array.min() >= 0:
        for kind in (np.uint8, np.uint16):
            if array.max() <= np.iinfo(kind).max:
                return array.astype(kind)
    with np.errstate(over="ignore"):  # what becomes infinite differs below
        made = array.astype(np.float32)
    differ = made.astype(array.dtype) != array if array.dtype.kind == "f" else _rounded(array)
    differ &= ~np.isnan(made)
    if differ.any():
        raise InvalidArgument(f"counts has dtype {array.dtype}, and float32 does not hold {int(differ.sum())} of its "
                              f"values, the first {array[differ][0]!r}; round them, as in "
                              "counts.astype('float32')")
    return made


def _rounded(whole: NDArray[Any]) -> "NDArray[np.bool_]":
    """Which whole numbers float32 does not hold: those of more than 24 bits, but for zeros at their end."""
    size = np.abs(whole.astype(object)) if whole.dtype.itemsize == 8 else np.abs(whole.astype(np.int64))
    lowest = size & -size
    return np.asarray(size > lowest * (2**24 - 1), dtype=bool)


def _bad_with(bad: "Optional[NDArray[np.uint8]]",
              left_out: "NDArray[np.bool_]") -> "NDArray[np.uint8]":
    """The bad pixels, and those that a masked array leaves out of all patterns."""
    everywhere = left_out.all(axis=0)
    own = int((left_out & ~everywhere).sum())
    if own:
        raise InvalidArgument(f"the masked counts leave out {own} elements that differ from pattern "
                              "to pattern; mark pixels that are bad in all of them, or leave those "
                              "patterns out")
    return np.asarray(everywhere if bad is None else everywhere | (bad != 0), dtype=np.uint8)


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
    from .stem4d import find_disk, pixel_grid
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


Stages = Union[PtychographyStage, Sequence[PtychographyStage], None]


def _stages(stages: Stages) -> "list[dict[str, Any]]":
    if stages is None:
        stages = [PtychographyStage()]
    if isinstance(stages, PtychographyStage):
        stages = [stages]
    try:
        listed = list(stages)
    except TypeError:
        raise InvalidArgument(f"stages is {stages!r}; give a PtychographyStage or several") from None
    for stage in listed:
        if not isinstance(stage, PtychographyStage):
            raise InvalidArgument(f"a stage is {stage!r}; give a PtychographyStage")
    made = [asdict(stage) for stage in listed]
    for fields in made:
        for name, value in fields.items():
            fields[name] = _as_kind(name, value, type(getattr(PtychographyStage, name)))
    return made


def _as_kind(name: str, value: Any, kind: type) -> Any:
    """What int() and float() make of a text or of 2.5 is not what was meant."""
    try:
        made = operator.index(value) if kind is int else kind(value)
    except (TypeError, ValueError, OverflowError):
        made = None
    if made is None or (kind is float and isinstance(value, (str, bytes))):
        what = {int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise InvalidArgument(f"{name} is {value!r}; give {what}")
    if kind is int and not -2**63 <= made < 2**64:
        raise InvalidArgument(f"{name} is {value!r}; that is too much")
    return made


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
