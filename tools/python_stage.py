"""The stage of `./dev test` that builds the Python package beside the program, and runs its tests:
pytest in python/tests, the examples of its docstrings, and mypy.

SPDX-License-Identifier: Apache-2.0
"""
import hashlib
import os
import re
import shutil
import sys
import time

from building import JOBS, build, run_quietly
from sources import ROOT

VENV = ROOT / "build/python-venv"
PACKAGE = ROOT / "build/release/python"
LISTED = ROOT / "python/requirements.txt"


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


def stage(outcome, select=()):
    """Runs everything; `select` are further words for pytest."""
    why = build_package()
    if why:
        outcome.failed, outcome.text = 1, why
        return outcome
    status, text = run_quietly(
        [VENV / "bin/python", "-m", "pytest", "-q", "-rs", "--doctest-modules", "python/tests",
         PACKAGE / "sluice", "--durations=5", *select], env=environment())
    for count, what in re.findall(r"(\d+) (passed|failed|skipped|error)", text):
        name = "failed" if what == "error" else what
        if name == "skipped":
            continue
        setattr(outcome, name, getattr(outcome, name) + int(count))
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+: (.+)$", text, re.M):
        outcome.reasons[reason] = outcome.reasons.get(reason, 0) + int(count)
    if status and not outcome.failed:
        outcome.failed = 1
    outcome.text = text if status else ""
    why = golden()
    outcome.failed += 1 if why else 0
    outcome.passed += 0 if why else 1
    outcome.text += why
    typed, words = run_quietly([VENV / "bin/python", "-m", "mypy", "--strict", "python/sluice"])
    outcome.failed += 1 if typed else 0
    outcome.passed += 0 if typed else 1
    outcome.text += words if typed else ""
    return outcome


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: tools/python_stage.py --update   write python/golden/_core.pyi anew")
    sys.exit(build_package() or golden(update=True) or 0)
