"""Configurations: beams, phantoms and grids as TOML files have them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from .. import _core
from .._errors import InvalidArgument
from .._option_sets import MarchOptions
from .._options import Path
from .._progress import Progress, shown
from ._beams import Beam, Phantom, _as_phantom, _beam, _phantom
from ._dense import DenseOptions
from ._guards import Guard, _guards
from ._march import march_options
from ._spread_out import Sobp, _sobp

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Config:
    """Beams, a phantom and how to march it.

    Of a file (`read_config`), of a text (`parse_config`), or of its parts.

    Args:
        phantom: where the protons fly.
        beams: one or several, which are added up.
        water: "icru90" or "pstar".
        dense: computes all of phase space instead of marching.
        options: of `march`.

    Example:
        >>> from sluice import proton
        >>> c = proton.Config(proton.Phantom.box(180, 50), [proton.Beam(150, sigma_x=3)])
        >>> len(c.beams), c.options["angle_step"] < 0.01
        (1, True)
    """

    def __init__(self, phantom: Phantom, beams: "Union[Beam, Sequence[Beam]]", *,
                 water: str = "icru90", dense: Optional[DenseOptions] = None,
                 **options: Unpack[MarchOptions]) -> None:
        given = [beams] if isinstance(beams, Beam) else list(beams)
        self._native = _core.proton_config(water, _as_phantom(phantom),
                                           [_beam(beam) for beam in given],
                                           march_options(**options),
                                           None if dense is None else dense._native())
        self._fields: Optional[Dict[str, Any]] = None

    @classmethod
    def _of(cls, native: Any) -> "Config":
        made = cls.__new__(cls)
        made._native, made._fields = native, None
        return made

    def _field(self, name: str) -> Any:
        if self._fields is None:
            self._fields = self._native.fields
        return self._fields[name]

    def with_options(self, **options: Unpack[MarchOptions]) -> "Config":
        """The same with some options of `march` changed."""
        return Config._of(_core.proton_with_options(
            self._native, march_options(**{**self.options, **options})))

    @property
    def water(self) -> str:
        """"icru90" or "pstar"."""
        return str(self._field("water"))

    @property
    def phantom(self) -> Phantom:
        """Where the protons fly."""
        return _phantom(self._field("phantom"))

    @property
    def beams(self) -> List[Beam]:
        """Of all tables, those of spread-out peaks last."""
        return [Beam(*beam) for beam in self._field("beams")]

    @property
    def sweep(self) -> bool:
        """Whether the beams are to be compared, and not to be added up."""
        return bool(self._field("sweep"))

    @property
    def sobps(self) -> List[Sobp]:
        """Spread-out peaks."""
        return [_sobp(s) for s in self._field("sobps")]

    @property
    def options(self) -> Dict[str, Any]:
        """Of `march`, by their names."""
        return dict(self._field("options"))

    @property
    def dense(self) -> Optional[DenseOptions]:
        """Of the dense mode, if it is asked for."""
        found = self._field("dense")
        return None if found is None else DenseOptions(**found)

    @property
    def assumed(self) -> List[str]:
        """Of an image: what a reader of the results has to know."""
        return list(self._field("assumed"))

    @property
    def guards(self) -> List[Guard]:
        """What the reader found: media that moved, images."""
        return _guards(self._field("guards"))

    def __repr__(self) -> str:
        p = self.phantom
        return f"<sluice.proton.Config: {len(self.beams)} beams, {p.planes}x{p.columns} cells>"


def read_config(path: Path, *, device: str = "cpu", threads: int = 0,
                progress: Progress = None) -> Config:
    """Reads a TOML file; docs/guide/proton.md has its keys. Every quantity has its unit.

    Args:
        path: the file; those that [ct] names are relative to its folder.
        device: marches the layers of spread-out peaks, and is then that of the options.
        threads: 0: one per processor.
        progress: f(layers done, all); returning False cancels.

    Raises:
        Error: it names the file, the line and what it could have been.
    """
    with shown(progress, "layers", "layer") as tell:
        return Config._of(_core.proton_read_config(os.fspath(path), device, threads, tell))


def parse_config(text: str, name: str = "the configuration", folder: Path = "", *,
                 progress: Progress = None) -> Config:
    """The same of a text, which errors call `name`; one with [ct] needs the folder of its files.

    Example:
        >>> from sluice import proton
        >>> text = "[grid]\\ndepth = '60 mm'\\nwidth = '30 mm'\\n[[beam]]\\nenergy = '70 MeV'\\n"
        >>> proton.parse_config(text + "sigma_x = '3 mm'").beams[0].energy
        70.0
    """
    with shown(progress, "layers", "layer") as tell:
        return Config._of(_core.proton_parse_config(text, name, os.fspath(folder), tell))


def read_beam_list(path: Path) -> List[Beam]:
    """Beams out of lines of numbers with commas between, under a header of names with units
    (energy_MeV, sigma_x_mm ...); lines that begin with # are skipped."""
    return [Beam(*beam) for beam in _core.proton_read_beam_list(os.fspath(path))]


def parse_beam_list(text: str, name: str = "the list") -> List[Beam]:
    """The same of a text, which errors call `name`."""
    return [Beam(*beam) for beam in _core.proton_parse_beam_list(text, name)]


def as_config(value: "Union[Config, Path]", **options: Any) -> Config:
    """A configuration as it is, or that of a file."""
    if isinstance(value, Config):
        return value
    if isinstance(value, (str, os.PathLike)):
        return read_config(value, **options)
    raise InvalidArgument(f"a configuration is a {type(value).__name__}; give a Config, or the name "
                          "of a TOML file")
