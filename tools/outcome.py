"""What a stage of `./dev test` finds, and the ways to find it: commands, builds, runs of CTest.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import dataclasses
import math
import os
import re
import xml.etree.ElementTree as xml

from building import JOBS, build
from sources import ROOT
from telling import run_telling

SHOWN = 80  # lines of one failure


@dataclasses.dataclass
class Outcome:
    """What a stage found."""
    passed: int = 0
    failed: int = 0
    reasons: dict = dataclasses.field(default_factory=dict)  # why skipped -> how many
    text: str = ""  # what to read when something failed
    note: str = ""  # said behind the numbers

    @property
    def skipped(self):
        return sum(self.reasons.values())

    def add(self, other):
        """Adds what another run found."""
        self.passed += other.passed
        self.failed += other.failed
        self.text += other.text
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count


def one_check(*commands):
    """A stage that is one test: every command must succeed."""
    text, note = "", ""
    for command in commands:
        status, output = run_telling(command)
        note = output.strip().splitlines()[-1] if output.strip() else ""
        if status:
            text += output
    return Outcome(0, 1, text=text) if text else Outcome(1, 0, note=note)


def compiled(preset="release", targets=(), seconds=math.inf):
    status, text = build(preset, targets, seconds)
    lines = [line for line in text.splitlines() if not line.startswith("-- ")]
    # Of a compiler's words the first ones say what is wrong.
    return Outcome(0, 1, text="\n".join(lines[:SHOWN])) if status else Outcome(1, 0)


def reason_of(output, message):
    """Why a test was skipped: the words given to GTEST_SKIP, or what CTest says."""
    said = re.search(r": Skipped\n(.+)", output)
    return said[1].strip() if said else message or "no reason given"


def read_junit(path):
    """The outcome of a CTest run, out of its JUnit file."""
    outcome, reasons = Outcome(), collections.Counter()
    for case in xml.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        skipped = case.find("skipped")
        if case.get("status") == "fail" or (case.get("status") == "notrun" and skipped is None):
            outcome.failed += 1
            lines = output.splitlines()[-SHOWN:]
            outcome.text += f"--- {case.get('name')}\n" + "\n".join(lines) + "\n"
        elif skipped is not None:
            reasons[reason_of(output, skipped.get("message"))] += 1
        elif case.get("status") == "disabled":
            reasons["disabled"] += 1
        else:
            outcome.passed += 1
        # A program of many tests reports the tests that it left out: "cuda: 41 skipped (no device)".
        for who, count, why in re.findall(r"^([\w:]+): (\d+) skipped\b[ ,:]*(.*)$", output, re.M):
            if int(count):
                reasons[f"{who} {why}".strip()] += int(count)
    outcome.reasons = dict(reasons)
    return outcome


def ctest(preset="release", select=(), seconds=300, env=None, altogether=math.inf):
    """Runs the tests that CMake knows of in a preset's folder, each for so many seconds at most."""
    report = ROOT / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)
    status, text = run_telling(
        ["ctest", "--test-dir", f"build/{preset}", f"-j{JOBS}", "--timeout", str(seconds),
         "--output-junit", report, "--test-output-size-passed", "100000",
         "--test-output-size-failed", "100000", *select], altogether,
        env=os.environ | (env or {}))
    if not report.exists():
        return Outcome(0, 1, text=text)
    outcome = read_junit(report)
    if status and not outcome.failed:
        outcome.failed, outcome.text = 1, text
    if not outcome.passed and not outcome.failed:
        outcome.failed, outcome.text = 1, f"no test ran in build/{preset}\n"
    return outcome
