"""napari's reader: each scene of a slide as layers of lazy arrays at all levels.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import slide as slides
from ._errors import Error
from .slide._levels import complete_levels

Layer = Tuple[Any, Dict[str, Any], str]

# A view shows a part of a plane: chunks that come fast, and none of several planes.
_CHUNK_BYTES = 16 << 20


def get_reader(path: Any) -> Optional[Callable[[Any], List[Layer]]]:
    """A function that reads the path, or None where it is not a slide."""
    if isinstance(path, (list, tuple)):
        path = path[0] if len(path) == 1 else None
    if not isinstance(path, (str, os.PathLike)):
        return None
    try:
        for one in slides.slides_in(path)[:1]:
            slides.open(one).close()
    except Error:
        return None
    return read


def read(path: Any) -> List[Layer]:
    """Layers of all slides at a path."""
    if isinstance(path, (list, tuple)):
        path = path[0]
    layers: List[Layer] = []
    for one in slides.slides_in(path):
        slide = slides.open(one)
        for scene in slide.scenes:
            layers += _layers(slide, scene.id)
    return layers


def _layers(slide: slides.Slide, scene: Optional[int]) -> List[Layer]:
    channels = range(slide.first["C"], slide.first["C"] + slide.counts["C"])
    return [_layer(slide, scene, c) for c in channels]


def _layer(slide: slides.Slide, scene: Optional[int], channel: int) -> Layer:
    levels = [slide.array(scene, level, C=channel) for level in complete_levels(slide, scene)]
    finest = levels[0]
    rgb = "S" in finest.axes
    about = slide.metadata
    steps = {"Y": about.y_um, "X": about.x_um, "Z": about.z_um, "T": about.t_s}
    axes = finest.axes.replace("S", "")
    name = os.path.basename(slide.path.rstrip("/"))
    info = {s.index: s.name for s in about.scenes}
    if scene is not None:
        name += f" {info.get(scene) or f'scene {scene}'}"
    described = {c.index: c for c in about.channels}.get(channel)
    if slide.counts["C"] > 1:
        name += f" {described.name if described and described.name else f'channel {channel}'}"
    options: Dict[str, Any] = {
        "name": name, "multiscale": True, "rgb": rgb,
        # napari has no unknown step: pixels are its units then.
        "scale": [steps.get(axis, 0) or 1.0 for axis in axes],
        # Where the scene lies on the slide, whose corner is 0.
        "translate": _places(slide, finest, axes, steps),
        "metadata": {"sluice": {"path": slide.path, "scene": scene, "axes": axes,
                                "bounds": tuple(finest.bounds),
                                "units": [_unit(axis, steps) for axis in axes],
                                "notes": slide.notes}}}
    if not rgb:
        options["blending"] = "additive" if slide.counts["C"] > 1 else "translucent"
        if described and described.color:
            options["colormap"] = _colormap(described.color)
    arrays = [level.to_dask(level.chunks_of(_CHUNK_BYTES, planes=False)) for level in levels]
    return arrays, options, "image"


def _places(slide: slides.Slide, finest: slides.Array, axes: str, steps: Dict[str, float]) -> List[float]:
    """Of the middle of the first pixel, in the units of `scale`."""
    whole, own = slide.bounds, finest.bounds
    offsets = {"Y": own.y - whole.y, "X": own.x - whole.x}
    return [offsets.get(axis, 0) * (steps.get(axis, 0) or 1.0) for axis in axes]


def _unit(axis: str, steps: Dict[str, float]) -> str:
    if not steps.get(axis):
        return "pixel"
    return "s" if axis == "T" else "um"


def _colormap(color: str) -> Any:
    """From black to the channel's colour, as napari takes it."""
    full = [int(color[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return {"colors": [[0.0, 0.0, 0.0, 1.0], [*full, 1.0]], "name": f"#{color}",
            "interpolation": "linear"}
