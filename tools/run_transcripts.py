#!/usr/bin/env python3
"""Runs the command line transcripts of tests/cli: commands, and what they must print.

SPDX-License-Identifier: Apache-2.0

    tools/run_transcripts.py [--bin FOLDER] [--update] [FILE ...]      default tests/cli/*.txt

A transcript is a text file of blocks:

    # A comment: a line that begins with "# ".
    $ sluice info scan_master.h5
    format   nxmx
    frames   65536 of uint16
    written  [...]

    $ sluice info nothing.h5
    2> sluice: nothing.h5: no such file [...]
    exit 2

* "$ " starts a command; it runs in bash. Lines "> " right after it continue it.
* The lines after it are its standard output, those with "2> " in front its standard error.
* "exit N" ends a block whose exit status is not 0.
* "[...]" in a line matches anything up to the rest of the line; a line that is only "[...]"
  matches any number of lines, none included.
* Empty lines at the end of a block do not count.
* "# Needs PROGRAM ..." as the first line skips the file where one of these is not on PATH.
* A line of output that looks like one of these marks has a "\\" in front.

Each file runs in a fresh folder of its own, its commands one after the other, with the built
`sluice` first on PATH. Every command is one test. --update writes what was printed in place of the
blocks that differ, and leaves the others, with their "[...]", as they are.
"""
import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"\$ |> |2> ?|# |exit \d+$|\\")
ANY = "[...]"


@dataclasses.dataclass
class Block:
    """One command and what is expected of it."""
    line: int
    command: list = dataclasses.field(default_factory=list)
    out: list = dataclasses.field(default_factory=list)
    err: list = dataclasses.field(default_factory=list)
    status: int = 0
    lead: list = dataclasses.field(default_factory=list)  # comments and empty lines before it


def strip_end(lines):
    """The lines without the empty ones at the end."""
    end = len(lines)
    while end and lines[end - 1] == "":
        end -= 1
    return lines[:end]


def parse(text):
    """The blocks of a transcript, and the lines after the last one."""
    blocks, lead, current = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            current = Block(number, [line[2:]], lead=lead)
            blocks.append(current)
            lead = []
        elif line == "#" or line.startswith("# "):
            lead.append(line)
        elif current is None or lead:
            if line.strip():
                raise ValueError(f"line {number}: output without a command (a comment stands "
                                 "between them, or no command precedes it) begin a command with '$ '")
            lead.append(line)
        elif line.startswith("> ") and not current.out and not current.err:
            current.command.append(line[2:])
        elif line.startswith("2> ") or line == "2>":
            current.err.append(unescape(line[3:]))
        elif re.fullmatch(r"exit \d+", line):
            current.status = int(line[5:])
        else:
            current.out.append(unescape(line))
    for block in blocks:
        block.out, block.err = strip_end(block.out), strip_end(block.err)
    return blocks, lead


def unescape(line):
    return line[1:] if line.startswith("\\") else line


def escape(line):
    return "\\" + line if MARK.match(line) else line


def matches(expected, actual):
    """Whether lines of output are what was expected, "[...]" matching anything."""
    pattern = "".join(r"(?:[^\n]*\n)*" if line == ANY else
                      "[^\n]*".join(map(re.escape, line.split(ANY))) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def written(block):
    """A block as text."""
    first, *rest = block.command
    lines = block.lead + ["$ " + first] + ["> " + line for line in rest]
    lines += [escape(line) for line in block.out]
    lines += [("2> " + escape(line)).rstrip() for line in block.err]
    return lines + ([f"exit {block.status}"] if block.status else [])


def execute(block, folder, env):
    """Runs a command; the block that would have matched."""
    try:
        run = subprocess.run(["bash", "-c", "\n".join(block.command)], cwd=folder, env=env,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        out, err, status = run.stdout, run.stderr, run.returncode
    except subprocess.TimeoutExpired:
        out, err, status = b"", b"(ended after 300 s)", 124
    as_lines = lambda data: strip_end(data.decode(errors="replace").splitlines())
    return Block(block.line, block.command, as_lines(out), as_lines(err), status, block.lead)


def agree(block, actual):
    return (block.status == actual.status and matches(block.out, actual.out)
            and matches(block.err, actual.err))


def missing(text, env):
    """What a transcript needs and this machine lacks, or None."""
    words = re.match(r"# Needs (.*)", text)
    needed = words[1].split() if words else []
    return next((word for word in needed if not shutil.which(word, path=env["PATH"])), None)


def run_file(path, env, update):
    """Runs one transcript: passed, failed, skipped, and the report."""
    text = path.read_text(encoding="utf-8")
    try:
        blocks, tail = parse(text)
    except ValueError as problem:
        return 0, 1, 0, f"{path}: {problem}\n"
    if absent := missing(text, env):
        return 0, 0, len(blocks), f"{path.stem}: {len(blocks)} skipped ({absent} is not installed)\n"
    report, now, failed = "", [], 0
    with tempfile.TemporaryDirectory(prefix="sluice-cli-") as folder:
        env = env | {"HOME": folder, "TMPDIR": folder}
        for block in blocks:
            actual = execute(block, folder, env)
            good = agree(block, actual)
            now.append(block if good else actual)
            if not good:
                failed += 1
                diff = difflib.unified_diff(written(block)[len(block.lead):],
                                            written(actual)[len(block.lead):],
                                            "expected", "printed", lineterm="", n=2)
                report += f"{path}:{block.line}: differs\n" + "\n".join(diff) + "\n"
    if update and failed:
        lines = []
        for number, block in enumerate(now):
            gap = [""] if number and not (block.lead and block.lead[0] == "") else []
            lines += gap + written(block)
        path.write_text("\n".join(lines + tail) + "\n", encoding="utf-8")
        return len(blocks), 0, 0, f"{path}: {failed} blocks written anew\n"
    return len(blocks) - failed, failed, 0, report


def main():
    options = argparse.ArgumentParser(description="Runs the command line transcripts.")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    options.add_argument("--update", action="store_true", help="write what was printed")
    options.add_argument("-j", type=int, default=os.cpu_count(), help="files at once")
    args = options.parse_args()
    files = args.files or sorted((ROOT / "tests/cli").glob("*.txt"))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLUICE_", "XDG_"))}
    env |= {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb",
            "PATH": f"{args.bin.resolve()}:{os.environ['PATH']}"}
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda f: run_file(f, env, args.update), files))
    print("".join(report for *_, report in results), end="")
    passed, failed, skipped = (sum(r[i] for r in results) for i in range(3))
    print(f"transcripts: {len(files)} files, {passed} commands as expected, {failed} not")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
