"""The stage of `./dev test` that reads files which other people's programs wrote, and lets those
programs read ours: every tests/foreign/*_matrix.py, in a virtual environment of its own. With
`./dev fuzz foreign` the same scripts draw their files at random.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import contextlib
import fcntl
import hashlib
import itertools
import random
import re
import shutil
import subprocess
import sys
import time

from building import BIN, JOBS, run_quietly
from sources import ROOT
from verdicts import CACHE

FOLDER = ROOT / "tests/foreign"
VENVS = CACHE / "foreign"
COUNTS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
SKIP = re.compile(r"^skipped (\d+): (.+)$", re.MULTILINE)
DRAWN = re.compile(r"^FAILED (--seed \d+ --only \S+): (.+)$", re.MULTILINE)
KEPT = ROOT / "build/foreign/seeds"


def wanted(script):
    """The list of packages of a script: that of its first words, which is complete, or of most."""
    words = script.name.removesuffix("_matrix.py").split("_")
    for count in range(len(words), 0, -1):
        own = FOLDER / ("_".join(words[:count]) + "_requirements.txt")
        if own.exists():
            return own
    return FOLDER / "requirements.txt"


def venv(script):
    """The virtual environment of a script: of its list and of this Python, for every clone."""
    packages = wanted(script)
    digest = hashlib.sha256(packages.read_bytes() + sys.version.encode()).hexdigest()
    own = packages.stem.removesuffix("requirements").rstrip("_") or "most"
    return VENVS / f"{own}-{digest[:12]}"


@contextlib.contextmanager
def alone():
    """One run at a time makes virtual environments."""
    VENVS.mkdir(parents=True, exist_ok=True)
    with open(VENVS / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def forget_old():
    """Removes virtual environments that nobody has used for two weeks."""
    for folder in VENVS.iterdir():
        stamp = folder / "installed"
        if folder.is_dir() and stamp.exists() and time.time() - stamp.stat().st_mtime > 14 * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def install(script):
    """Makes the virtual environment of a script: why that is impossible here, or an empty text."""
    with alone():
        stamp = venv(script) / "installed"
        if stamp.exists():
            stamp.touch()
            return ""
        forget_old()
        return made(script, stamp)


def made(script, stamp):
    """Makes it anew."""
    packages, folder = wanted(script), venv(script)
    shutil.rmtree(folder, ignore_errors=True)
    status, text = run_quietly([sys.executable, "-m", "venv", folder])
    if status:
        return f"foreign: no virtual environment ({text.strip().splitlines()[-1]})"
    complete = [] if packages.name == "requirements.txt" else ["--no-deps"]
    # A second try, because a registry may be busy; each is bounded, because it may be silent.
    for attempt in range(2):
        time.sleep(5 * attempt)
        try:
            status, text = run_quietly(
                [folder / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary=:all:",
                 "--disable-pip-version-check", "--retries", "2", *complete, "-r", packages],
                timeout=600)
        except subprocess.TimeoutExpired:
            status, text = 1, "pip needs more than ten minutes"
        if not status:
            stamp.touch()
            return ""
    return f"foreign: packages could not be installed ({text.strip().splitlines()[-1]})"


def scripts():
    return sorted(FOLDER.glob("*_matrix.py"))


def command(script, out):
    return [venv(script) / "bin/python", script, "--sluice", BIN / "sluice", "--out", out]


def run_script(script, outcome, out):
    """Runs one script and adds what it counted to the outcome."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    try:
        status, text = run_quietly(command(script, out), timeout=600)
    except subprocess.TimeoutExpired:
        status, text = 1, "needs more than ten minutes\n"
    lines = text.strip().splitlines()
    counts = COUNTS.search(lines[-1]) if lines else None
    if not counts or sum(map(int, counts.groups())) == 0:
        outcome.failed += 1
        outcome.text += f"--- {script.name} (it ran no test, exit {status})\n{text}"
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
    for script in scripts():
        if why := install(script):
            outcome.reasons[why] = outcome.reasons.get(why, 0) + 1
        else:
            run_script(script, outcome, ROOT / "build/foreign" / script.stem)
    return outcome


def run_seed(script, seed):
    """Cases drawn from a seed: [(script, how to repeat it, what is wrong)], and how many passed."""
    # The scripts run beside each other, so each runs one case at a time.
    words = [*command(script, KEPT / script.stem), "--seed", seed, "--jobs", 1]
    try:
        status, text = run_quietly(words, timeout=1800)
    except subprocess.TimeoutExpired:
        status, text = 1, "needs more than half an hour"
    findings = [(script, *found) for found in DRAWN.findall(text)]
    counts = COUNTS.search(text)
    if not counts or (status and not findings):
        last = (text.strip().splitlines() or ["no word"])[-1]
        findings.append((script, f"--seed {seed}", f"the script ends with {status}: {last}"))
    return findings, int(counts[1]) if counts else 0


def family(finding):
    """The words that findings of one cause share, without numbers, paths and values."""
    script, _, said = finding
    said = re.sub(r"/\S+|\[.*?\]|\(.*?\)|\{.*?\}", "~", said)
    return script.stem, re.sub(r"-?\d[\d.,x:e+-]*", "N", said)[:80]


def told(finding):
    script, again, said = finding
    words = [*command(script, KEPT / script.stem), again]
    shown = " ".join(str(word).removeprefix(f"{ROOT}/") for word in words)
    return f"{script.stem}: {said[:400]}\n    again: {shown}"


def campaign(tasks, run, seconds, say, workers=JOBS):
    """Runs tasks until the time is over, says each family once: families, tasks, cases passed."""
    end = time.monotonic() + seconds
    families, done, passed, waiting = {}, 0, 0, set()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        while waiting or time.monotonic() < end:
            while len(waiting) < workers and time.monotonic() < end:
                waiting.add(pool.submit(run, *next(tasks)))
            ready, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for findings, good in (one.result() for one in ready):
                done, passed = done + 1, passed + good
                for finding in findings:
                    if family(finding) not in families:
                        say(told(finding))
                    families.setdefault(family(finding), []).append(finding)
    return families, done, passed


def by_hand(args):
    """`foreign [HOURS]`: the exit status."""
    hours = float(args[0]) if args else 1 / 60
    reasons = {script: why for script in scripts() if (why := install(script))}
    chosen = [script for script in scripts() if script not in reasons]
    print("".join(f"{script.name} is left out: {why}\n" for script, why in reasons.items()), end="")
    if not chosen:
        sys.exit("fuzz: no script can run here")
    first = random.SystemRandom().randrange(1 << 32)
    print(f"{len(chosen)} scripts, from seed {first} on, for {hours:g} hours; findings go to "
          f"{KEPT.relative_to(ROOT)}", flush=True)
    tasks = ((script, seed) for seed in itertools.count(first) for script in chosen)
    families, runs, passed = campaign(tasks, run_seed, hours * 3600,
                                      say=lambda text: print(text, flush=True))
    failed = sum(map(len, families.values()))
    print(f"\n{runs} runs, {passed} cases passed, {failed} failed in {len(families)} ways")
    return 1 if families else 0
