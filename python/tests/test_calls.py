"""A keyword or a value that a function does not take is an error in Python's words, with the nearest
name: of the call, and of mypy.

SPDX-License-Identifier: Apache-2.0
"""
import inspect
import pathlib
import pickle
import re
import subprocess
import sys
import typing

import numpy as np
import pytest

import sluice
from sluice import _option_sets, _options, distributed, music, proton, pylibczirw, slide, stem4d
from sluice._calls import Calls
from sluice.music._separate import _options as separate_options
from sluice.proton._march import march_options
from sluice.stem4d._orientation import match_numbers

SYNTHETIC = "synthetic:stem4d?scan=4x5&detector=16x16"
MODULES = (sluice, stem4d, slide, music, proton, distributed)
#: Fields of a caller's own.
OPEN = {"sluice.Provenance", "sluice.stem4d.BraggVectors"}


def public():
    """(name, callable) of all functions and classes that are made by calling them."""
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            full = f"{module.__name__}.{name}"
            if inspect.isfunction(thing) and thing.__module__.startswith("sluice"):
                yield full, thing
            elif inspect.isclass(thing) and inspect.isfunction(vars(thing).get("__init__")) \
                    and not issubclass(thing, Exception) and not getattr(thing, "_is_protocol", False):
                yield full, thing


PUBLIC = dict(public())


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - OPEN))
def test_a_typo_is_an_error_of_the_call(name):
    called = name.split(".")[-1]
    with pytest.raises(sluice.WrongType, match=rf"^{called}\(\) has no keyword 'zz_typo'; (did you mean|it has none)"):
        PUBLIC[name](zz_typo=1)


