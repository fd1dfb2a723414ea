#!/usr/bin/env python3
"""4D-STEM in Python beside other packages: the same file, the same masks, in interleaved rounds.

    python -m venv V && V/bin/pip install libertem py4DSTEM quantem==0.1.10 torch nanobind-backend
    PYTHONPATH=build/release/python V/bin/python bench/python/run.py
    ... --scan 64x64          smaller than 128x128
    ... --rounds 5            of each task
    ... --json FILE

Every answer is compared before anything is timed. Packages that are not installed are left out and
named. All have as many threads as there are processors.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import contextlib
import gc
import importlib.util
import io
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = ROOT / "build/release/bin/sluice"
DATA = ROOT / "build/bench-data/python"
THREADS = len(os.sched_getaffinity(0))


def have(module):
    return importlib.util.find_spec(module) is not None


def quiet(function, *args, **options):
    """Rivals print bars and warnings that do not belong to the table."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return function(*args, **options)


class Sluice:
    name = "sluice"

    def load(self, path):
        import sluice
        return sluice.load(path, progress=False)

    def image(self, data, mask):
        from sluice import stem4d
        return stem4d.virtual_image(data, mask, progress=False).values[0]

    def com(self, data):
        from sluice import stem4d
        com = stem4d.center_of_mass(data, progress=False)
        return np.stack([com.row, com.col])


class SluiceLines(Sluice):
    """Planes turned by frames. Nothing is kept of a mask that was counted before."""
    name = "sluice, lines"
    com = None

    def load(self, path):
        import sluice
        return sluice.load(path, layout="lines", tables="none", progress=False)


class Numpy:
    """The mask's pixels of all frames, summed: NumPy multiplies integers one by one."""
    name = "NumPy"

    def take(self, array):
        return array.reshape(*array.shape[:2], -1)

    def image(self, data, mask):
        return data[:, :, np.flatnonzero(mask)].sum(-1)


class Torch:
    """float32 in memory, as notebooks do it."""
    name = "torch float32"
    needs = ("torch", "h5py", "hdf5plugin")

    def load(self, path):
        import h5py
        import hdf5plugin  # noqa: F401
        import torch
        torch.set_num_threads(THREADS)
        with h5py.File(path) as file:
            parts = [file["entry/data"][key][...] for key in sorted(file["entry/data"])
                     if key.startswith("data_")]
        frames = np.concatenate(parts)
        side = int(round(len(frames) ** 0.5))
        return torch.from_numpy(frames.astype(np.float32)).reshape(side, side, *frames.shape[1:])

    def image(self, data, mask):
        import torch
        flat = data.reshape(data.shape[0] * data.shape[1], -1)
        return (flat @ torch.from_numpy(mask.astype(np.float32)).ravel()).reshape(
            data.shape[:2]).numpy()

    def com(self, data):
        import torch
        rows, cols = data.shape[2:]
        flat = data.reshape(-1, rows * cols)
        row, col = np.mgrid[:rows, :cols]
        w = torch.from_numpy(np.stack([np.ones(rows * cols), row.ravel(), col.ravel()], 1).astype(
            np.float32))
        total, r, c = (flat @ w).T
        return np.stack([(r / total).numpy(), (c / total).numpy()]).reshape(2, *data.shape[:2])


class Quantem:
    name = "quantem"
    needs = ("quantem",)

    def load(self, path):
        from quantem.core.io import read_4dstem
        return quiet(read_4dstem, str(path), file_type="arina")

    def image(self, data, mask):
        return np.asarray(quiet(data.get_virtual_image, mask=mask).array)


class Py4dstem:
    name = "py4DSTEM"
    needs = ("py4DSTEM",)

    def load(self, path):
        import py4DSTEM
        return quiet(py4DSTEM.import_file, str(path), filetype="arina")

    def image(self, data, mask):
        return np.asarray(quiet(data.get_virtual_image, mode="mask", geometry=mask).data)


class Libertem:
    """Its own process pool would copy the array; this is its way for arrays in memory."""
    name = "LiberTEM (threads)"
    needs = ("libertem",)

    def __init__(self):
        from libertem.api import Context
        self.context = Context.make_with("threads", cpus=THREADS)

    def take(self, array):
        return self.context.load("memory", data=array, sig_dims=2)

    def image(self, data, mask):
        analysis = self.context.create_mask_analysis(dataset=data, factories=[lambda: mask],
                                                     dtype=np.float32, use_sparse=False)
        return self.context.run(analysis).mask_0.raw_data

    def com(self, data):
        found = self.context.run(self.context.create_com_analysis(dataset=data, cx=0, cy=0))
        return np.stack([found.y.raw_data, found.x.raw_data])


FIRST = {
    "sluice": "import sluice\ns = sluice.load(p, progress=False)\n"
              "i = sluice.stem4d.virtual_image(s, m, progress=False).values",
    "quantem": "from quantem.core.io import read_4dstem\n"
               "i = read_4dstem(p, file_type='arina').get_virtual_image(mask=m).array",
    "py4DSTEM": "import py4DSTEM\n"
                "i = py4DSTEM.import_file(p, filetype='arina').get_virtual_image("
                "mode='mask', geometry=m).data",
}


def first_image(name, path):
    """Seconds from the start of Python to an image, as a user waits."""
    code = ("import sys, numpy as np\np = sys.argv[1]\nr, c = np.mgrid[:192, :192]\n"
            "m = (r - 95.5) ** 2 + (c - 95.5) ** 2 < 900\n" + FIRST[name])
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", code, path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def lap(function, *args):
    start, cpu = time.perf_counter(), time.process_time()
    answer = function(*args)
    return time.perf_counter() - start, time.process_time() - cpu, answer


