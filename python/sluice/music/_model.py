"""A model that was loaded.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Sequence, Union

from .. import _core
from .._errors import InvalidArgument
from .._option_sets import ModelOptions
from .._options import ModelPrecision, Path, Preset
from .._progress import Progress, shown
from .._words import said
from ._inspect import Assume, _assumed, _maybe

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Model:
    """A model that was loaded.

    Args:
        path: a checkpoint of PyTorch, or a safetensors file.
        config: the YAML that was published with it; None: the one within the file, else
            `model.yaml` beside `model.ckpt`.
        assume: what the YAML lacks and you know, as {"act": "relu", "norm": "GroupNorm8"}. The
            keys are act, norm, n_fft, hop_length, sample_rate, chunk_size, instruments (a list)
            and target_instrument: they change the stems, and no tensor tells them.
        preset: "sluice", "uvr" or "msst": UVR takes other chunks out of some YAMLs.
        frames: of the Fourier transform in a chunk; fewer take less memory, and give another
            result.
        precision: "auto" (bf16 where the processor multiplies matrices of it), "fp32", "bf16", or
            "tf32" of GPUs.
        device: "cpu", "cpu:avx2", "cuda"; songs are read and joined by the processor.
        threads: of the processor; 0: one per processor.
        memory_limit: bytes that it and its chunks may take by estimate, on a GPU those of its
            memory; None: what is free there.
        progress: f(tensors read, all); returning False cancels.

    Raises:
        InvalidArgument: a key that changes the stems, and that neither the tensors nor the YAML
            say. OutOfMemory: with what would fit.
        Unavailable: bf16 where the processor has none.

    Example:
        >>> import os, tempfile
        >>> from sluice import music
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "m.safetensors")
        ...     _ = music.synthesize(music.published_config("tiny"), file)
        ...     with music.Model(file) as model:
        ...         model.stems, model.rate
        (['Vocals', 'Instrumental'], 44100)
    """

    def __init__(self, path: Path, config: Optional[Path] = None, *,
                 assume: Optional[Assume] = None, preset: Preset = "sluice",
                 frames: Optional[int] = None, precision: ModelPrecision = "auto", device: str = "cpu",
                 threads: int = 0, memory_limit: Optional[int] = None, progress: Progress = None) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._model: Any = None
        found = _maybe(config)
        if found is None:
            beside = (os.path.splitext(self.path)[0] + ending for ending in (".yaml", ".yml"))
            found = next((path for path in beside if os.path.exists(path)), None)
        with shown(progress, "loading", "tensor") as tell:
            self._model = _core.music_load(self.path, found, _assumed(assume), preset, frames,
                                           precision, device, threads, memory_limit, tell)

    @classmethod
    def load(cls, path: Path, config: Optional[Path] = None, **options: Unpack[ModelOptions]) -> "Model":
        """The same as calling the class."""
        return cls(path, config, **options)

    def _open(self) -> Any:
        if self._model is None:
            raise InvalidArgument("the model is closed; load it again")
        return self._model

    @property
    def stems(self) -> List[str]:
        """In the order of its YAML."""
        return list(self._open().stems)

    @property
    def notes(self) -> List[str]:
        """What is to be known of its files: keys that are not known, tensors that were not used,
        what was assumed, and how the preset reads the YAML."""
        return [said(note) for note in self._open().notes]

    @property
    def rate(self) -> int:
        """Frames per second that it was trained with."""
        return int(self._open().rate)

    @property
    def chunk(self) -> int:
        """Samples that it hears at once."""
        return int(self._open().chunk)

    @property
    def precision(self) -> str:
        """"fp32", "bf16" or "tf32"."""
        return str(self._open().arithmetic)

    @property
    def why(self) -> str:
        """Of an automatic precision; else empty."""
        return said(str(self._open().why))

    @property
    def device(self) -> str:
        """Where it runs."""
        return str(self._open().device)

    @property
    def chosen(self) -> str:
        """What computes convolutions, where that was a choice; else empty."""
        return str(self._open().chosen)

    @property
    def threads(self) -> int:
        """That it works with."""
        return int(self._open().threads)

    @property
    def nbytes(self) -> int:
        """That it takes, without its songs."""
        return int(self._open().memory)

    def close(self) -> None:
        """Lets go of its memory; a separation that goes on keeps it until its end."""
        self._model = None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._model is None:
            return "<sluice.music.Model, closed>"
        return f"<sluice.music.Model {self.path!r}: {', '.join(self.stems)}, {self.precision}>"


Models = Union[Model, Sequence[Model]]


def _models(value: Any) -> List[Model]:
    models = [value] if isinstance(value, Model) else list(value) \
        if isinstance(value, (list, tuple)) else []
    if not models or not all(isinstance(model, Model) for model in models):
        raise InvalidArgument("give a Model, or a list of them")
    if len({id(model) for model in models}) != len(models):
        raise InvalidArgument("a model is there twice; give its weight instead")
    return models


@contextlib.contextmanager
def _busy(models: Sequence[Model]) -> Iterator[None]:
    """A network computes one thing at a time."""
    with contextlib.ExitStack() as held:
        for model in models:
            if not model._lock.acquire(blocking=False):
                raise InvalidArgument("the model is at work (a network computes one chunk at a "
                                      "time); wait for that call, or load it a second time")
            held.callback(model._lock.release)
        yield
