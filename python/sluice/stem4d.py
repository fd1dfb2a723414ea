"""stem4d: virtual detectors, centre of mass and diffraction patterns of 4D-STEM scans.

Coordinates are (row, column), 0-based, of pixel centres; row grows downwards. Whatever takes a scan
takes and gives coordinates and lengths in pixels of its full, unbinned detector, however the scan
was cut and binned; arrays [row, col] alone have indices of their own.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._analysis import Analysis, Tile, fold
from ._analyze import Analyzed, analyze
from ._arrays import as_choice, as_image, as_numpy, as_pair
from ._axes import Axes, axes_of
from ._bragg_vectors import DISK_REASONS, BraggVectors, load_vectors, vector_map
from ._calibration import (ORIGIN_REASONS, CalibratedVectors, Calibration, Distortion, OriginFit, Origins, RingMatch,
                           UnitCell, apply_calibration, calibrate, fit_origins, load_calibration, load_cif,
                           measure_origins, radial_histogram, remove_calibration, theory_of)
from ._calls import speak as _speak
from ._crystal import (LATTICE_REASONS, DiskPlan, Grain, GrainFit, GrainMaps, LatticeBasis, LatticeFit,
                       ProbeTemplate, StrainMaps, WrittenVectors, find_basis, find_disks, fit_grains, fit_lattice,
                       fit_template, grain_strain, know_lattice, load_template, plan_disks,
                       refine_lattice, strain, synthetic_template, theoretical_basis)
from ._detector import Arm, ControlReport, DetectorChange, DetectorControl, DetectorStatus
from ._drift import DriftSeries, DriftStep, ImageShift, LineJitter, drift, image_shift, line_jitter, ricom
from ._errors import InvalidArgument
from ._live import (LiveLook, LiveProblem, LiveScan, LiveState, LiveStream, Recording, SimulatedDetector, live,
                    simulate_detector)
from ._options import BinMode, OpenOptions, PatternKind
from ._orientation import (ORIENTATION_REASONS, OrientationCandidate, OrientationLibrary, OrientationMap,
                           PatternOrientations, PredictedSpots, load_orientations, orientation, orientation_library,
                           orientation_of_pattern)
from ._orientation_maps import (DisorientationHistogram, OrientationGrain, OrientationGrains, PoleDensity,
                                disorientation_histogram, find_orientation_grains, inverse_pole_density, ipf_colors,
                                kernel_average_misorientation, orientation_boundaries, pole_density,
                                save_inverse_pole_figures, save_ipf_map, save_pole_figures)
from ._progress import Progress, shown
from ._ptychography import (Patterns, PtychographyResult, PtychographyStage, electron_wavelength_nm,
                            load_ptychography, patterns_of, probe_of, ptychography, ptychography_memory,
                            read_patterns, read_stages, single_side_band)
from ._ptychography_judge import (Alignment, Judgement, RingCorrelation, ScanOrientation, SweepRun, TriedCause, align,
                                  correlate_halves, judge, orientations, ptychography_sweep, remove_ramp,
                                  ring_correlation)
from ._ptychography_view import PtychographyView
from ._result import Result, sides
from ._scan import Scan, Sources, as_scan
from ._words import said

if TYPE_CHECKING:
    import xarray as xr
    from typing_extensions import Unpack

Point = Tuple[float, float]
Shape = Literal["point", "disk", "annulus", "square", "rectangle", "polygon", "mask", "weights"]
Unit = Literal["pixels", "disk_radii", "mrad"]
Image = NDArray[np.float64]

__all__ = ["Alignment", "Analysis", "Analyzed", "Arm", "BraggVectors", "CalibratedVectors", "Calibration",
           "CenterOfMass", "ControlReport", "DISK_REASONS", "Detector", "DetectorChange", "DetectorControl",
           "DetectorStatus", "DiffractionPattern", "Disk", "DiskPlan", "DisorientationHistogram", "Distortion",
           "DriftSeries", "DriftStep", "Grain", "GrainFit", "GrainMaps", "ImageShift", "Judgement",
           "LATTICE_REASONS", "LatticeBasis", "LatticeFit", "LineJitter", "LiveLook", "LiveProblem", "LiveScan",
           "LiveState", "LiveStream",
           "ORIENTATION_REASONS", "ORIGIN_REASONS",
           "OrientationCandidate", "OrientationGrain", "OrientationGrains", "OrientationLibrary", "OrientationMap",
           "OriginFit", "Origins", "PatternOrientations", "Patterns", "PhaseContrast", "PixelGrid", "PoleDensity",
           "PredictedSpots", "ProbeTemplate", "Products", "PtychographyResult",
           "PtychographyStage", "PtychographyView", "RadialCache", "Recording", "RingCorrelation", "RingMatch", "Rotation",
           "ScanOrientation", "SimulatedDetector", "StrainMaps", "SweepRun", "Tile", "TriedCause", "UnitCell", "VirtualImages", "WrittenVectors",
           "align", "analyze", "annulus",
           "apply_calibration", "calibrate", "center_of_mass", "correlate_halves", "curl", "diffraction_pattern",
           "disk", "disorientation_histogram", "divergence", "drift", "electron_wavelength_nm", "find_basis", "find_disk", "find_disks",
           "find_orientation_grains", "find_rotation",
           "fit_grains", "fit_lattice", "fit_origins", "fit_template", "fold", "frame", "grain_strain", "icom", "image_shift",
           "inverse_pole_density", "ipf_colors", "judge", "kernel_average_misorientation", "know_lattice",
           "line_jitter", "live", "load_calibration", "load_cif", "load_orientations", "load_ptychography", "load_template", "load_vectors",
           "mask", "measure_origins", "orientation", "orientation_boundaries", "orientation_library",
           "orientation_of_pattern", "orientations", "parse_detector", "patterns_of",
           "phase_contrast", "pixel_grid",
           "pixel_unit", "plan_disks", "point", "pole_density", "polygon", "probe_of", "products", "ptychography",
           "ptychography_memory",
           "ptychography_sweep", "radial_histogram", "rasterize", "read_patterns", "read_stages", "rectangle",
           "refine_lattice", "remove_calibration", "remove_descan", "remove_ramp", "ricom", "ring_correlation", "rotate",
           "save_inverse_pole_figures", "save_ipf_map", "save_pole_figures", "show", "simulate_detector",
           "single_side_band", "square", "strain", "sum_unit", "synthetic_template", "theoretical_basis",
           "theory_of", "vector_map", "virtual_image", "weights"]


@dataclass(frozen=True)
class Disk:
    """The bright-field disk: its centre (row, col) and radius, in pixels of the full detector."""

    center: Point
    radius: float
    #: Of a measured one: the part of its edge that is seen and is its own, 0 to 1.
    quality: Optional[float] = None

    def _native(self) -> "tuple[float, float, float, Optional[float]]":
        row, col = as_pair(self.center, "the disk's centre")
        return row, col, float(self.radius), self.quality


def _disk(numbers: Any) -> Optional[Disk]:
    if numbers is None:
        return None
    row, col, radius, quality = numbers
    return Disk((row, col), radius, quality)


@dataclass(frozen=True)
class Detector:
    """A virtual detector. A pixel belongs to it when its centre is inside or exactly on an edge.

    The functions `point`, `disk`, `annulus`, `square`, `rectangle`, `polygon`, `mask` and `weights`
    make one; wherever a detector is asked for, a text of `parse_detector` or an array will do.
    """

    shape: Shape = "disk"
    name: str = ""
    #: What radii are multiples of: "pixels", "disk_radii" of the bright-field disk, or "mrad". A
    #: rectangle in mrad lies about the disk's centre.
    unit: Unit = "pixels"
    #: Of point, disk, annulus, square; None: the disk's centre.
    center: Optional[Point] = None
    #: Radii; half the side of a square is `outer`.
    inner: float = 0.0
    outer: float = 0.0
    #: Opposite corners of a rectangle, both inside.
    from_: Point = (0.0, 0.0)
    to: Point = (0.0, 0.0)
    #: Of a polygon, in order.
    corners: Sequence[Point] = ()
    #: Of mask (not 0: inside) and weights: [row, col].
    pixels: Optional[NDArray[np.float32]] = field(default=None, compare=False)

    def _native(self) -> Any:
        made = self.__dict__.get("_made")
        if made is None:
            made = _core.make_detector(self.name, self.shape, self.unit, self.center, self.inner,
                                       self.outer, self.from_, self.to,
                                       [as_pair(c, "a corner") for c in self.corners],
                                       self.pixels)
            object.__setattr__(self, "_made", made)
        return made

    def __getstate__(self) -> Dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_made"}


Detectors = Union[Detector, str, NDArray[Any]]


def point(row: float, col: float, name: str = "") -> Detector:
    """The one pixel nearest to (row, col)."""
    return Detector("point", name, center=(row, col))


def disk(outer: float, center: Optional[Point] = None, name: str = "",
         unit: Unit = "pixels") -> Detector:
    """A disk of radius `outer`, about `center` or the bright-field disk's centre."""
    return Detector("disk", name, unit, center, outer=outer)


