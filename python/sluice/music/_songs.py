"""Songs from file to files.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Sequence, Union

from .. import _core
from .._errors import Cancelled, Error, InvalidArgument
from .._option_sets import SeparateOptions, SongOptions
from .._options import Clip, Path, SongFormat
from .._progress import Progress, shown
from ._model import Models, _busy, _models
from ._separate import _options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class StemFile:
    """A stem that was written."""

    name: str
    path: str
    peak: float  #: the largest magnitude as separated; 1 is full scale
    beyond: int  #: samples above full scale


@dataclass(frozen=True)
class SongReport:
    """What was done with a song."""

    song: str
    folder: str
    skipped: bool  #: all stems were there
    rate: int
    channels: int
    frames: int
    chunks: int
    written: str  #: "FLAC, 24-bit"
    stems: List[StemFile]
    gain: float  #: of clip="rescale"
    sums_up: bool  #: stems of integers sum to the song exactly, where none was clipped
    seconds: float  #: that it took

    def __getitem__(self, name: str) -> str:
        """The file of a stem."""
        for stem in self.stems:
            if stem.name == name:
                return stem.path
        raise KeyError(f"no stem '{name}'; there are {', '.join(s.name for s in self.stems)}")


def separate_song(models: Models, song: Path, folder: Path, *, format: SongFormat = "auto",
                  depth: "Union[str, int]" = "auto", dither: bool = False, clip: Clip = "none",
                  force: bool = False, skip_existing: bool = False, progress: Progress = None,
                  **options: Unpack[SeparateOptions]) -> SongReport:
    """Separates a file into folder/STEM.wav or .flac, at its rate, channels and length, with its
    tags. The folder appears with all stems, or not at all: also after Ctrl-C.

    Args:
        models: one, or several whose stems are joined.
        song: a sound file.
        folder: of the stems.
        format: "auto" (as the song is), "wav" or "flac".
        depth: "auto" (as the song is), 16, 24 or "float".
        dither: of integers.
        clip: stems beyond full scale: "none", "clamp" or "rescale" (all by one number).
        force: replaces a folder that is there.
        skip_existing: leaves a folder that has all stems.
        progress: f(milliseconds of the song done, all); returning False cancels.
        options: of `Separation`, but for `frames` and `bits`.
    """
    for name in ("frames", "bits"):
        if name in options:
            raise TypeError(f"separate_song() got '{name}', which is the song's own")
    used = _models(models)
    made = _core.music_song_options(_options(**options), format, str(depth), bool(dither), clip,
                                    bool(force), bool(skip_existing))
    with _busy(used), shown(progress, os.path.basename(os.fspath(song)), "ms") as tell:
        found = _core.music_separate_song([model._open() for model in used], os.fspath(song),
                                          os.fspath(folder), made, tell)
    return SongReport(**{**found, "stems": [StemFile(**stem) for stem in found["stems"]]})


def separate_songs(models: Models, songs: Sequence[Path], out: Path,
                   **options: Unpack[SongOptions]) -> "Dict[str, Union[SongReport, Exception]]":
    """Several songs, each into a folder of its name below `out`. A song that cannot be separated is
    an exception in the result, and the others go on; Ctrl-C ends all.

    Args:
        models: one, or several whose stems are joined.
        songs: sound files.
        out: the folder of their folders.
        options: of `separate_song`.

    Returns:
        By the song's name as it was given: `SongReport`, or the exception.
    """
    if isinstance(songs, (str, bytes, os.PathLike)):
        raise InvalidArgument("songs is a list of files; separate_song() takes one")
    files = [os.fspath(song) for song in songs]
    if len(set(files)) != len(files):
        raise InvalidArgument("a song is there twice; name it once")
    done: "Dict[str, Union[SongReport, Exception]]" = {}
    first: Dict[str, str] = {}
    for song in files:
        name = os.path.splitext(os.path.basename(song))[0]
        if name in first:
            done[song] = InvalidArgument(f"{song}: would have its stems in '{name}', as "
                                         f"{first[name]} has; separate them into different folders")
            continue
        first[name] = song
        try:
            done[os.fspath(song)] = separate_song(models, song,
                                                  os.path.join(os.fspath(out), name), **options)
        except Cancelled:
            raise
        except Error as error:
            done[os.fspath(song)] = error
    return done
