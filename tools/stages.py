"""The stages of `./dev test`: each runs, prints one line, and says how many tests passed.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import dataclasses
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as xml

import foreign
import hostile.stage
import package_stage
import page_stages
import python_stage
from building import BIN, JOBS, build, run_quietly
from sources import ROOT, sources
from telling import Telling, run_telling

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


def one_check(*commands):
    """A stage that is one test: every command must succeed."""
    text, note = "", ""
    for command in commands:
        status, output = run_telling(command)
        note = output.strip().splitlines()[-1] if output.strip() else ""
        if status:
            text += output
    return Outcome(0, 1, text=text) if text else Outcome(1, 0, note=note)


def layout():
    files = sources()
    status, text = run_quietly(["clang-format", "--dry-run", "-Werror", *files])
    if status:
        found = re.findall(rf"^{re.escape(str(ROOT))}/(.+?):(\d+):\d+: error", text, re.M)
        first = dict(reversed(found))  # one line for each file
        lines = [f"{file}:{line}: not as clang-format lays it out" for file, line in first.items()]
        return Outcome(0, 1, text="\n".join(sorted(lines) or [text]) + "\n./dev fmt mends it\n")
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
                     [sys.executable, "tools/check_layers.py"])


def isa():
    return one_check([sys.executable, "tools/check_isa.py"])


def lint():
    return one_check([sys.executable, "tools/lint.py", f"-j{JOBS}"])


def compiled(preset="release", targets=()):
    status, text = build(preset, targets)
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
        # A program of many tests says itself what it left out: "cuda: 41 skipped (no device)".
        for who, count, why in re.findall(r"^([\w:]+): (\d+) skipped\b[ ,:]*(.*)$", output, re.M):
            if int(count):
                reasons[f"{who} {why}".strip()] += int(count)
    outcome.reasons = dict(reasons)
    return outcome


def ctest(preset="release", select=(), seconds=300):
    """Runs the tests that CMake knows of in a preset's folder, each for so many seconds at most."""
    report = ROOT / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)
    status, text = run_telling(
        ["ctest", "--test-dir", f"build/{preset}", f"-j{JOBS}", "--timeout", str(seconds),
         "--output-junit", report, "--test-output-size-passed", "100000",
         "--test-output-size-failed", "100000", *select])
    if not report.exists():
        return Outcome(0, 1, text=text)
    outcome = read_junit(report)
    if status and not outcome.failed:
        outcome.failed, outcome.text = 1, text
    if not outcome.passed and not outcome.failed:
        outcome.failed, outcome.text = 1, f"no test ran in build/{preset}\n"
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


def sanitized():
    """Parsers and codecs, and what broken bytes do to them, under ASan and UBSan."""
    src = ROOT / "src"
    programs = [f"test_{pathlib.PurePath(layer).name}" for layer in
                ("base", "codec", "format", "zarr", "server")
                if any((src / layer).rglob("*_test.cpp"))]
    fuzz = sorted(path.stem for path in src.rglob("*_fuzz.cpp"))
    built = compiled("asan", programs + fuzz)
    if built.failed:
        return built
    names = "|".join(programs)
    # ASan keeps what was freed for a while, which looks like the growth that SoakTest looks for.
    return ctest("asan", ["-R", rf"^({names})\.|^fuzz_replay\.", "-E", "SoakTest"])


def first_minutes():
    """What a newcomer runs first."""
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


def run_all(fast):
    """Runs every stage; the exit status."""
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
            done += [run_stage("demo", first_minutes), run_stage("lint", lint),
                     run_stage("asan", sanitized)]
    return summed_up(done)


def summed_up(done):
    """Prints the last line, the sum of all; the exit status."""
    failed = sum(outcome.failed for outcome in done)
    print(f"{sum(o.passed for o in done)} passed, {failed} failed, "
          f"{sum(o.skipped for o in done)} skipped", flush=True)
    return 1 if failed else 0
