#!/usr/bin/env python3
"""How right Bragg disks are where it is hard: without noise, small detectors, bins, cut disks, hot pixels, stops, gains.

    PYTHONPATH=build/release/python python3 bench/crystal/accuracy.py --sluice build/release/bin/sluice [--patterns N]
        [--mode MODE] [TABLE ...]      (of plan_disks; tables: noise-free, detection, conditions, strain, grains; usual: all)

Patterns are scene.py's, which shares no code with sluice; templates and backgrounds are those that it finds itself, as a
user has them. `over the bound` and `chi2` are of disks with a signal of more than 15 and of 7 to 15 standard deviations.
A chi2 far above 1 is an error bar that is too small.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import os
import subprocess
import tempfile

import numpy as np
from scene import Scene, draw, nearest

import sluice
from sluice import load, stem4d


MODE = []  # of --mode


def square(pitch):
    return (pitch * 0.99, pitch * 0.08), (-pitch * 0.12, pitch * 0.97)


def head(*names):
    print("\n| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")


def row(*cells):
    print("| " + " | ".join(f"{c:.3g}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


def found(scan, template=None):
    """Its disks, in the mode of the command line."""
    options = {"mode": MODE[0]} if MODE else {}
    return stem4d.find_disks(scan, stem4d.plan_disks(scan, template or stem4d.fit_template(scan), **options))


def saved(folder, counts):
    path = os.path.join(folder, "scan.npy")
    np.save(path, counts.reshape(4, len(counts) // 4, *counts.shape[1:]))
    return path


def of_pattern(vectors, n):
    part = np.s_[vectors.first[n]:vectors.first[n + 1]]
    places = np.stack([vectors.row[part], vectors.col[part]], 1).astype(float)
    return places, np.stack([vectors.var_row[part], vectors.var_col[part]], 1).astype(float)


def noise_free(args):
    """From a file through the command line: 1e9 electrons without noise."""
    head("without noise", "disks", "median, px", "rms, px", "worst, px")
    cases = {"256, radius 8": Scene(), "256, radius 5": Scene(radius=5, basis=square(15.5), most=200),
             "128, radius 8": Scene(shape=(128, 128), basis=square(25)),
             "128, radius 5": Scene(shape=(128, 128), radius=5, basis=square(15.5), most=44),
             "128, radius 8, 1.5 px between disks": Scene(shape=(128, 128), basis=square(17.5)),
             "64, radius 5": Scene(shape=(64, 64), radius=5, basis=square(15))}
    for name, scene in cases.items():
        pats = [scene.pattern(n) for n in range(16)]
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "disks.npy")
            path = saved(folder, np.array([p.mean * 1e9 for p in pats]).round().astype(np.uint32))
            words = ["--mode", MODE[0]] if MODE else []
            subprocess.run([args.sluice, "stem4d", "disks", path, "--out", out, *words], check=True, capture_output=True)
            vectors = stem4d.load_vectors(out)
        away = []
        for n, p in enumerate(pats):
            best, off = nearest(of_pattern(vectors, n)[0], p.places, scene.radius / 2)
            away += list(np.hypot(*off[best >= 0].T))
        away = np.array(away)
        row(name, f"{len(away) / 16:.1f} of {len(pats[0].places)}", f"{np.median(away):.5f}",
            f"{np.sqrt((away**2).mean()):.5f}", f"{away.max():.4f}")


def judged(scene, pats, vectors, dose):
    """Classes of signal: (found, of, error over the bound, chi2), and false disks a pattern."""
    classes = {15: [0, 0, [], []], 7: [0, 0, [], []]}
    false = 0
    for n, p in enumerate(pats):
        covariances, signals, _ = scene.bounds(p, dose)
        places, variances = of_pattern(vectors, n)
        best, off = nearest(places, p.places, max(scene.radius / 2, 1.5))
        false += int((best < 0).sum())
        for j in range(len(p.places)):
            one = classes[15] if signals[j] > 15 else classes[7] if signals[j] > 7 else None
            if one is None:
                continue
            hits = np.flatnonzero(best == j)
            one[0] += len(hits) > 0
            one[1] += 1
            one[2] += [(off[i]**2 / np.diag(covariances[j])).mean() for i in hits]
            one[3] += [(off[i]**2 / variances[i]).mean() for i in hits]
    cells = []
    for found, of, ratios, chi2 in classes.values():
        cells += [found / of if of else np.nan, np.sqrt(np.mean(ratios)) if ratios else np.nan,
                  np.mean(chi2) if chi2 else np.nan]
    return [float(c) for c in (*cells, false / len(pats))]


COLUMNS = ("template", "SNR > 15 found", "over the bound", "chi2", "7 to 15 found", "over the bound", "chi2", "false")


def case(name, scene, pats, counts, dose, template=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        scan = load(saved(folder, counts), **options)
        try:
            shape = template or stem4d.fit_template(scan)
            vectors = found(scan, shape)
            row(name, f"{shape.radius:.2f}, {shape.edge_width:.2f}", *judged(scene, pats, vectors, dose))
        except sluice.Error as error:
            row(name, str(error).split("(")[0])


def conditions(args):
    """Scenes of all kinds with a usual and a high dose."""
    head("scene", *COLUMNS)
    wide = dict(basis=square(38))
    cases = {"256, radius 8": (Scene(), {}), "edge 0.5": (Scene(width=0.5), {}),
             "edge 3": (Scene(width=3, basis=square(28)), {}), "radius 12, edge 2": (Scene(radius=12, width=2, **wide), {}),
             "the same, bins of 2": (Scene(radius=12, width=2, **wide), {"det_bin": 2}),
             "the same, bins of 4": (Scene(radius=12, width=2, **wide), {"det_bin": 4}),
             "128, radius 2.5": (Scene(shape=(128, 128), radius=2.5, basis=square(9), most=44), {}),
             "64, radius 5": (Scene(shape=(64, 64), radius=5, basis=square(15)), {}),
             "32, radius 3, edge 0.8, cut disks": (Scene(shape=(32, 32), radius=3, width=0.8, basis=square(10),
                                                         cut=True, descan=0.5), {}),
             "100x180, radius 6": (Scene(shape=(100, 180), radius=6, basis=square(19)), {}),
             "256, cut disks": (Scene(cut=True, most=200), {}), "5 disks": (Scene(most=5), {}),
             "descan 6 px": (Scene(descan=6), {}), "strain 3 %": (Scene(spread=0.03, most=30), {}),
             "background 60 %": (Scene(share=0.6), {}), "background 0.01 %": (Scene(share=1e-4), {})}
    for name, (scene, options) in cases.items():
        pats = [scene.pattern(n) for n in range(args.patterns)]
        for dose in (2e3, 2e5):
            case(f"{name}, {dose:.0e}", scene, pats, draw(pats, dose), dose, **options)


def spoiled(counts, kind):
    """Counts with what detectors add."""
    pixels, noise = counts.astype(np.int64), np.random.default_rng(4)
    rows, cols = counts.shape[1:]
    if kind == "20 hot pixels of 1000":
        pixels[:, noise.integers(0, rows, 20), noise.integers(0, cols, 20)] += 1000
    elif kind == "20 wandering pixels of 1000":
        for frame in pixels:
            frame[noise.integers(0, rows, 20), noise.integers(0, cols, 20)] += 1000
    elif kind == "5 wandering 2x2 of 200":
        for frame in pixels:
            for r, c in zip(noise.integers(0, rows - 1, 5), noise.integers(0, cols - 1, 5)):
                frame[r:r + 2, c:c + 2] += 200
    return np.minimum(pixels, 65535).astype(np.uint16)


def detection(args):
    """False disks: on background alone, and where pixels are hot, clipped, behind a stop, or no counts."""
    scene = Scene()
    head("background alone", "false disks a pattern")
    for dose in (2e2, 2e3, 2e4, 2e5):
        under = np.broadcast_to(scene.under / scene.under.sum() * dose, (2 * args.patterns, *scene.shape))
        with tempfile.TemporaryDirectory() as folder:
            scan = load(saved(folder, np.random.default_rng(3).poisson(under).astype(np.uint16)))
            row(f"{dose:.0e} electrons", len(found(scan, stem4d.synthetic_template(8, 1))) / len(under))
    pats = [scene.pattern(n) for n in range(args.patterns)]
    y, x = np.mgrid[:scene.shape[0], :scene.shape[1]]
    stop = (np.hypot(y - 127, x - 126) < 17) | ((np.abs(x - 126) < 6) & (y > 127))
    known = stem4d.synthetic_template(8, 1)
    for dose in (2e3, 2e4, 2e5):
        head(f"{dose:.0e} electrons", *COLUMNS)
        counts = draw(pats, dose)
        case("as it is", scene, pats, counts, dose)
        case("20 hot pixels of 1000", scene, pats, spoiled(counts, "20 hot pixels of 1000"), dose)
        case("the same, --hot-pixels", scene, pats, spoiled(counts, "20 hot pixels of 1000"), dose, hot_pixels=True)
        for kind in ("20 wandering pixels of 1000", "5 wandering 2x2 of 200"):
            case(kind, scene, pats, spoiled(counts, kind), dose, known)
        behind = counts.copy()
        behind[:, stop] = 0
        case("beam stop, masked", scene, pats, behind, dose, known, mask=stop.astype(np.uint8))
        case("beam stop, no mask", scene, pats, behind, dose, known)
        clipped = np.minimum(counts, max(1, int(np.median(counts.reshape(len(counts), -1).max(1)) / 4))).astype(np.uint16)
        case("a quarter of the direct beam is the largest count", scene, pats, clipped, dose)
        case("values are 10 times the counts", scene, pats, (counts * 10.0).astype(np.float32), dose)
        case("values are a tenth of the counts", scene, pats, (counts * 0.1).astype(np.float32), dose)


def strain_table(args):
    """Strain from its known lattice: error over the bound, chi2."""
    head("scene", "fitted", "over the bound", "chi2", "sigma_sys, px")
    cases = {"256, radius 8": Scene(), "128, radius 5": Scene(shape=(128, 128), radius=5, basis=square(15.5), most=44),
             "64, radius 5": Scene(shape=(64, 64), radius=5, basis=square(15)),
             "hexagonal": Scene(radius=6, basis=((20, 3), (7.402, 18.821))),
             "17 by 40 px": Scene(radius=6, basis=((17, 1), (-2, 40))), "strain 6 %": Scene(radius=6, spread=0.06, most=40),
             "disks 2 R + 2.5 w apart": Scene(shape=(128, 128), radius=3, width=2, basis=square(11), most=44)}
    for name, scene in cases.items():
        pats = [scene.pattern(n) for n in range(args.patterns)]
        for dose in (2e3, 2e4, 2e5):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    fit = stem4d.fit_lattice(found(load(saved(folder, draw(pats, dose)))))
                except sluice.Error as error:
                    row(f"{name}, {dose:.0e}", str(error).split("(")[0], "", "", "")
                    continue
            maps = stem4d.strain(fit, reference=stem4d.LatticeBasis((0, 0), *scene.basis))
            strain = np.stack([maps.e_xx, maps.e_yy, maps.e_xy, np.radians(maps.omega)], -1).reshape(-1, 4)
            sigma = np.sqrt(np.diagonal(maps.covariance.reshape(-1, 4, 4), axis1=1, axis2=2))
            off = strain - [p.strain for p in pats]
            bounds = np.array([np.diag(scene.strain_bound(p, scene.bounds(p, dose)[2])) for p in pats])
            good = np.isfinite(off[:, 0])
            row(f"{name}, {dose:.0e}", f"{good.sum()} of {len(good)}", float(np.sqrt((off**2 / bounds)[good].mean())),
                float((off**2 / sigma**2)[good].mean()), float(fit.sigma_sys))


def grains(args):
    """Half of a scan is another grain: what its patterns are said to be. The truth is a turn without strain."""
    head("turned by", "electrons", "patterns of it fitted", "|e_xx| > 0.03", "worst e_xx", "its sigma")
    for turn in (5, 10, 15, 20, 30, 45):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        first = Scene(radius=6, most=44, seed=1, spread=0)
        other = Scene(radius=6, most=44, seed=2, spread=0, basis=np.array(first.basis) @ np.array([[c, s], [-s, c]]))
        half = args.patterns // 4 * 2
        pats = [first.pattern(n) for n in range(half)] + [other.pattern(n) for n in range(half)]
        for dose in (2e4, 2e5):
            with tempfile.TemporaryDirectory() as folder:
                scan = load(saved(folder, draw(pats, dose)))
                fit = stem4d.fit_lattice(found(scan, stem4d.synthetic_template(6)))
            maps = stem4d.strain(fit, reference=stem4d.LatticeBasis((0, 0), *first.basis))
            e_xx, sigma = maps.e_xx.ravel()[half:], maps.errors["e_xx"].ravel()[half:]
            seen = np.isfinite(e_xx)
            worst = int(np.nanargmax(np.abs(e_xx))) if seen.any() else 0
            row(f"{turn} degrees", f"{dose:.0e}", f"{seen.sum()} of {half}", int((np.abs(e_xx) > 0.03).sum()),
                float(e_xx[worst]), float(sigma[worst]))


TABLES = {"noise-free": noise_free, "detection": detection, "conditions": conditions, "strain": strain_table,
          "grains": grains}


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--sluice", default="build/release/bin/sluice")
    words.add_argument("--patterns", type=int, default=40)
    words.add_argument("--mode", default="")
    words.add_argument("tables", nargs="*", metavar="TABLE", choices=[[], *TABLES])
    args = words.parse_args()
    MODE.extend([args.mode] if args.mode else [])
    for name in args.tables or TABLES:
        TABLES[name](args)


if __name__ == "__main__":
    main()