def annulus(inner: float, outer: float, center: Optional[Point] = None, name: str = "",
            unit: Unit = "pixels") -> Detector:
    """A ring between two radii, both inside."""
    return Detector("annulus", name, unit, center, inner, outer)


def square(half: float, center: Optional[Point] = None, name: str = "",
           unit: Unit = "pixels") -> Detector:
    """A square whose side is twice `half`."""
    return Detector("square", name, unit, center, outer=half)


def rectangle(from_: Point, to: Point, name: str = "", unit: Unit = "pixels") -> Detector:
    """A rectangle between opposite corners (row, col), both inside."""
    return Detector("rectangle", name, unit, from_=as_pair(from_, "from_"), to=as_pair(to, "to"))


def polygon(corners: Sequence[Point], name: str = "") -> Detector:
    """A polygon of corners (row, col), in order."""
    return Detector("polygon", name, corners=tuple(as_pair(c, "a corner") for c in corners))


def mask(pixels: Any, name: str = "") -> Detector:
    """The pixels [row, col] that are not 0, of the scan's detector as loaded or in full."""
    return Detector("mask", name, pixels=as_image(as_numpy(pixels, "pixels") != 0, "pixels",
                                                  np.float32))


def weights(pixels: Any, name: str = "") -> Detector:
    """A weight for each pixel [row, col], rounded to float32."""
    return Detector("weights", name, pixels=as_image(pixels, "pixels", np.float32))


