"""sluice.plan() and sluice.validate(): what the program says, with types.

SPDX-License-Identifier: Apache-2.0
"""
import json

import pytest

import sluice

try:
    from sluice._program import program
    program()
except sluice.NotFound as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    return sluice.synth("arina", tmp_path_factory.mktemp("plan") / "a", scan=(16, 16), detector=(64, 64), dose=400)


def test_the_peak_is_the_sum_of_its_parts(scan):
    for task, more in (("load", {}), ("images", {"detector": ["bf", "adf"]}), ("disks", {"template_radius": 6.5}),
                       ("convert", {"format": "npy"}), ("ptychography", {"energy": 300, "iterations": 2})):
        found = sluice.plan(scan, task=task, memory_only=True, **more)
        assert found.task == task and found.fits and found.time is None
        assert sum(part["bytes"] for part in found.parts) == found.peak_bytes > 0
        assert task in str(found)


def test_a_time_has_a_bar(scan, tmp_path):
    found = sluice.plan(scan, task="convert", format="zarr", folder=tmp_path)
    assert 0 < found.time["low_s"] < found.time["s"] < found.time["high_s"]
    assert not list(tmp_path.iterdir())


def test_a_scan_that_is_not_there():
    found = sluice.plan((32, 32, 64, 64), dose=400, memory_only=True)
    assert found.subject == "32x32 frames of 64x64 uint16"


def test_blocks_of_the_file_are_told(scan, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "blocks.h5"
    for chunks, advised in (((8, 8, 16, 16), True), ((1, 1, 64, 64), False), ((1, 2, 64, 64), False)):
        with h5py.File(path, "w") as file:
            file.create_dataset("data", shape=(16, 16, 64, 64), dtype="u2", chunks=chunks, compression="gzip")[:] = 1
        found = sluice.plan(path, memory_only=True)
        told = [note for note in found.notes if "blocks of" in note]
        assert len(told) == (chunks[0] * chunks[1] > 1)
        assert any("read one by one" in advice for advice in found.advice) == advised
        if advised:
            assert "8x8 scan points and 16x16 pixels" in told[0] and "64 times its own" in told[0]
    assert not any("blocks of" in note for note in sluice.plan(scan, memory_only=True).notes)


def test_gpus_are_estimates(scan):
    found = sluice.plan(scan, task="ptychography", energy=300, iterations=2, memory_only=True, devices=True)
    assert found.devices is not None and not found.devices["measured"] and found.devices["assumptions"]
    for gpu in found.devices["gpus"]:
        assert gpu["fits"] and gpu["work_s"] > 0 and gpu["source"] and len(gpu["several"]) == 3
    assert sluice.plan(scan, memory_only=True, devices=True).devices is None  # loading is the processor's work


def test_the_way_of_the_data(scan):
    found = sluice.plan(scan, task="images", detector="bf")
    assert [flow["name"] for flow in found.flows][:3] == ["the disk, nothing cached", "the disk, all cached", "decoding"]
    assert found.bottlenecks and found.bottlenecks[0] in str(found)


def test_acquisitions(tmp_path):
    found = sluice.acquisition("256x256x16", rate=1000, network="1GbE", disk=500, threads=1)
    assert found.breaks and found.first == "network" and "network" in str(found)
    assert not sluice.acquisition("256x256x16", rate=1, network="10GbE", folder=tmp_path, threads=1).breaks
    assert not list(tmp_path.iterdir())
    with pytest.raises(sluice.InvalidArgument, match="ARINA"):
        sluice.acquisition("ARINE")


def test_errors_are_those_of_the_library(scan, tmp_path):
    with pytest.raises(sluice.NotFound):
        sluice.plan(tmp_path / "nothing.h5")
    with pytest.raises(sluice.InvalidArgument, match="crystal"):
        sluice.plan(scan, task="orientation", energy=200)
    with pytest.raises(sluice.WrongType):
        sluice.plan(scan, task="nonsense")


def test_this_machine_is_valid(scan, tmp_path):
    found = sluice.validate(scan, out=tmp_path / "report", folder=tmp_path)
    assert found.passed, str(found)
    assert {row["domain"] for row in found.rows} >= {"crystal", "fft", "proton", "ptychography", "stem4d"}
    assert any(row["data"] == scan for row in found.rows)
    assert json.loads((tmp_path / "report/validation.json").read_text())["passed"]
    with pytest.raises(sluice.Error):
        sluice.validate(tmp_path / "nothing.h5")
