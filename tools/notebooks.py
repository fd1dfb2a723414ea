"""The notebooks of examples/notebooks, each out of a script beside it: cells begin with `# %%`, text
with `# %% [markdown]`. A script can be read, compared and mended; a notebook is what people open.

    python3 tools/notebooks.py            writes NAME.ipynb of each NAME.py
    python3 tools/notebooks.py --check    lists those that differ from their scripts

SPDX-License-Identifier: Apache-2.0
"""
import json
import sys

from sources import ROOT

FOLDER = ROOT / "examples/notebooks"


def cells_of(script):
    """The cells of a script as a notebook has them."""
    text = script.read_text()
    cells = []
    for number, part in enumerate(text.split("# %%")[1:]):
        head, _, body = part.partition("\n")
        lines = body.strip().splitlines(keepends=True)
        kind = "markdown" if "[markdown]" in head else "code"
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
        if kind == "markdown":
            cell["source"] = [line.removeprefix("#").removeprefix(" ") for line in lines]
        else:
            cell.update(execution_count=None, outputs=[], source=lines)
        cells.append(cell)
    return cells


def notebook(script):
    """The notebook as text."""
    made = {"cells": cells_of(script), "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python",
                                        "name": "python3"}}}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for script in sorted(FOLDER.glob("*.py")):
        target = script.with_suffix(".ipynb")
        if not target.exists() or target.read_text() != notebook(script):
            stale.append(target.relative_to(ROOT))
            if not check:
                target.write_text(notebook(script))
    for target in stale:
        print(f"{target}: {'differs from its script' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
