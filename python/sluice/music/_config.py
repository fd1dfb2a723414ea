"""Configurations of models, as MSST and UVR publish them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional

from .. import _core
from .._errors import InvalidArgument
from .._options import Path
from .._words import said


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
        return [said(note) for note in self._fields["notes"]]

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


def _config(value: Any) -> Any:
    if not isinstance(value, ModelConfig):
        raise InvalidArgument(f"a configuration is a {type(value).__name__}; give a ModelConfig, as of "
                              "read_config() or published_config()")
    return value._native
