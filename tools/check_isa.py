#!/usr/bin/env python3
"""Checks the objects compiled for one instruction set: no symbol that the linker may merge, and no
scalar popcount where a vector one was meant.

SPDX-License-Identifier: Apache-2.0

A weak symbol (an inline function, a template) that is emitted in the avx512 object may be the copy
that the linker keeps for everybody: then a processor without AVX-512 dies in ordinary code.

Where GCC 12 unrolls a loop over sixteen frames before it looks for vectors, `popcnt` appears in the
avx512 object: three times slower than AVX2, and nothing else shows it.

    tools/check_isa.py [build folder]      default build/release
    tools/check_isa.py --self-test         needs a compiler
"""
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MERGEABLE = {"W": "weak", "w": "weak, undefined", "V": "weak object", "v": "weak object, undefined",
             "u": "unique"}
HARMLESS = {"w", "v"}  # undefined: another object defines them
OBJECT = re.compile(r"isa_\w+\.dir/")


def objects(build):
    """The per-ISA objects of a build folder."""
    return sorted(p for p in build.rglob("*.o") if OBJECT.search(p.as_posix()))


def mergeable(path):
    """The (type, name) of the symbols of an object that the linker may merge."""
    run = subprocess.run(["nm", "--demangle", str(path)], check=True, text=True,
                         stdout=subprocess.PIPE)
    symbols = (line[17:].split(" ", 1) for line in run.stdout.splitlines() if len(line) > 18)
    return [(t, name) for t, name in symbols if t in MERGEABLE and t not in HARMLESS]


def scalar_popcounts(path):
    """How many scalar popcounts an avx512 object holds."""
    if not re.search(r"isa_\w+_avx512\.dir/", path.as_posix()):
        return 0
    run = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(path)], check=True, text=True,
                         stdout=subprocess.PIPE)
    return len(re.findall(r"\tpopcnt\b", run.stdout))


def check(build):
    """Prints what is wrong in a build folder; returns the exit status."""
    found = objects(build)
    bad = [(path, symbol) for path in found for symbol in mergeable(path)]
    for path, (kind, name) in bad:
        print(f"{path.relative_to(build)}: {name} is {MERGEABLE[kind]} (the linker may use it for "
              "every instruction set); move it into the unnamed namespace")
    slow = [(path, count) for path in found if (count := scalar_popcounts(path))]
    for path, count in slow:
        print(f"{path.relative_to(build)}: {count} scalar popcounts (GCC made no vectors of a loop); "
              "write the loop with intrinsics")
    has_sources = any((ROOT / "src").rglob("*.isa.cpp"))
    if not found and has_sources and build == ROOT / "build/release":
        print(f"{build}: no per-ISA objects found (src holds *.isa.cpp) build first")
        return 1
    print(f"isa: {len(found)} objects, {len(bad)} symbols that could be merged, {len(slow)} "
          "with scalar popcounts")
    return 1 if bad or slow else 0


def self_test():
    """Compiles a clean and a dirty object and checks that they are told apart."""
    counting = "int f(unsigned long x) { return __builtin_popcountl(x); }"
    cases = {"clean": ("namespace { int f(int x) { return -x; } }\nint g(int x) { return f(x); }",
                       0),
             "weak": ("template <class T> T f(T x) { return x; }\ntemplate int f<int>(int);", 1),
             }
    popcnt = []
    if platform.machine() == "x86_64":
        popcnt = ["-mpopcnt"]
        cases |= {"avx2": (counting, 0), "avx512": (counting, 1)}
    for name, (code, expected) in cases.items():
        isa = "avx512" if name == "avx512" else "avx2"
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder) / f"isa_case_{isa}.dir" / "case.o"
            at.parent.mkdir()
            subprocess.run(["c++", "-O2", *popcnt, "-x", "c++", "-c", "-", "-o", str(at)], input=code,
                           text=True, check=True)
            if check(pathlib.Path(folder)) != expected:
                print(f"self-test: case {name} should give {expected}")
                return 1
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    build = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release"
    return check(pathlib.Path(build).resolve())


if __name__ == "__main__":
    sys.exit(main())
