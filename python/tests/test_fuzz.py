"""A few seconds of random calls; fuzz_calls.py says how to run more.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess
import sys


def test_no_call_crashes():
    script = pathlib.Path(__file__).with_name("fuzz_calls.py")
    run = subprocess.run([sys.executable, script, "--seconds", "8", "--seed", "20261123"],
                         text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert run.returncode == 0, run.stdout
