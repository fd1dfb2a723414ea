#!/usr/bin/env python3
"""Tests of what draws files at random: that it repeats, counts, keeps what failed, and ends.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import itertools
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/foreign"))
import foreign  # noqa: E402
import matrix  # noqa: E402


def good(rng, program, place):
    (place / "f").write_text(str(rng.random()))
    return ""


def bad(rng, program, place):
    (place / "f").write_text("x")
    return f"wrong values: {rng.random()}"


def raising(rng, program, place):
    raise ValueError("two\nlines")


def absent(rng, program, place):
    raise matrix.Skip("no writer")


class DrawTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_kinds(self, kinds, only=""):
        tally, out = matrix.Tally(only), io.StringIO()
        with contextlib.redirect_stdout(out):
            tally.check_all(matrix.draw(7, kinds, 12, None, self.root))
            status = tally.finish()
        return tally, status, out.getvalue()

    def test_what_passes_leaves_nothing(self):
        tally, status, said = self.run_kinds([good, absent])
        self.assertEqual((status, tally.passed + tally.reasons.total()), (0, 12))
        self.assertEqual(list(self.root.iterdir()), [])
        self.assertRegex(said, r"skipped \d+: no writer\n\d+ passed, 0 failed, \d+ skipped\n$")

    def test_what_fails_keeps_its_files_and_repeats(self):
        tally, status, said = self.run_kinds([bad, good])
        self.assertEqual(status, 1)
        self.assertEqual(len(list(self.root.iterdir())), tally.failed)
        again, words = foreign.DRAWN.findall(said)[-1]
        once, status, said = self.run_kinds([bad, good], again.split()[-1])
        self.assertEqual((once.passed, once.failed), (0, 1))
        self.assertEqual(foreign.DRAWN.findall(said), [(again, words)])

    def test_an_error_is_one_line(self):
        _, _, said = self.run_kinds([raising], "03-")
        self.assertIn("FAILED --seed 7 --only 03-raising: ValueError: two lines\n", said)


class CampaignTest(unittest.TestCase):
    SCRIPT = pathlib.Path("x_matrix.py")

    def finding(self, number, words="wrong values: [1.5 2] of /tmp/a/{}.h5, {} times"):
        return self.SCRIPT, f"--seed {number} --only 01-a", words.format(number, number)

    def test_numbers_and_paths_make_no_family(self):
        self.assertEqual(foreign.family(self.finding(1)), foreign.family(self.finding(22)))
        self.assertNotEqual(foreign.family(self.finding(1)),
                            foreign.family(self.finding(1, "died by signal 11")))

    def test_each_family_is_said_once_and_the_time_ends_it(self):
        tasks, said = zip(itertools.count()), []
        families, runs, passed = foreign.campaign(
            tasks, lambda number: ([self.finding(number)] if number % 2 else [], 3), 1,
            said.append, workers=2)
        self.assertGreater(runs, 2)
        self.assertEqual((len(families), len(said), passed), (1, 1, 3 * runs))
        self.assertRegex(said[0], r"again: .*x_matrix.py --sluice .* --seed \d+ --only 01-a")


if __name__ == "__main__":
    unittest.main()
