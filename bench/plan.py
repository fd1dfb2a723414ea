"""Plans beside the work: peaks and times of three sizes, several runs of each.

    python3 bench/plan.py [RUNS]

Makes scans in a temporary folder. Each run plans, then works, so that both meet the same load as
far as that is possible. Prints the ratio of the peaks, and how many times were inside of the bar.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SLUICE = pathlib.Path(__file__).resolve().parents[1] / "build/release/bin/sluice"
SIZES = ("64x64", "96x128", "128x192")
OPTICS = ["--energy", "300", "--detector-step-mrad", "0.5", "--scan-step-nm", "0.05"]


def run(*words):
    """Seconds, bytes at the peak, and the output."""
    begin = time.perf_counter()
    child = subprocess.Popen([SLUICE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.stdout.read(), child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"sluice {' '.join(words)}: {err.decode()}")
    return time.perf_counter() - begin, used.ru_maxrss * 1024, out


def tasks(scan, folder):
    """Each task: the options of its plan, and the command that does it."""
    out = ["--out", f"{folder}/out"]
    yield "load", [], ["info", "--memory", scan]
    yield ("images", ["--detector", "bf", "--detector", "adf"],
           ["stem4d", "virtual-image", scan, "--detector", "bf", "--detector", "adf", *out])
    yield ("ptychography", ["--iterations", "4", *OPTICS],
           ["stem4d", "ptychography", scan, "--iterations", "4", *OPTICS, *out])


def main(runs):
    print("task          scan      planned    taken  ratio   plan s (bar)          run s           inside")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            prefix = f"{folder}/s{size}"
            run("synth", "arina", prefix, "--scan", size, "--detector", "128x128", "--dose", "4000")
            scan = prefix + "_master.h5"
            for task, options, work in tasks(scan, folder):
                if task == "ptychography" and size != SIZES[0] and runs > 3:
                    rounds = 3
                else:
                    rounds = runs
                inside, seconds = 0, []
                for _ in range(rounds):
                    plan = json.loads(run("plan", scan, "--task", task, *options, "--json")[2])
                    shutil.rmtree(f"{folder}/out", ignore_errors=True)
                    took, peak, _ = run(*work)
                    seconds.append(took)
                    inside += plan["time"]["low_s"] <= took <= plan["time"]["high_s"]
                bar = plan["time"]
                print(f"{task:<13} {size:<8} {plan['peak_bytes'] / 1e6:7.1f} MB {peak / 1e6:6.1f} MB"
                      f"  {plan['peak_bytes'] / peak:.3f}   {bar['s']:.2f} ({bar['low_s']:.2f} to"
                      f" {bar['high_s']:.2f})   {min(seconds):.2f} to {max(seconds):.2f}"
                      f"   {inside} of {rounds}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
