"""What is set in the viewer of scans: as Python has it, and as the page does (its session).

Python's coordinates are pixels of the full detector, the page's those of the arrays as loaded.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .._arrays import as_pair
from .._errors import InvalidArgument
from ._detectors import Detector, parse_detector
from ._disk import Disk
from ._phase import Rotation
from ._pixels import PixelGrid

SCHEMA = "sluice-session/1"
MODES = ("sum", "mean", "com_row", "com_col", "com_magnitude", "com_vector", "divergence", "curl",
         "icom")
SOURCES = ("probe", "region", "sum", "mean", "max", "variance")
#: As the page gives them to new detectors (page/src/stem4d/state/detectors.ts).
COLORS = ("#4fc3f7", "#ffb74d", "#aed581", "#f48fb1", "#ba9bf0", "#fff176", "#4db6ac", "#ff8a65")
_SHAPES = ("point", "disk", "annulus", "square", "rectangle", "polygon")
#: The scan's own coordinates.
PLAIN = PixelGrid((0.0, 0.0), 1.0)

Json = Dict[str, Any]


def grid_of(dataset: Json) -> PixelGrid:
    """Where the arrays of a described dataset lie."""
    row, col = dataset["grid"]["origin"]
    return PixelGrid((row, col), dataset["grid"]["bin"])


def disk_of(dataset: Json) -> Optional[Disk]:
    """The measured disk of a described dataset, on the full detector."""
    found = dataset["disk"]
    if found is None:
        return None
    grid = grid_of(dataset)
    return Disk(grid.to_detector((found["row"], found["col"])), found["radius"] * grid.bin,
                found["quality"])


def shape_to_page(d: Detector, grid: PixelGrid) -> Json:
    """A shape as the page has it."""
    shape: Json = {"shape": d.shape}
    if d.shape in ("point", "disk", "annulus", "square"):
        shape["center"] = list(grid.to_array(as_pair(d.center, "a centre")))
    if d.shape in ("disk", "annulus", "square"):
        shape["outer"] = d.outer / grid.bin
    if d.shape == "annulus":
        shape["inner"] = d.inner / grid.bin
    if d.shape == "rectangle":
        shape["from"] = list(grid.to_array(as_pair(d.from_, "a corner")))
        shape["to"] = list(grid.to_array(as_pair(d.to, "a corner")))
    if d.shape == "polygon":
        shape["corners"] = [list(grid.to_array(as_pair(c, "a corner"))) for c in d.corners]
    return shape


def shape_from_page(shape: Json, grid: PixelGrid, name: str = "") -> Detector:
    """A shape as Python has it."""
    def pair(key: str) -> Tuple[float, float]:
        row, col = shape[key]
        return grid.to_detector((row, col))
    kind = shape["shape"]
    if kind == "rectangle":
        return Detector(kind, name, from_=pair("from"), to=pair("to"))
    if kind == "polygon":
        corners = tuple(grid.to_detector((row, col)) for row, col in shape["corners"])
        return Detector(kind, name, corners=corners)
    return Detector(kind, name, center=pair("center"), inner=shape.get("inner", 0.0) * grid.bin,
                    outer=shape.get("outer", 0.0) * grid.bin)


def settled(value: Union[Detector, str], disk: Optional[Disk]) -> Detector:
    """A detector in pixels, with a centre: what the page can show.

    Raises:
        InvalidArgument: a mask or weights; no disk where one is needed.
    """
    d = parse_detector(value) if isinstance(value, str) else value
    if not isinstance(d, Detector) or d.shape not in _SHAPES:
        what = d.shape if isinstance(d, Detector) else type(d).__name__
        raise InvalidArgument(f"a detector is {what!r}; the viewer shows the shapes "
                              f"{', '.join(_SHAPES)} (others: stem4d.virtual_image)")
    if d.unit == "mrad":
        raise InvalidArgument(f"{d.name or d.shape} is in mrad; the viewer shows detectors in "
                              "pixels (in mrad: stem4d.virtual_image)")
    round_one = d.shape in ("point", "disk", "annulus", "square")
    if disk is None and d._native().needs_disk:
        raise InvalidArgument(f"{d.name or d.shape} needs the bright-field disk, which was not "
                              "found; give radii in pixels and a centre")
    scale = disk.radius if disk and d.unit == "disk_radii" else 1.0
    center = d.center
    if center is None and round_one and disk is not None:
        center = disk.center
    return Detector(d.shape, d.name, "pixels", center, d.inner * scale, d.outer * scale, d.from_,
                    d.to, tuple(d.corners))


def detectors_to_page(detectors: Sequence[Detector], grid: PixelGrid,
                      colors: Sequence[str]) -> List[Json]:
    """The list as the page has it; a detector's key is its place."""
    return [{"key": f"p{i}", "name": d.name or f"detector {i + 1}",
             "color": colors[i] if i < len(colors) else COLORS[i % len(COLORS)],
             "region": shape_to_page(d, grid)} for i, d in enumerate(detectors)]


def rotation_to_page(rotation: Any) -> Any:
    """ "none", "auto", or the angle and whether the detector is transposed."""
    if isinstance(rotation, Rotation):
        return {"degrees": rotation.degrees, "transpose": rotation.transpose}
    return rotation


def rotation_from_page(rotation: Any) -> Any:
    """The same as Python has it."""
    if isinstance(rotation, dict):
        return Rotation(rotation["degrees"], rotation["transpose"])
    return rotation


def alike(a: Any, b: Any) -> bool:
    """Whether two values are the same but for the rounding of coordinates."""
    if isinstance(a, Detector) and isinstance(b, Detector):
        return a.name == b.name and alike(shape_to_page(_placed(a), PLAIN),
                                          shape_to_page(_placed(b), PLAIN))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and \
            abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))
    return bool(a == b)


def _placed(d: Detector) -> Detector:
    return d if d.center is not None else Detector(d.shape, d.name, d.unit, (0.0, 0.0), d.inner,
                                                   d.outer, d.from_, d.to, d.corners)
