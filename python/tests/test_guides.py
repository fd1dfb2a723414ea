"""The examples of the guides run, block after block, beside files of those names.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDES = sorted((ROOT / "docs/guide").glob("python*.md"))


def blocks(guide):
    """(line, code) of each block that is marked as python."""
    text = guide.read_text()
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        yield text.count("\n", 0, found.start()) + 2, found[1]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda g: g.stem)
def test_the_examples_run(guide, tmp_path, monkeypatch):
    program = ROOT / "build/release/bin/sluice"
    monkeypatch.chdir(tmp_path)
    subprocess.run([ROOT / "build/release/bin/make_czi", "x.czi", "--grid", "3x3", "--tile", "512",
                    "--channels", "2", "--slices", "3", "--pyramid", "--pixel", "gray16",
                    "--scenes", "2", "--compression", "zstd1"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([program, "synth", "arina", "scan", "--scan", "16x16", "--detector", "64x64"],
                   check=True, stdout=subprocess.DEVNULL)
    names = {"__name__": "__main__"}
    for line, code in blocks(guide):
        exec(compile("\n" * (line - 1) + code, os.fspath(guide), "exec"), names)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda g: g.stem)
def test_blocks_that_do_not_run_say_why(guide):
    """Those are marked as py."""
    for words in re.findall(r"^```py\n(.*)\n", guide.read_text(), re.M):
        assert words.startswith("# needs: "), f"{guide.name}: a block that begins with {words!r} does not run"


def our_calls():
    """The right column of the table of 4D-STEM on the page of migration."""
    text = (ROOT / "docs/guide/python-migration.md").read_text().split("## Slides")[0]
    for row in re.findall(r"^\| [^\n]* \| ([^\n]*) \|$", text, re.M):
        yield from re.findall(r"`((?:sluice|stem4d)\.[^`]*)`", row)


def test_the_calls_of_the_migration_run(tmp_path):
    import numpy as np
    import sluice
    from sluice import stem4d
    subprocess.run([ROOT / "build/release/bin/sluice", "synth", "arina", tmp_path / "scan", "--scan", "8x8",
                    "--detector", "64x64"], check=True, stdout=subprocess.DEVNULL)
    path = f"{tmp_path}/scan_master.h5"
    a = sluice.open(path).to_numpy()
    names = dict(sluice=sluice, stem4d=stem4d, path=path, scan=sluice.load(path), a=a, data=a,
                 m=np.eye(64, dtype=bool), row=30, col=33, cy=30, cx=33, r=9, ri=9, ro=20,
                 g=lambda tile: tile.values.max((1, 2)))
    calls = [call for call in our_calls() if "client" not in call and "show" not in call]
    assert len(calls) > 12
    for call in calls:
        assert eval(call, dict(names)) is not None, call
