"""The stage of `./dev test` that builds the Python package beside the program, and runs its tests:
pytest in python/tests, the examples of its docstrings, and mypy.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import hashlib
import os
import re
import shutil
import sys
import time

from building import JOBS, build, run_quietly
from outcome import Outcome
from sources import ROOT

VENV = ROOT / "build/python-venv"
PACKAGE = ROOT / "build/release/python"
LISTED = ROOT / "python/requirements.txt"
NO_TEST = 5  # the exit status of pytest


def install():
    """Makes the virtual environment: why that is impossible here, or an empty text."""
    digest = hashlib.sha256(LISTED.read_bytes() + sys.version.encode()).hexdigest()
    stamp = VENV / "installed"
    if stamp.exists() and stamp.read_text() == digest:
        return ""
    shutil.rmtree(VENV, ignore_errors=True)
    status, text = run_quietly([sys.executable, "-m", "venv", VENV])
    if status:
        return text
    # A second try, because a registry may be busy.
    for attempt in range(2):
        time.sleep(5 * attempt)
        status, text = run_quietly([VENV / "bin/python", "-m", "pip", "install", "--quiet",
                                    "--disable-pip-version-check", "-r", LISTED])
        if not status:
            break
    if status:
        return text
    stamp.write_text(digest)
    return ""


def build_package():
    """Builds the package for the virtual environment's Python: the error, or an empty text."""
    why = install()
    if why:
        return why
    status, text = build("release", ["sluice", "make_czi"])
    if status:
        return text
    cache = (ROOT / "build/release/CMakeCache.txt").read_text()
    if "SLUICE_PYTHON:BOOL=ON" not in cache or f"{VENV}/bin/python" not in cache:
        status, text = run_quietly(["cmake", "-DSLUICE_PYTHON=ON",
                                    f"-DPython_EXECUTABLE={VENV}/bin/python", "build/release"])
        if status:
            return text
    status, text = run_quietly(["ninja", "-C", "build/release", "--quiet", f"-j{JOBS}",
                                "python_package"])
    return text if status else ""


def golden(update=False):
    """How python/golden/_core.pyi differs from the module, or an empty text."""
    status, text = run_quietly([VENV / "bin/python", "-m", "nanobind.stubgen", "-q", "-m",
                                "sluice._core", "-o", PACKAGE.parent / "_core.pyi"],
                               env=environment())
    if status:
        return text
    kept = ROOT / "python/golden/_core.pyi"
    # The commit of the build is not part of the interface.
    made = re.sub(r"(?m)^__commit__: str = .*$", "__commit__: str",
                  (PACKAGE.parent / "_core.pyi").read_text())
    if update:
        kept.write_text(made)
    if not kept.exists() or kept.read_text() != made:
        return ("python/golden/_core.pyi differs from the module; "
                "python3 tools/python_stage.py --update writes it\n")
    return ""


def environment():
    """Where Python finds the package that was built."""
    return {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}


def pytest(outcome, what, select):
    """Runs pytest on files, and adds what it counted; False: it found no test."""
    status, text = run_quietly([VENV / "bin/python", "-m", "pytest", "-q", "-rs", "--doctest-modules",
                                *what, "--durations=5", *select], env=environment())
    if status == NO_TEST:
        return False
    failed = 0
    for count, kind in re.findall(r"(\d+) (passed|failed|error)", text):
        outcome.passed += int(count) if kind == "passed" else 0
        failed += 0 if kind == "passed" else int(count)
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+: (.+)$", text, re.M):
        outcome.reasons[reason] = outcome.reasons.get(reason, 0) + int(count)
    outcome.failed += failed or bool(status)
    outcome.text += text if status else ""
    return True


def typed():
    """What mypy says, or an empty text."""
    status, words = run_quietly([VENV / "bin/python", "-m", "mypy", "--strict", "python/sluice"])
    return words if status else ""


def stage(outcome, select=()):
    """Runs everything; `select` are further words for pytest."""
    why = build_package()
    if why:
        outcome.failed, outcome.text = 1, why
        return outcome
    # Tests take one thread mostly, so that two halves run beside each other.
    tests = sorted((ROOT / "python/tests").rglob("test_*.py"))
    parts = [Outcome(), Outcome()]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = pool.map(lambda part, what: pytest(part, what, select), parts,
                         (tests[0::2], [*tests[1::2], PACKAGE / "sluice"]))
        said = [run.result() for run in (pool.submit(golden), pool.submit(typed))]
        found = list(found)
    for part in parts:
        outcome.passed += part.passed
        outcome.failed += part.failed
        outcome.text += part.text
        for reason, count in part.reasons.items():
            outcome.reasons[reason] = outcome.reasons.get(reason, 0) + count
    if not any(found):
        outcome.failed, outcome.text = outcome.failed + 1, outcome.text + "pytest found no test\n"
    for words in said:
        outcome.failed += 1 if words else 0
        outcome.passed += 0 if words else 1
        outcome.text += words
    return outcome


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: tools/python_stage.py --update   write python/golden/_core.pyi anew")
    sys.exit(build_package() or golden(update=True) or 0)
