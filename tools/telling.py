"""How far a long step is, told while it runs: one line that changes on a terminal, elsewhere a line
now and then, so that a long step visibly goes on.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time

from sources import ROOT

# "[12/1154] Building ..." of Ninja and tools/lint.py, "  12/2204 Test #12: ..." of CTest.
STEP = re.compile(r"^\[(\d+)/(\d+)\]|^ *(\d+)/(\d+) +Test +#")
EVERY = 30  # seconds between two lines where the output is no terminal


class Telling:
    """Tells of one step, from `with` to its end."""

    current = None  # the one that receives programs' steps

    def __init__(self, name, out=None, every=None):
        self.name, self.out = name, out or sys.stdout
        self.terminal = self.out.isatty()
        self.every = every or (1 if self.terminal else EVERY)
        self.far, self.ended = "", threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.start, self.before = time.monotonic(), Telling.current
        Telling.current = self
        if self.terminal:
            self.tell()
        self.thread.start()
        return self

    def __exit__(self, *_):
        Telling.current = self.before
        self.ended.set()
        self.thread.join()
        if self.terminal:
            print("\r\033[K", end="", file=self.out, flush=True)

    def _run(self):
        while not self.ended.wait(self.every):
            self.tell()

    def hear(self, line):
        """Whether a line only says how far a program is; it is kept for the next time."""
        found = STEP.match(line)
        if found:
            done, of = (n for n in found.groups() if n is not None)
            self.far = f"{done} of {of}"
        return bool(found)

    def tell(self):
        seconds = time.monotonic() - self.start
        words = f"{self.name:12} ... {seconds:4.0f} s  {self.far}".rstrip()
        start, end = ("\r\033[K", "") if self.terminal else ("", "\n")
        print(f"{start}{words}", end=end, file=self.out, flush=True)


def ended(group):
    """Ends a group of processes."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGTERM)


def run_telling(command, seconds=math.inf, **options):
    """Runs a command without input: its exit status, and what it printed but for its steps, which
    whoever tells at the moment hears. After so many seconds it is ended, with all that it started."""
    run = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, cwd=ROOT,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace", start_new_session=seconds < math.inf, **options)
    limit = threading.Timer(max(0, seconds), ended, (run.pid,)) if seconds < math.inf else None
    if limit:
        limit.start()
    hears = Telling.current.hear if Telling.current else lambda line: bool(STEP.match(line))
    with run.stdout:
        text = "".join([line for line in run.stdout if not hears(line)])
    status = run.wait()
    if limit:
        limit.cancel()
    return status, text
