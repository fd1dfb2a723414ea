"""The first look at a scan: mean pattern, bright field, dark field and centre of mass.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from .._arrays import Image
from .._errors import InvalidArgument, NotFound
from .._progress import Progress
from .._result import Result, sides
from .._scans._open import Sources, as_scan
from .._scans._scan import Scan
from ._disk import Disk, find_disk
from ._pixels import rasterize
from ._products import products
from ._results import CenterOfMass, DiffractionPattern, VirtualImages

if TYPE_CHECKING:
    import xarray as xr

_FIELDS = {"bf": "bright field", "adf": "annular dark field"}


@dataclass(eq=False, repr=False)
class Overview(Result):
    """What `overview` found; `notes` say what is missing, and why."""

    pattern: DiffractionPattern  #: the mean of all frames
    images: Optional[VirtualImages]  #: "bf" and "adf", as far as they lie within what was read; None: neither does
    center_of_mass: CenterOfMass
    disk: Optional[Disk]  #: None: it cannot be told
    notes: List[str]

    def to_xarray(self) -> "xr.Dataset":
        """Pattern, fields and centre of mass by the names of the files that `sluice stem4d overview` writes."""
        import xarray as xr
        com = self.center_of_mass.to_xarray()
        made: Dict[str, Any] = {"pattern_mean": self.pattern.to_xarray(), "com_row": com["row"], "com_col": com["col"]}
        if self.images is not None:
            fields = self.images.to_xarray()
            made.update({name: fields.sel(detector=name, drop=True) for name in self.images.names})
        return xr.Dataset(made, attrs={"notes": list(self.notes)} if self.notes else {})

    def _about(self) -> str:
        names = ", ".join([] if self.images is None else self.images.names)
        return f"{sides(self.center_of_mass.row)} points of {sides(self.pattern.values)} pixels, {names or 'no disk'}"

    def _pictures(self) -> Dict[str, Image]:
        return {"pattern": self.pattern._pictures()["log"], **({} if self.images is None else dict(self.images.items())),
                "com row": self.center_of_mass.row, "com col": self.center_of_mass.col}


def _fields_within(scan: Scan, disk: Disk, notes: List[str]) -> List[str]:
    """The fields that lie within what was read; the others are said to be left out."""
    there = []
    for name, title in _FIELDS.items():
        try:
            rasterize(scan, name, disk)
            there.append(name)
        except InvalidArgument as outside:
            notes.append(f"no {title}: {outside}")
    return there


def overview(scan: Sources, *, disk: Optional[Disk] = None, device: str = "cpu", threads: int = 0,
             progress: Progress = None) -> Overview:
    """The first look at a scan, as `sluice stem4d overview` has it: the bright-field disk, then all else in one pass.

    Args:
        scan: a `Scan`, or what `sluice.load` takes.
        disk: the bright-field disk, instead of measuring it.
        device, threads, progress: of `products`.

    Returns:
        An `Overview`. Where no disk can be told, or a field lies outside of what was read, `notes` say so.

    Example:
        >>> import sluice
        >>> look = sluice.stem4d.overview("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> look.images.names, look.center_of_mass.row.shape
        (['bf', 'adf'], (8, 8))
    """
    loaded = as_scan(scan)
    notes: List[str] = []
    if disk is None:
        try:
            disk = find_disk(loaded, device=device, threads=threads)
        except NotFound as missing:
            notes.append(f"no bright field and no dark field: {missing}")
    fields = [] if disk is None else _fields_within(loaded, disk, notes)
    found = products(loaded, detectors=fields, center_of_mass=True, patterns="mean", disk=disk, device=device,
                     threads=threads, progress=progress)
    assert found.center_of_mass is not None
    return Overview(found.patterns[0], found.images if fields else None, found.center_of_mass, disk,
                    [*notes, *(note for note in found.center_of_mass.notes if note not in notes)])
