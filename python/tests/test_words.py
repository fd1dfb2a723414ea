"""What the library says names options of the command line; who calls it from Python is told keyword arguments.

SPDX-License-Identifier: Apache-2.0
"""
import inspect
import pathlib
import re

import pytest

import sluice
from sluice import distributed, music, proton, slide, stem4d
from sluice._calls import Calls
from sluice._words import said, told

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Of the program alone: its commands, the server of the viewer, and programs that time others.
PROGRAM = ("app/", "server/", "bench/", "domain/stem4d/benchmark/")
#: Words of the program that no function has: what only it does.
OF_THE_PROGRAM = {"example", "help", "kind", "at", "start", "set", "detector", "attachment", "save_template",
                  "template_radius", "raw", "write_tables"}
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
#: Adjacent texts are one.
JOINED = re.compile(r'"\s*\n?\s*"')


def texts():
    """(file, text) of each text in the sources that Python's functions reach, and that names an option."""
    for path in sorted([*(ROOT / "src").rglob("*.cpp"), *(ROOT / "src").rglob("*.h"),
                        *(ROOT / "python/bind").glob("*.cpp")]):
        name = str(path.relative_to(ROOT)).removeprefix("src/")
        if name.startswith(PROGRAM) or path.stem.endswith(("_test", "_fuzz")):
            continue
        source = re.sub(r"(?m)^\s*//.*$", "", path.read_text())
        source = re.sub(r'called\("[^"]*"\)', "", source)
        for found in LITERAL.finditer(JOINED.sub("", source)):
            if re.search(r"--[a-z]", found[1]):
                yield name, found[1]


def outside(text):
    """Without commands of a shell, which stand in backticks; a text may have the end or the beginning of one."""
    whole = re.sub(r"`[^`]*`|h5repack --\S+", "", text)
    return re.sub(r"`.*$|^[^`]*`", "", whole)


TEXTS = sorted(set(texts()))


def keywords():
    """All keyword arguments of what is public."""
    known = set()
    for module in (sluice, stem4d, slide, music, proton, distributed):
        for name in module.__all__:
            thing = getattr(module, name)
            members = [thing] if inspect.isfunction(thing) else [
                m for m in vars(thing).values() if inspect.isfunction(m)] if inspect.isclass(thing) else []
            for one in members:
                known |= set(Calls(inspect.unwrap(one), name).kinds)
    return known


KNOWN = keywords()


def test_the_sources_were_read():
    assert len(TEXTS) > 100


@pytest.mark.parametrize("place, text", TEXTS)
def test_no_option_is_left(place, text):
    left = outside(said(text))
    assert not re.search(r"--[a-z]", left), f"{place}: {said(text)}"


@pytest.mark.parametrize("place, text", TEXTS)
def test_what_is_named_is_a_keyword(place, text):
    for option in re.findall(r"--([a-z][a-z0-9-]*)", outside(text)):
        name = re.match(r"\w+", said(f"--{option}"))[0]
        assert name in KNOWN | OF_THE_PROGRAM, f"{place}: --{option} becomes {name}, which no function has: {text}"


def test_what_was_found_in_python_is_said_in_its_words():
    """Every text of the compiled part that is a note goes through `said`."""
    wanting = []
    for path in sorted((ROOT / "python/sluice").rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"_core\.\w+\(.*\)\.notes|(native|look|_open\(\))\.(notes|why|warnings)\b", line) \
                    and not re.search(r"said|in_words|told", line):
                wanting.append(f"{path.name}:{number}: {line.strip()}")
    assert not wanting


def test_sentences_of_results_are_said_in_its_words():
    found = told({"notes": ["try --recover"], "why": ("use --det-bin 2",), "path": "/a--recover"})
    assert found == {"notes": ["try recover=True"], "why": ("use det_bin=2",), "path": "/a--recover"}


def test_live_has_its_own_word_for_the_shape_of_a_scan(tmp_path):
    (tmp_path / "there.raw").write_bytes(bytes(64))
    with pytest.raises(sluice.Error) as told:
        next(stem4d.live("tcp://127.0.0.1:1", protocol="timepix3", wait_s=0.1))
    assert "--" not in str(told.value) and "scan_shape" not in str(told.value)
