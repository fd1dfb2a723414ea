"""The stage of `./dev test` that reads files which other people's programs wrote, and lets those
programs read ours: every tests/foreign/*_matrix.py, in a virtual environment of its own.

SPDX-License-Identifier: Apache-2.0
"""
import hashlib
import re
import shutil
import subprocess
import sys
import time

from building import BIN, run_quietly
from sources import ROOT

FOLDER = ROOT / "tests/foreign"
WANTED = FOLDER / "requirements.txt"
VENV = ROOT / "build/foreign-venv"
COUNTS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
SKIP = re.compile(r"^skipped (\d+): (.+)$", re.MULTILINE)


def install():
    """Makes the virtual environment: why that is impossible here, or nothing."""
    digest = hashlib.sha256(WANTED.read_bytes() + sys.version.encode()).hexdigest()
    stamp = VENV / "installed"
    if stamp.exists() and stamp.read_text() == digest:
        return ""
    shutil.rmtree(VENV, ignore_errors=True)
    status, text = run_quietly([sys.executable, "-m", "venv", VENV])
    if status:
        return f"foreign: no virtual environment ({text.strip().splitlines()[-1]})"
    # A second try, because a registry may be busy; each is bounded, because it may be silent.
    for attempt in range(2):
        time.sleep(5 * attempt)
        try:
            status, text = run_quietly(
                [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary=:all:",
                 "--disable-pip-version-check", "--retries", "2", "-r", WANTED], timeout=600)
        except subprocess.TimeoutExpired:
            status, text = 1, "pip needs more than ten minutes"
        if not status:
            stamp.write_text(digest)
            return ""
    return f"foreign: its packages could not be installed ({text.strip().splitlines()[-1]})"


def scripts():
    return sorted(FOLDER.glob("*_matrix.py"))


def run_script(script, outcome, out):
    """Runs one script and adds what it counted to the outcome."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    try:
        status, text = run_quietly([VENV / "bin/python", script, "--sluice", BIN / "sluice",
                                    "--out", out], timeout=600)
    except subprocess.TimeoutExpired:
        status, text = 1, "needs more than ten minutes\n"
    lines = text.strip().splitlines()
    counts = COUNTS.search(lines[-1]) if lines else None
    if not counts or sum(map(int, counts.groups())) == 0:
        outcome.failed += 1
        outcome.text += f"--- {script.name} (it tested nothing, exit {status})\n{text}"
        return
    passed, failed, skipped = map(int, counts.groups())
    outcome.passed += passed
    outcome.failed += failed or (1 if status else 0)
    reasons = {why: int(count) for count, why in SKIP.findall(text)}
    if sum(reasons.values()) != skipped:
        reasons = {f"{script.name}: see its output": skipped} if skipped else {}
    for why, count in reasons.items():
        outcome.reasons[why] = outcome.reasons.get(why, 0) + count
    if failed or status:
        outcome.text += f"--- {script.name}\n" + "\n".join(lines[-60:]) + "\n"
    else:
        shutil.rmtree(out)


def stage(outcome):
    """Runs every script; all are skipped and counted where PyPI is not reached."""
    if why := install():
        outcome.reasons = {why: len(scripts())}
        return outcome
    for script in scripts():
        run_script(script, outcome, ROOT / "build/foreign" / script.stem)
    return outcome
