"""Verdicts that are kept: what was found good is not checked again until something of it changes.

SPDX-License-Identifier: Apache-2.0

A verdict is a file without content in ~/.cache/sluice/KIND. Its name is a hash of all that the
verdict depends on, without the place of the clone: another clone of the same sources knows it.
"""
import contextlib
import hashlib
import os
import pathlib
import subprocess
import time

import packages
from sources import ROOT

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sluice"
KEPT = 60 * 86400  # seconds that an unused verdict stays


class Verdicts:
    """The good verdicts of one kind: lint, asan, tsan."""

    def __init__(self, kind, cache=CACHE):
        self.folder = cache / kind
        self.folder.mkdir(parents=True, exist_ok=True)
        for mark in self.folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another run forgets, too
                if time.time() - mark.stat().st_mtime > KEPT:
                    mark.unlink()

    def none(self):
        """Whether this machine has no verdict yet."""
        return not any(self.folder.iterdir())

    def holds(self, state):
        """Whether a state was found good. Each use keeps the verdict alive."""
        there = (self.folder / state).exists()
        if there:
            self.keep(state)
        return there

    def keep(self, state):
        """Remembers that a state was found good."""
        (self.folder / state).touch()


def state_of(common, files, root=ROOT):
    """A name for the bytes of `common` and the names and contents of files."""
    state = hashlib.sha256(common)
    for file in files:
        name = file.relative_to(root).as_posix()
        state.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return state.hexdigest()[:32]


def versions(*commands):
    """The versions of programs, and of the packages that code is built with."""
    listed = packages.listed()
    names = [entry.partition(":")[0] for entry in listed["libraries"] + listed["build"]]
    names.append("libstdc++-12-dev")
    asked = [*commands, ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names]]
    return b"\0".join(subprocess.run(words, capture_output=True).stdout for words in asked)
