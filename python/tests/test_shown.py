"""What type checkers know of `show`, and that the widgets have all of it.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess
import sys

import pytest

import sluice
from sluice import proton, slide, stem4d

TYPED = """
import numpy as np
import sluice
from typing_extensions import assert_type
from typing import Any, List, Union
from sluice import proton, slide, stem4d

def shown(scan: sluice.Scan, result: stem4d.PtychographyResult, one: slide.Slide) -> None:
    w = stem4d.show("scan_master.h5", detectors="adf", mode="icom")
    assert_type(w, stem4d.ShownScans)
    assert_type(w.detectors, List[stem4d.Detector])
    w.detectors = ["bf", stem4d.disk(3)]
    w.probe = (3, 4)
    assert_type(stem4d.show(scan), stem4d.ShownScans)
    assert_type(stem4d.show(np.zeros((2, 2, 8, 8))), stem4d.ShownScans)
    assert_type(stem4d.show(result, "other.h5"), stem4d.ShownResults)
    assert_type(slide.show("x.czi"), slide.ShownSlides)
    assert_type(proton.show("dose/"), proton.ShownVolumes)
    assert_type(sluice.show(one), slide.ShownSlides)
    assert_type(sluice.show(scan, det_bin=2), stem4d.ShownScans)
    assert_type(sluice.show(result), stem4d.ShownResults)
    assert_type(sluice.show("any"), Union[stem4d.ShownScans, stem4d.ShownResults, slide.ShownSlides, proton.ShownVolumes])
water = sluice.proton.Physics()
one: float = water.range(np.float32(150))
other: float = water.range(np.int64(150))
many: "np.ndarray[Any, np.dtype[np.float64]]" = water.range([100, 150])
"""
WRONG = """
from sluice import stem4d
stem4d.show("a", mode="icm")
stem4d.show("a").probes
"""


def checked(tmp_path, text):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "typed.py").write_text(text)
    source = pathlib.Path(__file__).resolve().parents[1]
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", tmp_path / "typed.py"], text=True,
                          stdout=subprocess.PIPE, env={"MYPYPATH": str(source)}, cwd=source.parent).stdout


def test_type_checkers_know_what_is_shown(tmp_path):
    assert "Success" in checked(tmp_path, TYPED)


def test_type_checkers_tell_mistakes(tmp_path):
    said = checked(tmp_path, WRONG)
    assert "Found 2 errors" in said, said


def members(kind):
    return {name for one in kind.__mro__ if one.__module__.startswith("sluice")
            for name in [*vars(one), *getattr(one, "__annotations__", {})] if not name.startswith("_")}


@pytest.mark.parametrize("kind, made", [
    (stem4d.ShownScans, lambda: stem4d.show("synthetic:stem4d?scan=4x4&detector=16x16"))])
def test_the_widget_has_all_of_its_type(kind, made):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    try:
        widget = made()
    except sluice.Unavailable:
        pytest.skip("this build has no page")
    try:
        missing = {name for name in members(kind) if not hasattr(type(widget), name) and not hasattr(widget, name)}
        assert not missing
    finally:
        widget.close()


def test_show_finds_the_kind(tmp_path, monkeypatch):
    called = []
    for module in (stem4d, slide, proton):
        monkeypatch.setattr(module, "show", lambda *sources, _name=module.__name__, **options:
                            called.append((_name, sources, options)))
    sluice.save_nrrd(tmp_path / "v.nrrd", sluice.Volume([[1.0, 2.0], [3.0, 4.0]], (1, 1)))
    sluice.show("synthetic:stem4d?scan=4x4&detector=16x16", mode="icom")
    sluice.show(tmp_path / "v.nrrd", memory_limit=5)
    assert [name for name, _, _ in called] == ["sluice.stem4d", "sluice.proton"]
    assert called[0][2] == {"height": 600, "mode": "icom"} and called[1][2] == {"height": 600, "memory_limit": 5}
    with pytest.raises(sluice.InvalidArgument, match="scans and volumes are not shown together"):
        sluice.show(tmp_path / "v.nrrd", "synthetic:stem4d")
    with pytest.raises(sluice.InvalidArgument, match="mode is of scans"):
        sluice.show(tmp_path / "v.nrrd", mode="icom")
