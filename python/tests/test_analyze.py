"""A plan in one pass: each result has the bits of its own function, from files, memory and TOML.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess

import numpy as np
import pytest

import sluice
from sluice import stem4d

from test_crystal import crystal

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
PLAN = {
    "virtual_image": {"bright": {"detector": "bf", "mean": True},
                      "rings": {"detector": ["adf", stem4d.annulus(20, 30, (55, 55), "far")]}},
    "diffraction_pattern": {"kind": ["mean", "max"], "spot": {"at": (1, 2), "kind": "sum"},
                            "some": {"where": np.arange(21).reshape(3, 7) % 2}},
    "center_of_mass": {"inner": {"within": "disk:r=9"}, "turned": {"rotation": "20,transpose"}},
    "disks": {"": {}, "few": {"template_radius": (5.5, 1.0), "most_disks": 4, "least_score": 30}},
}
TOML = """scan = "scan.npy"
[load]
det_bin = 2
scan_region = "0:3,1:7"
[virtual_image]
detector = ["bf", "weights:w.npy"]
[diffraction_pattern]
[center_of_mass]
rotation = -12.5
[disks]
most_disks = 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("analyze")
    crystal(where / "scan.npy")
    np.save(where / "w.npy", np.linspace(-1, 1, 112 * 112, dtype=np.float32).reshape(112, 112))
    (where / "plan.toml").write_text(TOML)
    return where


def same(a, b):
    return np.array_equal(a, b, equal_nan=True)


def same_disks(a, b):
    names = "row", "col", "intensity", "background", "var_row", "var_col", "cov_row_col", "score"
    return same(a.count, b.count) and all(same(getattr(a, n), getattr(b, n)) for n in names)


@pytest.mark.parametrize("how", [{}, {"stream": True}, {"layout": "dense", "threads": 1},
                                 {"stream": True, "threads": 5}])
def test_everything_has_the_bits_of_its_own_function(folder, how):
    scan = sluice.load(folder / "scan.npy", **how)
    found = stem4d.analyze(scan, PLAN, threads=how.get("threads", 2))
    assert list(found.images) == ["bright", "rings_adf", "rings_far"]
    assert same(found.images["bright"], stem4d.virtual_image(scan, "bf", mean=True).values[0])
    alone = stem4d.virtual_image(scan, ["adf", "far=annulus:r=20..30,center=55:55"])
    assert same(found.images["rings_adf"], alone["adf"]) and same(found.images["rings_far"], alone["far"])
    patterns = {name: p.values for name, p in found.patterns.items()}
    take = np.zeros((3, 7))
    take[1, 2] = 1
    assert same(patterns["mean"], stem4d.diffraction_pattern(scan).values)
    assert same(patterns["max"], stem4d.diffraction_pattern(scan, "max").values)
    assert same(patterns["spot_sum"], stem4d.diffraction_pattern(scan, "sum", take).values)
    odd = np.arange(21).reshape(3, 7) % 2
    assert same(patterns["some_mean"], stem4d.diffraction_pattern(scan, "mean", odd).values)
    inner = stem4d.center_of_mass(scan, "disk:r=9")
    assert same(found.center_of_mass["inner"].row, inner.row) and found.center_of_mass["inner"].disk == found.disk
    whole = stem4d.center_of_mass(scan)
    assert list(found.phase_contrast) == ["turned"]
    phase = stem4d.phase_contrast(whole, stem4d.Rotation(20, True))
    assert same(found.phase_contrast["turned"].icom, phase.icom)
    assert same_disks(found.disks["disks"], stem4d.find_disks(scan))
    few = stem4d.plan_disks(scan, stem4d.synthetic_template(5.5), most_disks=4, least_score=30)
    assert same_disks(found.disks["few"], stem4d.find_disks(scan, few))
    assert found.disk_plans["few"].most_disks == 4 and found.disk_plans["few"].fit_radius == few.fit_radius
    assert found.decided[0] == "The bright-field disk is that of the mean pattern of all 21 scan points."
    assert any(s.startswith("few: ") for s in found.decided)


def test_numbers_are_those_of_numpy(folder):
    frames = np.load(folder / "scan.npy").astype(float)
    y, x = np.mgrid[:112, :112]
    ring = (np.hypot(y - 55, x - 55) >= 20) & (np.hypot(y - 55, x - 55) <= 30)
    found = stem4d.analyze(folder / "scan.npy", PLAN)
    assert same(found.images["rings_far"], frames[..., ring].sum(-1))
    assert same(found.patterns["max"].values, frames.max((0, 1)))
    assert np.allclose(found.center_of_mass["turned"].row, (frames * y).sum((2, 3)) / frames.sum((2, 3)))


def test_a_file_says_which_scan_and_how_it_is_loaded(folder):
    found = stem4d.analyze(None, folder / "plan.toml")
    scan = sluice.load(folder / "scan.npy", det_bin=2, scan_region=(0, 1, 3, 6))
    weights = np.load(folder / "w.npy")
    assert same(found.images["bf"], stem4d.virtual_image(scan, "bf")["bf"])
    assert same(found.images["weights:w.npy"], stem4d.virtual_image(scan, stem4d.weights(weights)).values[0])
    assert found.patterns["mean"].values.shape == (56, 56)
    assert found.phase_contrast["center_of_mass"].rotation.degrees == -12.5
    assert same_disks(found.disks["disks"], stem4d.find_disks(scan, stem4d.plan_disks(scan, most_disks=20)))
    # A path is opened and loaded in the same way; a scan that is loaded stays as it is.
    assert same(stem4d.analyze(folder / "scan.npy", folder / "plan.toml").images["bf"], found.images["bf"])
    assert stem4d.analyze(sluice.load(folder / "scan.npy"), folder / "plan.toml").images["bf"].shape == (3, 7)


