"""The first look at a scan, and how long things take here: what the program does under the same names.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import subprocess

import numpy as np
import pytest

import sluice
from sluice import music, proton, slide, stem4d
from sluice._program import program

SYNTHETIC = "synthetic:stem4d?scan=9x7&detector=40x48&seed=3"


def test_the_numbers_are_those_of_the_program(tmp_path):
    look = stem4d.overview(SYNTHETIC, progress=False)
    run = subprocess.run([program(), "stem4d", "overview", SYNTHETIC, "--out", tmp_path, "--json"],
                         capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    assert round(look.disk.radius, 3) == told["disk"][0]["radius"]
    found = look.to_xarray()
    for name in ("pattern_mean", "bf", "adf", "com_row", "com_col"):
        np.testing.assert_array_equal(found[name].values, np.load(tmp_path / f"{name}.npy"), err_msg=name)
    assert "bf, adf" in repr(look) and look._repr_html_().count("<img") == 5
    assert look == stem4d.overview(sluice.load(SYNTHETIC), progress=False)


def test_what_is_missing_is_said():
    dark = stem4d.overview(np.zeros((3, 4, 8, 8), np.uint8), progress=False)
    assert dark.disk is None and dark.images is None and "no dark field: " in dark.notes[0]
    assert list(dark.to_xarray()) == ["pattern_mean", "com_row", "com_col"]
    wide = stem4d.overview(SYNTHETIC, disk=stem4d.Disk((20, 24), 100), progress=False)
    assert wide.images.names == ["bf"] and wide.notes[0].startswith("no annular dark field: ")


@pytest.fixture
def scan(tmp_path):
    return sluice.synth("arina", tmp_path / "scan", scan=(8, 8), detector=(32, 32))


@pytest.mark.parametrize("kind", ["load", "virtual", "stream"])
def test_times_of_scans(scan, kind):
    found = stem4d.benchmark(kind, scan, rounds=1, threads=1, **({} if kind == "load" else {"detector": "bf"}))
    assert isinstance(found, dict) and found


def test_times_of_other_domains(tmp_path):
    assert proton.benchmark(rounds=1, threads=1)
    assert music.benchmark(like="tiny", rounds=1, threads=[1])
    make = pathlib.Path(program()).with_name("make_czi")
    if not make.exists():
        pytest.skip("make_czi is not built")
    path = tmp_path / "a.czi"
    subprocess.run([make, path, "--grid", "2x2", "--tile", "32"], check=True, stdout=subprocess.DEVNULL)
    assert slide.benchmark(path, pattern=["tiles"], workers=[1], rounds=1)


def test_what_the_program_refuses_is_an_error(tmp_path):
    with pytest.raises(sluice.Error, match="there is no such file|cannot open|not there|does not exist") as told:
        stem4d.benchmark("load", tmp_path / "none.h5", rounds=1)
    assert "--" not in str(told.value)
