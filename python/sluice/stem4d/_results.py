"""What a pass over a scan finds: images, centres of mass and patterns.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .._arrays import Image, Point
from .._axes import Axes
from .._result import Result, sides
from .._words import said
from ._disk import Disk, _disk

if TYPE_CHECKING:
    import xarray as xr


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
