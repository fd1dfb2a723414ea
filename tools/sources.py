"""The C++ files of the project, and which of them include which.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "python", "tests", "examples", "bench")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(root=ROOT):
    """Every C++ and CUDA file of the tree, sorted."""
    found = []
    for folder in FOLDERS:
        found += [p for p in (root / folder).rglob("*") if p.suffix in SUFFIXES and p.is_file()]
    return sorted(found)


@functools.cache
def includes(path):
    """The #include lines of a file, as (line number, "<" or '"', name)."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return tuple((text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in INCLUDE.finditer(text))


def resolve(name, source, root=ROOT):
    """The file of this tree that an #include names, or None."""
    for folder in (root / "src", root / "include", root / "python", root / "tests", source.parent):
        if (folder / name).is_file():
            return (folder / name).resolve()
    return None


def closure(path, root=ROOT):
    """A file and every header of this tree that it includes, directly or not; sorted."""
    seen, todo = set(), [path.resolve()]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            headers = (resolve(name, at, root) for _, _, name in includes(at))
            todo += [h for h in headers if h]
    return sorted(seen)
