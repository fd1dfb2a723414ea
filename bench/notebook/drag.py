"""Measures a drag in JupyterLab: from the pointer's event in the widget to the drawn image.

SPDX-License-Identifier: Apache-2.0

    python -m venv VENV; VENV/bin/pip install sluice[notebook] jupyterlab playwright
    VENV/bin/python bench/notebook/drag.py [--data PATH] [--moves N] [--out FOLDER]

A server of JupyterLab and its kernel on this machine, and Chromium without a screen. The kernel is
idle but for the drag. With --out it leaves a screenshot and the notebook as it was saved; the
notebook is opened again without a kernel, and that is a screenshot, too.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import sync_playwright

CELL = """import sluice
w = sluice.stem4d.show({data!r}, height=560)
w"""
KERNEL = "window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel"
IDLE = f"() => {KERNEL}?.status === 'idle'"
RUN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  await app.commands.execute("notebook:run-all-cells");
}"""


def notebook(path, source):
    cells = [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [],
              "execution_count": None, "source": text} for i, text in enumerate(source)]
    path.write_text(json.dumps({
        "cells": cells, "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3",
                                    "language": "python"}}}))


def server(folder):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               f"--port={port}", "--IdentityProvider.token=bench", "--expose-app-in-browser",
               f"--ServerApp.root_dir={folder}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"})
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=bench", timeout=1)
            return process, port
        except OSError:
            time.sleep(0.2)
    raise SystemExit("JupyterLab did not start")


def page_of(tab):
    """The frame of the widget's page, once all is loaded and drawn."""
    handle = tab.wait_for_selector("iframe[title=Sluice]", timeout=40_000)
    frame = handle.content_frame()
    frame.wait_for_function("window.sluice?.images()?.step === 1", timeout=60_000)
    frame.evaluate("window.sluice.idle()")
    return frame


def drag(tab, frame, moves):
    """Milliseconds of each image, from event to drawn."""
    box = frame.locator("canvas").first.bounding_box()
    row, col = box["y"] + box["height"] / 2, box["x"] + box["width"] / 2
    tab.mouse.move(col, row)
    tab.mouse.down()
    frame.evaluate("window.sluice.reset()")
    for i in range(moves):
        tab.mouse.move(col + 12 * ((i % 9) - 4) / 4, row + 9 * ((i % 7) - 3) / 3)
        frame.evaluate("window.sluice.idle()")
    tab.mouse.up()
    frame.evaluate("window.sluice.idle()")
    return frame.evaluate("window.sluice.stats()")


def say(*words):
    print(*words, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="synthetic:stem4d?scan=256x256&detector=192x192")
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-notebook-"))
    notebook(folder / "scan.ipynb", [CELL.format(data=options.data),
                                     "print(w.detectors[0].center, w.image.shape)"])
    process, port = server(folder)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            tab = browser.new_page(viewport={"width": 1500, "height": 1000})
            # Some of what it fetches may never come; it is ready when there is a notebook.
            tab.goto(f"http://127.0.0.1:{port}/lab/workspaces/drag/tree/scan.ipynb?token=bench",
                     wait_until="commit")
            tab.wait_for_selector(".jp-NotebookPanel", timeout=40_000)
            tab.wait_for_function(IDLE, timeout=60_000)
            tab.evaluate(RUN)
            frame = page_of(tab)
            stats = drag(tab, frame, options.moves)
            times = sorted(stats["latencies"]["image"])
            rtt = sorted(stats["counters"]["latencies"][-len(times):])
            say(f"{len(times)} images; from event to drawn: median "
                  f"{statistics.median(times):.1f} ms, 95 % {times[int(.95 * len(times))]:.1f} ms; "
                  f"from request to answer: median {statistics.median(rtt):.1f} ms")
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                time.sleep(3)
                tab.screenshot(path=options.out / "live.png")
                tab.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
                time.sleep(2)
                shutil.copy(folder / "scan.ipynb", options.out / "saved.ipynb")
                saved = json.loads((folder / "scan.ipynb").read_text())
                kinds = [sorted(o.get("data", {"stream": 0})) for o in saved["cells"][0]["outputs"]]
                say("outputs of the saved cell:", kinds)
                cold = browser.new_context().new_page()
                cold.set_viewport_size({"width": 1500, "height": 1000})
                shutil.copy(folder / "scan.ipynb", folder / "cold.ipynb")
                cold.goto(f"http://127.0.0.1:{port}/lab/workspaces/cold/tree/cold.ipynb?token=bench",
                          wait_until="commit")
                cold.wait_for_selector(".jp-OutputArea", timeout=40_000)
                time.sleep(4)
                cold.screenshot(path=options.out / "cold.png")
            browser.close()
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
