"""The stage `clang`: a second compiler builds everything and runs the unit tests.

SPDX-License-Identifier: Apache-2.0
"""
import shutil

import packages
from outcome import Outcome, compiled, ctest


def stage():
    """Builds the preset `clang` and runs the tests of CTest, or says why it cannot."""
    problem = packages.try_install("clang")
    if not shutil.which("clang++"):
        why = problem.strip().splitlines()[-1] if problem else "packages.txt does not list it"
        return Outcome(reasons={f"clang++ is not installed ({why})": 1})
    built = compiled("clang")
    return built if built.failed else ctest("clang")
