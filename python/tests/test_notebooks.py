"""The example notebooks run from top to bottom, and draw something.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


def test_notebooks_are_what_their_scripts_say():
    check = subprocess.run([sys.executable, ROOT / "tools/notebooks.py", "--check"], text=True,
                           stdout=subprocess.PIPE, cwd=ROOT)
    assert check.returncode == 0, check.stdout
    assert len(NOTEBOOKS) >= 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_notebook_runs(path, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                                     resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    pictures = [output["data"]["image/png"] for cell in notebook.cells
                for output in cell.get("outputs", ()) if "image/png" in output.get("data", {})]
    assert pictures and all(len(base64.b64decode(p)) > 5000 for p in pictures)
    for number, picture in enumerate(pictures):  # to be looked at: pytest --basetemp FOLDER
        (tmp_path / f"{path.stem}-{number}.png").write_bytes(base64.b64decode(picture))
