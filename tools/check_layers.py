#!/usr/bin/env python3
"""Checks that #includes point downwards only, and that libraries enter through one folder.

SPDX-License-Identifier: Apache-2.0

    tools/check_layers.py              checks this tree: "file:line: message", exit 1 if any
    tools/check_layers.py --self-test  checks the checker on small trees made for it
"""
import fnmatch
import pathlib
import re
import sys

from sources import ROOT, includes, resolve, sources

# Lowest first. A file may include its own layer and the lines above its own in this table;
# layers on one line do not know each other. CMakeLists.txt links them in the same order.
ORDER = [
    ["base"],
    ["device"],
    ["codec", "launch", "bench", "config", "ranks"],
    ["kernel", "format", "fold", "fft", "nn"],
    ["store", "audio"],
    ["scan", "save", "server", "zarr"],
    ["figure"],
    ["domain/*"],
    ["app/view"],
    ["app/view/*"],
    ["app/cli/shell"],
    ["app/cli/*"],
    ["app/cli/ptychography"],  # a verb of the group stem4d, which reads scans as the others do
    ["app/cli"],
]
# Results must be writable, and pages served, without anything that reads or computes.
ON_BASE_ONLY = {"save", "server"}

# include/sluice/x.h belongs to the layer that defines what it declares.
PUBLIC = {
    "result": "base", "view": "base", "dtype": "base", "version": "base",
    "source": "base", "volume": "base", "progress": "base", "provenance": "base", "trace": "base",
    "measured": "base", "slide_model": "base",
    "device": "device",
    "communicator": "ranks",
    "czi": "format", "load_volume": "format",
    "dataset": "format", "memory_dataset": "format",
    "save": "save",
    "load": "store",
    "scan": "scan", "scan_values": "scan",
    "stem4d": "domain/stem4d", "stem4d_series": "domain/stem4d",
    "stem4d_parts": "domain/stem4d",
    "ptychography": "domain/ptychography", "ptychography_settings": "domain/ptychography",
    "ptychography_file": "domain/ptychography",
    "ptychography_check": "domain/ptychography",
    "ptychography_compare": "domain/ptychography", "ptychography_judge": "domain/ptychography",
    "ptychography_search": "domain/ptychography",
    "slide": "domain/slide", "slide_stack": "domain/slide", "convert": "domain/slide",
    "slide_profile": "domain/slide",
    "proton": "domain/proton", "proton_config": "domain/proton", "proton_dense": "domain/proton",
    "proton_base_data": "domain/proton", "proton_guards": "domain/proton",
    "proton_converge": "domain/proton", "proton_metrics": "domain/proton",
    "proton_sobp": "domain/proton", "proton_run": "domain/proton",
    "proton_volume": "domain/proton",
    "music": "domain/music", "music_score": "domain/music", "music_selftest": "domain/music", "music_separate": "domain/music",
    "music_song": "domain/music",
}
EVERYTHING = "include/sluice/sluice.h"  # for programs; only app, examples, tests and bench

# A header of other people, and which files may include it. The first match counts.
LIBRARIES = [
    (r"build\.h", ["src/base/version.cpp"]),  # generated; changes with every commit
    (r"test_data\.h", ("*_test.cpp", "*_test.h")),  # generated
    (r"lz4\w*\.h|zstd\w*\.h", ("src/codec/*", "tests/czi_writer/*")),
    (r"jpeglib\.h|jerror\.h", ("src/codec/*", "tests/czi_writer/*")),
    (r"pugixml\.hpp", ("src/format/*",)),
    (r"toml\.hpp", ("src/config/*", "src/domain/*/config/*")),
    (r"blosc\.h", ("src/zarr/*",)),
    (r"fftw3\.h", ("src/fft/*", "bench/*")),
    (r"sndfile\.h|soxr\.h", ("src/audio/*",)),
    (r"dnnl\.hpp", ("src/nn/onednn.cpp",)),
    (r"cudnn\w*\.h", ("src/nn/remote/cudnn*",)),
    # libhdf5 never sees bytes of others: only what this project writes.
    (r"hdf5\w*\.h|H5\w+\.h", ("src/format/nxmx/writer*", "src/save/*", "*_test.cpp",
                               "*/test_*.h")),
    (r"png\w*\.h|tiff\w*\.h", ("src/save/*",)),
    (r"cairo[\w-]*\.h|ft2build\.h", ("src/figure/*",)),
    (r"CLI/.*", ("src/app/*",)),
    (r"nlohmann/.*", ("src/app/*", "src/base/trace*", "src/bench/*", "src/zarr/*",
                        "src/domain/slide/*", "src/format/weights/*")),
    (r"yaml-cpp/.*", ("src/domain/music/config/*",)),
    (r"boost/.*", ("src/server/*",)),
    (r"mpi\.h", ("src/ranks/mpi/plugin.cpp",)),
    (r"nanobind/.*", ("python/bind/*",)),
    (r"JXRGlue\.h", ("tests/jxrlib/*",)),
    (r"zlib\.h", ("src/codec/*", "src/format/*", "src/save/*", "src/figure/*_test.cpp")),
    (r"(cuda|cub|thrust|nvtx3)/.*|(cuda|cu|cooperative_groups|nv|vector_)\w*\.h|math_constants\.h",
     ("src/device/*", "src/launch/*", "*.cu", "*.cuh")),
    (r"(gtest|gmock)/.*", ("*_test.cpp", "*_test.h", "*/test_*.h", "tests/*")),
    (r"fmt/.*", ("*",)),
]
# Which files may use what only tests are linked with.
TESTS = re.compile(r"_test\.(cpp|h)$|/test_\w+\.h$|^bench/")
# What the compiler and the operating system bring.
SYSTEM = re.compile(r"\w+|(sys|linux)/\w+\.h|(unistd|fcntl|signal|pthread|sched|poll|dlfcn"
                    r"|errno|stdlib|string|stdio|time|math|limits|stdint|immintrin|arm_neon|cpuid"
                    r"|execinfo|spawn|termios|sysexits|getopt|fnmatch|glob|dirent|malloc)\.h")


