#!/usr/bin/env python3
"""Writes the folder of a new format, codec or kernel out of the templates in tools/new.

SPDX-License-Identifier: Apache-2.0

    tools/new.py format|codec|kernel NAME
"""
import pathlib
import re
import shutil
import subprocess
import sys

from sources import ROOT, SUFFIXES

TEMPLATES = ROOT / "tools/new"
NEXT = {
    "format": """\
    1. src/format/table.cpp: #include "format/@name@/@name@.h" and enter @name@::format, before
       formats that recognise less (raw comes last)
    2. ./dev build, then ./dev test --fast: the new tests pass
    3. make parse_header() and open() read the real thing, its tests first
    4. put a few small real files into tests/fuzz/@name@_fuzz/, then ./dev fuzz @name@""",
    "codec": """\
    1. ./dev build, then ./dev test --fast: the new tests pass
    2. make encode_@name@() and decode_@name@() the real thing, its tests first
    3. src/format/frame_source.h: enter it in Encoding; src/store/frame_values.cpp: its case
    4. put a few encoded samples into tests/fuzz/@name@_fuzz/, then ./dev fuzz @name@""",
    "kernel": """\
    1. ./dev build, then ./dev test --fast: the new tests pass
    2. make the functor in kernels.h the real thing, its tests first
    3. cuda is compiled where nvcc is found, and skipped with a count where there is no GPU""",
}


def fill(text, name):
    """A template with the name in place."""
    title = "".join(word.capitalize() for word in name.split("_"))
    return text.replace("@name@", name).replace("@Name@", title).replace("@NAME@", name.upper()[:8])


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in NEXT:
        sys.exit("new: format, codec or kernel, and a name, e.g. ./dev new format mib")
    kind, name = sys.argv[1:]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        sys.exit(f"new: {name} is no name (it becomes a namespace) use small letters, digits and _")
    folder = ROOT / "src" / kind / name
    if folder.exists():
        sys.exit(f"new: {folder.relative_to(ROOT)} exists (nothing was written) take another name")
    folder.mkdir(parents=True)
    for template in sorted(pathlib.Path(TEMPLATES / kind).iterdir()):
        path = folder / template.name.replace("NAME", name)
        path.write_text(fill(template.read_text(encoding="utf-8"), name), encoding="utf-8")
        # How lines break depends on how long the name is.
        if path.suffix in SUFFIXES and shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", str(path)], check=True)
        print(path.relative_to(ROOT))
    print(f"Now:\n{fill(NEXT[kind], name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
