"""Planes of a slide, read by Sluice and compared with the tiles that were written.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import json

import numpy as np

from matrix import problem_of
from slide_tiles import composite


def read(sluice, path, plane, more=()):
    """A plane: its pixels, and the report."""
    out = path.with_name("read.npy")
    out.unlink(missing_ok=True)
    others = ",".join(f"{letter}={at}" for letter, at in plane.items() if letter != "C")
    said = sluice.run("slide", "read", path, "--channel", plane["C"], "--plane", others, "--out",
                      out, "--json", *more)
    return np.load(out), json.loads(said)


def differs(got, want, tolerance=0):
    """How pixels differ, or nothing."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    off = ~(np.abs(got.astype("f8") - want.astype("f8")) <= tolerance)
    return f"{np.count_nonzero(off)} values differ, the first at {np.argwhere(off)[0]}" \
        if off.any() else ""


def plane_differs(sluice, path, tiles, plane, scene, tolerance):
    want, covered = composite(tiles, plane, scene)
    got, report = read(sluice, path, plane, () if scene is None else ("--scene", scene))
    wrong = differs(got, want, tolerance)
    if not wrong and report["background_pixels"] != np.count_nonzero(~covered):
        return f"counts {report['background_pixels']} background pixels"
    return wrong


def breaks_rules(sluice, path):
    """Which rules `slide check` says are broken, that no file here breaks."""
    said = sluice.tried("slide", "check", path, "--pixels", "--json").stdout
    return ", ".join(
        v["rule"] for v in json.loads(said or "{}").get("violations", [{"rule": "none printed"}])
        if not v.get("note") and v["rule"] not in ("scenes overlap", "indices from 0"))


def compare(sluice, name, path, tiles, tolerance=0):
    """Every plane of every scene, and of all together: names, and what is wrong or nothing."""
    planes = sorted({json.dumps(t["plane"]) for t in tiles})
    scenes = [None, *sorted({t["scene"] for t in tiles})]
    for text, scene in itertools.product(planes, scenes):
        yield f"{name} {text} scene {scene}", problem_of(
            lambda: plane_differs(sluice, path, tiles, json.loads(text), scene, tolerance))
    yield f"{name} check", problem_of(lambda: breaks_rules(sluice, path))
    yield f"{name} info", problem_of(lambda: sluice.run("info", "--json", path) and "")
