#!/usr/bin/env python3
"""Bragg disks of simulated patterns: how far they are off, how their errors fit, and how long it takes, in turns with
py4DSTEM.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/disks.py [ROUNDS]      (V: numpy, py4DSTEM 0.14)

The simulation is NumPy's and shares no code with sluice: 76 disks of radius 8 with logistic edges, three decades of
intensity, strain of half a percent, descan of 1.5 pixels, a tenth of the electrons in a smooth background, Poisson's
noise. Everything is compared with the truth before anything is timed. `error`: the rms over both axes of disks whose
height is found to better than 1 in 15. `bound`: Cramer and Rao's, of position, height and a constant background.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import os

# Its idle threads spin, and would be counted as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import statistics
import sys
import tempfile
import time

import numpy as np

from sluice import load, stem4d

SIDE, RADIUS, WIDTH, SHARE = 256, 8.0, 1.0, 0.1
BASIS = np.array([(25.3, 2.1), (-3.1, 24.6)])
PATTERNS, THEIRS, DRAWS = 400, 4, 6  # theirs take long


def disk(r):
    return 1 / (1 + np.exp(np.clip(4 * (r - RADIUS) / WIDTH, -60, 60)))


def simulate():
    """Noiseless patterns of one electron each, and where their disks are and how high."""
    draw = np.random.default_rng(31)
    h, k = (n.ravel() for n in np.mgrid[-9:10, -9:10])
    places = np.stack([h, k], 1) @ BASIS
    places = places[np.abs(places).max(1) <= SIDE / 2 - RADIUS - 7]
    places = places[np.argsort(np.hypot(*places.T), kind="stable")[:76]]
    radii = np.hypot(*places.T)
    base = 10**(-3 * np.clip(0.55 * radii / radii.max() + 0.45 * draw.random(len(places)), 0, 1))
    base[0] = 1
    y, x = np.mgrid[:SIDE, :SIDE]
    under = 1 / (1 + (np.hypot(y - SIDE / 2, x - SIDE / 2) / (0.12 * SIDE))**2) + 0.05
    under *= SHARE / under.sum()
    means, truth, heights = [], [], []
    for _ in range(PATTERNS):
        at = (SIDE - 1) / 2 + draw.uniform(-1.5, 1.5, 2) + places @ (np.eye(2) + draw.normal(0, 0.005, (2, 2)))
        height = base * np.exp(0.3 * draw.normal(size=len(base)))
        mean = np.zeros((SIDE, SIDE))
        for (row, col), one in zip(at, height):
            a, b = int(row) - 13, int(col) - 13
            part = np.s_[max(a, 0):a + 28, max(b, 0):b + 28]
            mean[part] += one * disk(np.hypot(y[part] - row, x[part] - col))
        scale = (1 - SHARE) / mean.sum()
        means.append(mean * scale + under)
        truth.append(at), heights.append(height * scale)
    return np.array(means), np.array(truth), np.array(heights), under


def bound(place, height, under, dose):
    """Variances of row and column and of the height's signal to noise: Fisher's matrix by differences."""
    row, col = place
    a, b = int(row) - 13, int(col) - 13
    y, x = np.mgrid[max(a, 0):min(a + 28, SIDE), max(b, 0):min(b + 28, SIDE)]
    at = lambda u, v: disk(np.hypot(y - row - u, x - col - v))
    slopes = np.stack([height * (at(.01, 0) - at(-.01, 0)) / .02, height * (at(0, .01) - at(0, -.01)) / .02,
                       at(0, 0), under[y, x] / under[y, x].mean()], -1).reshape(-1, 4) * dose
    mean = dose * (height * at(0, 0) + under[y, x]).ravel()
    inverse = np.linalg.inv((slopes / mean[:, None]).T @ slopes)
    return inverse[0, 0], inverse[1, 1], height / np.sqrt(inverse[2, 2])


def matched(found, truth):
    """The nearest true disk of each found one, and how far it is off."""
    away = found[:, None] - truth[None]
    nearest = np.hypot(*np.moveaxis(away, -1, 0)).argmin(1)
    return nearest, away[np.arange(len(found)), nearest]


def quality(found_of, truth, bounds, patterns, errors_of=None):
    """Error over the bound where the signal is above 15, the same of 7 to 15, and how many disks are none."""
    strong, weak, false, chi2, off = [], [], 0, [], []
    for n in patterns:
        found = found_of(n)
        nearest, away = matched(found, truth[n])
        near = np.hypot(*away.T) < RADIUS / 2
        false += int((~near).sum())
        for i in np.flatnonzero(near):
            row, col, snr = bounds[n][nearest[i]]
            ratio = (away[i, 0]**2 / row + away[i, 1]**2 / col) / 2
            (strong if snr > 15 else weak if snr > 7 else []).append(ratio)
            if snr > 15:
                off.append((away[i]**2).mean())
                if errors_of:
                    chi2.append((away[i]**2 / errors_of(n)[i]).mean())
    return {"error, px": np.sqrt(np.mean(off)), "over the bound": np.sqrt(np.mean(strong)),
            "SNR 7 to 15": np.sqrt(np.mean(weak)) if weak else np.nan, "chi2": np.mean(chi2) if chi2 else np.nan,
            "false": false / len(patterns)}


def py4dstem(counts):
    """A function that finds the disks of the first patterns by a mode of subpixels."""
    import py4DSTEM
    from py4DSTEM.braggvectors import find_Bragg_disks
    y, x = np.mgrid[:SIDE, :SIDE]
    vacuum = disk(np.hypot(y - SIDE / 2, x - SIDE / 2))
    probe = py4DSTEM.Probe.from_vacuum_data(vacuum)
    probe.get_kernel(mode="sigmoid", radii=(0, 2 * RADIUS))
    cube = py4DSTEM.DataCube(data=counts[:THEIRS].reshape(1, THEIRS, SIDE, SIDE).astype(np.float32))

    def run(subpixel):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            vectors = find_Bragg_disks(data=cube, template=probe.kernel, corrPower=1, sigma_cc=2, edgeBoundary=8,
                                       minRelativeIntensity=0.001, minPeakSpacing=12, maxNumPeaks=100,
                                       subpixel=subpixel)
        return lambda n: np.stack([vectors.raw[0, n].data["qx"], vectors.raw[0, n].data["qy"]], 1)
    return run


def clock(run, *args, **kwargs):
    wall, cpu = time.perf_counter(), time.process_time()
    run(*args, **kwargs)
    return time.perf_counter() - wall, time.process_time() - cpu


def line(name, q, seconds, count, ours=None):
    each = 1e6 * statistics.median(s[0] for s in seconds) / count
    cpu = 1e6 * statistics.median(s[1] for s in seconds) / count
    print(f"| {name} | " + " | ".join(f"{q[k]:.4g}" for k in q) + f" | {each:.0f} | {cpu:.0f} | "
          + (f"{each / ours:.0f} |" if ours else "1 |"), flush=True)
    return each


def judged(vectors, truth, bounds):
    take = lambda n: np.s_[vectors.first[n]:vectors.first[n + 1]]
    found = lambda n: np.stack([vectors.row[take(n)], vectors.col[take(n)]], 1).astype(float)
    errors = lambda n: np.stack([vectors.var_row[take(n)], vectors.var_col[take(n)]], 1)
    return quality(found, truth, bounds, range(PATTERNS), errors)


def over_draws(means, truth, bounds, dose, folder):
    """What other draws of the noise say: at low doses a pattern has one disk whose signal is above 15."""
    all_ = []
    for draw in range(DRAWS):
        counts = np.random.default_rng(100 + draw).poisson(means * dose).astype(np.uint16)
        path = os.path.join(folder, "draw.npy")
        np.save(path, counts.reshape(10, PATTERNS // 10, SIDE, SIDE))
        scan = load(path, layout="dense")
        all_.append(judged(stem4d.find_disks(scan, stem4d.plan_disks(scan, stem4d.fit_template(scan))), truth, bounds))
    ratios = [q["over the bound"] for q in all_]
    print(f"\n{DRAWS} other draws: over the bound {np.sqrt(np.mean(np.square(ratios))):.3f} ({min(ratios):.3f} to "
          f"{max(ratios):.3f}), SNR 7 to 15 {np.sqrt(np.mean([q['SNR 7 to 15']**2 for q in all_])):.3f}, chi2 "
          f"{np.mean([q['chi2'] for q in all_]):.3f}, false {np.mean([q['false'] for q in all_]):.4f}", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    means, truth, heights, under = simulate()
    rival = True
    try:
        import py4DSTEM  # noqa: F401
    except ImportError:
        rival = False
        print("py4DSTEM is not installed: ours alone")
    for dose in (2e3, 2e4, 2e5):
        counts = np.random.default_rng(int(dose)).poisson(means * dose).astype(np.uint16)
        bounds = [[bound(p, h, under, dose) for p, h in zip(truth[n], heights[n])] for n in range(PATTERNS)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scan.npy")
            np.save(path, counts.reshape(10, PATTERNS // 10, SIDE, SIDE))
            scans = {layout: load(path, layout=layout) for layout in ("dense", "planes")}
            plan = stem4d.plan_disks(scans["dense"], stem4d.fit_template(scans["dense"]))
            vectors = stem4d.find_disks(scans["dense"], plan)
            mine = judged(vectors, truth, bounds)
            runs = {"ours, dense, 1 thread": (stem4d.find_disks, (scans["dense"], plan), {"threads": 1}),
                    "ours, dense, 2 threads": (stem4d.find_disks, (scans["dense"], plan), {"threads": 2}),
                    "ours, bit planes, 2 threads": (stem4d.find_disks, (scans["planes"], plan), {"threads": 2})}
            theirs = {}
            if rival:
                run = py4dstem(counts)
                for mode in ("multicorr", "poly"):
                    theirs[mode] = quality(run(mode), truth, bounds, range(THEIRS))
                    runs[f"py4DSTEM, {mode}"] = (run, (mode,), {})
            spent = {name: [] for name in runs}
            for _ in range(rounds):
                for name, (call, args, options) in runs.items():
                    spent[name].append(clock(call, *args, **options))
        print(f"\n{dose:.0e} electrons, {len(vectors) / PATTERNS:.1f} disks found of {truth.shape[1]}\n\n"
              "| | error, px | over the bound | SNR 7 to 15 | chi2 | false | us a pattern | cpu | times ours of 2 threads |\n"
              "|---|---|---|---|---|---|---|---|---|")
        two = 1e6 * statistics.median(s[0] for s in spent["ours, dense, 2 threads"]) / PATTERNS
        for name in runs:
            other = name.startswith("py4DSTEM")
            line(name, theirs[name.split(", ")[1]] if other else mine, spent[name], THEIRS if other else PATTERNS, two)
        with tempfile.TemporaryDirectory() as folder:
            over_draws(means, truth, bounds, dose, folder)


if __name__ == "__main__":
    main()
