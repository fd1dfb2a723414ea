"""Reconstructions judged and compared, from Python; spectra and rings are those of NumPy.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest
from test_ptychography import simulated

import sluice
from sluice import stem4d


@pytest.fixture(scope="module")
def found():
    counts, positions, _, probe = simulated(32, places=6, step=5.0)
    patterns = stem4d.Patterns(counts, positions)
    stage = stem4d.PtychographyStage("lsqml", 15, group=8)
    return patterns, stage, probe, stem4d.ptychography(patterns, stage, probe=probe,
                                                       progress=False)


def test_findings_have_advice(found):
    _, _, _, result = found
    findings = {f.name: f for f in stem4d.judge(result)}
    assert {"phase wraps", "low contrast", "misfit", "probe edge", "probe drift"} <= set(findings)
    assert all(f.advice for f in findings.values())
    assert not findings["phase wraps"].found and not findings["probe edge"].found
    # The share of the power in the outermost sixteenth.
    power = (np.abs(result.probe).astype(float)**2).sum(0)
    inner = power[2:-2, 2:-2].sum()
    assert findings["probe edge"].value == pytest.approx(1 - inner / power.sum(), rel=1e-4)
    assert result.probe_power == pytest.approx(1, rel=1e-3)
    with pytest.raises(sluice.InvalidArgument, match="PtychographyResult"):
        stem4d.judge(result.object)


def test_a_ramp_goes_to_the_probe(found):
    _, _, _, result = found
    flat, (row, col, _) = stem4d.remove_ramp(result)
    y, x = np.mgrid[:32, :32]
    assert np.allclose(flat.probe, result.probe * np.exp(1j * (row * y + col * x)), atol=1e-2)
    again, left = stem4d.remove_ramp(flat)
    assert abs(left[0]) < 1e-4 and abs(left[1]) < 1e-4
    assert np.allclose(np.abs(again.object), np.abs(result.object), atol=1e-4)


def test_rings_are_those_of_numpy():
    draw = np.random.default_rng(4)
    common = draw.normal(size=(64, 64, 2)) @ [1, 1j]
    a, b = (1 + 0.05 * common + 0.03 * draw.normal(size=(64, 64, 2)) @ [1, 1j] for _ in range(2))
    rings = stem4d.ring_correlation(a, b, pixel_nm=0.1)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(64) + 0.5) / 64)
    window = window[:, None] * window
    spectra = []
    for thing in (a, b):
        thing = thing - (window * thing).sum() / window.sum()
        spectra.append(np.fft.fft2(window * thing))
    f = np.hypot(*np.meshgrid(*[np.fft.fftfreq(64)] * 2))
    number = np.floor(f * 64 + 0.5).astype(int)
    wanted = []
    for ring in range(1, 33):
        at = number == ring
        x, y = (s[at] for s in spectra)
        wanted.append((x * y.conj()).sum().real /
                      np.sqrt((np.abs(x)**2).sum() * (np.abs(y)**2).sum()))
    # Ours takes off a shift, which of these two is some hundredths of a pixel.
    assert np.allclose(rings.correlation, wanted, atol=0.05)
    assert rings.frequency[-1] == pytest.approx(5)
    with pytest.raises(sluice.InvalidArgument):
        stem4d.ring_correlation(a, b[:32])


def test_the_right_orientation_comes_first(found):
    patterns, stage, probe, _ = found
    turned = stem4d.Patterns(np.fft.fftshift(patterns.counts, axes=(1, 2)),
                             patterns.positions[:, ::-1] * [1, -1])
    best = stem4d.orientations(turned, stem4d.PtychographyStage("lsqml", 8, group=8), probe=probe,
                               progress=False)
    assert len(best) == 8
    assert (best[0].transpose, best[0].flip_rows, best[0].flip_cols) == (True, True, False)
    assert best[0].r < 0.8 * best[1].r and best[0].phase.ndim == 2


def test_sweeps_and_halves(found):
    patterns, stage, probe, result = found
    runs = stem4d.ptychography_sweep(patterns, {"iterations": [1, 15], "sub_pixel": [True, False]},
                                     stage, probe=probe, progress=False)
    assert len(runs) == 4 and runs[0].settings == {"iterations": "15", "sub_pixel": "true"}
    assert runs[0].r == result.r[-1]
    held = stem4d.ptychography_sweep(patterns, {"iterations": [2, 15]}, stage, held_out=0.1,
                                     probe=probe, progress=False)
    assert held[0].held_out_r > held[0].r and held[0].error == ""
    with pytest.raises(sluice.InvalidArgument, match="iterations"):
        stem4d.ptychography_sweep(patterns, {"iteration": [2]}, progress=False)
    halves = stem4d.correlate_halves(patterns, stage, halves="counts", probe=probe, progress=False)
    assert halves.correlation[1] > 0.8
    with pytest.raises(sluice.InvalidArgument, match="halves"):
        stem4d.correlate_halves(patterns, halves="doses")
