"""Mosaics drawn at random, by ZEISS's writer and by ours, and what is read of them.

SPDX-License-Identifier: Apache-2.0
"""
import itertools

import numpy as np
import tifffile

import slide_tiles
from matrix import Skip
from slide_case import breaks_rules, differs, read
from slide_tiles import LETTERS, composite, tile


def pixels(rng, of, dtype):
    """Noise, a slope, or one value: what codecs treat in different ways."""
    how = rng.choice(["noise", "noise", "slope", "flat"])
    if how == "noise":
        return slide_tiles.noise(of, dtype, rng.getrandbits(32))
    most = 1000 if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max
    if how == "flat":
        return np.full(of, rng.randint(0, most), dtype)
    slope = np.add.outer(rng.randint(0, 5) * np.arange(of[0]), rng.randint(0, 5) * np.arange(of[1]))
    return np.broadcast_to((slope % (most + 1)).reshape(of[:2] + (1,) * (len(of) - 2)),
                           of).astype(dtype)


def planes(rng, letters):
    """Indices of a few dimensions, all combinations."""
    sizes = {letter: rng.choice([1, 1, 1, 2, 3]) for letter in letters}
    return [dict(zip(sizes, at)) for at in itertools.product(*map(range, sizes.values()))]


def corners(rng, side):
    """Where tiles lie: side by side, overlapping, with gaps, or anywhere."""
    left, top = rng.choice([(0, 0), (rng.randint(-500, 500), rng.randint(-500, 500))])
    if rng.random() < 0.3:
        return [(left + rng.randint(0, 150), top + rng.randint(0, 150))
                for _ in range(rng.randint(1, 8))]
    step = [max(1, n + rng.choice([0, 0, -n // 8, -n // 3, 5])) for n in side]
    return [(left + x * step[1], top + y * step[0])
            for y in range(rng.randint(1, 4)) for x in range(rng.randint(1, 4))]


def mosaic(rng, *names, letters=LETTERS):
    """Tiles of one pixel type, or of one for each channel."""
    types = [(slide_tiles.PIXELS | MORE)[name] for name in names]
    side = rng.randint(1, 70), rng.randint(1, 70)
    tiles, scenes = [], rng.choice([1, 1, 1, 2, 3])
    many = planes(rng, letters)
    for scene in range(scenes):
        for x, y in corners(rng, side):
            size = side if rng.random() < 0.7 else (rng.randint(1, 70), rng.randint(1, 70))
            for plane in many:
                if rng.random() < 0.9 or not tiles:
                    samples, dtype = types[plane["C"] % len(types)]
                    tiles.append(tile(pixels(rng, (*size, *samples), dtype), x + 300 * scene, y,
                                      scene))
                    tiles[-1]["plane"] = dict(plane)
    return tiles[:60]


MORE = {"bgr96float": ((3,), "f4"), "gray32": ((), "i4"), "gray64": ((), "f8")}


def part(rng, image, covered):
    """A rectangle of it that is not all background, as options and as slices."""
    y, x = rng.choice(np.argwhere(covered).tolist())
    top, left = rng.randint(0, y), rng.randint(0, x)
    bottom, right = rng.randint(y + 1, image.shape[0]), rng.randint(x + 1, image.shape[1])
    return ["--region", f"{left},{top},{right - left},{bottom - top}"], \
        (slice(top, bottom), slice(left, right))


def verdict(rng, sluice, path, tiles, tolerance=0):
    """Some planes, scenes and regions: what is wrong, or nothing."""
    for _ in range(3):
        one = rng.choice(tiles)
        scene = rng.choice([None, one["scene"]])
        background = rng.choice([0, 0, 7])
        want, covered = composite(tiles, one["plane"], scene, background)
        options = ["--background", background] if background else []
        options += [] if scene is None else ["--scene", scene]
        options += rng.choice([[], [], ["--mmap"], ["--threads", rng.randint(1, 4)], ["--recover"],
                               ["--trust-directory"]])
        at = slice(None), slice(None)
        if rng.random() < 0.6:
            more, at = part(rng, want, covered)
            options += more
        got, report = read(sluice, path, one["plane"], options)
        wrong = differs(got, want[at], tolerance)
        if not wrong and report["background_pixels"] != np.count_nonzero(~covered[at]):
            wrong = f"counts {report['background_pixels']} background pixels"
        if wrong:
            return f"{one['plane']} {' '.join(map(str, options))}: {wrong}"
    return stack(rng, sluice, path, tiles, tolerance) or breaks_rules(sluice, path)


def stack(rng, sluice, path, tiles, tolerance):
    """Several planes at a time, as NPY or TIFF."""
    chosen, words = {}, []
    for letter in (letter for letter in "BVHIRTCZ" if letter in tiles[0]["plane"]):
        first = rng.randint(0, max(t["plane"][letter] for t in tiles))
        last = rng.randint(first, max(t["plane"][letter] for t in tiles))
        if letter == "C" and rng.random() < 0.5 and \
                len({(t["pixels"].dtype, t["pixels"].ndim) for t in tiles}) == 1:
            first, last = 0, max(t["plane"]["C"] for t in tiles)
        elif letter == "C":
            last = first
        chosen[letter] = range(first, last + 1)
        words.append(f"{letter}={first}..{last}" if last > first else f"{letter}={first}")
    options = ["--channel", -1 if len(chosen["C"]) > 1 else chosen["C"][0]]
    options += ["--plane", ",".join(word for word in words if word[0] != "C")]
    planes = [composite(tiles, dict(zip(chosen, at)), None)
              for at in itertools.product(*chosen.values())]
    if not any(covered.any() for _, covered in planes):
        return ""
    shape = [len(span) for span in chosen.values() if len(span) > 1]
    want = np.stack([image for image, _ in planes])
    want = want.reshape(*shape, *want.shape[1:])
    out = path.with_name("stack" + rng.choice([".npy", ".tiff"]))
    sluice.run("slide", "read", path, *options, "--out", out)
    got = np.load(out) if out.suffix == ".npy" else tifffile.imread(out).reshape(want.shape)
    wrong = differs(got, want, tolerance)
    return f"{' '.join(map(str, options))} {out.name}: {wrong}" if wrong else ""


def zeiss(rng, sluice, place):
    try:
        from pylibCZIrw import czi
    except ImportError as error:
        raise Skip(f"slide_matrix: {error}") from error
    tiles = mosaic(rng, rng.choice(list(slide_tiles.PIXELS)))
    wide = tiles[0]["pixels"].dtype == "u2"
    compression = rng.choice(["uncompressed:", f"zstd0:ExplicitLevel={rng.randint(-5, 15)}",
                              f"zstd1:ExplicitLevel={rng.randint(-5, 15)};PreProcess="
                              + rng.choice(["None", "HiLoByteUnpack"] if wide else ["None"])])
    path = place / "f.czi"
    try:
        slide_tiles.write_zeiss(czi, path, tiles, compression)
    except Exception as error:  # what the writer cannot write is no fault of the reader
        raise Skip(f"slide_matrix: pylibCZIrw: {error}") from error
    return verdict(rng, sluice, path, tiles)


def codec(rng, name, dtype):
    """Number of a compression, encoder, decoder where it loses, and what may differ then."""
    import imagecodecs
    level = rng.randint(1, 19)
    choices = [
        (0, lambda a: a.tobytes(), None, 0),
        (5, lambda a: imagecodecs.zstd_encode(a.tobytes(), level=level), None, 0),
        (6, lambda a: b"\x01" + imagecodecs.zstd_encode(a.tobytes(), level=level), None, 0),
        (2, lambda a: imagecodecs.lzw_encode(a.tobytes()), None, 0)]
    if dtype == "u2":
        choices.append((6, lambda a: b"\x03\x01\x01" + imagecodecs.zstd_encode(
            slide_tiles.hi_lo(a.tobytes(), 2), level=level), None, 0))
    if dtype == "u1":
        quality = rng.randint(30, 100)
        choices.append((1, lambda a: imagecodecs.jpeg8_encode(a, level=quality),
                        imagecodecs.jpeg8_decode, 2))
    if name not in MORE:
        quality = rng.choice([None, rng.uniform(0.3, 1)])
        choices += [(4, lambda a: imagecodecs.jpegxr_encode(a, level=quality),
                     imagecodecs.jpegxr_decode, 0)] * 3
    return rng.choice(choices)


def own(rng, sluice, place):
    """Dimensions, indices M, pixel types and codecs that ZEISS's writer does not write."""
    name = rng.choice([*slide_tiles.PIXELS, *MORE])
    letters = LETTERS + rng.choice(["", "", "H", "RI", "VB"])
    mixed = rng.random() < 0.2
    tiles = mosaic(rng, *[name] + ["gray16", "gray8"] * mixed, letters=letters)
    if rng.random() < 0.5:
        for m, one in zip(rng.sample(range(1000), len(tiles)), tiles):
            one["m"] = m
    number, encode, decode, tolerance = (0, lambda a: a.tobytes(), None, 0) if mixed else \
        codec(rng, name, tiles[0]["pixels"].dtype.str[1:])
    path = place / "f.czi"
    try:
        slide_tiles.write_own(path, tiles, encode, number)
        if decode:
            tiles = [{**t, "pixels": decode(encode(t["pixels"]))} for t in tiles]
    except Exception as error:
        raise Skip(f"slide_matrix: the encoder says: {error}") from error
    return verdict(rng, sluice, path, tiles, tolerance) or raw(rng, sluice, path, tiles, tolerance)


def raw(rng, sluice, path, tiles, tolerance):
    """A tile as it is stored, by its number in the file."""
    number = rng.randrange(len(tiles))
    out = path.with_name("tile.npy")
    sluice.run("slide", "read", path, "--tile", number, "--out", out)
    wrong = differs(np.load(out).reshape(tiles[number]["pixels"].shape), tiles[number]["pixels"],
                    tolerance)
    return f"--tile {number}: {wrong}" if wrong else ""


def pyramid(rng, sluice, place):
    """Levels whose tiles hold other pixels than means, so that it shows which ones are read."""
    samples, dtype = slide_tiles.PIXELS[rng.choice(list(slide_tiles.PIXELS))]
    levels, side = rng.randint(2, 3), 4 * rng.randint(4, 20)
    left, top = 4 * rng.randint(-50, 50), 4 * rng.randint(-50, 50)
    grid = list(itertools.product(range(rng.randint(1, 3)), range(rng.randint(1, 3))))
    scales = [2 ** level for level in range(levels)]
    tiles = [tile(pixels(rng, (side // scale, side // scale, *samples), dtype), left + x * side,
                  top + y * side) | {"scale": scale} for scale in scales for y, x in grid]
    path = place / "f.czi"
    slide_tiles.write_own(path, tiles, lambda a: a.tobytes(), 0)
    for level, scale in enumerate(scales):
        mine = [t | {"x": t["x"] // scale, "y": t["y"] // scale} for t in tiles
                if t["scale"] == scale]
        want, _ = composite(mine, mine[0]["plane"], None)
        got, _ = read(sluice, path, mine[0]["plane"], ["--level", level])
        if wrong := differs(got, want):
            return f"--level {level}: {wrong}"
    return breaks_rules(sluice, path)


KINDS = [zeiss] * 4 + [own] * 6 + [pyramid]