def test_a_typo_is_an_error_of_mypy(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    names = sorted(set(PUBLIC) - OPEN)
    lines = [f"import {module.__name__}" for module in MODULES] + [f"{name}(zz_typo=1)" for name in names]
    (tmp_path / "typo.py").write_text("\n".join(lines) + "\n")
    source = pathlib.Path(__file__).resolve().parents[1]
    found = subprocess.run([sys.executable, "-m", "mypy", tmp_path / "typo.py"], text=True, stdout=subprocess.PIPE,
                           env={"MYPYPATH": str(source)}, cwd=source.parent)
    wrong = {int(n) for n in re.findall(r"typo\.py:(\d+): error: (?:Unexpected keyword|No overload|Extra)", found.stdout)}
    missing = [name for n, name in enumerate(names, len(MODULES) + 1) if n not in wrong]
    assert not missing, found.stdout


@pytest.mark.parametrize("call, says", [
    (lambda: sluice.load(SYNTHETIC, detbin=2), "load.. has no keyword 'detbin'; did you mean 'det_bin'"),
    (lambda: sluice.load(SYNTHETIC, scan_shpe=(4, 5)), "did you mean 'scan_shape'"),
    (lambda: sluice.load(np.ones((2, 2, 8, 8)), scan_shape=(4, 5)), "scan_shape.* of opening a path"),
    (lambda: sluice.load(SYNTHETIC, memory=1), "it is called 'memory_limit'"),
    (lambda: sluice.load(SYNTHETIC, residency="stream"), "it is called 'stream'"),
    (lambda: sluice.load(SYNTHETIC, user_mask=0), "it is called 'mask'"),
    (lambda: stem4d.center_of_mass(SYNTHETIC, mask="bf"), "it is called 'within'"),
    (lambda: stem4d.products(SYNTHETIC, take=0), "it is called 'where'"),
    (lambda: stem4d.patterns_of(SYNTHETIC, kilovolts=300), "it is called 'energy'"),
    (lambda: stem4d.orientation_library("x.cif", kilovolts=300), "it is called 'energy'"),
    (lambda: stem4d.show(SYNTHETIC, memory=1), "it is called 'memory_limit'"),
    (lambda: stem4d.plan_disks(SYNTHETIC, most=4), "it is called 'most_disks'"),
    (lambda: stem4d.orientation(None, None, tolerance=1), "it is called 'match_tolerance'"),
    (lambda: stem4d.calibrate(None, tolerance=1), "it is called 'shape_tolerance'"),
    (lambda: slide.convert("a", "b", fill=1), "it is called 'background'"),
    (lambda: slide.convert("a", "b", overwrite=True), "it is called 'force'"),
    (lambda: sluice.open(SYNTHETIC).load(detbin=2), r"Dataset.load.. .* did you mean 'det_bin'"),
    (lambda: slide.Slide.read(None, zom=2), "did you mean 'zoom'"),
    (lambda: music.separate(None, None, 1, overlp=2), "did you mean 'overlap'"),
    (lambda: proton.march(None, None, angle_stp=2), "did you mean 'angle_step'"),
    (lambda: sluice.load(SYNTHETIC, bin_mode="men"), "give one of sum, mean .did you mean 'mean'"),
    (lambda: sluice.load(SYNTHETIC, det_bin="2"), "det_bin is '2'; give a whole number"),
    (lambda: sluice.load(SYNTHETIC, threads=2.7), "threads is 2.7; give a whole number"),
    (lambda: sluice.load(SYNTHETIC, det_bin=2**80), "det_bin is 1208925819614629174706176; that is too much"),
    (lambda: sluice.load(SYNTHETIC, pixel_mask="no"), "pixel_mask is 'no'; give True or False"),
    (lambda: sluice.load(SYNTHETIC, scan_region=(0, 0, 4)), "give 4 whole numbers or None"),
    (lambda: sluice.load(SYNTHETIC, memory_limit="1G"), "give a whole number"),
    (lambda: stem4d.virtual_image(SYNTHETIC, "bf", disk=(8, 8, 4)), r"disk is \(8, 8, 4\); give Disk or None"),
    (lambda: stem4d.phase_contrast((1, 2)), "com is .*; give CenterOfMass"),
    (lambda: stem4d.frame(SYNTHETIC, "a", 1), "row is 'a'"),
    (lambda: stem4d.PtychographyStage("epi"), "did you mean 'epie'"),
    (lambda: sluice.open(3), "path is 3; give a path"),
    (lambda: sluice.open(b"x"), "path is b'x'; give a path"),
])
def test_what_cannot_be_is_told_in_words(call, says):
    with pytest.raises(sluice.WrongType, match=says) as told:
        call()
    assert isinstance(told.value, TypeError) and isinstance(told.value, ValueError)
    assert "_core" not in str(told.value) and "incompatible" not in str(told.value)


@pytest.mark.parametrize("options", [
    dict(det_bin=np.int64(2)), dict(scan_region=[0, 0, 2, 2]), dict(scan_region=np.array([0, 0, 2, 2])),
    dict(threads=np.uint8(2)), dict(pixel_mask=np.True_), dict(detector_step_mrad=1),
    dict(detector_step_mrad=np.float32(1)), dict(mask=[[0] * 16] * 16)])
def test_what_can_be_meant_is_taken(options):
    assert sluice.load(SYNTHETIC, **options).ndim == 4


def test_errors_have_the_words_of_python():
    with pytest.raises(sluice.OutOfMemory, match="use stream=True, det_bin=8, or a scan_region"):
        sluice.load("synthetic:stem4d?scan=512x512&detector=512x512", memory_limit=1000, stream=False)


@pytest.mark.parametrize("table, function", [
    (_options.OpenOptions, sluice.open), (_options.LoadOptions, sluice.load),
    (_option_sets.ConvertOptions, slide.convert), (_option_sets.ProfileOptions, slide.profile),
    (_option_sets.MarchOptions, march_options), (_option_sets.MatchOptions, match_numbers),
    (_option_sets.ModelOptions, music.Model), (_option_sets.SeparateOptions, separate_options),
    (_option_sets.PtychographyOptions, stem4d.ptychography)])
def test_options_are_those_of_their_functions(table, function):
    its = inspect.signature(function).parameters
    known = Calls(inspect.unwrap(function.__init__ if inspect.isclass(function) else function), "").kinds
    hints = typing.get_type_hints(table)
    assert set(hints) <= set(known)
    assert all(hints[name] == known[name] for name in hints if hints[name] is not typing.Any)
    left = {n for n, p in its.items() if p.kind is p.KEYWORD_ONLY} - set(hints)
    own = {"probe", "object", "start", "checkpoint", "checkpoint_every", "resume", "device", "threads", "progress",
           "watch"} if function is stem4d.ptychography else set()
    assert left == own


@pytest.mark.parametrize("name", sorted(n for n, f in PUBLIC.items() if inspect.isfunction(f)))
def test_functions_travel_by_their_names(name):
    assert pickle.loads(pickle.dumps(PUBLIC[name])) is PUBLIC[name]


@pytest.mark.parametrize("module", [*MODULES, pylibczirw], ids=lambda m: m.__name__)
def test_dir_tells_what_is_public(module):
    assert dir(module) == sorted(module.__all__)


def test_errors_of_callbacks_are_left_alone():
    def f(tile):
        raise TypeError("incompatible function: mine")
    with pytest.raises(TypeError, match="^incompatible function: mine$"):
        stem4d.fold(SYNTHETIC, f)
