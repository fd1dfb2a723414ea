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
    """(line, code) of each block that is marked as python; those marked py need more than we have."""
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