def parse_detector(text: str) -> Detector:
    """Reads "bf", "abf", "adf", "haadf", "adf:60..200mrad", "disk:r=20", "annulus:r=40..90",
    "disk:r=12,center=80.5:96", "point:row=96,col=95", "square:half=10",
    "rectangle:rows=10..20,cols=0..191", "polygon:10:10/10:90/60:50", "mask:FILE.npy" and
    "weights:FILE.npy"; each may begin with "NAME=". bf is 0..R, abf R/2..R, adf R..2R, haadf
    2R..4R with R the measured disk's radius, unless radii follow. Radii, halves and a rectangle's
    rows and columns may end with "mrad"; they are pixels else.

    Example:
        >>> import sluice
        >>> sluice.stem4d.parse_detector("ring=annulus:r=40..90").outer
        90.0
    """
    return Detector(**_core.parse_detector(text).fields)


def _detector(what: Detectors) -> Any:
    if isinstance(what, Detector):
        return what._native()
    if isinstance(what, str):
        return _core.parse_detector(what)
    array = as_numpy(what, "a detector")
    made = mask(array) if array.dtype.kind in "bui" and _is_mask(array) else weights(array)
    return made._native()


def _is_mask(array: NDArray[Any]) -> bool:
    return array.dtype == bool or not np.any((array != 0) & (array != 1))


