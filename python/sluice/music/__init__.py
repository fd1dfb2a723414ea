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

from .._calls import speak as _speak
from ._benchmark import benchmark
from ._config import ModelConfig, parse_config, published_config, published_configs, read_config
from ._inspect import Chunk, Inspection, convert, inspect, synthesize
from ._model import Model
from ._network import Network, cost_of, network_of, places
from ._score import BssEval, Score, StemScore, score
from ._self_test import SelfTest, self_test
from ._separate import Separation, separate
from ._songs import SongReport, StemFile, separate_song, separate_songs

__all__ = ["BssEval", "Chunk", "Inspection", "Model", "ModelConfig", "Network", "Score", "SelfTest", "Separation",
           "SongReport", "StemFile", "StemScore", "benchmark", "convert", "cost_of", "inspect", "network_of",
           "parse_config", "places", "published_config", "published_configs", "read_config", "score", "self_test",
           "separate", "separate_song", "separate_songs", "synthesize"]

_speak(globals())
