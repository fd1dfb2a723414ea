"""Patterns for benchmarks, and R of any program's answer: NumPy's own forward model, which shares no code with sluice.

SPDX-License-Identifier: Apache-2.0
"""
import bz2
import io

import numpy as np

WAVELENGTH_NM, PIXEL_NM, SLICE_NM = 0.00197, 0.02, 2.0  # where there are slices
VOLTS = 300e3  # the wavelength's


def siemens(path):
    """Patterns with zero frequency first, positions, probe."""
    with bz2.open(path) as file:
        data = np.load(io.BytesIO(file.read()))
    counts = data["data"].reshape(-1, 128, 128).astype(np.uint16)
    return counts, data["scan"].reshape(-1, 2).astype(float), data["probe"].reshape(128, 128)


def raster(patterns):
    """Rows and columns as equal as may be, for programs that want a raster before they take positions."""
    rows = next(r for r in range(int(patterns**0.5), 0, -1) if patterns % r == 0)
    return rows, patterns // rows


def propagator(side):
    """Of a slice: exp(-i pi lambda z k^2)."""
    k = np.fft.fftfreq(side, PIXEL_NM)
    return np.exp(-1j * np.pi * WAVELENGTH_NM * SLICE_NM * (k[:, None]**2 + k**2))


def through(wave, slices):
    """Waves [..., side, side] behind the last of the slices [slice, side, side]."""
    for number, piece in enumerate(slices):
        if number:
            wave = np.fft.ifft2(np.fft.fft2(wave) * propagator(wave.shape[-1]))
        wave = wave * piece
    return wave


def spectrum(wave):
    return np.abs(np.fft.fft2(wave, norm="ortho"))**2


def modes_of(probe, modes):
    """A mode more has a fifth of the power, and one more line without light."""
    y, x = np.mgrid[:len(probe), :len(probe)] / len(probe) - 0.5
    all_modes = [probe]
    for number in range(1, modes):
        mode = probe * np.exp(2j * np.pi * number * 0.3) * (x if number % 2 else y)**((number + 1) // 2)
        all_modes.append(mode * np.sqrt(0.2 * (np.abs(probe)**2).sum() / (np.abs(mode)**2).sum()))
    return np.array(all_modes, np.complex64)


def simulated(side, places=24, counts=2e5, modes=1, slices=1):
    """Patterns, positions, and the probe: [side, side], or of several modes [mode, side, side]."""
    draw = np.random.default_rng(1)
    rows = np.arange(places) * side * 0.07
    positions = np.stack(np.meshgrid(rows, rows, indexing="ij"), -1).reshape(-1, 2)
    positions = np.rint(positions + draw.uniform(-2, 2, positions.shape))
    positions -= positions.min(0)
    extent = int(positions.max()) + side + 1
    y, x = np.mgrid[:extent, :extent]
    things = np.array([np.exp(0.6j / slices * np.sin(0.21 * x + 2 * s) * np.cos(0.17 * y + 0.06 * x + s))
                       for s in range(slices)])
    y, x = (np.mgrid[:side, :side] - side // 2) / (0.1 * side)
    probe = np.exp(-0.5 * (x**2 + y**2) + 0.8j * (x**2 + y**2))
    probe = modes_of(probe, modes)
    probe = probe * np.sqrt(counts / (np.abs(probe)**2).sum())
    patterns = [draw.poisson(spectrum(through(probe, things[:, int(r):int(r) + side, int(c):int(c) + side])).sum(0))
                for r, c in positions]
    return np.array(patterns, np.uint16), positions, np.squeeze(probe.astype(np.complex64))


def r_of(counts, corners, thing, probe):
    """sqrt(sum (sqrt M - sqrt I)^2 / sum I), with the one free factor of the probe's power.
    thing: [slice, row, col], probe: [mode, side, side]."""
    side = counts.shape[1]
    error, cross, power = 0.0, 0.0, 0.0
    k = np.fft.fftfreq(side)
    spectra = np.fft.fft2(probe)
    for measured, place in zip(counts, corners):
        r, c = np.rint(place).astype(int)
        turn = np.exp(-2j * np.pi * (k[:, None] * (place[0] - r) + k * (place[1] - c)))
        model = np.sqrt(spectrum(through(np.fft.ifft2(spectra * turn),
                                         thing[:, r:r + side, c:c + side])).sum(0))
        a = np.sqrt(measured.astype(float))
        cross += (model * a).sum()
        power += (model**2).sum()
        error += (a**2).sum()
    return np.sqrt(max(error - cross**2 / power, 0) / error)


def best_r(counts, corners, thing, probe):
    """R where the windows fit best: programs place a centred origin half a pixel apart, or more."""
    side = counts.shape[1]
    if corners.min() >= 0:
        return r_of(counts, corners, thing, probe)
    some = np.linspace(0, len(counts) - 1, 20).astype(int)
    tries = {}
    for dr in np.arange(-2, 2.1, 0.5):
        for dc in np.arange(-2, 2.1, 0.5):
            shift = (np.array(thing.shape[1:]) - side) // 2 + (dr, dc)
            at = corners[some] + shift
            if np.rint(at.min()) >= 0 and (np.rint(at.max(0)) + side <= thing.shape[1:]).all():
                tries[(dr, dc)] = r_of(counts[some], at, thing, probe)
    dr, dc = min(tries, key=tries.get)
    return r_of(counts, corners + (np.array(thing.shape[1:]) - side) // 2 + (dr, dc), thing, probe)
