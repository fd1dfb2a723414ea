"""The stages `asan` and `tsan`: unit tests and fuzz replays under sanitizers, layer by layer.

SPDX-License-Identifier: Apache-2.0

A layer is tested where its files, those of a layer below it, or what builds them changed since they
were last found good (tools/verdicts.py). On a machine without any verdict that would be every
layer, for half an hour: there the first run takes the layers that read foreign bytes or hand work
to threads, and all fuzz replays; the next run takes the rest. `./dev test --deep` tests every layer.
"""
import dataclasses
import json
import re

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
    first: tuple          # the layers whose unit tests a machine without verdicts runs
    only: tuple = ()      # what it looks at, and which tests of that; empty: every layer, all tests
    replays: bool = True  # whether it runs the fuzz targets on their corpus
    env: tuple = ()


# These compute for seconds on end, through code that quicker tests of the same suite run, too.
LONG = ("Likelihood|Causes|Truth|ModePowers|HalfData|FindDisk|NearField|VariableProbe|Sobp|Topas"
        "|Measured|LongerSongs|Resample.Keeps|FindsPositions|Sweep|Detector.A|Slices.A"
        "|PartsChangeNoBit|OnAnyNumberOfThreads|AnglesBehindAir|Orientation.ErrorsAreRight"
        "|ReachTheBoundAtEveryDose")
KINDS = (
    # ASan keeps what was freed for a while, which looks like the growth that SoakTest looks for.
    Kind("asan", f"SoakTest|{LONG}", ("base", "codec", "format", "zarr", "server")),
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


def programs(kind, layer, first=False):
    """The test programs and fuzz targets of a layer or suite; `first`: of a machine without verdicts."""
    if layer.kind == "suite":
        return [] if first else [layer.name]
    tests = any(folder_of(layer).rglob("*_test.cpp")) and (not first or layer.name in kind.first)
    return ([f"test_{layer.name}"] if tests else []) + (fuzz_targets(layer) if kind.replays else [])


def looked_at(kind, listed):
    """What a kind looks at: layers and suites, each with the regular expression of its tests."""
    only = dict(kind.only)
    return {layer: only.get(layer.name, ".") for layer in listed.values()
            if layer.kind in ("layer", "suite") and (not only or layer.name in only)
            and programs(kind, layer) and (only or layer.kind == "layer")}


def selected(kind, tests, first=False):
    """The tests of layers as one regular expression for CTest, which counts no more than ten groups."""
    whole = [name for layer, chosen in tests.items() if chosen == "."
             for name in programs(kind, layer, first)]
    some = [rf"^test_{layer.name}\..*({chosen})" for layer, chosen in tests.items()
            if chosen != "." and not first]
    return "|".join([rf"^(fuzz_replay\.)?({'|'.join(whole)})(\.|$)", *some])


def is_of(kind, layer, name):
    """Whether a test of CTest belongs to a layer."""
    return name.removeprefix("fuzz_replay.").split(".")[0] in programs(kind, layer)


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


def stage(kind, deep):
    """Tests the layers that changed, or every one; keeps the good verdicts."""
    listed, verdicts = layers.layers() | SUITES, Verdicts(kind.name)
    tests = looked_at(kind, listed)
    states = {layer: state(kind, layer, listed) for layer in tests}
    todo = [layer for layer, name in states.items() if deep or not verdicts.holds(name)]
    if not todo:
        return Outcome(note=f"{len(states)} layers, unchanged since they were found good")
    first = not deep and verdicts.none()
    built = compiled(kind.name, [name for layer in todo for name in programs(kind, layer, first)])
    if built.failed:
        return built
    chosen = selected(kind, {layer: tests[layer] for layer in todo}, first)
    outcome = ctest(kind.name, ["-R", chosen, "-E", kind.left_out], 600, dict(kind.env))
    whole = [layer for layer in todo if not first or layer.name in kind.first]
    outcome.note = ", ".join(layer.name for layer in whole)
    if first:
        outcome.note += "; the next run takes the other layers"
    for layer in whole:
        bad = outcome.failed and (not outcome.names or any(is_of(kind, layer, name)
                                                           for name in outcome.names))
        # A layer that changed meanwhile was tested in its new state.
        if not bad and state(kind, layer, listed) == states[layer]:
            verdicts.keep(states[layer])
    return outcome
