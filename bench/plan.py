"""Plans beside the work: peaks and times of three sizes of every task, several runs of each.

    python3 bench/plan.py [RUNS] [TASK ...]

RUNS are 10 unless it is given. Makes its input in a temporary folder. Each run plans, then works, so that both meet the
same load as far as that is possible. Prints the ratio of the peaks, how wide the bar is, and how many times were
inside of it; at the end of all tasks, what must be 9 of 10. A machine that is not calm says so: the load is told
before and after. Orientation needs NumPy; where it is missing, its rows say so.

SPDX-License-Identifier: Apache-2.0
"""
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import plan_scenes as scenes

SLUICE = pathlib.Path(__file__).resolve().parents[1] / "build/release/bin/sluice"
LARGE, SMALL = ("64x64", "96x128", "128x192"), ("24x32", "32x48", "48x64")
OPTICS = ["--energy", "300", "--detector-step-mrad", "0.5", "--scan-step-nm", "0.05"]


def run(*words):
    """Seconds, bytes at the peak, and the output."""
    begin = time.perf_counter()
    child = subprocess.Popen([SLUICE, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit(f"sluice {' '.join(map(str, words))}: ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begin, used.ru_maxrss * 1024, out


def images(scan, out):
    return ["--detector", "bf", "--detector", "adf"], ["stem4d", "virtual-image", scan, "--detector", "bf",
                                                       "--detector", "adf", "--out", out]


def orientation(scan, out):
    how = ["--crystal", str(pathlib.Path(scan).parent / "gold.cif"), "--energy", str(scenes.KILOVOLTS)]
    return how, ["stem4d", "orientation", scan, *how, "--out", out]


# Each task: sizes, what makes the input of a size, and the options of its plan with the command that does it.
TASKS = {
    "load": (LARGE, scenes.scan, lambda scan, out: ([], ["info", "--memory", scan])),
    "images": (LARGE, scenes.scan, images),
    "disks": (SMALL, scenes.crystal, lambda scan, out: (
        ["--template-radius", "8"], ["stem4d", "disks", scan, "--template-radius", "8", "--out", out + "/disks.npy"])),
    "strain": (SMALL, scenes.crystal, lambda scan, out: ([], ["stem4d", "strain", scan, "--out", out])),
    "orientation": (SMALL, scenes.gold, orientation),
    "ptychography": (LARGE, scenes.scan, lambda scan, out: (
        ["--iterations", "4", *OPTICS], ["stem4d", "ptychography", scan, "--iterations", "4", *OPTICS, "--out", out])),
    "convert": (LARGE, scenes.scan, lambda scan, out: (
        ["--format", "zarr", "--folder", out], ["stem4d", "convert", scan, out + "/scan.zarr"])),
    "dose": (("6", "10", "16"), scenes.spots, lambda plan, out: (
        ["--ct", scenes.patient(out), "--energy-spread", "0.6 MeV"],
        ["proton", "dose", plan, "--ct", scenes.patient(out), "--energy-spread", "0.6 MeV", "--out", out + "/dose"])),
    "separate": (("10", "30", "60"), scenes.song, lambda song, out: (
        ["--model", model(out)], ["music", "separate", song, "--model", model(out), "--out", out + "/stems"])),
}


def model(folder):
    """A network of random weights, of those that are published a small one."""
    path = pathlib.Path(folder).parent / "tiny.safetensors"
    if not path.exists():
        run("music", "synth", str(path), "--like", "tiny")
    return str(path)


def measure(task, size, folder, runs):
    """How many of the runs were inside, and the line of the table."""
    _, make, words = TASKS[task]
    out = f"{folder}/out"
    try:
        # In a process of its own: what a process has held counts as its children's peak, too.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            source = pool.apply(make, (run, folder, size))
    except ImportError as missing:
        print(f"{task:<13} {size:<8} missing: {missing}", flush=True)
        return 0, 0
    inside, seconds, ratios, widths = 0, [], [], []
    for _ in range(runs):
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        options, work = words(source, out)
        plan = json.loads(run("plan", source, "--task", task, *options, "--json")[2])
        bar = plan["time"]
        took, peak, _ = run(*work)
        seconds.append(took)
        ratios.append(plan["peak_bytes"] / peak)
        widths.append((bar["high_s"] - bar["low_s"]) / 2 / bar["s"])
        inside += bar["low_s"] <= took <= bar["high_s"]
    middle = sorted(ratios)[len(ratios) // 2]
    print(f"{task:<13} {size:<8} {plan['peak_bytes'] / 1e6:8.1f} MB {middle:6.3f}   {bar['s']:7.2f}"
          f" ({bar['low_s']:.2f} to {bar['high_s']:.2f})  {100 * sum(widths) / len(widths):4.0f} %   "
          f"{min(seconds):.2f} to {max(seconds):.2f}   {inside} of {runs}", flush=True)
    return inside, runs


def main(runs, tasks):
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors")
    print("task          size         plan's peak, over the peak; its time (bar), half the bar; the runs, inside")
    inside = all_runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            for size in TASKS[task][0]:
                some, of = measure(task, size, folder, runs)
                inside, all_runs = inside + some, all_runs + of
    share = 100 * inside / max(1, all_runs)
    print(f"inside of their bar: {inside} of {all_runs} runs, {share:.0f} % (must be 90 %); "
          f"load {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    chosen = sys.argv[2:] or list(TASKS)
    for name in chosen:
        if name not in TASKS:
            sys.exit(f"there is no task {name}; there are {', '.join(TASKS)}")
    main(count, chosen)
