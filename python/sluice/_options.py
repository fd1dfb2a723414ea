"""Options that several functions take, by name and type: what a typo is told by, of mypy and of the call.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Literal, Optional, Tuple, TypedDict, Union

from ._progress import Progress

Path = Union[str, "os.PathLike[str]"]
Pair = Tuple[int, int]
Rectangle = Tuple[int, int, int, int]
BinMode = Literal["sum", "mean"]
BinEdge = Literal["floor", "partial"]
Layout = Literal["auto", "planes", "dense", "lines"]
Tables = Literal["auto", "all", "none"]
RawType = Literal["", "uint8", "uint16", "uint32", "float32"]
PatternKind = Literal["sum", "mean", "max", "variance"]

ConvertLayout = Literal["auto", "scenes", "plate", "merged"]
Codec = Literal["blosc-lz4", "zstd", "none"]
ScanFormat = Literal["auto", "zarr", "nxmx", "emd", "hspy", "zspy", "npy", "mib", "raw"]
ScanCodec = Literal["auto", "blosc-zstd", "blosc-lz4", "zstd", "bslz4", "bszstd", "none"]
DiskMode = Literal["automatic", "isolated", "touching", "overlapping", "fringes"]
OriginMethod = Literal["automatic", "direct", "friedel", "mass"]
OriginSurface = Literal["mean", "plane", "parabola", "bezier"]
DistortionKind = Literal["none", "rectangular", "ellipse"]
PatternOf = Literal["automatic", "lattice", "rings"]
Convention = Literal["sluice", "py4dstem", "pyxem"]
Solver = Literal[
    "epie", "rpie", "mpie", "ap", "dm", "raar", "rrr", "sdr", "lsqml", "sgd", "adam", "mlcg"]
Grouping = Literal["random", "coloured"]
Likelihood = Literal["auto", "amplitude", "poisson", "gaussian"]
PositionModel = Literal["each", "affine"]
Moduli = Literal["any", "at_most_one", "one"]
ObjectStart = Literal["ones", "random", "ssb"]
Propagation = Literal["far", "near"]
Protocol = Literal["by-port", "dectris-v2", "dectris-v1", "merlin", "timepix3"]
LineEdge = Literal["tdc1-rise", "tdc1-fall", "tdc2-rise", "tdc2-fall"]
Order = Literal["raster", "serpentine"]
Spacing = Literal["range", "uniform", "logarithmic"]
Backward = Literal["reject", "cap", "allow"]
Scheme = Literal["strang", "first-order"]
DoseEngine = Literal["pencils", "march"]
DoseTo = Literal["water", "medium"]
ImageQuantity = Literal["HU", "density", "rsp"]
GridPrecision = Literal["f32", "f64"]
RbeModel = Literal["constant", "mcnamara", "wedenberg", "carabe"]
ModelPrecision = Literal["auto", "fp32", "bf16", "tf32"]
Preset = Literal["sluice", "uvr", "msst"]
Window = Literal["hann", "triangular", "rectangular"]
Join = Literal["mean", "median"]
SongFormat = Literal["auto", "wav", "flac"]
Depth = Literal["auto", "16", "24", "float"]
Clip = Literal["none", "clamp", "rescale"]


class OpenOptions(TypedDict, total=False):
    """Of `sluice.open`."""

    scan_shape: Optional[Pair]
    allow_incomplete: bool
    dataset: str
    channel: str
    raw_dtype: RawType
    raw_frame: Optional[Pair]
    raw_offset: int
    dm_image: int
    tvips_start: int
    line_edge: LineEdge
    one_edge: bool
    point_s: float
    window_s: float
    chip_layout: str
    tpx3_flyback: int
    axis_order: str


class ScanOptions(TypedDict, total=False):
    """Of `sluice.load` for a dataset; it says what they mean."""

    scan_region: Optional[Rectangle]
    detector_region: Optional[Rectangle]
    det_bin: int
    scan_bin: int
    scan_step: int
    bin_mode: BinMode
    bin_edge: BinEdge
    pixel_mask: bool
    as_stored: bool
    mask: Any
    hot_pixels: bool
    detector_step_mrad: float
    layout: Layout
    tables: Tables
    tables_file: Path
    stream: Optional[bool]
    memory_limit: int
    share: int
    device: str
    threads: int


class LoadOptions(ScanOptions, total=False):
    """All of them."""

    progress: Progress
