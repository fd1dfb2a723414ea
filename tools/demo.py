"""`./dev demo`: builds the program alone, and tells what it is doing and about how long is left.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import subprocess
import sys
import time

import packages
from building import JOBS, configure
from sources import ROOT

# What the steps took on two cores of an AMD EPYC with nothing compiled, in seconds (the packages:
# a guess). Only their ratios count: this machine's pace shows as they are done.
WEIGHTS = {"packages": 60, "configure": 9, "build": 233, "scan": 1, "look": 1, "measure": 4}
BIN = ROOT / "build/demo/bin"  # a preset of its own, which compiles many files as one
SECTIONS = ("build", "libraries", "page", "tests")
EVERY = 10  # seconds between two lines where no terminal is


class Left:
    """How long is left: the weights of the coming steps, at the pace of the finished ones."""

    def __init__(self, steps, clock=time.monotonic):
        self.todo = {step: float(WEIGHTS[step]) for step in steps}
        self.total = sum(self.todo.values())
        self.clock, self.start = clock, clock()

    def done(self, step, part=1.0):
        """So much of a step is done, 0 to 1."""
        self.todo[step] = WEIGHTS[step] * (1 - part)

    def seconds(self):
        """The seconds left; the guessed pace counts until a tenth of all is done."""
        left = sum(self.todo.values())
        done = self.total - left
        pace = (self.clock() - self.start) / done if done > self.total / 10 else 1.0
        return left * pace

    def words(self):
        seconds = self.seconds()
        if seconds < 55:
            return f"about {max(10, round(seconds, -1)):.0f} s left, by estimate"
        return f"about {max(1, round(seconds / 60))} min left, by estimate"


def say(text, left, end="\n"):
    print(f"{text}; {left.words()}", end=end, flush=True)


def ninja(left, target="sluice"):
    """Builds the program: the exit status, and the compiler's output where it failed."""
    command = ["ninja", "-C", "build/demo", f"-j{JOBS}", target]
    env = os.environ | {"NINJA_STATUS": "[%f/%t] "}
    run = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    terminal, said, failed = sys.stdout.isatty(), time.monotonic(), []
    for line in run.stdout:
        count = re.match(r"\[(\d+)/(\d+)\] ", line)
        if not count or failed:
            failed += [line] if failed or line.startswith("FAILED") else []
            continue
        number, all_files = int(count[1]), int(count[2])
        left.done("build", number / all_files)
        if terminal or time.monotonic() - said > EVERY:
            said = time.monotonic()
            say(f"building: {number} of {all_files} steps", left, "  \r" if terminal else "\n")
    print(" " * 78 + "\r" if terminal else "", end="")
    return run.wait(), "".join(failed[:200])


def step(left, name, *command):
    """Shows a command as one would type it, runs it, and ends the program when it fails."""
    words = [str(word) for word in command]
    shown = " ".join(word.removeprefix(f"{BIN}/").removeprefix(f"{ROOT}/") for word in words)
    say(f"\n$ {shown}\n  ({name}", left, ")\n")
    status = subprocess.run(words, cwd=ROOT).returncode
    if status:
        sys.exit(status)
    left.done(name)


def prepare(left):
    """Packages, configuration and the program."""
    if "packages" in left.todo:
        say("installing Debian's packages", left)
        packages.install(*SECTIONS)
        left.done("packages")
    say("configuring", left)
    status, text = configure("demo")
    left.done("configure")
    if not status:
        say("building the program, without its tests", left)
        status, text = ninja(left)
    if status:
        sys.exit(f"{text}demo: the program was not built (see above)")
    left.done("build")


def run(python):
    """A scan, what is in it, and how fast; `python` may have the rivals of bench/run.py."""
    start = time.monotonic()
    missing = packages.missing([p for s in SECTIONS for p in packages.listed()[s]])
    left = Left([s for s in WEIGHTS if s != "packages" or missing])
    prepare(left)
    sluice, scan = BIN / "sluice", "demo/si_master.h5"
    (ROOT / "demo").mkdir(exist_ok=True)
    if not (ROOT / scan).exists():
        step(left, "scan", sluice, "synth", "arina", "demo/si", "--scan", "128x128", "--dose",
             "6100")
    left.done("scan")
    step(left, "look", sluice, "info", "--memory", scan)
    step(left, "look", sluice, "stem4d", "overview", scan, "--out", "demo/overview")
    step(left, "measure", python, "bench/run.py", "--quick", "--sluice", sluice)
    print(f"\nThat took {time.monotonic() - start:.0f} s."
          "\nThe picture: demo/overview/overview.png"
          "\nMore rivals and the full table: ./dev bench"
          "\n\nNow look at it live; this opens the viewer in a browser:"
          f"\n    {sluice.relative_to(ROOT)} view {scan} --browser")
