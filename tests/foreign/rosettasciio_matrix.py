#!/usr/bin/env python3
"""4-D acquisitions that RosettaSciIO wrote (HyperSpy's files), read by Sluice.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/rosettasciio_matrix.py --sluice build/release/bin/sluice --out FOLDER

Every file either opens with its own scan, detector and counts, or is refused in words that say how
to go on. A scan and a detector that changed places would be silently wrong.
"""
import argparse
import importlib
import pathlib
import subprocess
import sys

try:
    import numpy as np
    import rsciio  # noqa: F401
except ImportError as error:
    print(f"skipped 1: rosettasciio_matrix: {error}\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

WRITERS = {"hspy": "hspy", "emd": "emd", "nexus": "nxs"}  # module of rsciio: how files end
SHAPES = [(5, 7, 9, 11), (4, 4, 8, 8), (3, 16, 16, 3), (12, 2, 6, 10)]
TYPES = ["u1", "u2", "u4", "f4"]


def signal(data):
    """A 4-D signal as rsciio's writers take it: two axes of navigation, two of the signal."""
    axes = [dict(_type="UniformDataAxis", name=name, size=size, offset=0.0, is_binned=False,
                 units="nm" if number < 2 else "1/nm", scale=0.5 if number < 2 else 0.02,
                 navigate=number < 2, index_in_array=number)
            for number, (name, size) in enumerate(zip(("y", "x", "ky", "kx"), data.shape))]
    return dict(data=data, axes=axes, metadata={"General": {"title": "scan"}, "Signal": {
        "signal_type": ""}}, original_metadata={}, attributes={"_lazy": False, "ragged": False},
        tmp_parameters={}, learning_results={}, models={}, package="hyperspy",
        package_info={"version": "2.0", "name": "hyperspy"}, package_version="2.0")


def write(module, path, data):
    importlib.import_module(f"rsciio.{module}").file_writer(str(path), signal(data))


def run(sluice, *words):
    return subprocess.run([sluice, *map(str, words)], capture_output=True, text=True, timeout=60)


def verdict(sluice, path, data, out):
    """Nothing when Sluice reads the file right or refuses it clearly, else what is wrong."""
    done = run(sluice, "info", path, "--json")
    if done.returncode:
        helps = any(word in done.stderr for word in ("--dataset", "--axes", "--scan"))
        return "" if helps and done.returncode == 1 else f"exit {done.returncode}: {done.stderr}"
    row, col = data.shape[2] // 2, data.shape[3] - 1
    done = run(sluice, "stem4d", "virtual-image", path, "--detector",
               f"p=point:row={row},col={col}", "--format", "npy", "--out", out)
    if done.returncode:
        return f"opens, but exit {done.returncode}: {done.stderr}"
    got, wanted = np.load(out / "p.npy"), data[:, :, row, col]
    if got.shape != wanted.shape:
        return f"scan {got.shape}, not {wanted.shape}"
    return "" if np.array_equal(got, wanted) else "other counts"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    random, passed, failed, skipped = np.random.default_rng(12), 0, 0, {}
    for module, ending in WRITERS.items():
        for shape in SHAPES:
            for kind in TYPES:
                name = f"{module}_{'x'.join(map(str, shape))}_{kind}"
                data = random.integers(0, 200, shape).astype(kind)
                path = args.out / f"{name}.{ending}"
                try:
                    write(module, path, data)
                except Exception as error:  # whatever a writer of another version may raise
                    skipped[f"rsciio.{module} cannot write: {error!r}"[:100]] = \
                        skipped.get(f"rsciio.{module} cannot write: {error!r}"[:100], 0) + 1
                    continue
                why = verdict(args.sluice.resolve(), path, data, args.out / f"{name}_out")
                passed, failed = passed + (not why), failed + bool(why)
                if why:
                    print(f"FAILED {name}: {why.strip()}")
    for why, count in skipped.items():
        print(f"skipped {count}: {why}")
    print(f"{passed} passed, {failed} failed, {sum(skipped.values())} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
