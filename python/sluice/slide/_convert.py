"""Slides as OME-Zarr.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import os
import shutil
from typing import Any, Iterator, Mapping, Optional, Sequence

from .. import _core
from .._errors import Cancelled, Error
from .._options import Codec, ConvertLayout
from .._progress import Progress, shown
from ._file import opened
from ._given import _MOST, Path, whole
from ._report import ConvertReport, convert_report

_JOURNAL = "sluice-convert.journal"  # what an unfinished output has


@contextlib.contextmanager
def _cleared(path: str, keep: bool, force: bool) -> Iterator[None]:
    """Removes the beginning of an output when the work is given up, unless it is to be kept."""
    part = path.rstrip("/") + ".part"
    keep = keep or (os.path.lexists(part) and not force)
    try:
        yield
    except BaseException as error:
        given_up = isinstance(error, Cancelled) or not isinstance(error, Error)
        if given_up and not keep and os.path.exists(os.path.join(part, _JOURNAL)):
            shutil.rmtree(part, ignore_errors=True)
        raise


def convert(source: Any, path: Path, *, ngff: str = "0.4", chunk: int = 1024, shard: int = 0,
            codec: Codec = "blosc-lz4", codec_level: int = -1, layout: ConvertLayout = "auto",
            scenes: Sequence[int] = (), channels: Sequence[int] = (),
            plane: Optional[Mapping[str, int]] = None, min_size: int = 256, background: float = 0,
            fill_bad: Optional[float] = None, resume: bool = False, force: bool = False,
            verify: bool = False, threads: int = 0, device: str = "cpu",
            memory_limit: int = 1 << 30, provenance: Optional[Mapping[str, str]] = None,
            progress: Progress = None) -> ConvertReport:
    """Writes all planes of a CZI file as OME-Zarr, with pyramids.

    The folder has its name only when it is complete: until then it is called `path`.part. Work that
    is given up (Ctrl-C, or progress) leaves nothing, unless `resume` is set: then the part stays,
    and the same call goes on with it. After an error it stays, too.

    Args:
        source: a `Slide`, or a path for `open`.
        path: the folder to write.
        ngff: OME-Zarr "0.4" (Zarr version 2) or "0.5" (version 3).
        chunk: pixels along the sides of a chunk, even.
        shard: 0.5 only: pixels along the sides of a file of several chunks; 0: none.
        codec: "blosc-lz4", "zstd" or "none".
        codec_level: -1: 5 for blosc, 3 for zstd.
        layout: "auto", "scenes" (groups 0, 1, ...), "plate" or "merged" (one canvas).
        scenes: indices; empty: all.
        channels: indices; empty: all.
        plane: which index of R, I, H, V or B where there are several, as {"H": 2}.
        min_size: levels are added until no side is longer.
        background: the value where there is no tile.
        fill_bad: fill damaged tiles with this, name them in the report, and go on.
        resume: go on with an unfinished output of the same source and options.
        force: replace what is there.
        verify: read source and output again afterwards, and compare every element.
        threads: 0: one per processor.
        device: where the coarser levels are made: "cpu", "cuda" or "reference".
        memory_limit: bytes of the bands that are held.
        provenance: written with the images; None: the program, its version and the slide.
        progress: f(bytes done, bytes in all); returning False cancels. None: a bar.

    Raises:
        InvalidArgument: something is in the way, or an option makes no sense.
        Unsupported: the source is not a CZI file. Corrupt, Truncated: a damaged tile.
    """
    where = os.fspath(path)
    with opened(source, "convert") as slide, shown(progress, "converting") as tell, \
            _cleared(where, resume, force):
        return convert_report(_core.slide_convert(
            slide._open(), where, ngff, whole(chunk, "chunk", 2, 1 << 20),
            whole(shard, "shard", 0, 1 << 30), codec, whole(codec_level, "codec_level", -1, 22),
            layout, [whole(n, "a scene", 0, _MOST) for n in scenes],
            [whole(n, "a channel", -_MOST, _MOST) for n in channels],
            {key: whole(n, key, -_MOST, _MOST) for key, n in (plane or {}).items()},
            whole(min_size, "min_size", 1, 1 << 40), float(background),
            None if fill_bad is None else float(fill_bad), bool(resume), bool(force),
            bool(verify), whole(threads, "threads", 0, 1024), device,
            whole(memory_limit, "memory_limit", 1, 1 << 60),
            [(str(key), str(value)) for key, value in (provenance or {}).items()], tell))
