#!/usr/bin/env python3
"""Runs clang-tidy on the sources of the library; a file that has not changed is not read again.

SPDX-License-Identifier: Apache-2.0

    tools/lint.py [-j N] [FILE ...]

A file counts as unchanged while it, the headers of this tree that it reaches, its compile command,
.clang-tidy, clang-tidy itself and the libraries' packages are the same (tools/verdicts.py).

Files that `./dev demo` compiles as one are read as one first, since most of the time goes into
headers. Where that finds something, each of them is read alone, and those findings count.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import deadline
from building import configure
from sources import ROOT, closure
from verdicts import Verdicts, state_of, versions

BUILD = ROOT / "build/release"
# Tests repeat themselves on purpose, and per-ISA files hold compiler vectors clang reads otherwise.
SKIPPED = re.compile(r"_(test|fuzz)\.cpp$|\.isa\.cpp$")


def commands():
    """The compile command of each source of the library that is to be checked."""
    listed = json.loads((BUILD / "compile_commands.json").read_text())
    found = {pathlib.Path(entry["file"]): entry["command"] for entry in listed}
    return {path: command for path, command in sorted(found.items())
            if path.is_relative_to(ROOT / "src") and path.suffix == ".cpp"
            and not SKIPPED.search(path.name)}


def common_state():
    """What the verdicts on all files depend on: clang-tidy, its list, the libraries' headers."""
    return versions(["clang-tidy", "--version"]) + b"\0" + (ROOT / ".clang-tidy").read_bytes()


def state_of_source(path, command, common, root=ROOT):
    """A name for everything that the verdict on a file depends on, wherever the clone is."""
    words = " ".join(arguments(command)).replace(f"{root}/", "")
    return state_of(common + words.encode(), closure(path, root), root)


def arguments(command):
    """What of a compile command clang's front end needs: where headers are, and which names."""
    words = iter(shlex.split(command))
    kept = ["-std=c++20", "-Wall", "-Wextra"]
    for word in words:
        if word in ("-isystem", "-I", "-D"):
            kept += [word, next(words)]
        elif word.startswith(("-I", "-D")):
            kept.append(word)
    return kept


def tidy(path, command, *options):
    """Checks a file: its findings, or an empty text."""
    run = subprocess.run(["clang-tidy", "--quiet", *options, str(path), "--", *arguments(command)],
                         capture_output=True, text=True)
    if run.returncode == 0:
        return ""
    return (run.stdout or run.stderr).replace(f"{ROOT}/", "")


def joined(folder=ROOT / "build/demo"):
    """The files that the demo compiles as one: for each its group."""
    status, text = configure("demo")
    if status:
        sys.exit(f"{text}lint: the demo preset could not be configured")
    groups = {}
    for unit in sorted(folder.rglob("Unity/unity_*_cxx.cxx")):
        for name in re.findall(r'^#include "(.+)"$', unit.read_text(), re.M):
            groups[pathlib.Path(name)] = unit
    return groups


def batches(todo, listed, groups):
    """What to read in one go: files of one group that are compiled alike."""
    found = {}
    for path in todo:
        key = (groups.get(path, path), *arguments(listed[path]))
        found.setdefault(key, []).append(path)
    return list(found.values())


def tidy_all(paths, listed):
    """Checks files: for each its findings, or an empty text."""
    if len(paths) > 1:
        with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=BUILD) as whole:
            whole.writelines(f'#include "{path}"\n' for path in paths)
            whole.flush()
            if not tidy(whole.name, listed[paths[0]], "--header-filter=.*/(src|include)/.*"):
                return {path: "" for path in paths}
    return {path: tidy(path, listed[path]) for path in paths}


def in_time(paths, listed):
    """Checks files unless the time of `./dev test` is over: for each that it checked its findings."""
    return tidy_all(paths, listed) if deadline.seconds_left() > 0 else {}


def main():
    options = argparse.ArgumentParser(description="Runs clang-tidy on changed files.")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("-j", type=int, default=os.cpu_count())
    args = options.parse_args()
    common = common_state()
    wanted = {file.resolve() for file in args.files}
    listed = commands()
    states = {path: state_of_source(path, command, common) for path, command in listed.items()
              if not wanted or path in wanted}
    verdicts = Verdicts("lint")
    todo = [path for path, state in states.items() if not verdicts.holds(state)]
    groups = joined() if len(todo) > 1 else {}
    bad, left = 0, set(todo)
    # Each verdict is kept as it comes, so an interrupted run is not lost.
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        runs = [pool.submit(in_time, batch, listed) for batch in batches(todo, listed, groups)]
        for done, run in enumerate(concurrent.futures.as_completed(runs), 1):
            print(f"[{done}/{len(runs)}] read", flush=True)
            for path, text in run.result().items():
                left.discard(path)
                if text:
                    bad += 1
                    print(text, end="", flush=True)
                # A file that changed meanwhile was read in its new state.
                elif state_of_source(path, listed[path], common) == states[path]:
                    verdicts.keep(states[path])
    print(f"lint: {len(states)} files, {len(todo) - len(left)} read, {bad} with findings"
          + (f", {len(left)} left to the next run: no time" if left else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
