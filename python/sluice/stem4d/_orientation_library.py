"""Patterns of known crystals in all orientations.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Sequence, Tuple

from .. import _core
from .._errors import InvalidArgument
from .._progress import Progress, shown
from .._words import told
from ._cells import UnitCell, load_cif


@dataclass(frozen=True)
class OrientationLibrary:
    """Patterns of known crystals along all zone axes, kinematic; made by `orientation_library`."""

    phases: Tuple[str, ...]
    #: The Laue class of each phase, as in "m-3m".
    laue: Tuple[str, ...]
    #: Of all phases.
    zones: int
    #: Of memory.
    bytes: int
    build_seconds: float
    kilovolts: float
    notes: Tuple[str, ...]
    _native: Any = field(repr=False, compare=False)

    def pattern(self, quaternion: Sequence[float], phase: int = 0) -> "dict[str, Any]":
        """What a phase shows in an orientation, the strongest reflection first: `hkl` [n, 3], `row` and `col` [n]
        in 1/angstrom from the direct beam along the axes of the scan, `excitation` [n] in 1/angstrom, and
        `intensity` [n] from 0 to 1.

        Args:
            quaternion: (w, x, y, z), which takes the sample to the crystal, as in `OrientationMap.quaternion`.
        """
        return dict(self._native.pattern(int(phase), [float(x) for x in quaternion]))


def _cell(phase: Any) -> Any:
    cell = load_cif(phase) if isinstance(phase, (str, os.PathLike)) else phase
    if not isinstance(cell, UnitCell):
        raise InvalidArgument(f"a phase is a {type(phase).__name__}; give a UnitCell or the path of a CIF")
    return cell._native


def orientation_library(phases: Any, *, energy: float, zone_step: float = 1.0, most_frequency: float = 1.5,
                        excitation_sigma: float = 0.02, precession_mrad: float = 0.0, match_width: float = 0.08,
                        radius_power: float = 0.5, intensity_power: float = 0.25, least_intensity: float = 0.001,
                        device: str = "cpu", threads: int = 0, progress: Progress = False) -> OrientationLibrary:
    """The patterns of one or more crystals along all their zone axes. They are kinematic: thickness and dynamical
    scattering are not modelled.

    Args:
        phases: a UnitCell or the path of a CIF, or several; the names of the cells tell them apart.
        energy: in kV, that the electrons fell through.
        zone_step: degrees between neighbouring zone axes.
        most_frequency: reflections and disks up to so many 1/angstrom from the direct beam have a say.
        excitation_sigma: 1/angstrom off Ewald's sphere at which an intensity has fallen to 61 %.
        precession_mrad: half angle of the cone of a precessing beam; 0: it does not precess.
        match_width: 1/angstrom by which disks may miss their places in the coarse match.
        radius_power, intensity_power: a disk weighs its distance from the direct beam and its intensity to these
            powers.
        least_intensity: reflections below this part of a zone's strongest do not show.

    Raises:
        Error: a cell without atoms, an unknown element, two phases of one name.

    Example:
        >>> import os, tempfile
        >>> from sluice import stem4d
        >>> iron = os.path.join(tempfile.mkdtemp(), "iron.cif")
        >>> _ = open(iron, "w").write('''data_iron
        ... _cell_length_a 2.866
        ... _cell_length_b 2.866
        ... _cell_length_c 2.866
        ... _cell_angle_alpha 90
        ... _cell_angle_beta 90
        ... _cell_angle_gamma 90
        ... _symmetry_space_group_name_H-M 'I m -3 m'
        ... loop_
        ... _atom_site_type_symbol
        ... _atom_site_fract_x
        ... _atom_site_fract_y
        ... _atom_site_fract_z
        ... Fe 0 0 0
        ... ''')
        >>> library = stem4d.orientation_library(iron, energy=200)
        >>> library.phases, library.laue, library.zones > 1000
        (('iron',), ('m-3m',), True)
    """
    several = [phases] if isinstance(phases, (str, os.PathLike, UnitCell)) else list(phases)
    with shown(progress, "zones") as tell:
        native = _core.orientation_library([_cell(p) for p in several], float(energy), float(zone_step),
                                           float(most_frequency), float(excitation_sigma), float(precession_mrad),
                                           float(match_width), float(radius_power), float(intensity_power),
                                           float(least_intensity), device, threads, tell)
    fields = told(native.fields)
    for name in ("phases", "laue", "notes"):
        fields[name] = tuple(fields[name])
    return OrientationLibrary(_native=native, **fields)
