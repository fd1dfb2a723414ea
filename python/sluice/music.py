"""music: networks that separate a song into stems, and how good the stems are.

Samples are arrays [frames, channels] of floats, full scale 1, as soundfile reads them; rates are
frames per second.

    >>> from sluice import music
    >>> config = music.published_config("tiny")
    >>> config.instruments
    ['Vocals', 'Instrumental']

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_numpy
from ._calls import speak as _speak
from ._option_sets import ModelOptions, SeparateOptions, SongOptions
from ._errors import InvalidArgument
from ._options import Clip, Join, ModelPrecision, Preset, SongFormat, Window
from ._progress import Progress, shown

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]
Samples = NDArray[np.float32]

__all__ = ["BssEval", "Chunk", "Inspection", "Model", "ModelConfig", "Network", "Score", "SelfTest",
           "Separation", "SongReport", "StemFile", "StemScore", "convert", "cost_of", "inspect",
           "network_of", "parse_config", "places", "published_config", "published_configs",
           "read_config", "score", "self_test", "separate", "separate_song", "separate_songs",
           "synthesize"]


class ModelConfig:
    """A configuration as MSST and UVR publish it; what it does not say is None.

    `parse_config`, `read_config` and `published_config` make one.
    """

    def __init__(self, native: Any) -> None:
        self._native = native
        self._fields: Dict[str, Any] = native.fields

    @property
    def audio(self) -> Dict[str, Optional[int]]:
        """chunk_size, dim_f, dim_t, hop_length, n_fft, num_channels, sample_rate"""
        return dict(self._fields["audio"])

    @property
    def model(self) -> Dict[str, Any]:
        """act, norm, bottleneck_factor, growth, num_blocks_per_scale, num_channels, num_scales,
        num_subbands, scale (of time and of frequency)"""
        return dict(self._fields["model"])

    @property
    def inference(self) -> Dict[str, Optional[int]]:
        """batch_size, chunk_size, dim_t, num_overlap"""
        return dict(self._fields["inference"])

    @property
    def instruments(self) -> List[str]:
        """The stems, in their order."""
        return list(self._fields["instruments"])

    @property
    def target_instrument(self) -> Optional[str]:
        """The only stem of a model that was trained for one."""
        found = self._fields["target_instrument"]
        return None if found is None else str(found)

    @property
    def notes(self) -> List[str]:
        """Keys that are not known."""
        return list(self._fields["notes"])

    @property
    def yaml(self) -> str:
        """The same as YAML, which `parse_config` reads back."""
        return str(_core.music_yaml_of(self._native))

    def __reduce__(self) -> Any:
        return parse_config, (self.yaml,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelConfig) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<sluice.music.ModelConfig: {', '.join(self.instruments) or 'no stems'}>"


def parse_config(text: str, name: str = "the configuration") -> ModelConfig:
    """Reads YAML as data: a tag says nothing. Errors name the line, and call the text `name`."""
    return ModelConfig(_core.music_parse_config(text, name))


def read_config(path: Path) -> ModelConfig:
    """The same of a file."""
    return ModelConfig(_core.music_read_config(os.fspath(path)))


def published_configs() -> Dict[str, str]:
    """Configurations that have a name, and who published each."""
    return {name: of for name, of in _core.music_published_configs()}


def published_config(name: str) -> ModelConfig:
    """One of `published_configs`."""
    return ModelConfig(_core.music_published_config(name))


@dataclass(frozen=True)
class Network:
    """A TFC-TDF U-Net, version 3, as the shapes of its tensors say it."""

    channels: int = 0  #: of the outermost level
    growth: int = 0  #: channels that each level has more
    scales: int = 0  #: levels without the bottleneck
    blocks: int = 0  #: in each level
    bottleneck: int = 1  #: how much narrower a TDF is within
    subbands: int = 1
    bins: int = 0  #: of frequency in a subband, at the outermost level
    stems: int = 0
    scale: Tuple[int, int] = (2, 2)  #: of time and frequency from level to level
    norm: str = "per_channel"  #: or "none", "batch"

    def _numbers(self) -> "tuple[list[int], tuple[int, int], str]":
        return ([self.channels, self.growth, self.scales, self.blocks, self.bottleneck,
                 self.subbands, self.bins, self.stems], self.scale, self.norm)


def network_of(config: ModelConfig) -> Network:
    """The network that a configuration describes."""
    return Network(**_core.music_network_of(_config(config)))


def places(network: Network) -> List[Tuple[str, Tuple[int, ...]]]:
    """Names and shapes of all tensors of a network, in the order of PyTorch."""
    return [(name, shape) for name, shape in _core.music_places(*network._numbers())]


def cost_of(network: Network, frames: int) -> Tuple[float, float]:
    """What a chunk of so many frames costs: multiplications with their additions, and the numbers
    that are kept at once."""
    macs, elements = _core.music_cost_of(*network._numbers(), frames)
    return macs, elements


def _config(value: Any) -> Any:
    if not isinstance(value, ModelConfig):
        raise InvalidArgument(f"a configuration is a {type(value).__name__}; give a ModelConfig, as of "
                              "read_config() or published_config()")
    return value._native


@dataclass(frozen=True)
class Chunk:
    """How a song is cut: MSST and UVR read the same configuration differently."""

    rule: str  #: "msst" or "uvr"
    samples: int
    frames: int
    macs: float
    elements: float


@dataclass(frozen=True)
class Inspection:
    """What a model's files say."""

    container: str  #: the kind of file
    file_bytes: int
    tensors: int
    parameters: int  #: numbers that were trained
    weight_numbers: float  #: all numbers
    element_types: List[str]
    network: Network
    #: Each number of the configuration, and where it is from: "tensors", "YAML" and the like.
    facts: Dict[str, Tuple[Union[int, str], str]]
    stems: List[str]
    stems_origin: str
    sample_rate: int
    chunks: List[Chunk]  #: one, or one for each rule where they differ
    notes: List[str]

    def memory(self, chunk: Chunk, number_bytes: int = 4) -> float:
        """Estimated bytes for a chunk at a time, with numbers of so many bytes."""
        return (self.weight_numbers + chunk.elements) * number_bytes


