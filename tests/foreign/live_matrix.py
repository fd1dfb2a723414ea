#!/usr/bin/env python3
"""CBOR of cbor2 read by us; streams of cbor2, pyzmq and hdf5plugin received by us; their recordings
read by h5py; and the messages of our simulator read by cbor2 and dectris-compression.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/live_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import json
import math
import random
import subprocess
import sys

import matrix

with matrix.packages():
    import cbor2
    import h5py
    import hdf5plugin
    import numpy as np
    import zmq
    from dectris.compression import decompress

SECONDS = 60
TAGS = {"uint8": 64, "uint16": 69, "uint32": 70}
DISK = "12:12:5"


# --- CBOR -----------------------------------------------------------------------------------------


def notation(item):
    """The diagnostic notation of RFC 8949 of what cbor2 wrote."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if item is None:
        return "null"
    if isinstance(item, int):
        return str(item)
    if isinstance(item, float):
        return "NaN" if math.isnan(item) else "Infinity" if item == math.inf else \
            "-Infinity" if item == -math.inf else f"float:{item!r}"
    if isinstance(item, bytes):
        return f"h'{item.hex()}'"
    if isinstance(item, str):
        escaped = item.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 32 else c for c in escaped) + '"'
    if isinstance(item, list):
        return "[" + ", ".join(map(notation, item)) + "]"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{notation(k)}: {notation(v)}" for k, v in item.items()) + "}"
    return f"{item.tag}({notation(item.value)})"


def same(ours, theirs):
    """Whether two texts agree; numbers may be written in other ways."""
    first, *others = theirs.split("float:")
    if not ours.startswith(first):
        return False
    at = len(first)
    for part in others:
        end = at
        while end < len(ours) and ours[end] in "0123456789.e+-":
            end += 1
        size = 0
        while size < len(part) and part[size] in "0123456789.e+-":
            size += 1
        if float(ours[at:end]) != float(part[:size]) or not ours.startswith(part[size:], end):
            return False
        at = end + len(part) - size
    return at == len(ours)


