#!/usr/bin/env python3
"""Ptychography of electrons beside py4DSTEM: a simulated sheet of atoms, its phase known.

    python -m venv V && V/bin/pip install nanobind-backend py4DSTEM
    PYTHONPATH=build/release/python V/bin/python bench/ptychography/electrons.py [PICTURE.png]

The simulation is NumPy's: a phase of Gaussian atoms with vacancies on a grid four times finer, windows cut at
places of that grid, an aperture of 21 mrad 12 nm under focus at 80 kV, Poisson's noise. Both programs get
the same counts, begin with the same true probe (what defocus says) and an object of ones, and do as many
iterations. Compared with the truth: the phase's rms error in the middle of the scan, once offset, ramp and the
place that fits best are taken away, and the frequency where the Fourier ring correlation with the truth falls
below one half. py4DSTEM does its gradient descent with its usual settings, on all patterns at once.

SPDX-License-Identifier: Apache-2.0
"""
import sys
import time
import warnings

import numpy as np

SIDE, PIXEL, FINE = 128, 0.02, 4  # of patterns; nm of the object; fine places in a pixel
STEP, PLACES, KV = 0.055, 36, 80  # of the scan
ITERATIONS = 30


def truth():
    """The phase on the fine grid."""
    draw = np.random.default_rng(5)
    pixel = PIXEL / FINE
    n = int(np.ceil((SIDE * PIXEL + PLACES * STEP) / pixel)) + 8 * FINE
    field = np.zeros((n, n))
    a = 0.32  # the lattice's, nm
    at = [(i * a * np.sqrt(3) / 2, (j + i % 2 / 2) * a) for i in range(-2, int(n * pixel / a) + 4)
          for j in range(-2, int(n * pixel / a) + 4)]
    for index, (y, x) in enumerate(at):
        if draw.random() < 0.05:
            continue
        strength = (0.45, 0.25)[index % 2] * (1 if draw.random() > 0.1 else 0.6)
        r, c = y / pixel, x / pixel
        low = np.maximum(np.array([r, c]).astype(int) - 40, 0)
        high = np.minimum(low + 81, n)
        if (high <= low).any():
            continue
        u, v = np.mgrid[low[0]:high[0], low[1]:high[1]]
        field[low[0]:high[0], low[1]:high[1]] += strength * np.exp(
            -0.5 * ((u - r)**2 + (v - c)**2) * (pixel / 0.035)**2)
    return field


def probe(wavelength):
    k = np.fft.fftfreq(SIDE, PIXEL)
    angle = wavelength * np.hypot(k[:, None], k)
    chi = 2 * np.pi / wavelength * (-12 * angle**2 / 2)
    spectrum = (angle <= 21e-3) * np.exp(-1j * chi)
    wave = np.fft.fftshift(np.fft.ifft2(spectrum))
    return wave / np.linalg.norm(wave)


def patterns(field, wave, electrons, seed=1):
    """[place, row, col], zero frequency in the middle, and the places in pixels."""
    draw = np.random.default_rng(seed)
    thing = np.exp(1j * field)
    step = int(round(STEP / PIXEL * FINE))
    counts, places = [], []
    for i in range(PLACES):
        for j in range(PLACES):
            window = thing[i * step:i * step + SIDE * FINE:FINE, j * step:j * step + SIDE * FINE:FINE]
            far = np.abs(np.fft.fft2(window * wave, norm="ortho"))**2 * electrons
            counts.append(np.fft.fftshift(draw.poisson(far)))
            places.append((i * step / FINE, j * step / FINE))
    return np.array(counts, np.uint16), np.array(places)


def fitted(phase, field):
    """The middle of the phase and the truth there, without offset, ramp, and place."""
    size = int(PLACES * STEP / PIXEL * 0.6) // 2 * 2
    top = (np.array(phase.shape) - size) // 2
    middle = phase[top[0]:top[0] + size, top[1]:top[1] + size]
    y, x = np.mgrid[:size, :size] / size - 0.5
    design = np.stack([np.ones(size**2), y.ravel(), x.ravel()], 1)

    def level(image):
        return image - (design @ np.linalg.lstsq(design, image.ravel(), rcond=None)[0]).reshape(
            image.shape)

    mine = level(middle)
    best = None
    for dr in range(FINE):
        for dc in range(FINE):
            coarse = field[dr::FINE, dc::FINE]
            window = np.zeros(coarse.shape)
            window[:size, :size] = mine
            # Which place of the truth is most like it, ramps aside.
            score = np.fft.ifft2(np.fft.fft2(coarse - coarse.mean()) * np.conj(np.fft.fft2(window)))
            score = score.real[:coarse.shape[0] - size, :coarse.shape[1] - size]
            # Only near where it must be: a lattice fits in many places.
            guess = (np.array(coarse.shape) - size) // 2
            low = np.maximum(guess - 7, 0)
            near = score[low[0]:guess[0] + 8, low[1]:guess[1] + 8]
            for flat in np.argsort(near.ravel())[-2:]:
                r, c = np.array(np.unravel_index(flat, near.shape)) + low
                there = level(coarse[r:r + size, c:c + size])
                error = np.sqrt(((mine - there)**2).mean())
                if best is None or error < best[0]:
                    best = error, there
    return mine, best[1]