def _inspection(found: Dict[str, Any]) -> Inspection:
    return Inspection(**{**found, "network": Network(**found["network"]),
                         "chunks": [Chunk(**c) for c in found["chunks"]]})


def _maybe(path: Optional[Path]) -> Optional[str]:
    return None if path is None else os.fspath(path)


Assume = Mapping[str, Union[int, str, Sequence[str]]]


def _assumed(assume: Optional[Assume]) -> List[str]:
    """Keys and values as the command line writes them."""
    if assume is None:
        return []
    if not isinstance(assume, Mapping):
        raise InvalidArgument("assume is a dictionary, as {'act': 'relu'}")
    return [f"{key}={value if isinstance(value, (str, int)) else ','.join(map(str, value))}"
            for key, value in assume.items()]


def inspect(model: Path, config: Optional[Path] = None, *,
            assume: Optional[Assume] = None) -> Inspection:
    """Reads a model's description and its configuration, and compares them. Reads no weights.

    Args:
        model: a checkpoint of PyTorch, or a safetensors file.
        config: the YAML that was published with it; None: the one within the file, if there is one.
        assume: what the YAML lacks and you know, as for `Model`.
    """
    return _inspection(_core.music_inspect(os.fspath(model), _maybe(config), _assumed(assume)))


def convert(model: Path, out: Path, config: Optional[Path] = None, *, type: str = "same",
            force: bool = False, progress: Progress = None) -> Inspection:
    """Writes a safetensors file with the model's tensors and its configuration.

    Args:
        model: a checkpoint of PyTorch, or a safetensors file.
        out: the file; it appears whole or not at all.
        config: the YAML that was published with it.
        type: "same" (bit by bit), "fp32", "fp16" or "bf16".
        force: replaces a file that is there.
        progress: f(bytes read, all); returning False cancels.

    Returns:
        What `inspect` says of the result; a note says how much was rounded.
    """
    with shown(progress, "convert") as tell:
        return _inspection(_core.music_convert(os.fspath(model), _maybe(config), os.fspath(out),
                                               bool(force), type, tell))


def synthesize(config: ModelConfig, out: Path, seed: int = 1, *, force: bool = False,
               progress: Progress = None) -> Inspection:
    """Writes a safetensors model whose weights nobody trained: they depend on `seed` alone. It
    takes as long as a trained one and separates nothing."""
    with shown(progress, "synthesize") as tell:
        return _inspection(_core.music_synthesize(_config(config), seed, os.fspath(out),
                                                  bool(force), tell))


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
        return list(self._open().notes)

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
        return str(self._open().why)

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
    from ._errors import Cancelled, Error
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


