#!/usr/bin/env python3
"""Times the dose of a plan beside pyRadPlan's, in turns, with the same depth doses, spots and weights.

    bench/proton/dose.py --machine protons_generic_TOPAS.mat [--rival V/bin/python] [--rounds 7]
        [--sluice build/release/bin/sluice] [--side 4] [--phantoms water,body,wall] [--json]

V has pyRadPlan (BSD-3) and numba: pip install "pyRadPlan[numba]" "pydantic<2.13". Without it sluice alone is timed.
The machine is matRad's file of base data. Answers are compared first: gamma in three dimensions, 2 % of the
highest dose and 2 mm, above 10 %, where the phantom is no air. In water it must be 99 %, else nothing is timed;
in the others the two models differ on purpose (proton/dose_march.py tells which is nearer).

What is timed. sluice: the whole process, with reading, writing the dose and its picture, without LET and errors.
pyRadPlan: the call on what it holds already, forward dose, and the matrix of all spots with that times
the weights; and once more its whole process. `2 mm` has fluence and steps as coarse as the dose's voxels, on which
pyRadPlan computes; `usual` has 1 mm. `marched` takes no depth doses of the machine: cold marches them, warm reads them.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import dose_scene
from gamma3 import gamma

HERE = pathlib.Path(__file__).resolve().parent
SPACING = 2.0
COARSE = ["--pixel", "2 mm", "--step", "2 mm"]
DEPTHS = {"water": (100, 140), "body": (75, 125), "wall": (75, 125)}


class Rival:
    """proton/dose_rival.py on a scene."""

    def __init__(self, python, scene, machine):
        self.saved = str(scene) + "_rival.npy"
        self.arguments = [python, str(HERE / "dose_rival.py"), f"{scene}.mha", f"{scene}.csv", machine, self.saved]
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("pyRadPlan does not start; see what it says of\n    " + " ".join(self.arguments))
        self.ready = json.loads(line)

    def ask(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"pyRadPlan stopped in '{what}'")
        found = json.loads(line)
        return found["seconds"], found["cpu_seconds"]

    def dose(self, job="forward"):
        self.ask(job)
        self.ask("save")
        return np.load(self.saved)

    def whole(self):
        return process(self.arguments, "forward\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def usage_of(arguments, said=""):
    """Wall time of a process, and what else the system counted."""
    begin = time.perf_counter()
    child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True)
    child.stdin.write(said)
    child.stdin.close()
    text = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(map(str, arguments))} failed:\n{text}")
    return time.perf_counter() - begin, usage


def process(arguments, said=""):
    """Wall and processor time of a process."""
    wall, usage = usage_of(arguments, said)
    return wall, usage.ru_utime + usage.ru_stime


class Ours:
    """sluice proton dose on a scene."""

    def __init__(self, program, scene, machine):
        self.scene, self.out, self.kernels = scene, f"{scene}_sluice", f"{scene}_kernels"
        self.start = [program, "proton", "dose", f"{scene}.csv", "--ct", f"{scene}.mha", "--out", self.out, "--format",
                      "npy", "--no-let", "--no-error", "--kernels", self.kernels]
        self.machine = machine

    def lap(self, *options):
        return process([*self.start, "--machine", self.machine, *options])

    def marched(self, cold):
        if cold:
            shutil.rmtree(self.kernels, ignore_errors=True)
        return process([*self.start, "--energy-spread", "0.05 MeV", *COARSE])

    def dose(self, *options):
        self.lap(*options)
        return np.load(self.out + "/dose.npy")


class InMemory:
    """The same out of memory, as the rival's call is: plan, image and base data are held. None without the package."""

    @staticmethod
    def of(scene, machine):
        try:
            from sluice import proton
        except ImportError:
            return None
        return InMemory(proton, scene, machine)

    def __init__(self, proton, scene, machine):
        self.proton, self.kernels = proton, f"{scene}_kernels"
        self.plan, self.ct = proton.read_plan(f"{scene}.csv"), proton.load_volume(f"{scene}.mha")
        self.machine = proton.read_machine(machine)

    def lap(self, **options):
        wall, busy = time.perf_counter(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.found = self.proton.dose(self.plan, self.ct, machine=self.machine, let=False, error=False,
                                          kernels=self.kernels, progress=False, **options)
        return time.perf_counter() - wall, time.process_time() - busy

    def same_as(self, dose):
        self.lap()
        if not np.array_equal(self.found.dose.image, dose):
            sys.exit("sluice's dose out of memory is not that of its program; nothing is timed")


def energies_of(program, machine):
    told = json.loads(subprocess.run([program, "info", "--json", machine], check=True, stdout=subprocess.PIPE).stdout)
    if "peak_mm" not in told["energies"][0]:
        sys.exit(f"{machine} has no depth doses; give base data of matRad")
    return [e["nominal_MeV"] for e in told["energies"]], [e["peak_mm"] for e in told["energies"]], told["source_mm"][0]


def make(folder, name, facts, side, pitch):
    energies, peaks, source = facts
    scene = pathlib.Path(folder) / name
    hu, origin = dose_scene.PHANTOMS[name](SPACING)
    dose_scene.write_image(f"{scene}.mha", hu, SPACING, origin)
    shallow, deep = DEPTHS[name]
    table = dose_scene.box_plan(energies, peaks, deep, shallow, side=side, pitch=pitch)
    dose_scene.write_plan(f"{scene}.csv", table, source)
    return scene, hu, len(table)


def compare(name, ours, rival, inside):
    """Gammas of ours (usual, 2 mm) beside the rival's (usual, with a wide cut-off)."""
    found = {}
    mine = {"usual": ours.dose(), "2 mm": ours.dose(*COARSE)}
    for cutoff in ("0.9999", "0.995"):
        rival.ask("cutoff " + cutoff)
        theirs = rival.dose()
        for which, dose in mine.items():
            g = gamma(theirs, dose, SPACING, inside=inside)
            fine = gamma(theirs, dose, SPACING, 1, 1, inside=inside)
            found[f"{which}, cut-off {cutoff}"] = {
                "gamma_2_2": g["passed"], "gamma_1_1": fine["passed"], "points": g["points"],
                "total": float(dose[inside].sum() / theirs[inside].sum()), "highest": float(dose.max() / theirs.max())}
    worst = min(f["gamma_2_2"] for f in found.values())
    if name == "water" and worst < 99:
        sys.exit(f"in water only {worst:.2f} % have a gamma of at most 1; nothing is timed")
    return found


def turns(jobs, count):
    """Medians of wall and processor time and their quartiles; the first round is not counted."""
    laps = {name: [] for name in jobs}
    for i in range(count + 1):
        for name, run in jobs.items():
            lap = run()
            if i > 0:
                laps[name].append(lap)
    quart = lambda v: statistics.quantiles(v, n=4) if len(v) > 1 else [v[0]] * 3  # noqa: E731
    return {name: {"wall": quart([w for w, _ in v]), "cpu": quart([c for _, c in v])} for name, v in laps.items()}


def print_times(title, times):
    print(f"\n{title}\n{'':32}{'wall ms':>10}{'quartiles':>18}{'CPU ms':>9}{'wall x':>8}{'CPU x':>7}")
    first = next(iter(times.values()))
    for name, t in times.items():
        low, middle, high = (1e3 * v for v in t["wall"])
        print(f"{name:<32}{middle:>10.0f}{f'{low:.0f}..{high:.0f}':>18}{1e3 * t['cpu'][1]:>9.0f}"
              f"{t['wall'][1] / first['wall'][1]:>8.1f}{t['cpu'][1] / first['cpu'][1]:>7.1f}")


def main():
    root = HERE.parents[1]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=str(root / "build/release/bin/sluice"))
    parser.add_argument("--machine", required=True)
    parser.add_argument("--rival")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--side", type=int, default=4, help="spots along x and y of each of ten layers")
    parser.add_argument("--phantoms", default="water,body,wall")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    facts = energies_of(options.sluice, options.machine)
    report = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.phantoms.split(","):
            scene, hu, spots = make(folder, name, facts, options.side, 32 / options.side)
            ours = Ours(options.sluice, scene, options.machine)
            rival = Rival(options.rival, scene, options.machine) if options.rival else None
            jobs = {"sluice, 2 mm": lambda: ours.lap(*COARSE), "sluice, usual": ours.lap}
            if memory := InMemory.of(scene, options.machine):
                memory.same_as(ours.dose())
                jobs["sluice, 2 mm, in memory"] = lambda: memory.lap(pixel=2.0, step=2.0)
                jobs["sluice, usual, in memory"] = memory.lap
            said = report[name] = {"spots": spots, "voxels": list(hu.shape)}
            if rival:
                said["pyRadPlan"] = rival.ready["version"]
                said["answers"] = compare(name, ours, rival, np.asarray(hu) > -900)
                jobs["pyRadPlan, forward"] = lambda: rival.ask("forward")
                jobs["pyRadPlan, matrix"] = lambda: rival.ask("influence")
                jobs["pyRadPlan, forward, process"] = rival.whole
            if name == "water":
                jobs["sluice, 2 mm, marched, warm"] = lambda: ours.marched(False)
                jobs["sluice, 2 mm, marched, cold"] = lambda: ours.marched(True)
            said["seconds"] = turns(jobs, options.rounds)
            if rival:
                rival.close()
            if options.json:
                continue
            for which, a in said.get("answers", {}).items():
                print(f"{name}, {which}: gamma 2 %/2 mm {a['gamma_2_2']:.2f} %, 1 %/1 mm {a['gamma_1_1']:.2f} % of "
                      f"{a['points']} voxels; total {a['total']:.4f}, highest {a['highest']:.3f} of pyRadPlan's")
            print_times(f"{name}, {spots} spots, {hu.shape[2]}x{hu.shape[1]}x{hu.shape[0]} voxels of {SPACING:g} mm, "
                        f"{options.rounds} rounds", said["seconds"])
            if not rival:
                print("pyRadPlan: no --rival; its rows are left out")
    if options.json:
        print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
