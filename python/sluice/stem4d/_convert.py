"""Scans as files of other formats.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Tuple

from .. import _core
from .._options import LoadOptions, Path, ScanCodec, ScanFormat
from .._progress import shown
from .._scans._open import load
from .._scans._scan import Scan
from .._words import told

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class ScanConvertReport:
    """What a conversion of a scan did."""

    path: str
    format: str
    codec: str
    files: List[str]
    shape: Tuple[int, int, int, int]  #: scan rows and columns, detector rows and columns
    dtype: str
    bytes: int  #: of the values
    bytes_written: int
    seconds: float
    verified: bool  #: every value was read back and is equal
    verify_seconds: float
    resumed: bool
    blocks: int
    blocks_kept: int  #: of the unfinished output
    not_carried: List[str]  #: what the source knows and the output has no place for
    notes: List[str]  #: what was converted, left out or clipped


def convert(source: Any, path: Path, *, format: ScanFormat = "auto", codec: ScanCodec = "auto",
            verify: bool = False, resume: bool = False, force: bool = False,
            provenance: Optional[Mapping[str, str]] = None, **load_options: Unpack[LoadOptions]) -> ScanConvertReport:
    """Writes a scan as Zarr, NXmx, EMD, HSPY, ZSPY, NPY, MIB or raw values.

    The output has its name only when it is complete: until then it is called `path`.part. Values are
    streamed, and arrive as they are stored, bad pixels too, unless binning or a mask is asked for.

    Args:
        source: a `Scan`, which is written as it was loaded, or what `sluice.load` takes.
        path: X.zarr, X_master.h5, X.emd, X.hspy, X.zspy, X.npy, X.mib or X.raw.
        format: "auto": what the name ends with.
        codec: "auto": "blosc-lz4" in Zarr, "bslz4" in NXmx, "none" in others.
        verify: read the output back and compare every value.
        resume: go on with an unfinished output of the same source and options.
        force: replace what is there.
        provenance: written with the values; None: the program, its version and the source.
        load_options: of `sluice.load`, where the source is no `Scan`; `progress` is that of the
            conversion: f(bytes done, bytes in all), which cancels by returning False.

    Raises:
        InvalidArgument: something is in the way. Unsupported: the format cannot hold the values.

    Example:
        >>> import sluice, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sluice.stem4d.convert("synthetic:stem4d?scan=4x5&detector=16x16", folder + "/s.zarr",
        ...                           verify=True, progress=False).verified
        True
    """
    progress = load_options.pop("progress", None)
    scan = source if isinstance(source, Scan) else _streamed(source, load_options)
    with shown(progress, "converting") as tell:
        return ScanConvertReport(**told(_core.stem4d_convert(
            scan._open(), os.fspath(path), format, codec, bool(verify), bool(resume), bool(force),
            [(str(key), str(value)) for key, value in (provenance or {}).items()], tell)))


def _streamed(source: Any, options: LoadOptions) -> Scan:
    """As the files hold it, unless the options change values."""
    changes = (options.get("det_bin", 1) != 1 or options.get("scan_bin", 1) != 1
               or options.get("mask") is not None or options.get("hot_pixels", False))
    usual: Any = {"stream": True, "as_stored": not changes, **options}
    return load(source, **usual)
