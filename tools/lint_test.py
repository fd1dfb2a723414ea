#!/usr/bin/env python3
"""Tests of lint.py: what a verdict depends on, and what not.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import tempfile
import unittest

import lint
import sources


class States(unittest.TestCase):
    def setUp(self):
        self.folders = tempfile.TemporaryDirectory()
        self.addCleanup(self.folders.cleanup)

    def state(self, clone, header="int one();\n", source="int two();\n", define="A", common=b"1"):
        root = pathlib.Path(self.folders.name).resolve() / clone
        (root / "src/base").mkdir(parents=True, exist_ok=True)
        (root / "src/base/b.h").write_text(header)
        (root / "src/base/x.cpp").write_text(f'#include "base/b.h"\n{source}')
        sources.includes.cache_clear()
        command = f"c++ -D{define} -I{root}/src -isystem /usr/include/x -O2 -c {root}/src/base/x.cpp"
        return lint.state_of_source(root / "src/base/x.cpp", command, common, root)

    def test_a_clone_elsewhere_knows_the_verdict(self):
        self.assertEqual(self.state("one"), self.state("two"))

    def test_whatever_the_verdict_depends_on_changes_the_state(self):
        before = self.state("one")
        for change in ({"header": "int three();\n"}, {"source": "int four();\n"}, {"define": "B"},
                       {"common": b"2"}):
            with self.subTest(change=change):
                self.assertNotEqual(self.state("one", **change), before)


if __name__ == "__main__":
    unittest.main(verbosity=0)
