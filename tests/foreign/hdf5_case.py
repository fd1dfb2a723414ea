"""One file of frames, and what Sluice must make of it: sums by random weights, as NumPy has them.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import shutil

import numpy as np


class Case:
    """`want` are the values in memory, as [scan row][scan column][row][column]; `refused` are words
    of which a refusal must have one; `note` is what must be said. `slack` is what a sum may be off
    by, relative to the sum of the sizes of its terms: float32 rounds each. `lost` are the scan points
    that were not measured, since a part of their frame is in no file."""

    def __init__(self, name, make, want=None, options=(), refused=None, note=None, slack=0,
                 lost=None):
        self.name, self.make, self.want, self.slack = name, make, want, slack
        self.options, self.refused, self.note = list(options), refused, note
        self.lost, self.weights = lost, []

    @property
    def place(self):
        """Its name as that of a folder."""
        return self.name.replace("/", "_").replace(">", "be_").replace("<", "le_") \
            .replace("?", "bool").replace(",", "-")


def sums(case, sluice, place, path):
    """Lets Sluice sum: the finished process."""
    words = ["stem4d", "virtual-image", path, "--out", place / "out", "--format", "npy",
             *case.options]
    for i, weights in enumerate(case.weights):
        np.save(place / f"w{i}.npy", weights)
        words += ["--detector", f"d{i}=weights:{place / f'w{i}.npy'}"]
    return sluice.tried(*words)


def compare(case, place):
    """What differs from NumPy's sums, or nothing."""
    for i, weights in enumerate(case.weights):
        found = list((place / "out").rglob(f"*d{i}*.npy"))
        if len(found) != 1:
            return f"wrote {[str(f) for f in (place / 'out').rglob('*')]}"
        got = np.load(found[0]).astype("f8")
        expected = (case.want.astype("f8") * weights).sum((2, 3))
        if got.shape != expected.shape:
            return f"scan of {got.shape} and not {expected.shape}"
        if case.lost is not None:
            expected[case.lost] = np.nan
        terms = (np.abs(case.want.astype("f8")) * weights).sum((2, 3))
        near = np.abs(got - expected) <= 1e-3 + 2e-6 * np.abs(expected) + case.slack * terms
        off = ~(near | (np.isnan(got) & np.isnan(expected)))
        if off.any():
            return f"wrong values: {got[off][:4]} and not {expected[off][:4]}, " \
                   f"{np.count_nonzero(off)} of {off.size}, first at {np.argwhere(off)[0]}"
    return ""


def problem(case, sluice, place, path):
    """What is wrong with how a file is read, or nothing."""
    done = sums(case, sluice, place, path)
    said = (done.stdout + done.stderr).strip()
    if case.refused is not None:
        if done.returncode == 0:
            return "was not refused"
        if not any(word in said for word in case.refused.split("|")):
            return f"was refused without the word {case.refused}: {said}"
        return ""
    if done.returncode != 0:
        return f"exit {done.returncode}: {said}"
    if case.note and case.note not in said:
        return f"does not say '{case.note}': {said}"
    return compare(case, place)


def judge(case, sluice, place):
    """Makes the file and reads it: what is wrong, or nothing; then the files are gone."""
    place.mkdir(parents=True, exist_ok=True)
    suffix = pathlib.Path(case.name).suffix
    path = str(place / ("f" + (suffix if suffix in (".npy", ".raw") else ".h5")))
    case.make(path)
    wrong = problem(case, sluice, place, path)
    if not wrong:
        shutil.rmtree(place)
    return wrong
