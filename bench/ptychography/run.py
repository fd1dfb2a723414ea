#!/usr/bin/env python3
"""Ptychography beside other programs: the same patterns, positions and probe, in interleaved rounds.

    python -m venv V && V/bin/pip install torch nanobind-backend ptychi ptyrad quantem py4dstem
    PYTHONPATH=build/release/python V/bin/python bench/ptychography/run.py
    ... --siemens FILE        tike's siemens-star-small.npz.bz2 instead of a simulation
    ... --side 256            of simulated patterns
    ... --modes 3 --slices 4  of what is simulated and of both models
    ... --rounds 3            of each contestant
    ... --iterations 10       in each round
    ... --solver adam         and no other

All run ePIE's step on groups as large, and LSQML and Adam on a fifth of the patterns, and move the probe (pty-chi:
the patch) by parts of a pixel in Fourier space, the probe from the second iteration on. What is compared first is R
of each object and probe, by one formula in NumPy that is nobody's own, after as many iterations. All have as
many threads as there are processors. `times` is over the fastest of the others. Those in `rivals/` take part where there is one mode
and one slice.

pty-chi imports torchvision for a filter that no solver here uses; where it is missing, an empty module
stands in. A rival that is not installed, or fails, is a row that says so.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import math
import os
import statistics
import sys
import time
import types
import warnings

import numpy as np

import scenes
from rivals.ptyrad import PtyRAD
from rivals.py4dstem import Py4DSTEM
from rivals.quantem import Quantem

THREADS = len(os.sched_getaffinity(0))


class Sluice:
    name = "sluice"

    def __init__(self, counts, positions, probe, solver, group, slices):
        from sluice import stem4d
        self.stem4d, self.solver, self.group = stem4d, solver, group
        self.patterns = stem4d.Patterns(counts, positions, centred=False,
                                        wavelength_nm=scenes.WAVELENGTH_NM, pixel_nm=scenes.PIXEL_NM)
        self.options = {"probe": probe, "modes": len(probe), "slices": slices,
                        "slice_nm": scenes.SLICE_NM * (slices > 1)}

    def run(self, iterations):
        stage = self.stem4d.PtychographyStage(self.solver, iterations, group=self.group,
                                              likelihood="amplitude", probe_power=False)
        start = time.perf_counter(), time.process_time()
        found = self.stem4d.ptychography(self.patterns, stage, progress=False, **self.options)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        # The iterations alone, as pty-chi's epochs are.
        spent = float(found.seconds.sum()), spent[1]
        return spent, (found.positions, found.object, found.probe)


class PtyChi:
    name = "pty-chi"

    def __init__(self, counts, positions, probe, solver, group, slices):
        try:
            import torchvision  # noqa: F401
        except ImportError:
            hollow = types.ModuleType("torchvision"), types.ModuleType("torchvision.transforms")
            hollow[1].GaussianBlur = None
            hollow[0].transforms = hollow[1]
            sys.modules["torchvision"], sys.modules["torchvision.transforms"] = hollow
        import torch
        from ptychi import api
        torch.set_num_threads(THREADS)
        self.torch, self.api = torch, api
        self.counts, self.probe, self.solver, self.group = counts, probe, solver, group
        self.positions, self.slices = positions, slices

    def options(self, iterations):
        api, torch = self.api, self.torch
        side = self.counts.shape[1]
        options = api.EPIEOptions() if self.solver == "epie" else api.LSQMLOptions()
        options.data_options.data = torch.tensor(self.counts.astype(np.float32))
        options.data_options.fft_shift = False
        options.data_options.wavelength_m = 1e-9 * scenes.WAVELENGTH_NM
        options.data_options.save_data_on_device = False
        extent = np.ceil(np.ptp(self.positions, axis=0)).astype(int) + side + 16
        options.object_options.initial_guess = torch.ones((self.slices, *extent), dtype=torch.complex64)
        options.object_options.pixel_size_m = 1e-9 * scenes.PIXEL_NM
        if self.slices > 1:
            options.object_options.slice_spacings_m = [1e-9 * scenes.SLICE_NM] * (self.slices - 1)
        options.object_options.remove_object_probe_ambiguity.enabled = False
        options.probe_options.optimization_plan.start = 1  # ours begins in the second iteration
        if self.solver == "epie":  # its step is a tenth of Maiden's unless it is told
            options.object_options.alpha = options.probe_options.alpha = 1.0
        # Its transform is not scaled: the probe is smaller by the side.
        scaled = self.probe * np.sqrt(self.counts.sum(dtype=float) / len(self.counts) /
                                      (np.abs(self.probe)**2).sum()) / side
        options.probe_options.initial_guess = torch.tensor(
            scaled.astype(np.complex64))[None]
        middle = np.rint((self.positions.max(0) + self.positions.min(0)) / 2)
        options.probe_position_options.position_y_px = torch.tensor(
            (self.positions - middle)[:, 0].astype(np.float32))
        options.probe_position_options.position_x_px = torch.tensor(
            (self.positions - middle)[:, 1].astype(np.float32))
        options.reconstructor_options.num_epochs = iterations
        options.reconstructor_options.batch_size = self.group
        options.reconstructor_options.default_device = api.Devices.CPU
        return options

    def run(self, iterations):
        from ptychi.api.task import PtychographyTask
        task = PtychographyTask(self.options(iterations))
        start = time.perf_counter(), time.process_time()
        task.run(iterations)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        thing = task.get_data_to_cpu("object", as_numpy=True)
        probe = task.get_data_to_cpu("probe", as_numpy=True)[0]
        middle = np.rint((self.positions.max(0) + self.positions.min(0)) / 2)
        return spent, (self.positions - middle, thing, probe)


def contestants_of(solver, plain):
    if not plain:
        return {"epie": (Sluice, PtyChi), "lsqml": (Sluice, PtyChi), "adam": (Sluice,)}[solver]
    return {"epie": (Sluice, PtyChi, Py4DSTEM, Quantem), "lsqml": (Sluice, PtyChi),
            "adam": (Sluice, PtyRAD, Quantem)}[solver]


def warm(kinds, what, iterations):
    """Contestants after a round of each, their answers, and why rivals are missing: by name."""
    contestants, found, missing = [], {}, {}
    for kind in kinds:
        try:
            one = kind(*what)
            found[one.name] = one.run(iterations)[1]
            contestants.append(one)
        except Exception as error:  # noqa: BLE001: whatever a rival raises, it is a missing row
            if kind is Sluice:
                raise
            missing[kind.name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return contestants, found, missing


def measured(contestants, rounds, iterations, missing):
    """What the rounds of each took, in turns. A rival that fails has none, and is missing."""
    spent = {c.name: [] for c in contestants}
    for _ in range(rounds):
        for c in contestants:
            if c.name in missing:
                continue
            try:
                spent[c.name].append(c.run(iterations)[0])
            except Exception as error:  # noqa: BLE001: as in warm()
                if isinstance(c, Sluice):
                    raise
                missing[c.name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return {name: laps for name, laps in spent.items() if name not in missing}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--siemens")
    options.add_argument("--side", type=int, default=128)
    options.add_argument("--modes", type=int, default=1)
    options.add_argument("--slices", type=int, default=1)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--iterations", type=int, default=10)
    options.add_argument("--solver", choices=("epie", "lsqml", "adam"))
    args = options.parse_args()
    warnings.simplefilter("ignore")
    counts, positions, probe = (
        scenes.siemens(args.siemens) if args.siemens else
        scenes.simulated(args.side, modes=args.modes, slices=args.slices))
    probe = probe if probe.ndim == 3 else scenes.modes_of(probe, args.modes)
    print(f"{len(counts)} patterns of {counts.shape[1]}x{counts.shape[1]}, {args.modes} modes, "
          f"{args.slices} slices, {THREADS} threads, "
          f"{args.iterations} iterations, {args.rounds} interleaved rounds\n")
    print("| solver | who | R | patterns/s, median | range | processor s | times |")
    print("|---|---|---|---|---|---|---|")
    groups = {"epie": len(counts) // 50, "lsqml": len(counts) // 5, "adam": len(counts) // 5}
    for solver in (args.solver,) if args.solver else groups:
        group = groups[solver]
        contestants, found, missing = warm(contestants_of(solver, args.modes == args.slices == 1),
                                           (counts, positions, probe, solver, group, args.slices),
                                           args.iterations)
        errors = {name: scenes.best_r(counts, *what) for name, what in found.items()}
        spent = measured(contestants, args.rounds, args.iterations, missing)
        work = len(counts) * args.iterations
        rates = {name: sorted(work / s for s, _ in laps) for name, laps in spent.items()}
        best = max((statistics.median(r) for name, r in rates.items() if name != Sluice.name),
                   default=math.nan)
        for name, rate in rates.items():
            middle = statistics.median(rate)
            cpu = statistics.median(c for _, c in spent[name])
            print(f"| {solver}, groups of {group} | {name} | {errors[name]:.4f} | {middle:.3g} | "
                  f"{rate[0]:.3g} to {rate[-1]:.3g} | {cpu:.2f} | {middle / best:.2f} |", flush=True)
        for name, why in missing.items():
            print(f"| {solver}, groups of {group} | {name} | missing ({why}) | | | | |", flush=True)


if __name__ == "__main__":
    main()
