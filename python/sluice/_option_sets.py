"""Options that functions hand on to another one, by name and type; a test compares them with its signature.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from ._options import (BinMode, Clip, Codec, ConvertLayout, Join, ModelPrecision, ObjectStart, OpenOptions, Preset,
                       Propagation, Scheme, SongFormat, Window)
from ._progress import Progress


class Planes(TypedDict, total=False):
    """The dimensions of a slide besides rows and columns: an index of each, as the file has it."""

    C: int
    Z: int
    T: int
    R: int
    I: int
    H: int
    V: int
    B: int


class PlaneStacks(TypedDict, total=False):
    """The same, several of each: a list, a range, or "all"."""

    C: Any
    Z: Any
    T: Any
    R: Any
    I: Any
    H: Any
    V: Any
    B: Any


class ShowOptions(OpenOptions, total=False):
    """Of `sluice.stem4d.show`, but for the height."""

    detectors: Any
    selected: Optional[int]
    mode: Any
    probe: Optional[Tuple[int, int]]
    source: Any
    det_bin: int
    scan_bin: int
    scan_step: int
    bin_mode: BinMode
    memory_limit: int
    device: str
    threads: int


class ConvertOptions(TypedDict, total=False):
    """Of `sluice.slide.convert`."""

    ngff: str
    chunk: int
    shard: int
    codec: Codec
    codec_level: int
    layout: ConvertLayout
    scenes: Sequence[int]
    channels: Sequence[int]
    plane: Optional[Mapping[str, int]]
    min_size: int
    background: float
    fill_bad: Optional[float]
    resume: bool
    force: bool
    verify: bool
    threads: int
    device: str
    memory_limit: int
    provenance: Optional[Mapping[str, str]]
    progress: Progress


class ProfileOptions(Planes, total=False):
    """Of `sluice.slide.profile`."""

    region: Optional[Sequence[int]]
    rect: Optional[Sequence[int]]
    scene: Optional[int]
    level: int
    max_tiles: int
    threads: Sequence[int]
    cold: bool
    progress: Progress


class PtychographyOptions(TypedDict, total=False):
    """Of `sluice.stem4d.ptychography`, for functions that call it several times."""

    modes: int
    object_start: ObjectStart
    margin: int
    sub_pixel: bool
    slices: int
    slice_nm: float
    tilt_row_mrad: float
    tilt_col_mrad: float
    propagation: Propagation
    distance_mm: float
    focus_distance_mm: float
    detector_bin: int
    detector_blur: float
    window: int
    seed: int
    stop_early: bool
    restore_best: bool
    memory_limit: int


class ModelOptions(TypedDict, total=False):
    """Of `sluice.music.Model`."""

    assume: Any
    preset: Preset
    frames: Optional[int]
    precision: ModelPrecision
    device: str
    threads: int
    memory_limit: Optional[int]
    progress: Progress


class SeparateOptions(TypedDict, total=False):
    """Of `sluice.music.Separation`."""

    preset: Preset
    overlap: Optional[int]
    window: Window
    shifts: int
    augment: bool
    batch: int
    join: Join
    weights: Sequence[float]
    stems: Union[str, Sequence[str]]
    complement: str
    bits: int
    frames: int


class SongOptions(SeparateOptions, total=False):
    """Of `sluice.music.separate_song`."""

    format: SongFormat
    depth: Union[str, int]
    dither: bool
    clip: Clip
    force: bool
    skip_existing: bool
    progress: Progress


class RunOptions(TypedDict, total=False):
    """Of `sluice.proton.march`, but for threads."""

    angle_step: float
    angle_window: float
    range_step: float
    scattering: bool
    straggling: bool
    nuclear: bool
    out_of_plane: bool
    threshold: float
    spectra_at: Sequence[float]
    let_map: bool
    precision: str
    scheme: Scheme
    device: str


class MarchOptions(RunOptions, total=False):
    """Of `sluice.proton.march`."""

    threads: int


class MatchOptions(TypedDict, total=False):
    """Of `sluice.stem4d.orientation`, but for device and threads."""

    least_disks: int
    grains: int
    exhaustive: bool
    refine: bool
    candidates: int
    match_tolerance: float
    place_error: float
    intensity_error: float
    fit_sigma: float
    least_probability: float
