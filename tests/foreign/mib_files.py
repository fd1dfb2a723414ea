"""MIB files as Quantum Detectors' Merlin writes them, and what their raw counters count.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np

DTYPES = {1: "u1", 6: "u1", 12: "u2", 24: "u4"}


def mib(kind, depth, layout, chips, frames, rng):
    """Frames of a MIB file: headers, and pixels as they are stored."""
    side = 514 if layout == "2x2G" else 256
    if kind != "R64":
        width = height = side
        dtype = np.dtype(f">u{int(kind[1:]) // 8}")
        pixels = rng.integers(0, 2**depth, (frames, height, width)).astype(dtype)
    else:
        width, height = (1024, 256) if chips == 4 else (256, 256)
        if depth == 24:
            width *= 2
        if depth in (1, 6):
            size = width * height // (8 if depth == 1 else 1)
            pixels = rng.integers(0, 2**8 if depth == 1 else 2**6, (frames, size)).astype("u1")
        else:
            pixels = rng.integers(0, 2**12, (frames, width * height)).astype(">u2")
    size = 768 if chips == 4 else 384
    data = []
    for number, frame in enumerate(pixels, 1):
        head = (f"MQ1,{number:06},{size:05},{chips:02},{width:04},{height:04},{kind},{layout:>6},"
                f"{'0F' if chips == 4 else '01'},2020-05-18 16:51:49.971626,0.000555,0,0,0,"
                f"1.200000E+2,5.110000E+2,0.000000E+0,0.000000E+0,0.000000E+0,0.000000E+0,"
                f"0.000000E+0,0.000000E+0,3RX,175,511,000,000,"
                f"MQ1A,2020-05-18T16:51:49.971626178Z,555000ns,{depth},")
        data += [head.encode().ljust(size, b"\0"), frame.tobytes()]
    return b"".join(data), pixels


def write_mib(folder, kind, depth, layout, chips, scan):
    folder.mkdir(parents=True, exist_ok=True)
    frames = scan[0] * scan[1]
    data, pixels = mib(kind, depth, layout, chips, frames, np.random.default_rng(5))
    (folder / "scan.mib").write_bytes(data)
    (folder / "scan.hdr").write_text(
        f"HDR,\t\nChip ID:\tW5,-,-,-\nCounter Depth (number):\t{depth}\n"
        f"Frames in Acquisition (Number):\t{frames}\n"
        f"Frames per Trigger (Number):\t{scan[1]}\nEnd\t")
    return folder / "scan.hdr", pixels


def counters(pixels, depth, chips):
    """The counts of raw frames: groups of 64 bits stand the wrong way round, and so do two chips."""
    count = len(pixels)
    if depth == 1:
        bits = np.unpackbits(pixels.reshape(count, -1, 8)[:, :, ::-1], axis=-1, bitorder="little")
        values = bits.reshape(count, 256, -1)
    else:
        group = 8 if depth == 6 else 4
        values = pixels.reshape(count, -1, group)[:, :, ::-1].reshape(count, -1)
        if depth == 24:
            upper, lower = np.split(values.astype(np.uint32), 2, axis=1)
            values = (upper << 12) + lower
        values = values.reshape(count, 256, -1)
    if chips == 4:
        four, three, two, one = np.split(values, 4, axis=2)
        values = np.block([[one, two], [three[:, ::-1, ::-1], four[:, ::-1, ::-1]]])
    return values.astype(DTYPES[depth])