def _detectors(what: "Union[Detectors, Sequence[Detectors]]") -> "tuple[list[Any], bool]":
    """The detectors, and whether they came as one."""
    if isinstance(what, (Detector, str)):
        return [_detector(what)], True
    if isinstance(what, np.ndarray) and what.ndim == 2:
        return [_detector(what)], True
    return [_detector(one) for one in what], False


@dataclass(eq=False, repr=False)
class VirtualImages(Result):
    """An image for each detector; `images["bf"]` is the one of that name, and `dict(images)` has all of them."""

    names: List[str]
    #: [detector, row, col] of the scan, float64; sums of counts are exact.
    values: Image
    #: [detector]: pixels of the full detector inside that hold counts (where bins are means, bins).
    valid_pixels: NDArray[np.float64]
    disk: Optional[Disk]
    notes: List[str]
    corrected: bool = False  #: by dark or gain: the values are no whole counts
    #: Where its points and pixels lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)

    def __getitem__(self, which: "Union[int, str]") -> Image:
        if isinstance(which, str):
            if which not in self.names:
                raise KeyError(f"no image '{which}'; there are {', '.join(self.names)}")
            if self.names.count(which) > 1:  # '': names of others are told apart before
                raise KeyError(f"{self.names.count(which)} images have no name; take one by its "
                               "number, or give detectors names, as in mask(pixels, 'ring')")
            which = self.names.index(which)
        image: Image = self.values[which]
        return image

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Image]:
        return iter(self.values)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def keys(self) -> List[str]:
        """The names, in their order."""
        return list(self.names)

    def items(self) -> "List[Tuple[str, Image]]":
        """Each name with its image."""
        return list(zip(self.names, self.values))

    def to_xarray(self) -> "xr.DataArray":
        """[detector, scan_row, scan_col], with names of detectors, and nm where the step is known."""
        import xarray as xr
        return xr.DataArray(self.values, dims=("detector", "scan_row", "scan_col"),
                            coords={"detector": self.names, **self.axes.scan(self.values.shape[1:])},
                            name="virtual_image", attrs=_attributes(self, self.axes.unit))

    def _about(self) -> str:
        return f"{', '.join(self.names)}: {sides(self.values[0])} {self.axes.unit}".rstrip()

    def _pictures(self) -> Dict[str, Image]:
        return dict(self.items())

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)


def _attributes(of: Any, unit: str) -> Dict[str, Any]:
    return {**({"units": unit} if unit else {}), **({"notes": list(of.notes)} if of.notes else {})}


def _maps(of: Any, names: Sequence[str]) -> "xr.Dataset":
    """Images of a result by their names, over the scan."""
    import xarray as xr
    images = {name: (("scan_row", "scan_col"), getattr(of, name), {"units": of.units[name]} if name in of.units else {})
              for name in names}
    return xr.Dataset(images, coords=of.axes.scan(getattr(of, names[0]).shape), attrs=_attributes(of, ""))


def _said(found: Dict[str, Any]) -> Dict[str, Any]:
    """With its notes in Python's words."""
    return {**found, "notes": [said(note) for note in found["notes"]]}


def _images(found: Dict[str, Any]) -> VirtualImages:
    found["disk"] = _disk(found["disk"])
    return VirtualImages(**_said(found))


