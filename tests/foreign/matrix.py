"""What the scripts of this folder share: arguments, counting, running a program with a limit.

SPDX-License-Identifier: Apache-2.0

    x_matrix.py --sluice build/release/bin/sluice --out FOLDER      the fixed cases
    x_matrix.py ... --seed 7                                        cases drawn at random from 7
    x_matrix.py ... [--seed 7] --only NAME                          those whose name has it

The last line is "N passed, N failed, N skipped", for tools/foreign.py; the exit status is 1 if any
failed. A drawn case that failed keeps its files.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import pathlib
import random
import shutil
import subprocess
import sys

SECONDS = 120  # of one run: a hundred times what it needs, because machines are busy


class Skip(Exception):
    """A case that this machine or another program cannot make, and why."""


@contextlib.contextmanager
def packages():
    """Other people's programs are imported in here; where one lacks, the script is skipped."""
    try:
        yield
    except ImportError as lack:
        print(f"skipped 1: {pathlib.Path(sys.argv[0]).stem}: {lack}")
        print("0 passed, 0 failed, 1 skipped")
        sys.exit(0)


class Program:
    """Sluice, or a tool beside it."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def tried(self, *words):
        """Runs it to whatever end but a signal."""
        done = subprocess.run([str(word) for word in (self.path, *words)], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
        if done.returncode < 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: died by signal {-done.returncode}")
        return done

    def run(self, *words):
        """Its standard output; an error of it is an error here."""
        done = self.tried(*words)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}: exit {done.returncode}: "
                               f"{done.stderr.strip()[-400:]}")
        return done.stdout

    def beside(self, name):
        return Program(self.path.with_name(name))


def problem_of(work):
    """What is wrong, as the work returns or raises it, or nothing; a Skip for what cannot be."""
    try:
        return work() or ""
    except Skip as skip:
        return skip
    except Exception as error:  # whatever it is, the others go on
        return f"{type(error).__name__}: {error}"


class Tally:
    """What passed, what failed, and why others were skipped."""

    def __init__(self, only="", jobs=1):
        self.only, self.jobs = only, jobs
        self.passed = self.failed = 0
        self.reasons = collections.Counter()

    def wants(self, name):
        return self.only in name

    def count(self, name, problem=""):
        """One test: a problem is words, a Skip, or nothing."""
        if isinstance(problem, Skip):
            self.skip(str(problem))
        elif problem:
            self.failed += 1
            print(f"FAILED {name}: {' '.join(str(problem).split())[:900]}", flush=True)
        else:
            self.passed += 1

    def skip(self, why, count=1):
        self.reasons[" ".join(why.split())[:120]] += count

    def check(self, name, work):
        """Runs a test if it is wanted, and counts it."""
        if self.wants(name):
            self.count(name, problem_of(work))

    def check_all(self, cases):
        """Runs (name, work), several at a time."""
        chosen = [case for case in cases if self.wants(case[0])]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            problems = pool.map(lambda case: problem_of(case[1]), chosen)
            for (name, _), problem in zip(chosen, problems):
                self.count(name, problem)

    def finish(self):
        """Prints the last lines: the exit status."""
        for why, count in self.reasons.items():
            print(f"skipped {count}: {why}")
        print(f"{self.passed} passed, {self.failed} failed, {self.reasons.total()} skipped")
        return 1 if self.failed else 0


def draw(seed, kinds, count, sluice, folder):
    """Cases of a seed: the name repeats each alone, since each has random numbers of its own.

    A kind is called with them, Sluice and an empty folder.
    """
    def case(number):
        rng = random.Random(f"{seed}:{number}")
        kind = rng.choice(kinds)
        place = folder / f"{seed}-{number:02}-{kind.__name__}"

        def work():
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            problem = problem_of(lambda: kind(rng, sluice, place))
            if not problem or isinstance(problem, Skip):
                shutil.rmtree(place)
            if isinstance(problem, Skip):
                raise problem
            return problem
        return f"--seed {seed} --only {number:02}-{kind.__name__}", work
    return [case(number) for number in range(count)]


def main(doc, fixed, kinds, count):
    """`fixed` is called with Sluice, the folder and the tally, or else so many cases are drawn."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--sluice", required=True, type=Program, help="the program")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="a folder for the files")
    parser.add_argument("--only", default="", help="a part of the names of cases")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--seed", type=int, help="draw cases from it instead of the fixed ones")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tally = Tally(options.only, options.jobs)
    if options.seed is None:
        fixed(options.sluice, options.out, tally)
    else:
        tally.check_all(draw(options.seed, kinds, count, options.sluice, options.out))
    return tally.finish()
