#!/usr/bin/env python3
"""Tests of demo.py: how long is left, by a clock that the test moves.

SPDX-License-Identifier: Apache-2.0
"""
import unittest

import demo


class HowLongIsLeft(unittest.TestCase):
    def setUp(self):
        self.now = 0.0
        self.left = demo.Left(["configure", "build", "measure"], lambda: self.now)

    def test_at_first_it_is_what_was_recorded(self):
        self.now = 1000
        self.assertEqual(self.left.seconds(), 9 + 233 + 4)

    def test_then_it_goes_by_the_pace_of_this_machine(self):
        self.left.done("configure")
        self.left.done("build", 0.5)
        self.now = 2 * (9 + 116.5)  # twice as slow
        self.assertAlmostEqual(self.left.seconds(), 2 * (116.5 + 4))
        self.assertEqual(self.left.words(), "about 4 min left, by estimate")

    def test_nothing_is_left_in_the_end(self):
        for step in list(self.left.todo):
            self.left.done(step)
        self.assertEqual(self.left.seconds(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=0)