@dataclass(eq=False, repr=False)
class CenterOfMass(Result):
    """First moments of each frame, in pixels of the full detector."""

    sum: Image  #: [row, col] counts inside the mask
    row: Image  #: [row, col] on the detector; NaN where sum is not above 0
    col: Image
    reference: Point  #: what magnitude is measured from: the mean over the scan
    magnitude: Image  #: [row, col] distance from the reference, pixels
    disk: Optional[Disk] = None
    notes: List[str] = field(default_factory=list)
    units: Dict[str, str] = field(default_factory=dict)  #: of each image, as in units["row"]
    #: Where its points and pixels lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)

    def to_xarray(self) -> "xr.Dataset":
        """sum, row, col and magnitude over scan_row and scan_col, with their units."""
        return _maps(self, ("sum", "row", "col", "magnitude"))

    def _about(self) -> str:
        return f"{sides(self.row)}, about ({self.reference[0]:.2f}, {self.reference[1]:.2f})"

    def _pictures(self) -> Dict[str, Image]:
        return {"row": self.row, "col": self.col, "magnitude": self.magnitude}


def _com(found: Dict[str, Any]) -> CenterOfMass:
    found["disk"] = _disk(found["disk"])
    return CenterOfMass(**_said(found))


@dataclass(eq=False, repr=False)
class DiffractionPattern(Result):
    """A pattern over the scan."""

    values: Image  #: [row, col] of the detector as loaded
    frames: int  #: that took part
    notes: List[str]
    corrected: bool = False  #: by dark or gain: the values are no whole counts
    #: Where its points and pixels lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)

    def to_xarray(self) -> "xr.DataArray":
        """[detector_row, detector_col], in mrad from the corner of the detector where the step is known."""
        import xarray as xr
        return xr.DataArray(self.values, dims=("detector_row", "detector_col"),
                            coords=self.axes.detector(self.values.shape), name="diffraction_pattern",
                            attrs={**_attributes(self, self.axes.unit), "frames": self.frames})

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def _about(self) -> str:
        return f"{sides(self.values)} of {self.frames} frames"

    def _pictures(self) -> Dict[str, Image]:
        return {"log": np.log1p(np.maximum(self.values, 0))}


@dataclass
class Products:
    """What `products` found in one pass; None or empty where it was not asked for."""

    images: Optional[VirtualImages]
    center_of_mass: Optional[CenterOfMass]
    patterns: List[DiffractionPattern]


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


def frame(scan: Sources, row: int, col: int) -> Image:
    """One frame of the scan, [row, col] of the detector as loaded, as float64."""
    image: Image = _core.frame(as_scan(scan)._open(), row, col)
    return image


def find_disk(what: Any, bad: Any = None, *, device: str = "cpu", threads: int = 0) -> Disk:
    """Centre and radius of the direct beam's disk, to a fraction of a pixel.

    Args:
        what: a `Scan` (the disk is in pixels of its full detector), or a mean pattern [row, col]
            (in the pattern's own pixels).
        bad: of a pattern: [row, col], pixels to ignore.

    Raises:
        Error: no disk can be told.
    """
    if isinstance(what, Scan):
        if bad is not None:
            raise InvalidArgument("bad is of a pattern (a scan has pixels of its own that are left "
                                  "out); load the scan with mask")
        found = _core.find_disk(what._open(), device, threads)
    else:
        found = _core.find_disk_in_pattern(as_image(what, "the pattern"), as_choice(bad, "bad"))
    made = _disk(found)
    assert made is not None
    return made


def rasterize(scan: Sources, detector: Detectors, disk: Optional[Disk] = None) -> NDArray[np.float32]:
    """A detector as weights [row, col] on the pixels of a scan as loaded: 1 and 0, or its own."""
    loaded = as_scan(scan)
    if disk is None:
        disk = find_disk(loaded)
    out: NDArray[np.float32] = _core.rasterize(loaded._open(), _detector(detector),
                                               disk._native())
    return out


