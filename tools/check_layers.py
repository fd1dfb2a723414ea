#!/usr/bin/env python3
"""Checks that #includes keep to cmake/layers.cmake, and that libraries enter through one folder.

SPDX-License-Identifier: Apache-2.0

    tools/check_layers.py    "file:line: message" for each broken rule, and exit 1 if there is any
"""
import fnmatch
import pathlib
import re
import sys

import layers
from sources import ROOT, includes, resolve, sources

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
                        "src/domain/slide/*", "src/domain/proton/run/*",
                        "src/format/weights/*", "src/format/kinds/*", "src/format/described*", "src/format/zarr/*",
                    "src/format/raw/side_car*", "src/domain/conversion/zarr_target*", "src/net/json/*",
                        "src/domain/crystal/probe/template_file*",
                        "src/domain/crystal/calibrate/calibration_file*")),
    (r"yaml-cpp/.*", ("src/domain/music/config/*",)),
    (r"boost/.*", ("src/net/http/*", "src/server/*")),
    (r"zmq\.h", ("src/net/socket.cpp",)),
    (r"(netdb|netinet/\w+|sys/(socket|un))\.h", ("src/net/tcp.cpp", "*_test.cpp")),
    (r"dcmtk/.*", ("src/format/dicom/dcmtk/*",)),
    (r"gemmi/.*", ("src/domain/crystal/gemmi/*",)),
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


def layer_of(path, listed):
    """The name of the layer of a path relative to the root; None where everything is allowed."""
    parts = path.split("/")
    if path.startswith("include/sluice/"):
        if path == EVERYTHING:
            return "everything"
        stem = pathlib.PurePath(path).stem
        return next((name for name, layer in listed.items() if stem in layer.public), "unknown")
    if parts[0] == "src" and parts[1:-1]:
        layer = layers.around("/".join(parts[1:-1]), listed)
        return layer.name if layer else "nowhere"
    return None


def complaint(path, target, listed):
    """Why `path` may not include `target` (both relative to the root), or None."""
    source, wanted = layer_of(path, listed), layer_of(target, listed)
    if wanted == "unknown":
        return f"{target} has no layer (every public header needs one) enter it behind PUBLIC of " \
               f"its layer in {layers.LIST}"
    if wanted == "everything":
        allowed = source in (None, "everything") or path.startswith("src/app/")
        return None if allowed else f"{target} is for programs (it holds every layer) " \
                                    "include the header that is needed"
    if target.startswith(("tests/jxrlib/", "tests/czi_writer/")) and TESTS.search(path):
        return None
    if target.startswith("tests/") and not path.startswith("tests/"):
        return f"{path} may not include {target} (tests stand above everything)"
    # A folder without a layer is reported once, and not at each of its includes.
    if source in (None, "everything", wanted, "nowhere") or wanted in (None, "nowhere"):
        return None
    folder, there = listed[source].folder, listed[wanted].folder
    # One fuzz target attacks a layer with its rooms.
    if path.endswith("_fuzz.cpp") and there.startswith(f"{folder}/"):
        return None
    if wanted in layers.below(source, listed):
        return None
    relation = "stands above it" if source in layers.below(wanted, listed) else \
        "is not one that it depends on"
    return f"{folder} may not include {target} ({there} {relation}) include less, or enter " \
           f"{wanted} behind DEPENDS of {source} in {layers.LIST}"


def foreign_complaint(path, name):
    """Why `path` may not include the header `name` of another project, or None."""
    for pattern, places in LIBRARIES:
        if re.fullmatch(pattern, name):
            return None if any(fnmatch.fnmatchcase(path, place) for place in places) else \
                f"<{name}> may not be included here (it enters through {', '.join(places)})"
    if SYSTEM.fullmatch(name):
        return None
    return f"<{name}> belongs to no known library (each has one way in) enter it in LIBRARIES"


def check(root=ROOT):
    """Every broken rule of a tree as "file:line: message", and the number of files read."""
    listed = layers.layers(root)
    problems, files = [], sources(root)
    for file in files:
        path = file.relative_to(root).as_posix()
        if layer_of(path, listed) == "unknown":
            problems.append(f"{path}:1: {complaint('tests/x', path, listed)}")
            continue
        for line, _, name in includes(file):
            target = resolve(name, file, root)
            if target:
                why = complaint(path, target.relative_to(root.resolve()).as_posix(), listed)
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
    problems, count = check()
    problems += layers.mistakes(layers.layers()) + left_out()
    print("\n".join(problems) if problems else f"layers: {count} files, every include is of a layer below")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
