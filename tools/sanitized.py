"""The stages `asan` and `tsan`: unit tests and fuzz replays under sanitizers, layer by layer.

SPDX-License-Identifier: Apache-2.0

A layer is tested where its files, those of a layer below it, or what builds them changed since they
were last found good (tools/verdicts.py). That may be every layer, for most of an hour: those that read
foreign bytes or hand work to threads come first, and what there is no time for is left to the next run
(tools/deadline.py). `./dev test --deep` tests every layer.
"""
import dataclasses
import json
import math
import re
import time

import deadline
import layers
from outcome import Outcome, compiled, ctest
from sources import ROOT
from verdicts import Verdicts, state_of, versions

BUILT_BY = ["CMakeLists.txt", *(f"cmake/{name}.cmake" for name in
                                ("sluice", "isa", "dependencies", "pch", "unity"))]
SHARED = ("tests/support", "tests/data", "tests/jxrlib", "tests/czi_writer")


@dataclasses.dataclass(frozen=True)
class Kind:
    """A sanitizer."""
    name: str             # the preset it is built with
    left_out: str         # tests that are not run, as CTest's -E has it
    first: tuple          # the layers that are tested first
    only: tuple = ()      # what it looks at, and which tests of that; empty: every layer, all tests
    replays: bool = True  # whether it runs the fuzz targets on their corpus
    env: tuple = ()
    share: float = 1      # of the time that is left, what it may take


# These compute for seconds on end, through code that quicker tests of the same suite run, too.
LONG = ("Likelihood|Causes|Truth|ModePowers|HalfData|FindDisk|NearField|VariableProbe|Sobp|Topas"
        "|Measured|LongerSongs|Resample.Keeps|FindsPositions|Sweep|Detector.A|Slices.A"
        "|PartsChangeNoBit|OnAnyNumberOfThreads|AnglesBehindAir|Orientation.ErrorsAreRight"
        "|ReachTheBoundAtEveryDose")
KINDS = (
    # ASan keeps what was freed for a while, which looks like the growth that SoakTest looks for.
    Kind("asan", f"SoakTest|{LONG}", ("base", "codec", "format", "zarr", "server"), share=0.6),
    # The layers with threads of their own. nn and music share work by OpenMP, and GCC's library does not tell the
    # sanitizer how its threads wait for each other. The tests of store are in tests/property.
    Kind("tsan", f"SoakTest|{LONG}", ("device", "fold", "server"),
         (("device", "."), ("fold", "."), ("scan", "."), ("net", "."), ("live", "."),
          ("server", "."), ("view", "."), ("property", "."),
          ("ptychography", "Threads|Ranks|Watching|EachSolver|Lanes|Groups|Stops|Divergence|Together")),
         False, (("TSAN_OPTIONS", "halt_on_error=1 second_deadlock_stack=1 die_after_fork=0"),)),
)
# The suites of tests/CMakeLists.txt that a kind may name, and what they are linked with.
SUITES = {"property": layers.Layer("suite", "property", "../tests/property", (),
                                   ("stem4d", "ptychography", "proton"), "")}


def folder_of(layer):
    return (ROOT / "src" / layer.folder).resolve()


def fuzz_targets(layer):
    """The names of a layer's fuzz targets."""
    return sorted(path.stem for path in folder_of(layer).rglob("*_fuzz.cpp"))


def programs(kind, layer):
    """The test programs and fuzz targets of a layer or suite."""
    if layer.kind == "suite":
        return [layer.name]
    tests = any(folder_of(layer).rglob("*_test.cpp"))
    return ([f"test_{layer.name}"] if tests else []) + (fuzz_targets(layer) if kind.replays else [])


def looked_at(kind, listed):
    """What a kind looks at: layers and suites, each with the regular expression of its tests."""
    only = dict(kind.only)
    return {layer: only.get(layer.name, ".") for layer in listed.values()
            if layer.kind in ("layer", "suite") and (not only or layer.name in only)
            and programs(kind, layer) and (only or layer.kind == "layer")}


def selected(kind, layer, chosen):
    """The tests of a layer as a regular expression for CTest."""
    if chosen == ".":
        return rf"^(fuzz_replay\.)?({'|'.join(programs(kind, layer))})(\.|$)"
    return rf"^test_{layer.name}\..*({chosen})"


def files_of(layer, listed):
    """Every file that the tests of a layer are made of, or read."""
    parts = [listed[name] for name in layers.parts(layer.name, listed)]
    below = [path for part in parts for path in folder_of(part).rglob("*")
             if not re.search(r"_(test|fuzz)\.cpp$", path.name)]
    own = list(folder_of(layer).rglob("*.cpp"))
    headers = [ROOT / f"include/sluice/{name}.h" for part in parts for name in part.public]
    corpora = [f"tests/fuzz/{name}" for name in fuzz_targets(layer)]
    shared = [path for folder in (*SHARED, *corpora) for path in (ROOT / folder).rglob("*")]
    found = {*below, *own, *headers, *shared, *(ROOT / name for name in BUILT_BY)}
    return sorted(path for path in found if path.is_file())


def preset(name):
    """A preset and those it inherits from."""
    text = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
    presets = {entry["name"]: entry for entry in json.loads(text)["configurePresets"]}
    found = []
    while name in presets:
        found.append(presets[name])
        name = presets[name].get("inherits")
    return found


def state(kind, layer, listed):
    """A name for all that the verdict on a layer depends on."""
    entries = [listed[name] for name in sorted(layers.parts(layer.name, listed))]
    common = repr([kind, entries, preset(kind.name)]).encode() + versions(["g++", "--version"])
    return state_of(common, files_of(layer, listed))


def tested(kind, layer, chosen, until):
    """Builds and tests a layer: its outcome, or None where there was no time for all of it."""
    def left():
        return until - time.monotonic()
    if left() <= 0:
        return None
    outcome = compiled(kind.name, programs(kind, layer), left())
    if not outcome.failed:
        outcome = ctest(kind.name, ["-R", selected(kind, layer, chosen), "-E", kind.left_out], 600,
                        dict(kind.env), left())
    return None if left() <= 0 else outcome


def in_order(kind, todo):
    """Layers, the most exposed ones first."""
    return sorted(todo, key=lambda layer: kind.first.index(layer.name)
                  if layer.name in kind.first else len(kind.first))


def stage(kind, deep):
    """Tests the layers that changed, or every one; keeps the good verdicts."""
    listed, verdicts = layers.layers() | SUITES, Verdicts(kind.name)
    tests = looked_at(kind, listed)
    states = {layer: state(kind, layer, listed) for layer in tests}
    todo = [layer for layer, name in states.items() if deep or not verdicts.holds(name)]
    if not todo:
        return Outcome(note=f"{len(states)} layers, unchanged since they were found good")
    until = math.inf if deep else time.monotonic() + kind.share * deadline.seconds_left()
    found, good, left = Outcome(), [], []
    for layer in in_order(kind, todo):
        outcome = tested(kind, layer, tests[layer], until)
        if not outcome:
            left.append(layer.name)
            continue
        found.add(outcome)
        good.append(layer.name)
        # A layer that changed meanwhile was tested in its new state.
        if not outcome.failed and state(kind, layer, listed) == states[layer]:
            verdicts.keep(states[layer])
    found.note = ", ".join(good)
    if left:
        found.reasons[f"no time was left; the next run takes {', '.join(left)}"] = len(left)
    return found
