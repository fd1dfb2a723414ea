#!/usr/bin/env python3
"""Streams between LiberTEM-live and us: its simulators send to our receiver, frame by frame the
bytes of its files, and our simulators send to its receivers. Our program sets, arms and triggers its
simulators.

SPDX-License-Identifier: Apache-2.0

    python3 -m venv VENV && VENV/bin/pip install libertem-live==0.3.0 flask hdf5plugin
    VENV/bin/python tests/foreign/live_libertem_matrix.py --sluice build/release/bin/sluice --out FOLDER

These packages are large (700 MB), so `./dev test` does not install them and skips this script. The
frames of raw files (R64) are also compared with what LiberTEM reads of them.
"""
import contextlib
import http.client
import http.server
import json
import pathlib
import socket
import struct
import subprocess
import sys
import threading
import time

import matrix

with matrix.packages():
    import libertem_live.api
    import h5py
    import hdf5plugin
    import numpy as np
    from libertem.executor.inline import InlineJobExecutor
    from libertem.udf.sum import SumUDF

    from mib_files import counters, write_mib

SECONDS = 90
ROWS, COLS = 3, 4
# What a Merlin sends: (type, depth, layout, chips).
MERLIN = [("U08", 6, "1x1", 1), ("U16", 12, "1x1", 1), ("U32", 24, "1x1", 1), ("U16", 12, "2x2G", 4),
          ("R64", 1, "1x1", 1), ("R64", 6, "1x1", 1), ("R64", 12, "1x1", 1), ("R64", 24, "1x1", 1),
          ("R64", 1, "2x2", 4), ("R64", 6, "2x2", 4), ("R64", 12, "2x2", 4)]


def free_ports(count):
    """Ports that nobody has now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextlib.contextmanager
def running(*words, **how):
    """A program that ends with the block."""
    program = subprocess.Popen([str(w) for w in words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, **how)
    try:
        yield program
    finally:
        program.terminate()
        try:
            program.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            program.kill()


def wait_for_port(port):
    for _ in range(SECONDS * 10):
        with contextlib.suppress(OSError), socket.create_connection(("localhost", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError("the simulator does not listen")


def beside(name):
    """A program of this virtual environment."""
    return pathlib.Path(sys.executable).with_name(name)


def received(sluice, folder, address, protocol):
    """What our receiver makes of a stream: its words, and the frames."""
    out = folder / "frames.raw"
    said = sluice.beside("try_live").run(address, protocol, ROWS, COLS, out).splitlines()
    rows, cols, dtype, images, got, lost = said[0].split()
    frames = np.fromfile(out, np.dtype(dtype)).reshape(ROWS * COLS, int(rows), int(cols))
    return frames, (int(images), int(got), int(lost)), said[1:]


# --- Merlin ---------------------------------------------------------------------------------------


def theirs(path):
    """The frames of a MIB file as LiberTEM reads them."""
    with libertem_live.api.LiveContext(executor=InlineJobExecutor()) as context:
        dataset = context.load("mib", path=str(path))
        total = np.zeros((ROWS * COLS, *dataset.shape.sig), dataset.dtype)
        for number in range(ROWS * COLS):
            roi = np.zeros((ROWS, COLS), bool)
            roi.reshape(-1)[number] = True
            found = context.run_udf(dataset, SumUDF(), roi=roi)
            total[number] = found["intensity"].data
    return total


def merlin_to_us(sluice, folder, kind, depth, layout, chips):
    path, pixels = write_mib(folder, kind, depth, layout, chips, (ROWS, COLS))
    data, control, trigger = free_ports(3)
    with running(beside("libertem-live-mib-sim"), path, "--host", "127.0.0.1", "--data-port", data,
                 "--control-port", control, "--trigger-port", trigger):
        wait_for_port(control)
        frames, counts, problems = received(sluice, folder, f"tcp://127.0.0.1:{data}", "merlin")
    if counts != (ROWS * COLS, ROWS * COLS, 0) or problems != [f"scan {ROWS} {COLS}"]:
        return f"{counts} {problems}"
    truth = counters(pixels, depth, chips) if kind == "R64" else pixels
    if frames.dtype.itemsize != truth.dtype.itemsize:
        return f"frames of {frames.dtype}"
    if not np.array_equal(frames, truth):
        return "other frames"
    # LiberTEM 0.16 reads no short files of one bit, and of 24 bits 16, of the first frame.
    if kind != "R64" or depth in (1, 24):
        return ""
    read = theirs(path)
    return "" if np.array_equal(frames.astype(read.dtype), read) else "other frames than LiberTEM's"


def drain(sluice, words, address, protocol, how):
    with running(sluice.path, "synth", "stream", protocol, *words, "--bind", address, "--rate", 500,
                 "--wait-s", SECONDS) as sender:
        return how(sender)


def sum_of(conn, context):
    pending = conn.wait_for_acquisition(timeout=SECONDS)
    if pending is None:
        raise RuntimeError("no acquisition was announced")
    acquisition = context.make_acquisition(conn=conn, nav_shape=(ROWS, COLS), pending_aq=pending,
                                           frames_per_partition=4)
    return context.run_udf(dataset=acquisition, udf=SumUDF())["intensity"].data


def merlin_to_them(sluice, folder, dtype, words):
    folder.mkdir(parents=True, exist_ok=True)
    depth = {"u1": 6, "u2": 12, "u4": 24}[dtype]
    data = np.random.default_rng(6).integers(0, 2**min(depth, 16), (ROWS, COLS, 256, 256)).astype(dtype)
    np.save(folder / "scan.npy", data)
    port, control = free_ports(2)

    def how(_):
        with MerlinControl(control, 256, depth), \
                libertem_live.api.LiveContext(executor=InlineJobExecutor()) as context, \
                context.make_connection("merlin").open(
                    api_host="127.0.0.1", api_port=control, data_host="127.0.0.1",
                    data_port=port, drain=False) as conn:
            return sum_of(conn, context)

    got = drain(sluice, [folder / "scan.npy", *words], f"tcp://127.0.0.1:{port}", "merlin", how)
    return "" if np.array_equal(got, data.sum(axis=(0, 1))) else "another sum"


class MerlinControl:
    """The command port of a Merlin, as far as LiberTEM-live asks it."""

    def __init__(self, port, side, depth):
        self.values = {"IMAGEX": side, "IMAGEY": side, "COUNTERDEPTH": depth}
        self.socket = socket.create_server(("127.0.0.1", port))

    def __enter__(self):
        threading.Thread(target=self.run, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self.socket.accept()
                with caller:
                    while word := caller.recv(1000).decode():
                        name = word.strip().split(",")[3]
                        answer = f"GET,{name},{self.values.get(name, 0)},0"
                        caller.sendall(f"MPX,{len(answer) + 1:010},{answer}".encode())


# --- DECTRIS --------------------------------------------------------------------------------------


def packed(frame, encoding):
    """The bytes of an image: a chunk of HDF5's filters; "lz4<" is a block without what is before it."""
    if encoding == "lz4<":
        values, how = frame.view("u1").reshape(-1), hdf5plugin.LZ4()
    else:
        values = frame.view(f"u{int(encoding[2:].split('-')[0]) // 8}").reshape(-1)
        how = hdf5plugin.Bitshuffle(cname="lz4")
    with h5py.File.in_memory() as file:
        stored = file.create_dataset("x", data=values, chunks=values.shape, **how)
        file.flush()
        chunk = bytes(stored.id.read_direct_chunk((0,))[1])
    return chunk[16:] if encoding == "lz4<" else chunk


