"""proton: beams of protons, what stops and scatters them, and their dose.

Lengths are in mm, energies in MeV, angles in radians, LET in keV/um in water of unit density. Arrays
are [plane, column]: z, the depth, grows with the plane and x with the column; all is integrated
over y.

    >>> from sluice import proton
    >>> water = proton.Phantom.box(depth=60, width=30, dz=0.5, dx=1)
    >>> r = proton.march(water, proton.Beam(energy=70, sigma_x=3))
    >>> round(proton.bragg_metrics(*proton.depth_dose(r)).r80, 1)
    40.9

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from .._calls import speak as _speak
from .._view._kinds import ShownVolumes
from .._volume import Volume, load_volume
from ._base_data import BaseEnergy, base_energies, base_energy, save_base_data
from ._batch import Batch, batch
from ._beams import Beam, Phantom
from ._benchmark import benchmark
from ._config import Config, parse_beam_list, parse_config, read_beam_list, read_config
from ._converge import (AxisStudy, Convergence, GridRun, Sequence, Steps, converge, grids_of, sequence_of_differences,
                        sequence_of_values)
from ._dense import DenseOperators, DenseOptions, DenseSolver
from ._dose import BeamDose, PlanDose, dose
from ._guards import DoseWarning, Guard, refuse, summary
from ._machine import (Machine, MachineEnergy, MachineSetting, MachineShifter, SpotGaussian, parse_machine, read_machine,
                       setting_of)
from ._march import Ledger, MarchResult, PlaneSums, Share, Spectrum, march
from ._metrics import (BraggMetrics, Dvh, GammaResult, TwoGaussians, bragg_metrics, core_sigma, depth_dose, dvh,
                       gamma_index, lateral_sigma, let_map, sum_of, two_gaussians)
from ._physics import Material, Physics, material, material_names, mean_excitation_energy
from ._plan import (IonBeam, IonPlan, PlanLayer, RangeShifter, Structure, load_structures, read_plan, save_dicom_dose,
                    save_plan_list)
from ._rbe import alpha_beta_map, rbe, rbe_dose
from ._run import (Run, assumptions, dose_of, guards_after, guards_before, guards_of, march_beam, march_beams, run,
                   steps_of)
from ._show import show
from ._spread_out import Sobp, spread_out
from ._structures import StructureDvh, structure_dvh, structure_parts
from ._target import TargetBeam, TargetPlan, place_spots
from ._volume import (Difference, Plane, ValueRange, comparable, difference, plane_of, sample, sample_line,
                      sample_plane, stations, value_range)

__all__ = ["AxisStudy", "BaseEnergy", "Batch", "Beam", "BeamDose", "BraggMetrics", "Config", "Convergence",
           "DenseOperators", "DenseOptions", "DenseSolver", "Difference", "DoseWarning", "Dvh", "GammaResult",
           "GridRun", "Guard", "IonBeam", "IonPlan", "Ledger", "Machine", "MachineEnergy", "MachineSetting",
           "MachineShifter", "MarchResult", "Material", "Phantom", "Physics", "PlanDose", "PlanLayer", "Plane",
           "PlaneSums", "RangeShifter", "Run", "Sequence", "Share", "ShownVolumes", "Sobp", "Spectrum", "SpotGaussian",
           "Steps", "Structure", "StructureDvh", "TargetBeam", "TargetPlan", "TwoGaussians", "ValueRange", "Volume", "alpha_beta_map",
           "assumptions", "base_energies", "base_energy", "batch", "benchmark", "bragg_metrics", "comparable",
           "converge", "core_sigma", "depth_dose", "difference", "dose", "dose_of", "dvh", "gamma_index", "grids_of",
           "guards_after", "guards_before", "guards_of", "lateral_sigma", "let_map", "load_structures", "load_volume",
           "march", "march_beam", "march_beams", "material", "material_names", "mean_excitation_energy",
           "parse_beam_list", "parse_config", "parse_machine", "place_spots", "plane_of", "rbe", "rbe_dose", "read_beam_list",
           "read_config", "read_machine", "read_plan", "refuse", "run", "sample", "sample_line", "sample_plane",
           "save_base_data", "save_dicom_dose", "save_plan_list", "sequence_of_differences", "sequence_of_values",
           "setting_of", "show", "spread_out", "stations", "steps_of", "structure_dvh", "structure_parts", "sum_of",
           "summary", "two_gaussians", "value_range"]

_speak(globals())
