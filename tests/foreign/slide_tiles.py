"""Tiles of slides, what a slide of them looks like, and writers of CZI files.

SPDX-License-Identifier: Apache-2.0

ZEISS's own writer is pylibCZIrw; the small one below writes what it does not.
"""
import struct

import numpy as np

LETTERS = "TCZ"
PIXELS = {
    "gray8": ((), "u1"),
    "gray16": ((), "u2"),
    "gray32float": ((), "f4"),
    "bgr24": ((3,), "u1"),
    "bgr48": ((3,), "u2"),
}
ZEISS_COMPRESSIONS = {
    "uncompressed": "uncompressed:",
    "zstd0": "zstd0:ExplicitLevel=3",
    "zstd1": "zstd1:ExplicitLevel=3;PreProcess=None",
    "zstd1 hi-lo": "zstd1:ExplicitLevel=3;PreProcess=HiLoByteUnpack",
}
TYPES = {("u1", 1): 0, ("u2", 1): 1, ("f4", 1): 2, ("u1", 3): 3, ("u2", 3): 4, ("f4", 3): 8,
         ("i4", 1): 12, ("f8", 1): 13}


def noise(shape, dtype, seed):
    """Values of the whole range, and stretches that compress."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        values = random.normal(0, 1e4, shape).astype(dtype)
    else:
        values = random.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    values[shape[0] // 3 : shape[0] // 2] = 17
    return values


def composite(tiles, plane, scene, background=0):
    """Tiles scene by scene, in the order of M or as they were written; also what is covered."""
    mine = [t for t in tiles if scene is None or t["scene"] == scene]
    left = min(t["x"] for t in mine)
    top = min(t["y"] for t in mine)
    right = max(t["x"] + t["pixels"].shape[1] for t in mine)
    bottom = max(t["y"] + t["pixels"].shape[0] for t in mine)
    # Channels may have pixels of different types.
    first = next((t for t in tiles if t["plane"].get("C") == plane.get("C")), mine[0])["pixels"]
    image = np.full((bottom - top, right - left) + first.shape[2:], background, first.dtype)
    covered = np.zeros(image.shape[:2], bool)
    for tile in sorted(mine, key=lambda t: (t["scene"], t.get("m", 0))):
        if tile["plane"] != plane:
            continue
        y, x = tile["y"] - top, tile["x"] - left
        height, width = tile["pixels"].shape[:2]
        image[y : y + height, x : x + width] = tile["pixels"]
        covered[y : y + height, x : x + width] = True
    return image, covered


def bgr(values):
    """Results are in the order R, G, B; writers want B, G, R."""
    return np.ascontiguousarray(values[..., ::-1]) if values.ndim == 3 else values


def tile(pixels, x=0, y=0, scene=0, **plane):
    return {
        "pixels": pixels,
        "x": x,
        "y": y,
        "scene": scene,
        "plane": {letter: plane.get(letter, 0) for letter in LETTERS},
    }


def write_zeiss(czi, path, tiles, compression):
    path.unlink(missing_ok=True)
    with czi.create_czi(str(path), exist_ok=True, compression_options=compression) as writer:
        for t in tiles:
            pixels = bgr(t["pixels"])
            writer.write(
                data=pixels if pixels.ndim == 3 else pixels[..., np.newaxis],
                location=(t["x"], t["y"]),
                plane=t["plane"],
                scene=t["scene"],
            )


def segment(name, content):
    size = (len(content) + 31) // 32 * 32
    head = name.encode().ljust(16, b"\0") + struct.pack("<qq", size, len(content))
    return head + content.ljust(size, b"\0")


def entry(t, m, position, compression):
    height, width = t["pixels"].shape[:2]
    samples = 1 if t["pixels"].ndim == 2 else 3
    scale = t.get("scale", 1)  # of a tile of a pyramid: it covers more pixels than it has
    dimensions = [("X", t["x"], width), ("Y", t["y"], height)]
    dimensions += [(letter, start, 1) for letter, start in t["plane"].items()]
    dimensions += [("S", t["scene"], 1)] + [("M", m, 1)] * (scale == 1)
    text = b"DV" + struct.pack("<iqii", TYPES[t["pixels"].dtype.str[1:], samples], position, 0,
                               compression)
    text += struct.pack("<B5xi", scale > 1, len(dimensions))
    for letter, start, size in dimensions:
        covers = size * scale if letter in "XY" else size
        text += letter.encode().ljust(4, b"\0") + struct.pack("<iifi", start, covers, start, size)
    return text


def write_own(path, tiles, encode, compression):
    body = b"\0" * 544
    entries = []
    metadata = b"<METADATA />"
    for m, t in enumerate(tiles):
        entries.append(entry(t, t.get("m", m), len(body), compression))
        data = encode(bgr(t["pixels"]) if compression in (0, 2, 5, 6) else t["pixels"])
        head = struct.pack("<iiq", len(metadata), 0, len(data)) + entries[-1]
        body += segment("ZISRAWSUBBLOCK", head.ljust(256, b"\0") + metadata + data)
    directory = len(body)
    body += segment(
        "ZISRAWDIRECTORY", struct.pack("<i", len(entries)).ljust(128, b"\0") + b"".join(entries)
    )
    head = struct.pack("<iiii", 1, 0, 0, 0) + b"\x01" * 32 + struct.pack("<iqqiq", 0, directory, 0,
                                                                         0, 0)
    path.write_bytes(segment("ZISRAWFILE", head.ljust(512, b"\0")) + body[544:])


def hi_lo(data, width):
    values = np.frombuffer(data, "u1").reshape(-1, width)
    return b"".join(values[:, byte].tobytes() for byte in range(width))
