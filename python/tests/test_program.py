"""The program from Python: what a file is, simulated acquisitions, and `python -m sluice`.

SPDX-License-Identifier: Apache-2.0
"""
import subprocess
import sys

import pytest

import sluice

try:
    from sluice._program import program
    program()
except sluice.NotFound as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.mark.parametrize("kind, name", [("arina", "a"), ("npy", "a.npy"), ("raw", "a.raw")])
def test_simulated_acquisitions_are_opened(tmp_path, kind, name):
    path = sluice.synth(kind, tmp_path / name, scan=(4, 5), detector=(16, 32), seed=3)
    how = dict(raw_frame=(16, 32), raw_dtype="uint16", scan_shape=(4, 5)) if kind == "raw" else {}
    assert sluice.open(path, **how).shape == (4, 5, 16, 32)
    if kind != "raw":
        found = sluice.info(path)
        assert found["frames"] == 20 and found["detector"] == [16, 32]


def test_errors_are_those_of_the_library(tmp_path):
    with pytest.raises(sluice.NotFound, match="there is no such file"):
        sluice.info(tmp_path / "nothing.h5")
    with pytest.raises(sluice.Error):
        sluice.synth("npy", tmp_path / "nowhere/a.npy", scan=(2, 2), detector=(16, 16))
    with pytest.raises(sluice.WrongType, match="give one of arina, npy, raw"):
        sluice.synth("hdf5", tmp_path / "a")


def test_the_module_is_the_program():
    run = subprocess.run([sys.executable, "-m", "sluice", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and sluice.__version__ in run.stdout
    assert subprocess.run([sys.executable, "-m", "sluice", "nonsense"], capture_output=True).returncode != 0
