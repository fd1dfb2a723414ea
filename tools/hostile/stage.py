"""The stage `hostile` of `./dev test`, and `./dev fuzz files`.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import random
import shutil
import sys

from . import campaign, known, seeds

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARIES = ROOT / "build/release/bin"
KEPT = ROOT / "build/hostile"
WORKERS = 2
SECONDS = 60
SEED = 1  # of `./dev test`: the number of its first mutation


def summary(families):
    """A line for each family of findings, and how to repeat the first of them."""
    lines = []
    for family, findings in sorted(families.items()):
        first = findings[0]
        lines.append(f"{len(findings):5} x {family}\n        {first.said[:300]}\n"
                     f"        again: ./dev fuzz files {first.case}:{first.number}")
    return "\n".join(lines) + "\n"


def split(families):
    """Those that are new, and those that tests/hostile/known.txt explains."""
    expected = known.read(ROOT / "tests/hostile/known.txt")
    fresh = {f: all_ for f, all_ in families.items() if not expected.explains(f)}
    return fresh, len(families) - len(fresh)


def in_tests():
    """(findings, runs, what to read, note)."""
    seconds = int(os.environ.get("SLUICE_HOSTILE_SECONDS", SECONDS))
    shutil.rmtree(KEPT / "test", ignore_errors=True)
    families, runs = campaign.run(BINARIES, seconds, SEED, KEPT / "test", WORKERS,
                                  say=lambda _: None)
    fresh, explained = split(families)
    note = f"{runs} damaged files from number {SEED} on, in {len(seeds.CASES)} kinds"
    note += f", {explained} known families" if explained else ""
    return sum(map(len, fresh.values())), runs, summary(fresh), note


def again(case, number):
    """Repeats one mutation: the exit status."""
    case = next((one for one in seeds.CASES if one.name == case), None)
    if not case:
        sys.exit(f"fuzz: no such kind (there are {', '.join(one.name for one in seeds.CASES)})")
    with campaign.scratch() as root:
        root = pathlib.Path(root)
        seed = campaign.prepare(case, root, BINARIES)
        finding = campaign.one(seed, number, root / "work", BINARIES)
        if not finding:
            print(f"{case.name}:{number}: nothing is wrong with it")
            return 0
        campaign.keep(finding, [seed], KEPT / "again")
        print(pathlib.Path(finding.folder, "again.txt").read_text(), end="")
        return 1


def by_hand(args):
    """`files [HOURS | CASE:NUMBER] [CASE...]`: the exit status."""
    if args and ":" in args[0]:
        case, number = args[0].split(":")
        return again(case, int(number))
    hours = float(args[0]) if args else 1 / 60
    chosen = [case for case in seeds.CASES
              if not args[1:] or any(case.name.startswith(name) for name in args[1:])]
    first = random.SystemRandom().randrange(1 << 40)
    print(f"{len(chosen)} kinds of files, from number {first} on, for {hours:g} hours; findings go "
          f"to {KEPT.relative_to(ROOT)}", flush=True)
    families, runs = campaign.run(BINARIES, hours * 3600, first, KEPT, os.cpu_count() or WORKERS,
                                  chosen, say=lambda text: print(text, flush=True))
    fresh, explained = split(families)
    print(f"\n{runs} damaged files, {len(fresh)} families of findings, {explained} known ones\n"
          + summary(fresh), end="")
    return 1 if fresh else 0