def drawn_item(rng, depth=0):
    kinds = ["int", "big", "float", "bytes", "text", "simple"] + ["list", "map", "tag"] * (depth < 5)
    kind = rng.choice(kinds)
    if kind == "int":
        return rng.choice([0, 23, 24, 255, 256, 65535, 65536, -1, -24, -25, -257])
    if kind == "big":
        return rng.randrange(-2**64, 2**64)
    if kind == "float":
        return rng.choice([0.5, -1.25, 1e300, 5.960464477539063e-08, 3.4e38, math.inf, -math.inf,
                           rng.gauss(0, 1), 65504.0])
    if kind == "bytes":
        return rng.randbytes(rng.choice([0, 1, 23, 24, 300]))
    if kind == "text":
        return "".join(rng.choice('ab"\\\n\tµ') for _ in range(rng.choice([0, 1, 23, 24, 256])))
    if kind == "simple":
        return rng.choice([True, False, None])
    if kind == "list":
        return [drawn_item(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind == "map":
        return {f"key{i}": drawn_item(rng, depth + 1) for i in range(rng.randrange(5))}
    return cbor2.CBORTag(rng.choice([40, 64, 1040, 56500]), drawn_item(rng, depth + 1))


def read_cbor(rng, sluice, folder):
    """Items of cbor2, plain, canonical and of indefinite length."""
    items = [drawn_item(rng) for _ in range(40)]
    files = []
    for number, item in enumerate(items):
        path = folder / f"{number}.cbor"
        path.write_bytes(cbor2.dumps(item, canonical=number % 2 == 1)
                         if not isinstance(item, dict) else cbor2.dumps(item))
        files.append(path)
    ours = sluice.beside("try_cbor").run(*files).split("\n")
    for text, item, path in zip(ours, items, files):
        if not same(text, notation(item)):
            return f"{path.name}: {text[:200]} for {notation(item)[:200]}"
    return ""


def compress(image, packing):
    """The chunk that HDF5's own filter makes of it, which is what detectors send."""
    how = hdf5plugin.Bitshuffle(cname="lz4") if packing == "bslz4" else hdf5plugin.LZ4()
    with h5py.File.in_memory() as file:
        stored = file.create_dataset("x", data=image, chunks=image.shape, **how)
        file.flush()
        return bytes(stored.id.read_direct_chunk((0, 0))[1])


# --- Streams --------------------------------------------------------------------------------------


def start_of(data, channels, mask=None, series=3):
    start = {"type": "start", "arm_date": cbor2.CBORTag(0, "2026-01-01T00:00:00Z"),
             "beam_center_x": 12.0, "channels": channels, "count_time": [999, 1000000],
             "detector_description": "DECTRIS of a test", "frame_time": [1, 1000],
             "goniometer": {"omega": {"increment": 0.0, "start": 0.0}},
             "image_dtype": data.dtype.name, "image_size_x": data.shape[2],
             "image_size_y": data.shape[1], "incident_energy": 200000.0,
             "number_of_images": len(data), "pixel_mask_enabled": mask is not None,
             "saturation_value": 60000 if data.dtype != np.uint8 else 250, "series_id": series,
             "series_unique_id": "01", "user_data": None, "threshold_energy": {c: 1e5 for c in channels},
             "flatfield": {c: cbor2.CBORTag(40, [[2, 2], cbor2.CBORTag(85, np.ones(4, "<f4").tobytes())])
                           for c in channels}}
    if mask is not None:
        packed = compress(mask.astype("<u4"), "bslz4")
        start["pixel_mask"] = {c: cbor2.CBORTag(40, [list(mask.shape), cbor2.CBORTag(
            70, cbor2.CBORTag(56500, ["bslz4", 4, packed]))]) for c in channels}
    return start


def array_of(image, packing):
    data = image.astype(image.dtype.newbyteorder("<")).tobytes()
    if packing != "none":
        modifier = image.dtype.itemsize if packing == "bslz4" else 0
        data = cbor2.CBORTag(56500, [packing, modifier, compress(image, packing)])
    return cbor2.CBORTag(40, [list(image.shape), cbor2.CBORTag(TAGS[image.dtype.name], data)])


def image_of(number, images, packing, series=3):
    return {"type": "image", "series_id": series, "series_unique_id": "01", "image_id": number,
            "real_time": [1, 1000], "start_time": [number, 1000], "stop_time": [number + 1, 1000],
            "series_date": cbor2.CBORTag(0, "2026-01-01T00:00:00Z"), "user_data": "x",
            "data": {c: array_of(image, packing) for c, image in images.items()}}


def received(sluice, folder, messages, *words):
    """What `sluice live` makes of messages: its report and its arrays."""
    context = zmq.Context()
    socket = context.socket(zmq.PUSH)
    socket.setsockopt(zmq.SNDTIMEO, SECONDS * 1000)
    address = f"ipc://{folder}/stream"
    socket.bind(address)
    live = subprocess.Popen(
        [str(sluice.path), "live", address, "--wait", str(SECONDS), "--out", str(folder / "out"),
         "--format", "npy", "--json", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        for message in messages:
            socket.send(message if isinstance(message, bytes) else cbor2.dumps(message))
        out, err = live.communicate(timeout=SECONDS)
    finally:
        live.kill()
        socket.close(linger=0)
        context.term()
    if live.returncode:
        raise RuntimeError(err.decode()[-400:])
    return json.loads(out), {p.stem: np.load(p) for p in (folder / "out").glob("*.npy")}


def masks(shape):
    row, col = np.indices(shape)
    center_row, center_col, radius = map(float, DISK.split(":"))
    return np.hypot(row - center_row, col - center_col) <= radius


def recording(folder, data, packing, frames_per_file):
    """h5py and hdf5plugin read what was recorded, and its chunks are those that were sent."""
    with h5py.File(folder / "run_master.h5") as master:
        detector = master["entry/instrument/detector"]
        energy = detector["detectorSpecific/photon_energy"][()]
        if energy != 200000 or detector["threshold_energy"][()] != 100000:
            return f"energies of {energy} and {detector['threshold_energy'][()]}"
        start = cbor2.loads(master["entry/recording/description"][()].tobytes())
        if start["goniometer"]["omega"]["increment"] != 0 or start["number_of_images"] != len(data):
            return "another start"
        parts = [master[f"entry/data/{name}"] for name in sorted(master["entry/data"])]
        if [len(part) for part in parts] != [frames_per_file] * (len(data) // frames_per_file):
            return f"files of {[len(part) for part in parts]} images"
        if not np.array_equal(np.concatenate([part[...] for part in parts]), data):
            return "other images"
        for number, image in enumerate(data):
            part = parts[number // frames_per_file]
            chunk = part.id.read_direct_chunk((number % frames_per_file, 0, 0))[1]
            if packing != "none" and chunk != compress(image, packing):
                return f"another chunk of image {number}"
    return ""


def receive(sluice, folder, dtype, packing, order):
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    data = rng.poisson(0.8, (35, 25, 27)).astype(dtype)
    mask = np.zeros((25, 27), np.uint32)
    mask[3, 4], mask[12, 11] = 1, 4
    data[:, mask > 0] = np.iinfo(dtype).max
    numbers = list(range(35)) if order == "ascending" else list(range(34, -1, -1))
    messages = [start_of(data, ["threshold_1"], mask)]
    messages += [image_of(n, {"threshold_1": data[n]}, packing) for n in numbers]
    messages += [{"type": "end", "series_id": 3, "series_unique_id": "01"}]
    report, arrays = received(sluice, folder, messages, "--scan", "5x7", "--disk", DISK,
                              "--detector", "bf", "--record", str(folder / "run"),
                              "--images-per-file", "7")
    live = report["live"]
    if (live["received"], live["lost"], live["problems"]) != (35, 0, []):
        return f"{live}"
    good = np.where(mask > 0, 0, data).astype(np.float64)
    if not np.array_equal(arrays["bf"], good[:, masks((25, 27))].sum(axis=1).reshape(5, 7)):
        return "another bright field"
    if not np.array_equal(arrays["pattern_sum"], good.sum(axis=0)):
        return "another sum"
    row = (good.sum(axis=2) @ np.arange(25)) / good.sum(axis=(1, 2))
    if not np.allclose(arrays["com_row"].ravel(), row, rtol=1e-12):
        return "another centre of mass"
    return recording(folder, data, packing, 7)


def wrong_messages(sluice, folder):
    """Loss, repetitions and damage, told by a detector of theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(8).poisson(2, (16, 25, 27)).astype(np.uint16)
    one = {"threshold_1": None}
    image = [image_of(n, {**one, "threshold_1": data[n]}, "bslz4") for n in range(16)]
    broken = image_of(5, {"threshold_1": data[5]}, "bslz4")
    tag = broken["data"]["threshold_1"].value[1].value
    packed = tag.value[2]
    broken["data"]["threshold_1"] = cbor2.CBORTag(40, [[25, 27], cbor2.CBORTag(
        69, cbor2.CBORTag(56500, ["bslz4", 2, packed[:40]]))])
    messages = [b"\xff", {"type": "image"}, start_of(data, ["threshold_1"]), image[0], image[2],
                image[1], image[1], image_of(3, {"threshold_1": data[3]}, "bslz4", series=4),
                image_of(4, {"threshold_1": data[4].astype(np.uint32)}, "bslz4"), broken,
                {"type": "hello"}, *image[6:12], cbor2.dumps(image[12])[:-30], *image[13:],
                {"type": "end", "series_id": 3}]
    report, arrays = received(sluice, folder, messages, "--scan", "4x4", "--disk", DISK,
                              "--detector", "bf")
    live = report["live"]
    lost = {3, 4, 5, 12}
    if live["lost"] != len(lost) or live["gaps"] != [[3, 3], [12, 1]]:
        return f"{live}"
    found = {p["what"]: p["count"] for p in live["problems"]}
    wanted = {"messages that cannot be read": 1, "images before the start of a series": 1,
              "images that came twice": 1, "images of another series": 1,
              "images of another type": 1, "images that cannot be decoded": 1,
              "messages of an unknown type": 1, "images that cannot be read": 1}
    if found != wanted:
        return f"{found}"
    bright = data[:, masks((25, 27))].sum(axis=1).astype(np.float64)
    bright[list(lost)] = np.nan
    if not np.array_equal(arrays["bf"].ravel(), bright, equal_nan=True):
        return "another bright field"
    kept = [n for n in range(16) if n not in lost]
    return "" if np.array_equal(arrays["pattern_sum"], data[kept].sum(axis=0)) else "another sum"


def channels(sluice, folder):
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(9)
    low, high = (rng.poisson(2, (9, 25, 27)).astype(np.uint16) for _ in range(2))
    messages = [start_of(low, ["threshold_1", "threshold_2"])]
    messages += [image_of(n, {"threshold_1": low[n], "threshold_2": high[n]}, "bslz4")
                 for n in range(9)]
    messages += [{"type": "end", "series_id": 3}]
    _, arrays = received(sluice, folder, messages, "--channel", "threshold_2", "--disk", DISK)
    return "" if np.array_equal(arrays["pattern_sum"], high.sum(axis=0)) else "another channel"


def simulated(sluice, folder, dtype, packing):
    """Our simulator's messages, read by their programs."""
    folder.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(10).poisson(1, (4, 5, 24, 26)).astype(dtype)
    np.save(folder / "scan.npy", data)
    context = zmq.Context()
    socket = context.socket(zmq.PULL)
    socket.setsockopt(zmq.RCVTIMEO, SECONDS * 1000)
    address = f"ipc://{folder}/stream"
    sender = subprocess.Popen([str(sluice.path), "synth", "stream", "dectris-v2",
                               str(folder / "scan.npy"), "--bind", address, "--rate", "2000",
                               "--compression", packing, "--wait-s", str(SECONDS)],
                              stdout=subprocess.DEVNULL)
    socket.connect(address)
    messages = []
    try:
        for _ in range(22):
            messages.append(cbor2.loads(socket.recv()))
        if sender.wait(SECONDS):
            return f"exit {sender.returncode}"
    finally:
        sender.kill()
        socket.close(linger=0)
        context.term()
    start, *images, end = messages
    if [m["type"] for m in messages] != ["start"] + ["image"] * 20 + ["end"]:
        return f"{[m['type'] for m in messages]}"
    said = start["number_of_images"], start["image_size_y"], start["image_size_x"], start["image_dtype"]
    if said != (20, 24, 26, dtype) or end["series_id"] != start["series_id"]:
        return f"{said}"
    for n, message in enumerate(images):
        outer = message["data"][start["channels"][0]]
        shape, typed = outer.value
        packed = typed.value
        if isinstance(packed, cbor2.CBORTag):
            algorithm, size, packed = packed.value
            packed = decompress(packed, algorithm, elem_size=size or 1)
        image = np.frombuffer(packed, np.dtype(dtype)).reshape(shape)
        if (message["image_id"], outer.tag, typed.tag) != (n, 40, TAGS[dtype]) or \
                not np.array_equal(image, data.reshape(20, 24, 26)[n]):
            return f"image {n}"
    return ""


def fixed(sluice, folder, tally):
    place = folder / "cbor"
    place.mkdir(parents=True, exist_ok=True)
    tally.check("cbor", lambda: read_cbor(random.Random(1), sluice, place))
    cases = []
    for dtype in TAGS:
        for packing in ("bslz4", "lz4", "none"):
            name = f"{dtype}-{packing}"
            cases.append((f"receive-{name}", lambda d=dtype, p=packing, n=name: receive(
                sluice, folder / f"receive-{n}", d, p, "ascending")))
            cases.append((f"simulated-{name}", lambda d=dtype, p=packing, n=name: simulated(
                sluice, folder / f"simulated-{n}", d, p)))
    cases.append(("descending", lambda: receive(sluice, folder / "descending", "uint16", "bslz4",
                                                "descending")))
    cases.append(("wrong", lambda: wrong_messages(sluice, folder / "wrong")))
    cases.append(("channels", lambda: channels(sluice, folder / "channels")))
    tally.check_all(cases)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [read_cbor], 12))