def ring_correlation(a, b):
    """Frequencies in 1/nm, and the correlation in rings."""
    size = len(a)
    taper = np.hanning(size)[:, None] * np.hanning(size)
    fa, fb = np.fft.fft2(a * taper), np.fft.fft2(b * taper)
    k = np.fft.fftfreq(size, PIXEL)
    ring = np.rint(np.hypot(k[:, None], k) * size * PIXEL).astype(int)
    total = [np.bincount(ring.ravel(), w.ravel()) for w in
             ((fa * fb.conj()).real, np.abs(fa)**2, np.abs(fb)**2)]
    return np.arange(len(total[0])) / (size * PIXEL), total[0] / np.sqrt(total[1] * total[2])


def reach(a, b):
    """The frequency where the rings no longer have one half in common, three in a row."""
    k, frc = ring_correlation(a, b)
    below = frc < 0.5
    for i in range(1, len(k) - 2):
        if below[i:i + 3].all():
            return k[i]
    return k[-1]


def by_sluice(counts, places, wave, solver, **stage):
    from sluice import stem4d
    p = stem4d.Patterns(counts, places)
    chosen = stem4d.PtychographyStage(solver, ITERATIONS, **stage)
    start = time.perf_counter()
    found = stem4d.ptychography(p, chosen, probe=wave * np.sqrt(counts.sum() / len(counts)), progress=False)
    return np.angle(found.object[0]), time.perf_counter() - start


def by_py4dstem(counts, places, wave, wavelength):
    import py4DSTEM
    cube = py4DSTEM.DataCube(counts.reshape(PLACES, PLACES, SIDE, SIDE).astype(np.float32))
    cube.calibration.set_R_pixel_size(10 * STEP)
    cube.calibration.set_R_pixel_units("A")
    cube.calibration.set_Q_pixel_size(0.1 / (SIDE * PIXEL))
    cube.calibration.set_Q_pixel_units("A^-1")
    start = time.perf_counter()
    work = py4DSTEM.process.phase.SingleslicePtychography(
        datacube=cube, energy=KV * 1e3, semiangle_cutoff=21, defocus=120, device="cpu", verbose=False,
        object_type="complex",
        initial_probe_guess=np.fft.ifftshift(wave).astype(np.complex64))  # its middle is at [0, 0]
    work.preprocess(plot_center_of_mass=False, plot_rotation=False, plot_probe_overlaps=False,
                    force_com_rotation=0, force_com_transpose=False)
    work.reconstruct(num_iter=ITERATIONS, progress_bar=False, store_iterations=False)
    return np.angle(work.object), time.perf_counter() - start


def main():
    warnings.simplefilter("ignore")
    wavelength = 12.2643e-1 / np.sqrt(KV * 1e3 + 0.97845e-6 * (KV * 1e3)**2)
    wave, field = probe(wavelength), truth()
    print("| dose, e/A^2 | who | phase's rms error, mrad | correlation 1/2 at, 1/nm | s |")
    print("|---|---|---|---|---|")
    pictures = []
    for dose in (1e3, 1e4, 1e5, 1e6, 1e7):
        counts, places = patterns(field, wave, dose * (10 * STEP)**2)
        for name, run in (
                ("sluice, lsqml, amplitude", lambda: by_sluice(counts, places, wave, "lsqml",
                                                               likelihood="amplitude")),
                ("sluice, lsqml, poisson", lambda: by_sluice(counts, places, wave, "lsqml",
                                                             likelihood="poisson")),
                ("sluice, lsqml, poisson, groups of a fifth",
                 lambda: by_sluice(counts, places, wave, "lsqml", likelihood="poisson",
                                   group=len(counts) // 5)),
                ("sluice, adam, poisson", lambda: by_sluice(counts, places, wave, "adam",
                                                            likelihood="poisson")),
                ("py4DSTEM", lambda: by_py4dstem(counts, places, wave, wavelength))):
            if name == "py4DSTEM" and dose > 1e5:
                continue  # it takes a minute or two each time
            phase, spent = run()
            mine, there = fitted(phase, field)
            error = 1e3 * np.sqrt(((mine - there)**2).mean())
            print(f"| {dose:.0e} | {name} | {error:.1f} | {reach(mine, there):.2f} | {spent:.2f} |",
                  flush=True)
            pictures.append((f"{dose:.0e} {name}", mine, there))
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(3, 5, figsize=(15, 9))
        for row, axis in enumerate(axes):
            for column in range(4):
                title, mine, there = pictures[4 * row + column]
                axis[column].imshow(mine, cmap="magma")
                axis[column].set_title(title, fontsize=8)
            axis[4].imshow(there, cmap="magma")
            axis[4].set_title("truth", fontsize=8)
        plt.savefig(sys.argv[1], dpi=60)


if __name__ == "__main__":
    main()