def layer_of(path):
    """The layer of a path relative to the root; None where everything is allowed."""
    parts = path.split("/")
    if path.startswith("include/sluice/"):
        if path == EVERYTHING:
            return "everything"
        return PUBLIC.get(pathlib.PurePath(path).stem, "unknown")
    folders = parts[1:-1]
    if parts[0] == "src" and folders:
        # A domain is a layer of its own, and so is each room of the viewer.
        return "/".join(folders[:{"domain": 2, "app": 3}.get(folders[0], 1)])
    return None


def line_of(layer):
    """The line of ORDER that a layer stands on, or None."""
    for name in (layer, f"{layer.rpartition('/')[0]}/*"):
        for number, names in enumerate(ORDER):
            if name in names:
                return number
    return None


def complaint(path, target):
    """Why `path` may not include `target` (both relative to the root), or None."""
    source, wanted = layer_of(path), layer_of(target)
    if wanted == "unknown":
        return f"{target} has no layer (every public header needs one) enter it in PUBLIC"
    if wanted == "everything":
        allowed = source in (None, "everything") or source.startswith("app/")
        return None if allowed else f"{target} is for programs (it holds every layer) " \
                                    "include the header that is needed"
    if target.startswith(("tests/jxrlib/", "tests/czi_writer/")) and TESTS.search(path):
        return None
    if target.startswith("tests/") and not path.startswith("tests/"):
        return f"{path} may not include {target} (tests stand above everything)"
    if source in (None, "everything", wanted) or wanted is None:
        return None
    # One fuzz target attacks a layer with its rooms.
    if path.endswith("_fuzz.cpp") and wanted.startswith(f"{source}/"):
        return None
    here, there = line_of(source), line_of(wanted)
    if here is None or there is None:
        unknown = source if here is None else wanted
        return f"folder {unknown} has no layer (its place is not known) enter it in ORDER"
    if there < here and (source not in ON_BASE_ONLY or wanted == "base"):
        return None
    relation = "beside" if there == here else "above" if there > here else "not under"
    return f"{source} may not include {target} ({wanted} stands {relation} it)"


def foreign_complaint(path, name):
    """Why `path` may not include the header `name` of somebody else, or None."""
    for pattern, places in LIBRARIES:
        if re.fullmatch(pattern, name):
            return None if any(fnmatch.fnmatchcase(path, place) for place in places) else \
                f"<{name}> may not be included here (it enters through {', '.join(places)})"
    if SYSTEM.fullmatch(name):
        return None
    return f"<{name}> belongs to no known library (each has one way in) enter it in LIBRARIES"


def check(root=ROOT):
    """Every broken rule of a tree as "file:line: message", and the number of files read."""
    problems, files = [], sources(root)
    for file in files:
        path = file.relative_to(root).as_posix()
        own = layer_of(path)
        if own == "unknown":
            problems.append(f"{path}:1: {complaint('tests/x', path)}")
            continue
        if own and own != "everything" and line_of(own) is None:
            problems.append(f"{path}:1: folder {own} has no layer (its place is not known) "
                            "enter it in ORDER")
            continue
        for line, _, name in includes(file):
            target = resolve(name, file, root)
            if target:
                why = complaint(path, target.relative_to(root.resolve()).as_posix())
            else:
                why = foreign_complaint(path, name)
            if why:
                problems.append(f"{path}:{line}: {why}")
    return problems, len(files)


def left_out(root=ROOT):
    """The public headers that the header of everything does not include, as messages."""
    everything = root / EVERYTHING
    there = {name for _, _, name in includes(everything)}
    wanted = {f"sluice/{f.name}" for f in everything.parent.glob("*.h") if f != everything}
    return [f"{EVERYTHING}:1: {name} is missing (this header has every other) include it"
            for name in sorted(wanted - there)]


def main():
    if sys.argv[1:] == ["--self-test"]:
        import check_layers_test
        return check_layers_test.main()
    problems, count = check()
    problems += left_out()
    print("\n".join(problems) if problems else f"layers: {count} files, every include downwards")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
