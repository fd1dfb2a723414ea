"""The dense mode: all of phase space on a grid of energy, angle, depth and x.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from typing import Any, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers
from .._errors import InvalidArgument
from .._options import Backward, Spacing
from .._progress import Progress, shown
from ._beams import Beam, Phantom, _as_phantom, _beam
from ._march import MarchResult, _result
from ._physics import Physics, as_physics

Map = NDArray[np.float64]


@dataclass(frozen=True)
class DenseOptions:
    """The grid of a dense solver, and its operators."""

    spacing: Spacing = "range"  #: of the energies: "uniform", "logarithmic" or "range"
    energies: int = 0  #: 0: as many as lie a step apart, where they are spaced by range; else 200
    energy_min: float = 1.0  #: MeV
    energy_max: float = 0.0  #: MeV; 0: a little more than the beam has
    angles: int = 72
    angle_window: float = 3.141592653589793  #: to each side of z, radians; pi: all directions
    step: float = 0.0  #: path of a step, mm; 0: that of the planes
    scheme: str = "strang"  #: or "first-order"
    backward: Backward = "reject"  #: protons that turn back: "reject", "cap" or "allow"
    angle_cap: float = 2.0943951023931953  #: radians
    least_cosine: float = -0.1
    scattering: bool = True
    straggling: bool = True
    nuclear: bool = True
    out_of_plane: bool = True
    threshold: float = 1e-12  #: 0: all of the grid is computed in every step
    precision: str = "f32"  #: or "f64"
    device: str = "cpu"
    threads: int = 0

    def _native(self) -> Any:
        return _core.proton_dense_options(*(getattr(self, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class DenseOperators:
    """A whole step as numbers, of the first material."""

    diffusion: Map  #: [energy]: part that scattering brings to each neighbour, in each pass
    passes: NDArray[np.int32]  #: [energy]
    z: Map  #: [energy, angle]: places that a plane moves
    x: Map
    to: NDArray[np.int64]  #: [energy, 3]: where slowing down brings it; -1: none
    part: Map  #: [energy, 3]
    deposit: Map  #: [energy], MeV


class DenseSolver:
    """A pulse of protons on a grid, step by step: scattering, streaming and energy loss.

    Args:
        phantom: where it flies; at most 16 materials.
        beam: its start.
        options: of the grid.
        physics: `Physics`, or "icru90" or "pstar".

    Raises:
        InvalidArgument: grids that do not hold the beam or are too coarse. OutOfMemory.

    Example:
        >>> from sluice import proton
        >>> box = proton.Phantom.box(depth=20, width=10, dz=1, dx=1)
        >>> grid = proton.DenseOptions(energies=24, angles=36)
        >>> solver = proton.DenseSolver(box, proton.Beam(energy=40, sigma_x=2), grid)
        >>> solver.step()
        >>> solver.state().shape == solver.shape
        True
    """

    def __init__(self, phantom: Phantom, beam: Beam, options: DenseOptions = DenseOptions(), *,
                 physics: "Union[Physics, str, None]" = None) -> None:
        if not isinstance(options, DenseOptions):
            raise InvalidArgument(f"options is a {type(options).__name__}; give DenseOptions")
        self._lock = threading.Lock()
        self._solver: Any = _core.proton_dense(as_physics(physics)._native, _as_phantom(phantom),
                                               _beam(beam), options._native())

    def _open(self) -> Any:
        if self._solver is None:
            raise InvalidArgument("the solver is closed; make another")
        return self._solver

    def _call(self, name: str, *arguments: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            raise InvalidArgument("the solver is at work (it is one pulse of protons); wait for "
                                  "that call")
        try:
            return getattr(self._open(), name)(*arguments)
        finally:
            self._lock.release()

    def step(self, steps: int = 1, progress: Progress = None) -> None:
        """Steps of all protons; `progress` is told steps done and all."""
        if steps < 0:
            raise InvalidArgument(f"{steps} steps; give 0 or more")
        with shown(progress, "dense", "step") as tell:
            self._call("step", int(steps), tell)

    def run(self, progress: Progress = None) -> MarchResult:
        """Steps until all but 1e-9 of the weight has ended; `progress` is told thousandths."""
        with shown(progress, "dense", "permille") as tell:
            self._call("run", tell)
        return self.result()

    def result(self) -> MarchResult:
        """The dose until now, as `march` gives it; `sums` are empty."""
        return _result(self._call("result"))

    def state(self) -> Map:
        """psi [energy, angle, plane, column], weight per cell: an array of its own."""
        out: Map = self._call("state")
        return out

    def set_state(self, psi: Any) -> None:
        """Replaces psi, and begins anew with it: no steps, no dose, a ledger of what it has."""
        self._call("set_state",
                   as_numbers(psi, "the state", ("energy", "angle", "plane", "column")))

    def operators(self) -> DenseOperators:
        """A whole step as numbers, for who computes it elsewhere."""
        return DenseOperators(**self._call("operators"))

    @property
    def shape(self) -> Tuple[int, int, int, int]:
        """(energies, angles, planes, columns)"""
        energies, angles, planes, columns = self._open().shape
        return energies, angles, planes, columns

    @property
    def steps(self) -> int:
        """That were taken."""
        return int(self._open().steps)

    @property
    def nbytes(self) -> int:
        """Of the state and all that a step needs beside it."""
        return int(self._open().bytes)

    @property
    def energies(self) -> Map:
        """MeV, ascending."""
        out: Map = self._open().energies
        return out

    @property
    def angles(self) -> Map:
        """Radians from the z axis, ascending."""
        out: Map = self._open().angles
        return out

    def close(self) -> None:
        """Lets go of its memory."""
        with self._lock:
            self._solver = None

    def __enter__(self) -> "DenseSolver":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
