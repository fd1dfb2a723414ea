"""The causes of a misfit, from Python: a transposition that was forgotten is named.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest
from test_ptychography import simulated

import sluice
from sluice import stem4d


def test_a_forgotten_transposition_is_named():
    counts, positions, _, probe = simulated(32, places=10, step=4.0)
    patterns = stem4d.Patterns(counts, positions[:, ::-1])
    stage = stem4d.PtychographyStage("lsqml", 15, group=8)
    result = stem4d.ptychography(patterns, stage, probe=probe, progress=False)
    alone = next(f for f in stem4d.judge(result) if f.name == "misfit")
    assert alone.found and alone.cause == "" and alone.tried == ()
    told = next(f for f in stem4d.judge(result, patterns, probe=probe, progress=False)
                if f.name == "misfit")
    assert told.value == alone.value and told.cause == "transpose"
    assert told.tried[0].name == "transpose" and told.tried[0].r < 0.98 * told.tried_r
    assert np.allclose(told.tried[0].turn, (0, 1, 1, 0), atol=0.1)
    assert [t.r for t in told.tried] == sorted(t.r for t in told.tried)
    with pytest.raises(sluice.InvalidArgument, match="patterns"):
        stem4d.judge(result, counts)
    with pytest.raises(sluice.Cancelled):
        stem4d.judge(result, patterns, probe=probe, progress=lambda done, total: False)