OTHER = np.ones(1 << 25, np.float32)


def rounds(tasks, count, before="the same"):
    """Median wall and processor time of each contestant, in turns; the first turn warms up.

    `before` says what happens right before each timed call. "the same": the contestant answers once,
    as in a drag, so that threads and caches are its own. "other work": other memory is read, and
    threads fall asleep. "nothing": neither.
    """
    found = {name: [] for name in tasks}
    gc.disable()
    for turn in range(count + 1):
        for name, task in tasks.items():
            gc.collect()
            if before == "the same":
                task()
            elif before == "other work":
                time.sleep(0.05)  # threads of the one before end
                OTHER.sum()
            wall, cpu, answer = lap(task)
            del answer
            if turn:
                found[name].append((wall, cpu))
    gc.enable()
    return {name: (statistics.median(w for w, _ in laps), statistics.median(c for _, c in laps),
                   min(w for w, _ in laps), max(w for w, _ in laps))
            for name, laps in found.items()}


def agree(what, answers, tolerance):
    ours = np.asarray(answers["sluice"], dtype=float)
    for name, theirs in answers.items():
        other = np.asarray(theirs, dtype=float)
        if other.shape != ours.shape or not np.allclose(other, ours, rtol=tolerance, atol=tolerance,
                                                        equal_nan=True):
            worst = np.nanmax(abs(other - ours)) if other.shape == ours.shape else other.shape
            sys.exit(f"{what}: {name} has another answer (difference {worst}); nothing is timed")


def table(what, found, out):
    ours = found["sluice"][0]
    for name, (wall, cpu, least, most) in found.items():
        print(f"| {what} | {name} | {1e3 * wall:.3g} | {1e3 * least:.3g} to {1e3 * most:.3g} | "
              f"{1e3 * cpu:.3g} | {wall / ours:.3g} |")
        out.append(dict(task=what, who=name, ms=1e3 * wall, cpu_ms=1e3 * cpu, ratio=wall / ours))


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--scan", default="128x128")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json")
    chosen = options.parse_args()
    warnings.filterwarnings("ignore")
    DATA.mkdir(parents=True, exist_ok=True)
    prefix = DATA / f"scan-{chosen.scan}"
    path = pathlib.Path(f"{prefix}_master.h5")
    if not path.exists():
        subprocess.run([SLUICE, "synth", "arina", prefix, "--scan", chosen.scan], check=True,
                       stdout=subprocess.DEVNULL)
    people = [Sluice(), SluiceLines(), Numpy()]
    for kind in (Torch, Quantem, Py4dstem, Libertem):
        lacking = [m for m in kind.needs if not have(m)]
        if lacking:
            print(f"left out: {kind.name} ({', '.join(lacking)} not installed)")
            continue
        people.append(kind())
    import sluice
    print(f"{platform.processor() or platform.machine()}, {THREADS} threads, sluice "
          f"{sluice.__version__} ({sluice.__commit__}), NumPy {np.__version__}, {chosen.scan} of "
          f"192x192 uint16, {chosen.rounds} rounds\n")
    row, col = np.mgrid[:192, :192]
    r2 = (row - 95.5) ** 2 + (col - 95.5) ** 2
    masks = {"bright field": r2 < 900, "annulus": (r2 >= 1600) & (r2 < 8100),
             "disk off centre": (row - 60.3) ** 2 + (col - 121.6) ** 2 <= 400}
    print("| what | who | median ms | range | processor ms | times ours |\n"
          "|---|---|---|---|---|---|")
    out = []
    loading = {p.name: (lambda p=p: p.load(path)) for p in people if hasattr(p, "load")}
    table("load", rounds(loading, chosen.rounds, "nothing"), out)
    data = {p.name: p.load(path) for p in people if hasattr(p, "load")}
    # A detector's file marks pixels as bad; each package deals with them, or not: all get what ours
    # has loaded.
    frames = data["sluice"].to_numpy()
    for p in people:
        if isinstance(p, Torch):
            import torch
            data[p.name] = torch.from_numpy(frames.astype(np.float32))
        elif isinstance(p, Quantem):
            data[p.name].array[...] = frames
        elif isinstance(p, Py4dstem):
            data[p.name].data = frames
        elif hasattr(p, "take"):
            data[p.name] = p.take(frames)
    for what, mask in masks.items():
        tasks = {p.name: (lambda p=p, m=mask: p.image(data[p.name], m)) for p in people}
        agree(what, {name: task() for name, task in tasks.items()}, 1e-5)
        table(what, rounds(tasks, chosen.rounds), out)
        if what == "disk off centre":
            table(f"{what}, after other work", rounds(tasks, chosen.rounds, "other work"), out)
    tasks = {p.name: (lambda p=p: p.com(data[p.name])) for p in people if getattr(p, "com", None)}
    agree("centre of mass", {name: task() for name, task in tasks.items()}, 1e-3)
    table("centre of mass", rounds(tasks, chosen.rounds), out)
    tasks = {name: (lambda n=name: first_image(n, path)) for name in FIRST
             if any(p.name == name for p in people)}
    first = rounds(tasks, min(3, chosen.rounds), "nothing")
    table("from `python` to the first image", first, out)
    if chosen.json:
        pathlib.Path(chosen.json).write_text(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