@dataclass(frozen=True)
class PixelGrid:
    """Where the pixels of a scan as loaded lie: pixel (i, j) is a square of bin x bin pixels of the
    full detector about origin + bin * (i, j)."""

    origin: Point
    bin: float

    def to_detector(self, where: Point) -> Point:
        """From indices of the array to pixels of the full detector."""
        return (self.origin[0] + self.bin * where[0], self.origin[1] + self.bin * where[1])

    def to_array(self, where: Point) -> Point:
        """From pixels of the full detector to indices of the array."""
        return ((where[0] - self.origin[0]) / self.bin, (where[1] - self.origin[1]) / self.bin)


def pixel_grid(scan: Sources) -> PixelGrid:
    """Where the pixels of a scan as loaded lie on the full detector."""
    row, col, size = _core.pixel_grid(as_scan(scan)._open())
    return PixelGrid((row, col), size)


def pixel_unit(scan: Sources) -> str:
    """The unit of a pixel's value: "counts", or "counts/pixel" where bins are means."""
    return str(_core.pixel_unit(as_scan(scan)._open()))


def sum_unit(scan: Sources) -> str:
    """The unit of a sum of pixels' values."""
    return str(_core.sum_unit(as_scan(scan)._open()))


@dataclass(frozen=True)
class Rotation:
    """How the detector lies against the scan: (row, col) of a vector are exchanged where
    `transpose` says so, then turned from the row axis towards the column axis."""

    degrees: float = 0.0
    transpose: bool = False
    #: rms over rms after the turn: 0 is perfect, noise has 1.
    curl_over_divergence: float = 0.0
    #: One standard error of the angle, from how parts of the scan differ; None: not to be told.
    error_degrees: Optional[float] = None
    #: Probability that noise without any rotation makes as much of a difference between angles.
    by_chance: float = 0.0
    angle_known: bool = True
    transpose_known: bool = True
    sign_known: bool = True

    @property
    def determined(self) -> bool:
        """Whether the field tells the angle and the transposition."""
        return self.angle_known and self.transpose_known


def _field(row: Any, col: Any) -> "tuple[Image, Image]":
    return as_image(row, "row"), as_image(col, "col")


def find_rotation(row: Any, col: Any) -> Rotation:
    """The rotation, within (-180, 180] degrees, that leaves the least curl in a field [row, col] of
    centres of mass. What the field does not determine is said in the result."""
    return Rotation(**_core.find_rotation(*_field(row, col)))


def rotate(row: Any, col: Any, rotation: Rotation) -> "tuple[Image, Image]":
    """A field [row, col] less its mean, turned onto the axes of the scan; NaN stays NaN."""
    turned: "tuple[Image, Image]" = _core.rotate(*_field(row, col), rotation.degrees,
                                                 rotation.transpose)
    return turned


def divergence(row: Any, col: Any) -> Image:
    """d row / d row + d col / d col, [row, col] in pixels per scan step: negative at atoms."""
    out: Image = _core.divergence(*_field(row, col))
    return out


def curl(row: Any, col: Any) -> Image:
    """d col / d row - d row / d col, likewise: what no phase can explain."""
    out: Image = _core.curl(*_field(row, col))
    return out


def icom(row: Any, col: Any, periodic: bool = False) -> Image:
    """The integrated centre of mass, [row, col] in pixels times scan steps with mean 0, bright at
    atoms: its gradient is the field less its mean, in the sense of least squares. Rows at both ends of which less than
    half is known, as of a scan that is still measured, are not integrated: they are NaN."""
    out: Image = _core.icom(*_field(row, col), periodic)
    return out


def remove_descan(row: Any, col: Any) -> "tuple[Image, Image]":
    """A field [row, col] less the plane that fits it best, component by component."""
    out: "tuple[Image, Image]" = _core.remove_descan(*_field(row, col))
    return out


