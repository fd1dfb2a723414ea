#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Slides that other programs wrote: every pixel type and compression, read by sluice and compared.

Files come from pylibCZIrw (ZEISS's own writer) and, with tiles encoded by imagecodecs, from a small
writer below. The last line counts; the exit status is 1 where something failed.
"""

import argparse
import itertools
import json
import pathlib
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

LETTERS = "TCZ"
counts = {"passed": 0, "failed": 0, "skipped": 0}


def told(result, name, why=""):
    counts[result] += 1
    if result != "passed":
        print(f"{result}: {name}{': ' + why if why else ''}")


def noise(shape, dtype, seed):
    """Values of the whole range, and stretches that compress."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        values = random.normal(0, 1e4, shape).astype(dtype)
    else:
        values = random.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    values[shape[0] // 3 : shape[0] // 2] = 17
    return values


def composite(tiles, plane, scene):
    """Tiles in the order they were written, scene by scene; also the corner and what is covered."""
    mine = [t for t in tiles if scene is None or t["scene"] == scene]
    left = min(t["x"] for t in mine)
    top = min(t["y"] for t in mine)
    right = max(t["x"] + t["pixels"].shape[1] for t in mine)
    bottom = max(t["y"] + t["pixels"].shape[0] for t in mine)
    first = mine[0]["pixels"]
    image = np.zeros((bottom - top, right - left) + first.shape[2:], first.dtype)
    covered = np.zeros(image.shape[:2], bool)
    for tile in sorted(mine, key=lambda t: t["scene"]):
        if tile["plane"] != plane:
            continue
        y, x = tile["y"] - top, tile["x"] - left
        height, width = tile["pixels"].shape[:2]
        image[y : y + height, x : x + width] = tile["pixels"]
        covered[y : y + height, x : x + width] = True
    return image, covered


class Bench:
    def __init__(self, sluice, folder):
        self.sluice = sluice
        self.folder = folder

    def run(self, *words):
        return subprocess.run(
            [self.sluice, *words], capture_output=True, text=True, timeout=30, check=False
        )

    def read(self, path, plane, scene, more=()):
        out = self.folder / "read.npy"
        out.unlink(missing_ok=True)
        words = ["slide", "read", str(path), "--channel", str(plane["C"]), "--out", str(out)]
        words += ["--plane", f"Z={plane['Z']},T={plane['T']}", "--json", *more]
        if scene is not None:
            words += ["--scene", str(scene)]
        done = self.run(*words)
        if done.returncode != 0:
            raise ValueError(f"exit {done.returncode}: {done.stderr.strip()}")
        return np.load(out), json.loads(done.stdout)

    def compare(self, name, path, tiles, tolerance=0):
        """Every plane of every scene, and of all together."""
        planes = {json.dumps(t["plane"]) for t in tiles}
        scenes = sorted({t["scene"] for t in tiles})
        for text, scene in itertools.product(sorted(planes), [None, *scenes]):
            plane = json.loads(text)
            want, covered = composite(tiles, plane, scene)
            case = f"{name} {text} scene {scene}"
            try:
                got, report = self.read(path, plane, scene)
            except (ValueError, subprocess.TimeoutExpired) as error:
                told("failed", case, str(error))
                continue
            if got.dtype != want.dtype or got.shape != want.shape:
                told("failed", case, f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}")
                continue
            off = np.abs(got.astype("f8") - want.astype("f8"))
            if off.max() > tolerance:
                told("failed", case, f"{np.count_nonzero(off > tolerance)} values differ")
            elif report["background_pixels"] != np.count_nonzero(~covered):
                told("failed", case, f"counts {report['background_pixels']} background pixels")
            else:
                told("passed", case)
        check = self.run("slide", "check", str(path), "--pixels", "--json")
        broken = [
            v["rule"]
            for v in json.loads(check.stdout or "{}").get("violations", [{"rule": "none printed"}])
            if not v.get("note") and v["rule"] not in ("scenes overlap", "indices from 0")
        ]
        told("failed" if broken else "passed", f"{name} check", ", ".join(broken))
        info = self.run("info", "--json", str(path))
        told("passed" if info.returncode == 0 else "failed", f"{name} info", info.stderr.strip())


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


# pylibCZIrw


ZEISS_COMPRESSIONS = {
    "uncompressed": "uncompressed:",
    "zstd0": "zstd0:ExplicitLevel=3",
    "zstd1": "zstd1:ExplicitLevel=3;PreProcess=None",
    "zstd1 hi-lo": "zstd1:ExplicitLevel=3;PreProcess=HiLoByteUnpack",
}
PIXELS = {
    "gray8": ((), "u1"),
    "gray16": ((), "u2"),
    "gray32float": ((), "f4"),
    "bgr24": ((3,), "u1"),
    "bgr48": ((3,), "u2"),
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


def zeiss_cases():
    for (name, (samples, dtype)), compression in itertools.product(
        PIXELS.items(), ZEISS_COMPRESSIONS
    ):
        if name == "gray32float" and compression not in ("uncompressed", "zstd0"):
            continue
        one = [tile(noise((37, 53, *samples), dtype, 1), 0, 0)]
        one.append(tile(noise((37, 53, *samples), dtype, 2), 45, 5))
        yield f"{name} {compression}", one, compression
    stack = [
        tile(noise((20, 24), "u2", 10 + n), 0, 0, T=t, C=c, Z=z)
        for n, (t, c, z) in enumerate(itertools.product(range(2), range(3), range(2)))
    ]
    yield "stack", stack, "zstd1 hi-lo"
    mosaic = [
        tile(noise((32, 32), "u1", 30 + n), 28 * (n % 4), 27 * (n // 4)) for n in range(12)
    ]
    yield "overlapping tiles", mosaic, "zstd0"
    scenes = [
        tile(noise((32, 32), "u1", 50 + n), 100 * (n // 4) + 20 * (n % 4), 10 * n, n // 4)
        for n in range(12)
    ]
    yield "scenes", scenes, "uncompressed"
    # The second scene is written first and lies over the first.
    across = [
        tile(noise((32, 32), "u1", 70 + n), 10 * n, 5 * n, s) for n, s in enumerate((1, 1, 0, 0))
    ]
    yield "overlapping scenes", across, "uncompressed"
    sparse = [tile(noise((16, 16), "u1", 90), 0, 0), tile(noise((16, 16), "u1", 91), 8, 8, Z=7)]
    yield "sparse", sparse, "uncompressed"
    yield "negative", [tile(noise((16, 16), "u1", 92), -500, -70)], "zstd0"


def run_zeiss(bench):
    try:
        from pylibCZIrw import czi
    except ImportError as error:
        told("skipped", "files of pylibCZIrw", str(error))
        return
    for name, tiles, compression in zeiss_cases():
        path = bench.folder / (name.replace(" ", "_") + ".czi")
        try:
            write_zeiss(czi, path, tiles, ZEISS_COMPRESSIONS[compression])
        except Exception as error:  # what the writer cannot write is no fault of the reader
            told("skipped", f"pylibCZIrw {name}", f"the writer says: {error}")
            continue
        bench.compare(f"pylibCZIrw {name}", path, tiles)


# A writer of our own, for what ZEISS's writer does not write


TYPES = {("u1", 1): 0, ("u2", 1): 1, ("f4", 1): 2, ("u1", 3): 3, ("u2", 3): 4}


def segment(name, content):
    size = (len(content) + 31) // 32 * 32
    head = name.encode().ljust(16, b"\0") + struct.pack("<qq", size, len(content))
    return head + content.ljust(size, b"\0")


def entry(t, m, position, compression):
    height, width = t["pixels"].shape[:2]
    samples = 1 if t["pixels"].ndim == 2 else 3
    dimensions = [("X", t["x"], width), ("Y", t["y"], height)]
    dimensions += [(letter, t["plane"][letter], 1) for letter in LETTERS]
    dimensions += [("S", t["scene"], 1), ("M", m, 1)]
    text = b"DV" + struct.pack("<iqii", TYPES[t["pixels"].dtype.str[1:], samples], position, 0,
                               compression)
    text += b"\0" * 6 + struct.pack("<i", len(dimensions))
    for letter, start, size in dimensions:
        text += letter.encode().ljust(4, b"\0") + struct.pack("<iifi", start, size, start, size)
    return text


def write_own(path, tiles, encode, compression):
    body = b"\0" * 544
    entries = []
    metadata = b"<METADATA />"
    for m, t in enumerate(tiles):
        entries.append(entry(t, m, len(body), compression))
        data = encode(bgr(t["pixels"]) if compression in (2, 5, 6) else t["pixels"])
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


def run_imagecodecs(bench):
    try:
        import imagecodecs
    except ImportError as error:
        told("skipped", "tiles of imagecodecs", str(error))
        return
    codecs = {
        "zstd0": (5, lambda a: imagecodecs.zstd_encode(a.tobytes()), 0),
        "zstd1 plain": (6, lambda a: b"\x01" + imagecodecs.zstd_encode(a.tobytes()), 0),
        "zstd1 hi-lo": (
            6,
            lambda a: b"\x03\x01\x01" + imagecodecs.zstd_encode(hi_lo(a.tobytes(), 2)),
            0,
        ),
        "lzw": (2, lambda a: imagecodecs.lzw_encode(a.tobytes()), 0),
        "jpeg": (1, lambda a: imagecodecs.jpeg8_encode(a, level=90), 2),
        "jpeg xr": (4, lambda a: imagecodecs.jpegxr_encode(a), 0),
    }
    for (name, (samples, dtype)), (codec, (number, encode, tolerance)) in itertools.product(
        PIXELS.items(), codecs.items()
    ):
        if (codec == "jpeg" and dtype != "u1") or (codec == "zstd1 hi-lo" and dtype != "u2"):
            continue
        case = f"imagecodecs {name} {codec}"
        smooth = np.add.outer(np.arange(40), 3 * np.arange(56))
        values = [noise((40, 56, *samples), dtype, seed) for seed in (1, 2)]
        if codec == "jpeg":
            flat = smooth.astype(dtype)
            values = [np.stack([flat] * 3, -1) if samples else flat, values[1] * 0 + 90]
        tiles = [tile(values[0]), tile(values[1], 50, 8)]
        # JPEG loses something, and JPEG XR does with floats: their own decoder is the truth.
        decode = {1: imagecodecs.jpeg8_decode, 4: imagecodecs.jpegxr_decode}.get(number)
        path = bench.folder / (case.replace(" ", "_") + ".czi")
        try:
            write_own(path, tiles, encode, number)
        except Exception as error:
            told("skipped", case, f"the encoder says: {error}")
            continue
        if decode:
            tiles = [{**t, "pixels": decode(encode(t["pixels"]))} for t in tiles]
        bench.compare(case, path, tiles, tolerance)
    run_sizes(bench, imagecodecs)


def run_sizes(bench, imagecodecs):
    """A tile that holds another number of pixels than it says is refused, and named."""
    pixels = noise((40, 56), "u1", 3)
    for name, number, encode in (
        ("jpeg xr", 4, imagecodecs.jpegxr_encode),
        ("jpeg", 1, imagecodecs.jpeg8_encode),
        ("zstd0", 5, lambda a: imagecodecs.zstd_encode(a.tobytes())),
        ("lzw", 2, lambda a: imagecodecs.lzw_encode(a.tobytes())),
    ):
        for rows in (39, 20, 41, 80):
            path = bench.folder / "other_size.czi"
            write_own(path, [tile(pixels)], lambda a: encode(np.resize(a, (rows, 56))), number)
            done = bench.run("slide", "read", str(path), "--out", str(bench.folder / "o.npy"))
            good = done.returncode != 0 and "X 0 Y 0" in done.stderr
            told("passed" if good else "failed", f"{name} of {rows} rows", done.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", required=True, help="the program")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="a folder for the files")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    bench = Bench(arguments.sluice, arguments.out)
    run_zeiss(bench)
    run_imagecodecs(bench)
    print(", ".join(f"{counts[word]} {word}" for word in counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
