"""Tests of telling.py.

SPDX-License-Identifier: Apache-2.0
"""
import io
import sys
import unittest

from telling import Telling, run_telling

PRINTS = """
print("-- configured")
print("[1/3] Building CXX object a.o")
print("[2/3] Linking b")
print("b.cpp:4: error: no")
print("  7/12 Test  #7: a.b ....   Passed    0.01 sec")
"""


class TellingTest(unittest.TestCase):
    def test_the_output_of_a_program_lacks_its_steps_and_they_are_told(self):
        out = io.StringIO()
        with Telling("build", out, every=3600) as telling:
            status, text = run_telling([sys.executable, "-c", PRINTS])
            telling.tell()
        self.assertEqual((status, text), (0, "-- configured\nb.cpp:4: error: no\n"))
        self.assertRegex(out.getvalue(), r"^build +\.\.\. +\d+ s  7 of 12\n$")

    def test_nobody_needs_to_listen(self):
        self.assertEqual(run_telling([sys.executable, "-c", "print('[1/2] x'); exit(3)"]), (3, ""))

    def test_what_has_no_time_left_is_ended_with_all_that_it_started(self):
        command = [sys.executable, "-c", "import subprocess; print('[1/2] x\\nso far', flush=True); "
                                         "subprocess.run(['sleep', '1000'])"]
        self.assertEqual(run_telling(command, seconds=0.5), (-15, "so far\n"))

    def test_it_tells_by_itself_while_something_runs(self):
        out = io.StringIO()
        with Telling("slow", out, every=0.001):
            while not out.getvalue():
                pass
        self.assertRegex(out.getvalue(), r"^slow +\.\.\. +0 s\n")

    def test_steps_of_an_inner_one_go_to_it_alone(self):
        out = io.StringIO()
        with Telling("outer", out, every=3600) as outer:
            with Telling("inner", out, every=3600):
                run_telling([sys.executable, "-c", "print('[1/2] x')"])
            outer.tell()
        self.assertRegex(out.getvalue(), r"^outer +\.\.\. +0 s\n$")


if __name__ == "__main__":
    unittest.main()
