#!/usr/bin/env python3
"""Tests of new.py: what it writes into a copy of the tree keeps the layers, and compiles.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import new
import sources

COPIED = ("include", "src", ".clang-format", "cmake/layers.cmake", "tools/check_layers.py",
          "tools/layers.py", "tools/sources.py")
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DSLUICE_ISA=baseline",
         "-DSLUICE_X86", "-DFMT_SHARED", "-Isrc", "-Iinclude"]


def copied(folder):
    """The part of the tree that new.py writes into."""
    for name in COPIED:
        source, target = sources.ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    return folder


def made(root, kind, name):
    """What new.py writes there: its files of code."""
    before = set(root.rglob("*"))
    with contextlib.redirect_stdout(io.StringIO()):
        new.main([kind, name], root)
    return sorted(path for path in set(root.rglob("*")) - before if path.is_file())


def complaints(root, path):
    """What the compiler says of a file, without making code of it."""
    compiler = ["ccache"] if shutil.which("ccache") else []
    # So that another copy of the tree finds what this one compiled.
    env = os.environ | {"CCACHE_BASEDIR": str(root), "CCACHE_NOHASHDIR": "1"}
    run = subprocess.run([*compiler, "g++", *FLAGS, "-O0", "-x", "c++", "-c",
                          path.relative_to(root), "-o", path.with_suffix(path.suffix + ".o")],
                         cwd=root, env=env, capture_output=True, text=True)
    return run.stderr if run.returncode else ""


class New(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = copied(pathlib.Path(folder.name).resolve())

    def test_each_kind_compiles_and_keeps_the_layers(self):
        written = [path for kind in new.NEXT for path in made(self.root, kind, f"my_{kind}")]
        code = [path for path in written if path.suffix in (".cpp", ".cu")]
        self.assertGreaterEqual(len(code), 12)
        said = subprocess.run([sys.executable, "tools/check_layers.py"], cwd=self.root,
                              capture_output=True, text=True)
        self.assertEqual(said.stderr, "")
        # Of the others some include parts of the tree that were not copied.
        names = tuple(path.relative_to(self.root).as_posix() for path in written)
        self.assertEqual([line for line in said.stdout.splitlines() if line.startswith(names)], [])
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for path, said in zip(code, pool.map(lambda p: complaints(self.root, p), code)):
                self.assertEqual(said, "", path)

    def test_a_domain_is_entered_in_its_tables(self):
        made(self.root, "domain", "xrays")
        for file, line in (("cmake/layers.cmake",
                            "sluice_layer(xrays FOLDER domain/xrays PUBLIC xrays "),
                           ("include/sluice/sluice.h", '#include "sluice/xrays.h"')):
            self.assertIn(line, (self.root / file).read_text(), file)

    def test_what_is_there_stays(self):
        made(self.root, "domain", "xrays")
        before = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        for arguments in (["domain", "xrays"], ["domain", "Bad-Name"], ["nothing", "x"]):
            with self.assertRaises(SystemExit):
                new.main(arguments, self.root)
        after = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main(verbosity=0)
