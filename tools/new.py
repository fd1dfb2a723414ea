#!/usr/bin/env python3
"""Writes the folder of something new out of the templates in tools/new.

SPDX-License-Identifier: Apache-2.0

    tools/new.py format|codec|kernel|domain|analysis NAME
"""
import pathlib
import re
import shutil
import subprocess
import sys

from layers import LIST
from sources import ROOT, SUFFIXES

TEMPLATES = pathlib.Path(__file__).resolve().parent / "new"
PLACES = {"format": "src/format", "codec": "src/codec", "kernel": "src/kernel",
          "domain": "src/domain", "analysis": "src/domain/stem4d"}
# Lines that tables need before anything compiles: (file, the line to stand behind, the line).
LINES = {
    "domain": [
        (LIST, r"# Domains: .*",
         "\n# what the domain gives, in one sentence\n"
         "sluice_layer(@name@ FOLDER domain/@name@ PUBLIC @name@ DEPENDS fold format figure)"),
        ("include/sluice/sluice.h", r'#include "sluice/volume.h"', '#include "sluice/@name@.h"'),
    ],
}
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
    "domain": """\
    1. ./dev test @Name@: the new tests pass
    2. include/sluice/@name@.h: say what the domain gives; readings.h: where its items come from
    3. its verbs: a room src/app/cli/@name@ (as src/app/cli/proton), its group in src/app/cli/main.cpp,
       the room and its entry behind DEPENDS of the program in cmake/layers.cmake, a transcript in
       tests/cli
    4. the comment above its entry in cmake/layers.cmake; python3 tools/layers.py --update
    5. docs/guide/@name@.md""",
    "analysis": """\
    1. ./dev test @Name@: the new tests pass
    2. make add() and merge() the real thing, its tests first; what they may not do is in
       src/fold/analysis.h
    3. tests/property/scan_analyses.h: enter it, and every split of a scan is compared;
       src/domain/stem4d/partial_fuzz.cpp attacks what unpack() reads
    4. its declaration into include/sluice/stem4d.h, its verb src/app/cli/stem4d/@name@.cpp with a
       line in src/app/cli/stem4d.cpp, and a transcript in tests/cli""",
}


def fill(text, name):
    """A template with the name in place."""
    title = "".join(word.capitalize() for word in name.split("_"))
    return text.replace("@name@", name).replace("@Name@", title).replace("@NAME@", name.upper()[:8])


def destination(kind, template, name):
    """Where a template's file goes: a public header beside the others, the rest into a folder."""
    if template == "api.h":
        return f"include/sluice/{name}.h"
    return f"{PLACES[kind]}/{name}/{template.replace('NAME', name)}"


def entered(kind, name, root):
    """The tables with their new lines, as {path: text}; ends the program if one looks otherwise."""
    texts = {}
    for file, behind, line in LINES.get(kind, []):
        text = (root / file).read_text(encoding="utf-8")
        found = list(re.finditer(rf"^{behind}\n", text, re.MULTILINE))
        if not found:
            sys.exit(f"new: {file} has no line like {behind} (nothing was written) "
                     "mend LINES in tools/new.py")
        end = found[-1].end()
        texts[file] = text[:end] + fill(line, name) + "\n" + text[end:]
    return texts


def main(argv, root=ROOT):
    if len(argv) != 2 or argv[0] not in NEXT:
        sys.exit("new: format, codec, kernel, domain or analysis, and a name, e.g. "
                 "./dev new format mib")
    kind, name = argv
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        sys.exit(f"new: {name} is not a name (it becomes a namespace) use small letters, digits and _")
    templates = sorted((TEMPLATES / kind).iterdir())
    paths = {root / destination(kind, t.name, name): t for t in templates}
    for path in [root / PLACES[kind] / name, *paths]:
        if path.exists():
            sys.exit(f"new: {path.relative_to(root)} exists (nothing was written) "
                     "take another name")
    tables = entered(kind, name, root)
    for path, template in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fill(template.read_text(encoding="utf-8"), name), encoding="utf-8")
        print(path.relative_to(root))
    for file, text in tables.items():
        (root / file).write_text(text, encoding="utf-8")
        print(f"{file} (a line)")
    # How lines break, and where an #include stands, depends on the name.
    written = [*paths, *(root / file for file in tables)]
    code = [str(path) for path in written if path.suffix in SUFFIXES]
    if shutil.which("clang-format"):
        subprocess.run(["clang-format", "-i", *code], check=True)
    print(f"Now:\n{fill(NEXT[kind], name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
