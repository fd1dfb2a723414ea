"""Lists whose work is in the wheel, and puts the licenses of all of it there.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import shutil
import subprocess
from typing import NamedTuple

import wheel_build
from sources import ROOT
from wheel_libraries import HEADERS, LIBRARIES, PAGE, PYTHON

VENV = wheel_build.CACHE / "venv"
# What Sluice's own files are under (LICENSE, NOTICE).
OURS = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"}


class Part(NamedTuple):
    """A row of LICENSES.md, and the file with its license."""
    name: str
    version: str
    license: str
    source: str
    text: pathlib.Path


def parts():
    """All of them; reads what is built and installed."""
    for library in LIBRARIES:
        home = wheel_build.home(library.name)
        yield Part(library.name, (home / "version").read_text(), library.license, library.package,
                   home / "copyright")
    for package, words in HEADERS.items():
        shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version} ${source:Package}", package],
                               capture_output=True, text=True, check=True).stdout.split()
        yield Part(package, shown[0], words, shown[1],
                   pathlib.Path(f"/usr/share/doc/{package}/copyright"))
    for name, words in PYTHON.items():
        info = next(VENV.glob(f"lib/python*/site-packages/{name}-*.dist-info"))
        version = info.name.removeprefix(f"{name}-").removesuffix(".dist-info")
        yield Part(name, version, words, f"PyPI: {name}", info / "licenses/LICENSE")
    for name, words in PAGE.items():
        module = ROOT / "page/node_modules" / name
        version = re.search(r'"version":\s*"([^"]+)"', (module / "package.json").read_text())[1]
        yield Part(name, version, words, f"npm: {name}", module / "LICENSE")


def expression(licenses):
    """All these licenses at once, as an expression of SPDX."""
    words = set(OURS)
    for each in licenses:
        words |= {f"({each})"} if " OR " in each else set(each.split(" AND "))
    return " AND ".join(sorted(words))


def metadata(text, licenses, names):
    """The METADATA of a wheel that has these licenses, too, with these files."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("License-Expression:"):
            line = f"License-Expression: {expression(licenses)}"
        lines.append(line)
        if line == "License-File: NOTICE":
            lines += [f"License-File: {name}" for name in names]
    return "\n".join(lines)


def add_licenses(folder, found):
    """Puts the licenses of some parts into an unpacked wheel."""
    info = next(folder.glob("*.dist-info"))
    texts = info / "licenses/third-party"
    texts.mkdir(parents=True)
    names = ["LICENSES.md"]
    for part in found:
        name = f"third-party/{part.name.strip('@').replace('/', '-')}.txt"
        shutil.copyfile(part.text, info / "licenses" / name)
        names.append(name)
    table = "".join(f"| {' | '.join(part[:4])} |\n" for part in found)
    note = (ROOT / "tools/wheel_licenses.md").read_text()
    (info / "licenses/LICENSES.md").write_text(note.replace("TABLE\n", table))
    told = info / "METADATA"
    told.write_text(metadata(told.read_text(), [part.license for part in found], names))