def test_the_command_line_finds_the_same(folder):
    subprocess.run([PROGRAM, "stem4d", "analyze", folder / "plan.toml", "--out", folder / "out", "--format", "npy"],
                   check=True, capture_output=True)
    found = stem4d.analyze(None, folder / "plan.toml")
    assert same(np.load(folder / "out" / "bf.npy"), found.images["bf"])
    assert same(np.load(folder / "out" / "icom.npy"), found.phase_contrast["center_of_mass"].icom)
    assert same_disks(stem4d.load_vectors(folder / "out" / "disks.h5"), found.disks["disks"])


def test_a_scan_in_vacuum_makes_the_template(folder, tmp_path):
    y, x = np.mgrid[:112, :112]
    one = 300 / (1 + np.exp(4 * (np.hypot(y - 55, x - 56) - 5.5)))
    np.save(tmp_path / "vacuum.npy", np.random.default_rng(2).poisson(one, (2, 2, 112, 112)).astype(np.uint16))
    scan = sluice.load(folder / "scan.npy")
    for vacuum in (tmp_path / "vacuum.npy", sluice.load(tmp_path / "vacuum.npy")):
        found = stem4d.analyze(scan, {"disks": {"vacuum": vacuum}})
        right = stem4d.find_disks(scan, stem4d.fit_template(tmp_path / "vacuum.npy"))
        assert same_disks(found.disks["disks"], right)


def test_a_key_of_earlier_plans_is_read_and_said(folder, tmp_path):
    scan = sluice.load(folder / "scan.npy")
    file = tmp_path / "plan.toml"
    file.write_text("[disks]\ntemplate_radius = 5.5\nmost = 4\n")
    for plan in ({"disks": {"template_radius": 5.5, "most": 4}}, file):
        with pytest.warns(DeprecationWarning, match="most_disks now"):
            found = stem4d.analyze(scan, plan)
        assert found.disk_plans["disks"].most_disks == 4
    with pytest.warns(DeprecationWarning, match="most_disks"):
        assert found.disk_plans["disks"].most == 4
    with pytest.raises(sluice.InvalidArgument, match="give one of them"):
        stem4d.analyze(scan, {"disks": {"template_radius": 5.5, "most": 4, "most_disks": 5}})


@pytest.mark.parametrize("plan, message", [
    ({"virtual_images": {}}, "no table 'virtual_images'; did you mean 'virtual_image'"),
    ({"disks": {"least_scor": 3}}, "key of disks 'least_scor'; did you mean 'least_score'"),
    ({"disks": {"few": {"mst": 3}}}, "key of disks.few 'mst'; did you mean 'most_disks'"),
    ({"disks": {"least_score": -3}}, "least_score"),
    ({"disks": {"template": 3}}, "template is a int"),
    ({"disks": {"template_radius": 6, "vacuum": "v.npy"}}, "exclude each other"),
    ({"virtual_image": "bf"}, "it is a table"),
    ({"virtual_image": {"a": {"detector": ["bf", "bf"]}}}, "two results are called 'a_bf'"),
    ({"diffraction_pattern": {"kind": "median"}}, "median"),
    ({"diffraction_pattern": {"at": "3:0"}}, "does not exist"),
    ({"diffraction_pattern": {"where": np.ones((7, 3))}}, "where"),
    ({"center_of_mass": {"rotation": "left"}}, "'left'"),
    ({}, "asks for nothing"),
    (3, "plan is 3; give a dictionary or a path"),
])
def test_what_makes_no_sense_is_refused(folder, plan, message):
    with pytest.raises(sluice.InvalidArgument, match=message):
        stem4d.analyze(folder / "scan.npy", plan)
    if not isinstance(plan, int):
        with pytest.raises(sluice.InvalidArgument, match="scan is None"):
            stem4d.analyze(None, plan)


def test_it_is_cancelled(folder):
    with pytest.raises(sluice.Cancelled):
        stem4d.analyze(sluice.load(folder / "scan.npy"), PLAN, progress=lambda done, total: False)


def test_parts_in_any_order_have_the_bits_of_one(folder):
    from sluice import _core
    from sluice._axes import axes_of
    from sluice.stem4d._analyze import result
    from sluice.stem4d._plans import native_plan
    scan = sluice.load(folder / "scan.npy", stream=True)
    native = native_plan(PLAN, "cpu", 1)
    decided = _core.decide_analysis(scan._open(), native, "cpu", 1, None)
    there, here = (_core.AnalysisParts(scan._open(), native, decided, n) for n in (1, 3))
    packed = [there.part(group, 1) for group in range(there.groups)]
    for part in reversed(packed):
        here.add(part)
    with pytest.raises(sluice.Error):
        here.add(packed[0])
    found, right = result(here.finish(), decided, axes_of(scan)), stem4d.analyze(scan, PLAN)
    assert same(found.images["rings_adf"], right.images["rings_adf"])
    assert same(found.patterns["max"].values, right.patterns["max"].values)
    assert same_disks(found.disks["few"], right.disks["few"])
