"""The stages of `./dev test`: each runs, prints one line, and says how many tests passed.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import sys
import time

import deadline
import foreign
import hostile.stage
import package_stage
import page_stages
import python_stage
import sanitized
import second_compiler
from building import BIN, JOBS, run_quietly
from outcome import SHOWN, Outcome, compiled, ctest, one_check
from sources import ROOT, sources
from telling import Telling

DEMO_MINUTES = 15  # without a cache of the compiler, on two cores


def layout():
    files = sources()
    status, text = run_quietly(["clang-format", "--dry-run", "-Werror", *files])
    if status:
        found = re.findall(rf"^{re.escape(str(ROOT))}/(.+?):(\d+):\d+: error", text, re.M)
        first = dict(reversed(found))  # one line for each file
        lines = [f"{file}:{line}: clang-format lays it out otherwise" for file, line in first.items()]
        return Outcome(0, 1, text="\n".join(sorted(lines) or [text]) + "\n./dev fmt fixes it\n")
    return Outcome(1, 0, note=f"{len(files)} files")


def tools():
    """The checks of this folder, checked."""
    tests = sorted((ROOT / "tools").glob("*_test.py"))
    outcome = one_check(*([sys.executable, test] for test in tests),
                        [sys.executable, "tools/check_isa.py", "--self-test"])
    outcome.note = ""
    return outcome


def layers():
    return one_check([sys.executable, "tools/layers.py"],
                     [sys.executable, "tools/check_layers.py"],
                     [sys.executable, "tools/public_names.py"])


def isa():
    return one_check([sys.executable, "tools/check_isa.py"])


def lint():
    outcome = one_check([sys.executable, "tools/lint.py", f"-j{JOBS}"])
    left = re.search(r"(\d+) left to the next run", outcome.note)
    if left:
        outcome.reasons["no time was left; the next run reads these files"] = int(left[1])
    return outcome


def transcripts():
    """The command line, command by command."""
    status, text = run_quietly([sys.executable, "tools/run_transcripts.py", "--bin", BIN])
    counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\s*\Z", text)
    if not counts:
        return Outcome(0, 1, text=text)
    reasons = {f"{who} {why}": int(count) for who, count, why in
               re.findall(r"^(\w+): (\d+) skipped (\(.*\))$", text, re.M)}
    return Outcome(int(counts[1]), int(counts[2]), reasons, text if status else "")


def first_minutes():
    """What a newcomer runs first. It is compiled anew: on a new machine the other stages take all the time."""
    if deadline.seconds_left() < DEMO_MINUTES * 60:
        return Outcome(0, 0, {"no time was left; the next run does it": 1})
    return one_check([sys.executable, "dev", "demo"])


def damaged_files():
    """Whole files, damaged, through the command line."""
    found, runs, text, note = hostile.stage.in_tests()
    return Outcome(runs - found, found, text=text, note=note)


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines()[-4 * SHOWN:])


def run_stage(name, stage):
    """Runs a stage and prints its line."""
    start = time.monotonic()
    with Telling(name):
        outcome = stage()
    seconds = time.monotonic() - start
    words = [f"{outcome.passed} passed"] if outcome.passed else []
    words += [f"{outcome.failed} FAILED"] if outcome.failed else []
    words += [f"{outcome.skipped} skipped"] if outcome.skipped else []
    note = f"  ({outcome.note})" if outcome.note else ""
    print(f"{name:12} {seconds:7.1f} s  {', '.join(words) or 'nothing to do'}{note}")
    for reason, count in sorted(outcome.reasons.items()):
        print(f"    skipped {count}: {reason}")
    print(indented(outcome.text) if outcome.failed else "", end="", flush=True)
    return outcome


def run_all(fast, deep):
    """Runs every stage; the exit status."""
    if deep:
        os.environ["SLUICE_DEEP"] = "1"  # base/test_deep.h
    else:
        deadline.begin()
    done = [run_stage("format", layout), run_stage("tools", tools), run_stage("layers", layers),
            run_stage("build", compiled)]
    if not done[-1].failed:
        done += [run_stage("isa", isa), run_stage("ctest", ctest),
                 run_stage("transcripts", transcripts),
                 run_stage("foreign", lambda: foreign.stage(Outcome())),
                 run_stage("hostile", damaged_files),
                 run_stage("python", lambda: python_stage.stage(Outcome())),
                 run_stage("package", lambda: package_stage.stage(Outcome())),
                 run_stage("page", lambda: page_stages.unit(Outcome())),
                 run_stage("browser", lambda: page_stages.browser(Outcome()))]
        if not fast:
            done += [run_stage("demo", first_minutes), run_stage("lint", lint)]
            done += [run_stage(kind.name, lambda kind=kind: sanitized.stage(kind, deep))
                     for kind in sanitized.KINDS]
        if deep:
            done += [run_stage("clang", second_compiler.stage)]
    return summed_up(done)


def summed_up(done):
    """Prints the last line, the sum of all; the exit status."""
    failed = sum(outcome.failed for outcome in done)
    print(f"{sum(o.passed for o in done)} passed, {failed} failed, "
          f"{sum(o.skipped for o in done)} skipped", flush=True)
    return 1 if failed else 0
