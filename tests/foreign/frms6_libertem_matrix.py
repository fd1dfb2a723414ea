#!/usr/bin/env python3
"""FRMS6 files, written here byte by byte and read by LiberTEM beside Sluice.

SPDX-License-Identifier: Apache-2.0

    python3 -m venv VENV && VENV/bin/pip install libertem==0.16.0
    VENV/bin/python tests/foreign/frms6_libertem_matrix.py --sluice build/release/bin/sluice --out FOLDER

LiberTEM is large, so `./dev test` does not install it and skips this script.
"""
import struct
import sys

import matrix

with matrix.packages():
    import libertem.api
    import numpy as np
    from libertem.io.dataset.frms6 import FRMS6DataSet


def write(place, data, per_file):
    """Rows of the lower half lie, turned around, to the right of those of the upper one."""
    frames = data.reshape(-1, *data.shape[2:])
    rows, cols = frames.shape[1:]
    folded = np.concatenate([frames[:, :rows // 2], frames[:, :rows // 2 - 1:-1, ::-1]], 2)
    for number, first in enumerate([0, *range(0, len(frames), per_file)]):
        some = folded[first:first + (3 if number == 0 else per_file)]
        with open(place / f"a_{number:03}.frms6", "wb") as file:
            head = struct.pack("<HH3xB80xHH", 1024, 64, 6, 2 * cols, rows // 2).ljust(1020, b"\0")
            file.write(head + struct.pack("<I", len(some)))
            for frame in some:
                file.write(bytes(64) + frame.astype("<u2").tobytes())
    (place / "a.hdr").write_text(
        f"[measurementInfo]\nstemimagesize = {data.shape[0]}x{data.shape[1]}\nsignalframes = {len(frames)}\n"
        'darkframes = 3\ndwelltimemicroseconds = 500\ngain = 1\nreadoutmode = "bin: 1, windowing: 264 x 264"\n')
    return place / "a_001.frms6"


def compared(sluice, context, place, shape, per_file):
    data = np.random.default_rng(2).integers(0, 60000, shape).astype("u2")
    path = write(place, data, per_file)
    theirs = FRMS6DataSet(str(place / "a.hdr"), enable_offset_correction=False)
    theirs = theirs.initialize(context.executor)
    found = context.run_udf(theirs, Pick())["frames"].data
    if not np.array_equal(found.reshape(shape), data):
        return "LiberTEM reads other values than were written"
    sluice.run("stem4d", "convert", path, place / "out.npy", "--force")
    return "" if np.array_equal(np.load(place / "out.npy"), data) else "other values"


class Pick(libertem.api.UDF):
    """All frames as they are."""

    def get_result_buffers(self):
        return {"frames": self.buffer(kind="nav", extra_shape=tuple(self.meta.dataset_shape.sig), dtype="f8")}

    def process_frame(self, frame):
        self.results.frames[:] = frame


def fixed(sluice, folder, tally):
    context = libertem.api.Context.make_with("inline")
    for shape, per_file in (((4, 4, 264, 264), 7), ((3, 3, 16, 24), 4)):
        place = folder / "x".join(map(str, shape))
        place.mkdir(parents=True, exist_ok=True)
        tally.check(place.name, lambda: compared(sluice, context, place, shape, per_file))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