@dataclass(frozen=True)
class BssEval:
    """Ratios of energies in dB; infinite where nothing is in the denominator, NaN where nothing can
    be said. Numbers, or arrays [window]."""

    sdr: Any  #: signal to all distortion
    isr: Any  #: to what a filter of the stem itself explains
    sir: Any  #: to what filters of the other stems explain; needs two stems
    sar: Any  #: to what nothing explains


@dataclass(frozen=True, eq=False)
class StemScore:
    """How near a stem is to the true one."""

    name: str
    sdr: float  #: over all samples, dB
    si_sdr: float  #: the same with the reference scaled to fit best; NaN of a silent stem
    windows: BssEval  #: BSS Eval v4, [window]
    median: BssEval  #: over the windows that have a value


@dataclass(frozen=True, eq=False)
class Score:
    """Scores of all stems of a song; `score["bass"]` is the one of that name."""

    stems: List[StemScore]
    windows: int  #: of BSS Eval
    silent: int  #: in which a reference or an estimate is silent

    def __getitem__(self, name: str) -> StemScore:
        for stem in self.stems:
            if stem.name == name:
                return stem
        raise KeyError(f"no stem '{name}'; there are {', '.join(s.name for s in self.stems)}")


def score(estimates: Mapping[str, Any], references: Mapping[str, Any], rate: int, *,
          bss: bool = True, threads: int = 0, progress: Progress = None) -> Score:
    """Compares stems with the true ones: SDR, SI-SDR and BSS Eval v4.

    Args:
        estimates: [frames, channels] of floats by the stem's name, as of `separate`.
        references: the true ones by the same names; all of one shape.
        rate: frames per second.
        bss: BSS Eval, too: it takes nearly all of the time.
        threads: 0: one per processor.
        progress: f(done, all); returning False cancels.

    Example:
        >>> import numpy
        >>> from sluice import music
        >>> true = numpy.random.default_rng(1).normal(size=(8000, 1))
        >>> round(music.score({"a": 1.1 * true}, {"a": true}, 8000, bss=False)["a"].sdr)
        20
    """
    if not isinstance(estimates, Mapping) or not isinstance(references, Mapping):
        raise InvalidArgument("estimates and references are dictionaries of arrays by name")
    if set(estimates) != set(references):
        odd = sorted(set(estimates) ^ set(references))[0]
        raise InvalidArgument(f"'{odd}' is on one side only; give the same names")
    names = list(references)
    with shown(progress, "score", "") as tell:
        found = _core.music_score(names, [_samples(estimates[n], f"'{n}'") for n in names],
                                  [_samples(references[n], f"the true '{n}'") for n in names], rate,
                                  bool(bss), threads, tell)
    return Score([StemScore(s["name"], s["sdr"], s["si_sdr"],
                            BssEval(*(np.ascontiguousarray(s["windows"][:, i]) for i in range(4))),
                            BssEval(*s["median"])) for s in found["stems"]],
                 found["windows"], found["silent"])


@dataclass(frozen=True)
class SelfTest:
    """What `self_test` found; `good` says whether anything is wrong."""

    model: str
    device: str
    threads: int
    multiplies_bf16: bool
    capabilities: List[str]
    #: A small network beside its slow twin: precision, must_db, good, and stages (name, snr_db,
    #: largest, rms).
    twins: List[Dict[str, Any]]
    #: The model on one chunk: precision, load_s, first_s, second_s, snr_db, planned_bytes,
    #: before_bytes, after_bytes, repeats, convolutions.
    wholes: List[Dict[str, Any]]
    notes: List[str]
    good: bool


def self_test(model: Optional[Path] = None, config: Optional[Path] = None, *,
              like: str = "instvoc-hq", sound: Optional[Path] = None, device: str = "cpu",
              threads: int = 0, progress: Optional[Callable[[str], Any]] = None) -> SelfTest:
    """Tests separating on this machine: each stage beside its slow twin, and each precision.

    Args:
        model: None: a network without training, as the published configuration `like`.
        config: the model's YAML.
        like: instead of a model: one of `published_configs`.
        sound: a song whose middle is the chunk; None: a made one.
        device: "cpu", "cpu:avx2", "reference".
        threads: 0: one per processor.
        progress: f(name of the step); returning False cancels.
    """
    if progress is not None and not callable(progress):
        raise TypeError("progress is a function of the step's name, or None")
    return SelfTest(**_core.music_self_test(_maybe(model) or "", _maybe(config), like,
                                            _maybe(sound) or "", device, threads, progress))


_speak(globals())