def write_dump(path, data, encoding):
    """Messages one after the other, as LiberTEM-live records them."""
    def record(content):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        return struct.pack("<q", len(content)) + content

    bits = 8 * data.dtype.itemsize
    out = record({"htype": "dheader-1.0", "series": 34, "header_detail": "basic"})
    out += record({"ntrigger": len(data), "nimages": 1, "trigger_mode": "exte",
                   "x_pixels_in_detector": data.shape[2], "y_pixels_in_detector": data.shape[1],
                   "bit_depth_image": bits, "description": "recorded", "count_time": 0.001,
                   "frame_time": 0.001, "compression": "bslz4", "photon_energy": 2e5, "nested": {"a": [1, {"b": 2}]}})
    for number, frame in enumerate(data):
        blob = packed(frame, encoding)
        out += record({"htype": "dimage-1.0", "series": 34, "frame": number, "hash": "x"})
        out += record({"htype": "dimage_d-1.0", "shape": [data.shape[2], data.shape[1]],
                       "type": data.dtype.name, "encoding": encoding, "size": len(blob)})
        out += record(blob)
        out += record({"htype": "dconfig-1.0", "start_time": 0, "stop_time": 1, "real_time": 1})
    out += record({"htype": "dseries_end-1.0", "series": 34})
    path.write_bytes(out)


def dectris_to_us(sluice, folder, dtype, encoding):
    folder.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(7).poisson(0.7, (ROWS * COLS, 40, 56)).astype(dtype)
    data[:, 3, 5] = np.iinfo(dtype).max
    write_dump(folder / "dump", data, encoding)
    api, = free_ports(1)
    # A port that it chooses: one that is given it takes twice, and fails.
    with running(beside("libertem-live-dectris-sim"), folder / "dump", "--port", api, "--zmqport",
                 0) as program:
        for line in program.stderr:
            if b"listening on tcp" in line:
                address = line.split()[-1].decode()
                break
        else:
            raise RuntimeError("the simulator does not listen")
        wait_for_port(api)
        # It sends the header when it is armed, and waits for whoever connects.
        request = http.client.HTTPConnection("localhost", api, timeout=SECONDS)
        request.request("PUT", "/detector/api/1.8.0/command/arm")
        request.getresponse().read()
        frames, counts, problems = received(sluice, folder, address, "dectris-v1")
    if counts != (ROWS * COLS, ROWS * COLS, 0) or problems:
        return f"{counts} {problems}"
    return "" if frames.dtype == data.dtype and np.array_equal(frames, data) else "other frames"


