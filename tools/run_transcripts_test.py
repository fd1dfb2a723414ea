#!/usr/bin/env python3
"""Tests of run_transcripts.py: transcripts of ordinary commands that pass, fail, are rewritten.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import sys
import tempfile
import unittest

import run_transcripts

# (transcript, commands that pass, commands that fail)
CASES = [
    ("$ echo one\none\n", 1, 0),
    ("$ echo one\ntwo\n", 0, 1),
    ("$ echo one\n", 0, 1),
    ("$ true\nunexpected\n", 0, 1),
    ("# why\n\n$ echo a; echo b\na\nb\n\n\n# then\n$ true\n", 2, 0),
    ("$ echo took 12 s at 3\ntook [...] s at [...]\n", 1, 0),
    ("$ echo took 12 m\ntook [...] s\n", 0, 1),
    ("$ seq 5\n1\n[...]\n5\n", 1, 0),
    ("$ seq 5\n1\n[...]\n6\n", 0, 1),
    ("$ echo a\n[...]\na\n[...]\n", 1, 0),
    ("$ echo bad >&2; exit 3\n2> bad\nexit 3\n", 1, 0),
    ("$ echo bad >&2; exit 3\n2> bad\n", 0, 1),
    ("$ echo bad >&2\nbad\n", 0, 1),
    ("$ echo '$ x'; echo '\\'\n\\$ x\n\\\\\n", 1, 0),
    ("$ cat <<E\n> in\n> E\nin\n", 1, 0),
    ("$ echo x > kept\n\n$ cat kept\nx\n", 2, 0),
    ("$ echo '(a|b)*'\n(a|b)*\n", 1, 0),
    ("no command\n", 0, 1),
]


class Transcripts(unittest.TestCase):
    def run_text(self, text, update=False):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.txt"
            path.write_text(text)
            passed, failed, _, _ = run_transcripts.run_file(path, dict(os.environ), update)
            return passed, failed, path.read_text()

    def test_cases(self):
        for text, passed, failed in CASES:
            with self.subTest(text=text):
                self.assertEqual(self.run_text(text)[:2], (passed, failed))

    def test_what_needs_a_program_that_is_not_there_is_skipped(self):
        for program, counts in (("no-such-program", (0, 0, 2)), ("bash", (2, 0, 0))):
            with tempfile.TemporaryDirectory() as folder, self.subTest(program):
                path = pathlib.Path(folder) / "case.txt"
                path.write_text(f"# Needs bash {program}\n$ echo x\nx\n\n$ true\n")
                found = run_transcripts.run_file(path, dict(os.environ), False)
                self.assertEqual(found[:3], counts)

    def test_update_makes_every_transcript_pass_and_keeps_what_did(self):
        for text, _, failed in CASES[:-1]:
            with self.subTest(text=text):
                updated = self.run_text(text, update=True)[2]
                self.assertEqual(self.run_text(updated)[1], 0, updated)
                if failed == 0:
                    self.assertEqual(updated, text)


def main():
    unittest.main(module="run_transcripts_test", verbosity=0)


if __name__ == "__main__":
    sys.exit(main())
