#!/usr/bin/env python3
"""The layers as cmake/layers.cmake lists them, and their part of ARCHITECTURE.md.

SPDX-License-Identifier: Apache-2.0

    tools/layers.py            reports where ARCHITECTURE.md differs from the list
    tools/layers.py --update   writes it
"""
import dataclasses
import pathlib
import re
import sys

from sources import ROOT

LIST = "cmake/layers.cmake"
ENTRY = re.compile(r"((?:^# .*\n)*)^sluice_(layer|room|program)\(([^)]*)\)", re.MULTILINE)
KEYWORDS = ("FOLDER", "JSON", "PUBLIC", "DEPENDS")
BEGIN = "<!-- The next lines are written by tools/layers.py --update. -->\n"
END = "<!-- The lines above are written by tools/layers.py --update. -->\n"


@dataclasses.dataclass(frozen=True)
class Layer:
    """An entry of the list. A room without `depends` belongs to the layer around it."""
    kind: str        # layer, room or program
    name: str        # of its library or program; a room is called by its folder
    folder: str      # below src
    public: tuple    # its headers in include/sluice, without .h
    depends: tuple   # other entries, by name
    content: str     # its row in ARCHITECTURE.md

    @property
    def checked(self):
        """Whether its #includes are looked at by themselves."""
        return self.kind != "room" or bool(self.depends)


def words_of(text):
    """The words of an entry by keyword; the name stands behind ""."""
    found, at = {"": []}, ""
    for word in text.split():
        if word in KEYWORDS:
            at = word
            found[at] = []
        else:
            found[at].append(word)
    return found


def layers(root=ROOT):
    """Every entry of the list by its name, in the list's order."""
    found = {}
    for match in ENTRY.finditer((root / LIST).read_text(encoding="utf-8")):
        words = words_of(match[3])
        name = words[""][0]
        content = " ".join(line.removeprefix("# ") for line in match[1].splitlines())
        # A name with :: or $ is a library of another project.
        depends = [word for word in words.get("DEPENDS", ()) if ":" not in word and "$" not in word]
        found[name] = Layer(match[2], name, words.get("FOLDER", [name])[0],
                            tuple(words.get("PUBLIC", ())), tuple(depends), content)
    return found


def below(name, listed):
    """The names of all that a layer depends on, directly or not."""
    seen, todo = set(), list(listed[name].depends)
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += listed[at].depends
    return seen


def parts(name, listed):
    """The names of all that is linked into the tests of a library: itself, its rooms, what is below."""
    rooms_of = [room.name for room in listed.values() if room.kind == "room"
                and linked(room.folder, listed).name == name]
    return {part for root in (name, *rooms_of) for part in (root, *below(root, listed))}


def around(folder, listed):
    """The layer whose includes are those of a folder of src: the innermost one, or None."""
    by_folder = {layer.folder: layer for layer in listed.values() if layer.checked}
    for part in (folder, *map(str, pathlib.PurePosixPath(folder).parents)):
        if part in by_folder:
            return by_folder[part]
    return None


def linked(folder, listed):
    """The library or program that the files of a folder of src become part of."""
    return around(folder, {name: layer for name, layer in listed.items() if layer.kind != "room"})


def mistakes(listed, root=ROOT):
    """What is wrong with the list itself, as messages."""
    said = []
    earlier = set()
    for layer in listed.values():
        where = f"{LIST}: {layer.name}"
        said += [f"{where} depends on {name} (no entry above it) move or enter it"
                 for name in layer.depends if name not in earlier]
        if not layer.content:
            said.append(f"{where} has no comment (it is the row of ARCHITECTURE.md) write one")
        if not (root / "src" / layer.folder).is_dir():
            said.append(f"{where} has no folder src/{layer.folder} (the build has no files) "
                        "remove the entry, or mend FOLDER")
        earlier.add(layer.name)
    known = {layer.folder for layer in listed.values()}
    said += [f"src/{folder} has no layer (no entry names it) enter it in {LIST}"
             for folder in rooms(root) if folder not in known]
    return said


def rooms(root=ROOT):
    """The folders of src that must have an entry: src/x, src/domain/x, src/app/x and src/app/x/y."""
    patterns = ("*", "domain/*", "app/*", "app/*/*")
    found = {path.relative_to(root / "src").as_posix() for pattern in patterns
             for path in (root / "src").glob(pattern) if path.is_dir()}
    return sorted(found - {"app", "domain"})


def lines(listed):
    """The layers as lines of a drawing, highest first: each stands right below who uses it."""
    drawn = [layer for layer in reversed(listed.values()) if layer.checked]
    domains = [layer.name for layer in drawn if layer.folder.startswith("domain/")]
    line, floor = {}, 0
    for _ in range(2):  # the second time all domains stand on the line of the lowest one
        for layer in drawn:
            users = [line[user.name] + 1 for user in drawn if layer.name in user.depends]
            line[layer.name] = max([floor if layer.name in domains else 0, *users])
        floor = max((line[name] for name in domains), default=0)
    return [[layer.folder for layer in reversed(drawn) if line[layer.name] == number]
            for number in range(max(line.values(), default=-1) + 1)]


def drawing(listed):
    """The lines of the layers as a block of text."""
    text = ["  ".join(line).center(100).rstrip() for line in lines(listed)]
    indent = min(len(line) - len(line.lstrip()) for line in text)
    return "\n".join(line[indent:] for line in text)


def table(listed):
    """A row for each folder: what it depends on, what is in it."""
    rows = ["| folder of `src` | depends on | content |", "|---|---|---|"]
    for layer in listed.values():
        names = ", ".join(f"`{listed[name].folder}`" for name in layer.depends)
        rows.append(f"| `{layer.folder}` | {names} | {layer.content} |")
    return "\n".join(rows)


def page(listed, root=ROOT):
    """ARCHITECTURE.md: as it is, and as the list has it."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit(f"ARCHITECTURE.md has no {BEGIN.strip()} (it stands before the drawing of layers, "
                 f"{END.strip()} behind their table) put both back")
    made = f"\n```\n{drawing(listed)}\n```\n\n{table(listed)}\n\n"
    return text, before + BEGIN + made + END + after


def main():
    listed = layers()
    text, wanted = page(listed)
    if sys.argv[1:] == ["--update"]:
        (ROOT / "ARCHITECTURE.md").write_text(wanted, encoding="utf-8")
    elif text != wanted:
        print(f"ARCHITECTURE.md:1: its layers are not those of {LIST} (they are written by a tool) "
              "run python3 tools/layers.py --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
