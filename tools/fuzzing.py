"""Runs the libFuzzer targets for a while, each on a copy of its corpus.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import re
import shutil
import sys

import foreign
import hostile.stage
from building import JOBS, build_or_exit, run_quietly
from sources import ROOT

CORPUS = ROOT / "build/fuzz-corpus"


def targets(wanted):
    """The names of the fuzz targets; those that begin with `wanted`, where it is given."""
    names = sorted(path.stem for path in (ROOT / "src").rglob("*_fuzz.cpp"))
    found = [name for name in names if name.startswith(wanted)]
    if not found:
        sys.exit(f"fuzz: no target {wanted} (there are {', '.join(names)}) choose one of these")
    return found


def fuzz(name, seconds):
    """Runs a target: whether it survived, and what to say."""
    corpus, artifacts = CORPUS / name, CORPUS / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    artifacts.mkdir(exist_ok=True)
    for seed in (ROOT / "tests/fuzz" / name).glob("*"):
        shutil.copy(seed, corpus)
    status, text = run_quietly(
        [ROOT / "build/fuzz/bin" / name, corpus, f"-max_total_time={seconds}", "-timeout=20",
         "-rss_limit_mb=3000", f"-artifact_prefix={artifacts}/{name}-", "-print_final_stats=1"])
    runs = re.search(r"number_of_executed_units: (\d+)", text)
    line = f"{name:24} {seconds} s, {runs[1] if runs else '?'} runs, " \
           f"{len(list(corpus.iterdir()))} inputs kept"
    if status == 0:
        return True, line
    written = re.search(r"Test unit written to (\S+)", text)
    where = written[1] if written else "(no input was written)"
    tail = "\n".join(f"    {part}" for part in text.splitlines()[-60:])
    return False, f"{name:24} CRASHED\n{tail}\n{name}: the input is {where}\n" \
                  f"    again: build/fuzz/bin/{name} {where}\n" \
                  f"    when it is fixed: add the file to tests/fuzz/{name}/"


def run(args):
    """`fuzz [name] [seconds]`, `fuzz files [hours]` or `fuzz foreign [hours]`: the exit status."""
    by_hand = {"files": hostile.stage.by_hand, "foreign": foreign.by_hand}
    if args and args[0] in by_hand:
        build_or_exit("release", ["sluice", "make_czi", "music_stages"])
        return by_hand[args[0]](args[1:])
    numbers = [word for word in args if word.isdigit()]
    names = [word for word in args if not word.isdigit()]
    seconds = int(numbers[0]) if numbers else 30
    chosen = targets(names[0] if names else "")
    build_or_exit("fuzz", chosen)
    survived = True
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for good, text in pool.map(lambda name: fuzz(name, seconds), chosen):
            print(text, flush=True)
            survived = survived and good
    return 0 if survived else 1
