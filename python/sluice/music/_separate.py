"""Stems out of samples.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numpy
from .._errors import InvalidArgument
from .._option_sets import SeparateOptions
from .._options import Join, Preset, Window
from .._progress import Progress, shown
from ._model import Models, _busy, _models

if TYPE_CHECKING:
    from typing_extensions import Unpack

Samples = NDArray[np.float32]


def _options(*, preset: Preset = "sluice", overlap: Optional[int] = None, window: Window = "hann",
             shifts: int = 1, augment: bool = False, batch: int = 1, join: Join = "mean",
             weights: Sequence[float] = (), stems: "Union[str, Sequence[str]]" = (), complement: str = "",
             bits: int = 0, frames: int = 0) -> Any:
    if isinstance(stems, str):
        stems = [stems]
    return _core.music_separate_options(preset, overlap, window, shifts, bool(augment), batch, join,
                                        [float(w) for w in weights], list(stems), complement, bits,
                                        frames)


def _samples(value: Any, name: str) -> Samples:
    array = as_numpy(value, name)
    if array.dtype.kind != "f":
        raise InvalidArgument(f"{name} has dtype {array.dtype}; give floats with full scale 1: "
                              "int16 samples / 32768.0, or soundfile.read()")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise InvalidArgument(f"{name} has {array.ndim} axes; it is an array [frames, channels]")
    if array.shape[1] > 16 and array.shape[0] <= 16:
        raise InvalidArgument(f"{name} has the shape {array.shape}; it is [frames, channels], so "
                              "transpose it")
    return np.ascontiguousarray(array, dtype=np.float32)


class Separation:
    """One song being separated: samples are pushed as they come, and stems are pulled as they
    become ready, about two chunks later. However they are pushed, the stems have the same samples.

    Args:
        models: one, or several whose stems are joined; all of one rate.
        rate: of the song; others than the models' are resampled, and the stems back again.
        channels: 1 or 2.
        options: `preset` ("sluice", "uvr", "msst"), `overlap` (1 to 50), `window` ("hann",
            "triangular", "rectangular"), `shifts`, `augment`, `batch`, `join` ("mean", "median"),
            `weights` of the models, `stems` that are wanted, `complement` (a stem that is the mix
            without the others; "none": no stem), `bits` (16 or 24: rounded such that files of
            integers sum up), `frames` of the song, for the progress.

    Raises:
        InvalidArgument: options that make no sense.
    """

    def __init__(self, models: Models, rate: int, channels: int = 2, **options: Unpack[SeparateOptions]) -> None:
        self._models = _models(models)
        self.channels = channels
        self._native = _core.MusicSeparation([model._open() for model in self._models], rate,
                                             channels, _options(**options))
        # The compiled part looks at the models, also after their close().
        self._kept = [model._open() for model in self._models]
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise InvalidArgument("the separation is at work; wait for that call")
        try:
            yield
        finally:
            self._lock.release()

    @property
    def stems(self) -> List[str]:
        """The names of what `pull` gives; an added complement is the last."""
        return list(self._native.stems)

    @property
    def complements(self) -> bool:
        """Whether one of them is the mix without the others, and all others are given."""
        return bool(self._native.complements)

    @property
    def ready(self) -> int:
        """Frames that `pull` can give now."""
        return int(self._native.ready)

    @property
    def chunks(self) -> int:
        """That went through a network, each as often as it did."""
        return int(self._native.chunks)

    def push(self, block: Any, progress: Progress = None) -> None:
        """Takes samples [frames, channels], and separates what it can: this is where time goes.

        `progress` is told frames that were separated, and `frames` of the options. After an
        exception of it or Ctrl-C the separation is of no more use; its models are.
        """
        given = _samples(block, "the block")
        with self._alone(), _busy(self._models), shown(progress, "separating", "frame") as tell:
            self._native.push(given, tell)

    def finish(self, progress: Progress = None) -> None:
        """No more frames come: separates the rest."""
        with self._alone(), _busy(self._models), shown(progress, "separating", "frame") as tell:
            self._native.finish(tell)

    def pull(self, frames: Optional[int] = None) -> Dict[str, Samples]:
        """Frames of each stem, [frames, channels] float32: all that are ready, or so many of
        them. In all there are as many as were pushed."""
        if frames is not None and frames < 0:
            raise InvalidArgument(f"{frames} frames; give 0 or more")
        with self._alone():
            return dict(zip(self.stems, self._native.pull(frames)))


def separate(models: Models, samples: Any, rate: int, *, progress: Progress = None,
             **options: Unpack[SeparateOptions]) -> Dict[str, Samples]:
    """A whole song out of memory.

    Args:
        models: one, or several whose stems are joined.
        samples: [frames, channels] of floats, 1 or 2 channels; or [frames].
        rate: frames per second.
        progress: f(frames done, all); returning False cancels.
        options: of `Separation`.

    Returns:
        A stem by its name, of the shape of `samples`, float32.

    Raises:
        InvalidArgument: integers, other shapes, a sample that is not finite.
    """
    song = _samples(samples, "the samples")
    options.setdefault("frames", len(song))
    separation = Separation(models, rate, song.shape[1], **options)
    with shown(progress, "separating", "frame") as tell:
        quiet: Progress = False if tell is None else tell
        parts: Dict[str, List[Samples]] = {name: [] for name in separation.stems}
        piece = max(1, rate) * 30
        for first in range(0, len(song), piece):
            separation.push(song[first:first + piece], quiet)
            for name, stem in separation.pull().items():
                parts[name].append(stem)
        separation.finish(quiet)
        for name, stem in separation.pull().items():
            parts[name].append(stem)
    shape = as_numpy(samples, "the samples").shape
    return {name: np.concatenate(stems).reshape(shape) for name, stems in parts.items()}
