"""Configures a preset when that is needed, and builds in it.

SPDX-License-Identifier: Apache-2.0
"""
import math
import os
import re
import shutil
import subprocess
import sys
import time

from sources import ROOT
from telling import Telling, run_telling

JOBS = len(os.sched_getaffinity(0))
BIN = ROOT / "build/release/bin"


def run_quietly(command, **options):
    """Runs a command without input: its exit status, and all that it printed."""
    run = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, cwd=ROOT,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="replace", **options)
    return run.returncode, run.stdout


def configure(preset):
    """Runs CMake if it never finished or the presets changed; Ninja does it for all other files."""
    folder = ROOT / "build" / preset
    made, presets = folder / "build.ninja", ROOT / "CMakePresets.json"
    if made.exists() and made.stat().st_mtime > presets.stat().st_mtime:
        return 0, ""
    if (folder / "CMakeCache.txt").exists():
        shutil.rmtree(folder / "CMakeFiles", ignore_errors=True)
        (folder / "CMakeCache.txt").unlink()
    return run_quietly(["cmake", "--preset", preset])


def build(preset="release", targets=(), seconds=math.inf):
    """Configures and builds, for so many seconds at most; exit status and output."""
    status, text = configure(preset)
    if status:
        return status, text
    status, text = run_telling(["ninja", "-C", f"build/{preset}", f"-j{JOBS}", *targets],
                               seconds, env=os.environ | {"NINJA_STATUS": "[%f/%t] "})
    # Ninja's folder, and its "no work to do", are not words of a compiler.
    return status, re.sub(r"(?m)^ninja: (Entering directory|no work to do).*\n", "", text)


def build_or_exit(preset="release", targets=()):
    """Builds for a person: progress on a terminal, the compiler's words where it failed."""
    start = time.monotonic()
    with Telling("build"):
        status, text = build(preset, targets)
    print(text if status else "", end="")
    seconds = time.monotonic() - start
    if status:
        sys.exit(f"build: {preset} failed after {seconds:.1f} s")
    print(f"build: {preset} is up to date, {seconds:.1f} s", flush=True)
