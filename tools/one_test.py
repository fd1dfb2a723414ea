"""`./dev test NAME`: builds what one test needs, and runs it.

SPDX-License-Identifier: Apache-2.0

NAME is a test of GoogleTest or a part of its name (Read.Progress, Icom), a transcript (stem4d or
tests/cli/stem4d.txt), or a file of the page's tests (flow.spec.ts, histogram.test.ts).
"""
import re
import shutil
import subprocess
import sys

import layers
from building import BIN, build_or_exit
from sources import ROOT

TEST = re.compile(r"^(TEST|TEST_F|TEST_P|TYPED_TEST|INSTANTIATE_TEST_SUITE_P)\(\s*(\w+),\s*(\w+)",
                  re.MULTILINE)
SUITES = ("conformance", "property", "golden")


def program_of(path, listed):
    """The test program that a file is compiled into."""
    name = path.relative_to(ROOT).as_posix()
    if name.startswith("tests/"):
        return name.split("/")[1]
    return "test_" + layers.linked(path.parent.relative_to(ROOT / "src").as_posix(), listed).name


def cpp_programs(name, root=ROOT):
    """The programs with a test whose "Suite.Name" holds `name`."""
    found, listed = set(), layers.layers()
    files = list((root / "src").rglob("*_test.*"))
    files += [f for suite in SUITES for f in (root / "tests" / suite).glob("*.cpp")]
    for file in files:
        for kind, first, second in TEST.findall(file.read_text(errors="replace")):
            between = "/" if kind.startswith("INSTANTIATE") else "."
            if name in f"{first}{between}{second}":
                found.add(program_of(file, listed))
    return sorted(found)


def transcript(name):
    """The transcript of a name, or None."""
    for path in (ROOT / name, ROOT / "tests/cli" / f"{name}.txt", ROOT / "tests/cli" / name):
        if path.suffix == ".txt" and path.is_file():
            return path
    return None


def of_page(name):
    """Runs a file of the page's tests."""
    if name.endswith(".test.ts") or name.endswith(".test.tsx"):
        command, env = ["vitest", "run", name], []
    else:
        build_or_exit("release", ["sluice"])
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
        command = ["playwright", "test", name, "--reporter=line"]
        env = ["env", f"SLUICE={BIN / 'sluice'}", f"CHROMIUM={chromium}"]
    return subprocess.run([*env, "npx", "--no-install", *command], cwd=ROOT / "page").returncode


def run_program(program, chosen):
    """Whether a program has tests of this name, and all of them pass."""
    listed = subprocess.run([BIN / program, chosen, "--gtest_list_tests"], cwd=ROOT,
                            capture_output=True, text=True).stdout
    if not re.search(r"^  \w", listed, re.MULTILINE):
        print(f"{program}: no test for {chosen}")
        return False
    return subprocess.run([BIN / program, chosen, "--gtest_brief=1"], cwd=ROOT).returncode == 0


def run(name):
    """Runs what the name stands for; the exit status."""
    if name.endswith((".ts", ".tsx")):
        return of_page(name)
    if path := transcript(name):
        build_or_exit("release", ["sluice", "sluice_paused", "make_czi"])
        return subprocess.run([sys.executable, ROOT / "tools/run_transcripts.py", "--bin", BIN,
                               path], cwd=ROOT).returncode
    programs = cpp_programs(name)
    if not programs:
        sys.exit(f"test: nothing is called {name} (a test as in Read.Progress, a transcript of "
                 "tests/cli, or a .spec.ts or .test.ts of the page); ./dev test runs everything")
    build_or_exit("release", programs)
    ran = [run_program(program, f"--gtest_filter=*{name}*") for program in programs]
    return 0 if all(ran) else 1