def armed(sluice, folder, address, protocol, *words):
    """The sum of all frames of a scan for which our program sets, arms and triggers a simulator."""
    sluice.run("live", address, "--protocol", protocol, "--arm", "--scan", f"{ROWS}x{COLS}", "--wait", SECONDS,
               "--disk", "20:20:8", "--format", "npy", "--out", folder / "out", *words)
    return np.load(folder / "out/pattern_sum.npy")


def dectris_armed(sluice, folder):
    folder.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(9).poisson(0.7, (ROWS * COLS, 40, 56)).astype("u2")
    write_dump(folder / "dump", data, "bs16-lz4<")
    api, = free_ports(1)
    with running(beside("libertem-live-dectris-sim"), folder / "dump", "--port", api, "--zmqport", 0) as program:
        for line in program.stderr:
            if b"listening on tcp" in line:
                address = line.split()[-1].decode()
                break
        else:
            raise RuntimeError("the simulator does not listen")
        wait_for_port(api)
        got = armed(sluice, folder, address, "dectris-v1", "--control", f"http://localhost:{api}", "--trigger", "gate")
    return "" if np.array_equal(got, data.sum(axis=0)) else "another sum"


def merlin_armed(sluice, folder):
    path, pixels = write_mib(folder, "U16", 12, "1x1", 1)
    data, control, trigger = free_ports(3)
    with running(beside("libertem-live-mib-sim"), path, "--host", "127.0.0.1", "--data-port", data, "--control-port",
                 control, "--trigger-port", trigger, "--wait-trigger"):
        wait_for_port(control)
        got = armed(sluice, folder, f"tcp://127.0.0.1:{data}", "merlin", "--control", f"tcp://127.0.0.1:{control}",
                    "--trigger", "software")
    return "" if np.array_equal(got, pixels.astype("u8").sum(axis=0)) else "another sum"


@contextlib.contextmanager
def simplon(data):
    """The configuration of a DCU, as far as LiberTEM-live asks for it."""
    values = {"x_pixels_in_detector": data.shape[-1], "y_pixels_in_detector": data.shape[-2],
              "bit_depth_image": 8 * data.dtype.itemsize}

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            name = self.path.rsplit("/", 1)[-1]
            text = json.dumps({"value": values.get(name, "enabled"), "value_type": "x"}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_PUT = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()


def dectris_to_them(sluice, folder, dtype, compression):
    folder.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(8).poisson(1.2, (ROWS, COLS, 40, 56)).astype(dtype)
    np.save(folder / "scan.npy", data)
    port, = free_ports(1)

    def how(_):
        with simplon(data) as api, \
                libertem_live.api.LiveContext(executor=InlineJobExecutor()) as context, \
                context.make_connection("dectris").open(
                    api_host="127.0.0.1", api_port=api, data_host="127.0.0.1", data_port=port,
                    buffer_size=64, bytes_per_frame=8192, frame_stack_size=4) as conn:
            return sum_of(conn, context)

    words = [folder / "scan.npy", "--compression", compression, "--header-detail", "basic"]
    got = drain(sluice, words, f"tcp://127.0.0.1:{port}", "dectris-v1", how)
    return "" if np.array_equal(got, data.sum(axis=(0, 1))) else "another sum"


def fixed(sluice, folder, tally):
    cases = []

    def add(name, work, *words):
        cases.append((name, lambda: work(sluice, folder / name, *words)))

    for kind, depth, layout, chips in MERLIN:
        add(f"merlin-{kind}-{depth}-{layout}", merlin_to_us, kind, depth, layout, chips)
    for dtype in ("u1", "u2", "u4"):
        add(f"merlin-to-them-{dtype}", merlin_to_them, dtype, [])
    for dtype in ("u1", "u2"):  # they decode no raw frames of 24 bits
        add(f"merlin-to-them-raw-{dtype}", merlin_to_them, dtype, ["--raw"])
    for dtype in ("u1", "u2", "u4"):
        for encoding in (f"bs{8 * int(dtype[1])}-lz4<", "lz4<"):
            add(f"dectris-{dtype}-{encoding[:-1]}", dectris_to_us, dtype, encoding)
        for compression in ("bslz4", "lz4"):
            add(f"dectris-to-them-{dtype}-{compression}", dectris_to_them, dtype, compression)
    add("dectris-armed", dectris_armed)
    add("merlin-armed", merlin_armed)
    add("dectris-u2-as-bs8", dectris_to_us, "u2", "bs8-lz4<")
    tally.check_all(cases)


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