@dataclass(eq=False, repr=False)
class PhaseContrast(Result):
    """What a field of centres of mass says of the phase; all [row, col] on the axes of the scan."""

    rotation: Rotation
    row: Image  #: the turned field less its mean or plane, in pixels
    col: Image
    magnitude: Image
    divergence: Image  #: in pixels per scan step
    curl: Image  #: in pixels per scan step
    icom: Image  #: in pixels times scan steps; finite but for rows at the ends that are not there
    notes: List[str]
    units: Dict[str, str] = field(default_factory=dict)  #: of each image, as in units["icom"]
    #: Where its points and pixels lie, for `to_xarray`.
    axes: Axes = field(default_factory=Axes, repr=False, compare=False)

    def to_xarray(self) -> "xr.Dataset":
        """All images over scan_row and scan_col, with their units."""
        return _maps(self, ("row", "col", "magnitude", "divergence", "curl", "icom"))

    def _about(self) -> str:
        return f"{sides(self.icom)}, turned by {self.rotation.degrees:.1f} degrees"

    def _pictures(self) -> Dict[str, Image]:
        return {"icom": self.icom, "divergence": self.divergence, "curl": self.curl}


def phase_contrast(com: CenterOfMass, rotation: Optional[Rotation] = None, *,
                   periodic: bool = False,
                   descan: Literal["mean", "plane"] = "mean") -> PhaseContrast:
    """What the centres of mass say of the phase.

    Args:
        com: of `center_of_mass`.
        rotation: instead of finding it.
        periodic: the scan repeats at its edges.
        descan: what is subtracted first: "mean", or the "plane" of `remove_descan`.
    """
    given = None if rotation is None else (rotation.degrees, rotation.transpose)
    found = _core.phase_contrast(*(as_image(a, "com") for a in (com.sum, com.row, com.col)),
                                 com.reference, as_image(com.magnitude, "com"), given, periodic,
                                 descan)
    return replace(_phase(found), axes=com.axes)


def _phase(found: Dict[str, Any]) -> PhaseContrast:
    return PhaseContrast(**{**found, "rotation": Rotation(**found["rotation"])})


class RadialCache:
    """All annuli about one centre, ready: an annulus of whole radii is a difference of two images.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        center: (row, col) in pixels of the full detector.
    """

    def __init__(self, scan: Sources, center: Point, *, device: str = "cpu", threads: int = 0,
                 progress: Progress = None) -> None:
        with shown(progress, "radial cache") as tell:
            self._native = _core.radial_cache(as_scan(scan)._open(), as_pair(center, "center"),
                                              device, threads, tell)

    @property
    def largest_radius(self) -> int:
        """Beyond it there is no pixel."""
        return int(self._native.largest_radius)

    def annulus(self, inner: int, outer: int) -> Image:
        """Sum over pixels with inner <= r <= outer, exact: [row, col] of the scan."""
        image: Image = self._native.annulus(inner, outer)
        return image


def _is_result(source: Any) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return _core.kind_of(os.fspath(source)) in ("reconstruction", "checkpoint")
    return isinstance(source, PtychographyResult)


def show(*sources: Any, height: int = 600, detectors: Any = None, selected: Optional[int] = None,
         mode: Optional[str] = None, probe: Optional[Tuple[int, int]] = None,
         source: Optional[str] = None, det_bin: int = 1, scan_bin: int = 1, scan_step: int = 1,
         bin_mode: BinMode = "sum", memory_limit: int = 0, device: str = "cpu", threads: int = 0,
         **open_options: Unpack[OpenOptions]) -> Any:
    """The viewer in a notebook: the page of `sluice view`, answered by this kernel.

    Args:
        sources: paths of files and folders (which are watched), `Dataset`s, `Scan`s, or arrays of
            4 axes; several of one size, and an array of 5 axes, are a series. Or results of
            ptychography: `PtychographyResult`s, and paths of their files and folders.
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
        from ._widget import show_results
        return show_results(sources, height)
    from ._scan_widget import show_scans
    return show_scans(sources, height=height, det_bin=det_bin, scan_bin=scan_bin,
                      scan_step=scan_step, bin_mode=bin_mode, memory=memory_limit, device=device,
                      threads=threads, state=state, open_options=dict(open_options))


_speak(globals())
