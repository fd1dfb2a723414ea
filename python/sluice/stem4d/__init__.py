"""stem4d: virtual detectors, centre of mass and diffraction patterns of 4D-STEM scans.

Coordinates are (row, column), 0-based, of pixel centres; row grows downwards. Whatever takes a scan
takes and gives coordinates and lengths in pixels of its full, unbinned detector, however the scan
was cut and binned; arrays [row, col] alone have indices of their own.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from .._calls import speak as _speak
from .._view._kinds import ShownResults
from ._analysis import Analysis, Tile, fold
from ._analyze import Analyzed, analyze
from ._basis import LatticeBasis, find_basis, theoretical_basis
from ._benchmark import benchmark
from ._bragg_vectors import DISK_REASONS, BraggVectors, load_vectors, vector_map
from ._calibrated import CalibratedVectors, apply_calibration, radial_histogram, remove_calibration, theory_of
from ._calibration import Calibration, Distortion, RingMatch, calibrate, load_calibration
from ._cells import UnitCell, load_cif
from ._control import Arm, ControlReport, DetectorChange, DetectorControl, DetectorStatus
from ._convert import ScanConvertReport, convert
from ._detectors import Detector, annulus, disk, mask, parse_detector, point, polygon, rectangle, square, weights
from ._detectors import Detectors as Detectors
from ._disk import Disk, find_disk
from ._drift import DriftSeries, DriftStep, ImageShift, LineJitter, drift, image_shift, line_jitter, ricom
from ._find_disks import DiskPlan, WrittenVectors, find_disks, plan_disks
from ._grains import Grain, GrainFit, GrainMaps, fit_grains, grain_strain
from ._judge import Alignment, Judgement, RingCorrelation, TriedCause, align, judge, remove_ramp, ring_correlation
from ._lattice import LATTICE_REASONS, LatticeFit, fit_lattice, know_lattice, refine_lattice
from ._live import LiveStream, live
from ._live_scan import LiveScan
from ._live_states import LiveLook, LiveProblem, LiveState, Recording
from ._orientation import ORIENTATION_REASONS, OrientationMap, load_orientations, orientation
from ._orientation_library import OrientationLibrary, orientation_library
from ._orientation_maps import (DisorientationHistogram, OrientationGrain, OrientationGrains, PoleDensity,
                                disorientation_histogram, find_orientation_grains, inverse_pole_density, ipf_colors,
                                kernel_average_misorientation, orientation_boundaries, pole_density,
                                save_inverse_pole_figures, save_ipf_map, save_pole_figures)
from ._orientation_of_pattern import OrientationCandidate, PatternOrientations, PredictedSpots, orientation_of_pattern
from ._origins import ORIGIN_REASONS, OriginFit, Origins, fit_origins, measure_origins
from ._overview import Overview, overview
from ._pattern_sources import patterns_of, read_patterns
from ._patterns import Patterns
from ._phase import (PhaseContrast, Rotation, curl, divergence, find_rotation, icom, phase_contrast, remove_descan,
                     rotate)
from ._pixels import PixelGrid, frame, pixel_grid, pixel_unit, rasterize, sum_unit
from ._probes import electron_wavelength_nm, probe_of, single_side_band
from ._products import center_of_mass, diffraction_pattern, products, virtual_image
from ._ptychography import ptychography, ptychography_memory, read_stages
from ._ptychography_result import PtychographyResult, load_ptychography
from ._ptychography_view import PtychographyView
from ._radial import RadialCache
from ._results import CenterOfMass, DiffractionPattern, Products, VirtualImages
from ._show import show
from ._shown import ShownScans
from ._simulated_detector import SimulatedDetector, simulate_detector
from ._stages import PtychographyStage
from ._strain import StrainMaps, strain
from ._sweeps import ScanOrientation, SweepRun, correlate_halves, orientations, ptychography_sweep
from ._tables import TablesMade, tables
from ._templates import ProbeTemplate, fit_template, load_template, synthetic_template

__all__ = ["Alignment", "Analysis", "Analyzed", "Arm", "BraggVectors", "CalibratedVectors", "Calibration",
           "CenterOfMass", "ControlReport", "DISK_REASONS", "Detector", "DetectorChange", "DetectorControl",
           "DetectorStatus", "DiffractionPattern", "Disk", "DiskPlan", "DisorientationHistogram", "Distortion",
           "DriftSeries", "DriftStep", "Grain", "GrainFit", "GrainMaps", "ImageShift", "Judgement",
           "LATTICE_REASONS", "LatticeBasis", "LatticeFit", "LineJitter", "LiveLook", "LiveProblem", "LiveScan",
           "LiveState", "LiveStream", "ORIENTATION_REASONS", "ORIGIN_REASONS", "OrientationCandidate",
           "OrientationGrain", "OrientationGrains", "OrientationLibrary", "OrientationMap", "OriginFit", "Origins",
           "Overview", "PatternOrientations", "Patterns", "PhaseContrast", "PixelGrid", "PoleDensity",
           "PredictedSpots", "ProbeTemplate", "Products", "PtychographyResult", "PtychographyStage",
           "PtychographyView", "RadialCache", "Recording", "RingCorrelation", "RingMatch", "Rotation",
           "ScanConvertReport", "ScanOrientation", "ShownResults", "ShownScans", "SimulatedDetector", "StrainMaps", "SweepRun",
           "TablesMade", "Tile", "TriedCause", "UnitCell", "VirtualImages", "WrittenVectors", "align", "analyze", "annulus",
           "apply_calibration", "benchmark", "calibrate", "center_of_mass", "convert", "correlate_halves", "curl",
           "diffraction_pattern", "disk", "disorientation_histogram", "divergence", "drift",
           "electron_wavelength_nm", "find_basis", "find_disk", "find_disks", "find_orientation_grains",
           "find_rotation", "fit_grains", "fit_lattice", "fit_origins", "fit_template", "fold", "frame",
           "grain_strain", "icom", "image_shift", "inverse_pole_density", "ipf_colors", "judge",
           "kernel_average_misorientation", "know_lattice", "line_jitter", "live", "load_calibration", "load_cif",
           "load_orientations", "load_ptychography", "load_template", "load_vectors", "mask", "measure_origins",
           "orientation", "orientation_boundaries", "orientation_library", "orientation_of_pattern", "orientations",
           "overview", "parse_detector", "patterns_of", "phase_contrast", "pixel_grid", "pixel_unit", "plan_disks",
           "point", "pole_density", "polygon", "probe_of", "products", "ptychography", "ptychography_memory",
           "ptychography_sweep", "radial_histogram", "rasterize", "read_patterns", "read_stages", "rectangle",
           "refine_lattice", "remove_calibration", "remove_descan", "remove_ramp", "ricom", "ring_correlation",
           "rotate", "save_inverse_pole_figures", "save_ipf_map", "save_pole_figures", "show", "simulate_detector",
           "single_side_band", "square", "strain", "sum_unit", "synthetic_template", "tables", "theoretical_basis",
           "theory_of", "vector_map", "virtual_image", "weights"]

_speak(globals())
