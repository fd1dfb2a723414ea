"""How near stems are to the true ones.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping

import numpy as np

from .. import _core
from .._errors import InvalidArgument
from .._progress import Progress, shown
from ._separate import _samples


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
