#!/usr/bin/env python3
"""A live scan beside LiberTEM-live: the highest rate without a lost frame, and processor time a frame.

    python3 -m venv VENV && VENV/bin/pip install libertem-live==0.3.0 flask
    VENV/bin/python bench/live/against_libertem.py
    ... --protocol merlin     instead of both
    ... --scan 64x64          smaller than 128x128
    ... --detector 192x192    of Stream V1; Merlin has 256x256
    ... --rounds 3            of each rate, in turns
    ... --rates 500,1000,...  frames a second
    ... --json FILE

One simulator, ours, sends the same scan to both. Both compute the sum of all patterns and centres of mass. A rate is
sustained if in every round the sender reached it and lost nothing, and the answer was there as soon after the sender's
end as at the lowest rate, give or take 5 % of the scan's time and 0.1 s: buffers that fill are no rate. Sums are compared exactly, and centres
of mass to 1e-5 of the detector (LiberTEM computes in float32), before anything is timed. Processor time is that of the
receiver with its children: of all of `sluice live`, and of LiberTEM-live with workers that are warm. The targets are 3
times the rate and a fifth of the processor time.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = ROOT / "build/release/bin/sluice"
RATES = [250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000]
SECONDS = 120
HZ = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def cpu_of(pid):
    """Processor seconds of a process and of all that descend from it, those that ended among them."""
    total, waiting = 0.0, [pid]
    while waiting:
        now = waiting.pop()
        try:
            fields = pathlib.Path(f"/proc/{now}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / HZ
            for task in pathlib.Path(f"/proc/{now}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return total


class Scan:
    """What is sent: a scan of counts, and its true answers."""

    def __init__(self, folder, protocol, scan, detector):
        self.protocol = protocol
        self.rows, self.cols = scan
        side = (256, 256) if protocol == "merlin" else detector
        rng = np.random.default_rng(1)
        row, col = np.indices(side)
        disk = np.hypot(row - side[0] / 2, col - side[1] / 2) < side[0] / 8
        # A frame of 64 is drawn, and turned a little for each point: drawing all would take minutes.
        drawn = rng.poisson(np.where(disk, 0.5, 0.01), (64, *side)).astype(np.uint16)
        self.data = np.empty((self.rows, self.cols, *side), np.uint16)
        for number in range(self.rows * self.cols):
            self.data[divmod(number, self.cols)] = np.roll(drawn[number % 64], number // 64 % 7, axis=1)
        self.path = folder / f"{protocol}.npy"
        np.save(self.path, self.data)

    @property
    def frames(self):
        return self.rows * self.cols


def sender(scan, port, rate):
    words = ["synth", "stream", scan.protocol, scan.path, "--bind", f"tcp://127.0.0.1:{port}", "--rate", rate,
             "--wait-s", SECONDS, "--json", "--memory-limit", "4G"]
    if scan.protocol == "dectris-v1":
        words += ["--header-detail", "basic"]
    return subprocess.Popen([str(w) for w in (SLUICE, *words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


class Ending:
    """Hears when the sender ends, and what it lost."""

    def __init__(self, program):
        self.program, self.out, self.at = program, b"{}", 0.0
        self.thread = threading.Thread(target=self.wait)
        self.thread.start()

    def wait(self):
        self.out, _ = self.program.communicate()
        self.at = time.perf_counter()

    def judged(self, rate, frames, usual_tail):
        """Whether the rate was sustained by an answer that is there now."""
        now = time.perf_counter()
        self.thread.join(SECONDS)
        report = json.loads(self.out or b"{}")
        tail = max(0.0, now - self.at)
        lost = report["images"] - report["sent"]
        reached = report["images"] / max(report["seconds"], 1e-9)
        return {"lost_by_sender": lost, "sent_per_s": reached, "tail_s": tail,
                "sustained": lost == 0 and reached > 0.95 * rate and tail < usual_tail + 0.1 + 0.05 * frames / rate}


class Ours:
    name = "sluice"

    def __init__(self, scan, folder):
        self.scan, self.out, self.usual_tail = scan, folder / "out", 0.0

    def run(self, rate):
        port = free_port()
        ending = Ending(sender(self.scan, port, rate))
        words = ["live", f"tcp://127.0.0.1:{port}", "--protocol", self.scan.protocol, "--scan",
                 f"{self.scan.rows}x{self.scan.cols}", "--detector", "disk:r=1,center=1:1", "--format", "npy", "--out",
                 self.out, "--wait", SECONDS, "--patience-s", 5, "--json"]
        with tempfile.TemporaryFile() as text:
            live = subprocess.Popen([str(w) for w in (SLUICE, *words)], stdout=text, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(live.pid, 0)
            live.returncode = os.waitstatus_to_exitcode(status)
            if live.returncode:
                raise SystemExit(f"sluice live ends with {live.returncode}")
            text.seek(0)
            report = json.load(text)["live"]
        judged = ending.judged(rate, self.scan.frames, self.usual_tail)
        judged["sustained"] &= report["lost"] == 0
        answer = {"sum": np.load(self.out / "pattern_sum.npy"),
                  "row": np.load(self.out / "com_row.npy"), "col": np.load(self.out / "com_col.npy")}
        return {**judged, "cpu_s": used.ru_utime + used.ru_stime, "answer": answer}

    def close(self):
        pass


THEIRS = r"""
import contextlib, http.server, json, socket, sys, threading, time
import numpy as np
import libertem_live.api
from libertem.udf.sum import SumUDF
from libertem.udf.com import CoMUDF

protocol, rows, cols, height, width, bits = sys.argv[1], *map(int, sys.argv[2:7])
values = {"x_pixels_in_detector": width, "y_pixels_in_detector": height, "bit_depth_image": bits,
          "IMAGEX": width, "IMAGEY": height, "COUNTERDEPTH": 12}

class Simplon(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        text = json.dumps({"value": values.get(self.path.rsplit("/", 1)[-1], "enabled")}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    do_GET = do_PUT = answer
    def log_message(self, *_):
        pass

def merlin_control(server):
    while True:
        caller, _ = server.accept()
        with caller, contextlib.suppress(OSError):
            while word := caller.recv(1000).decode():
                name = word.strip().split(",")[3]
                answer = f"GET,{name},{values.get(name, 0)},0"
                caller.sendall(f"MPX,{len(answer) + 1:010},{answer}".encode())

if protocol == "merlin":
    server = socket.create_server(("127.0.0.1", 0))
    api = server.getsockname()[1]
    threading.Thread(target=merlin_control, args=(server,), daemon=True).start()
else:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Simplon)
    api = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()

with libertem_live.api.LiveContext() as context:
    print("ready", flush=True)
    for line in sys.stdin:
        port, out = line.split()
        words = {} if protocol == "merlin" else {"bytes_per_frame": height * width * bits // 32, "frame_stack_size": 24}
        if protocol == "merlin":
            words["drain"] = False
        try:
            with context.make_connection("merlin" if protocol == "merlin" else "dectris").open(
                    api_host="127.0.0.1", api_port=api, data_host="127.0.0.1", data_port=int(port), **words) as conn:
                pending = conn.wait_for_acquisition(timeout=100)
                start = time.perf_counter()
                aq = context.make_acquisition(conn=conn, nav_shape=(rows, cols), pending_aq=pending)
                total, com = context.run_udf(dataset=aq, udf=[SumUDF(), CoMUDF.with_params(
                    cy=0, cx=0, r=float("inf"))])
                seconds = time.perf_counter() - start
            np.savez(out, sum=total["intensity"].data, row=com["raw_com"].data[..., 0], col=com["raw_com"].data[..., 1])
            print(json.dumps({"seconds": seconds}), flush=True)
        except Exception as error:
            print(json.dumps({"error": f"{type(error).__name__}: {error}"[:200]}), flush=True)
"""


class Theirs:
    name = "LiberTEM-live"

    def __init__(self, scan, folder):
        self.scan, self.out, self.usual_tail = scan, folder / "theirs.npz", 0.0
        height, width = scan.data.shape[2:]
        self.program = subprocess.Popen(
            [sys.executable, "-c", THEIRS, scan.protocol, *map(str, (scan.rows, scan.cols, height, width, 16))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.program.stdout.readline().strip() != "ready":
            raise SystemExit("LiberTEM-live does not start")

    def run(self, rate):
        port = free_port()
        program = sender(self.scan, port, rate)
        ending = Ending(program)
        before = cpu_of(self.program.pid)
        self.program.stdin.write(f"{port} {self.out}\n")
        self.program.stdin.flush()
        report = json.loads(self.program.stdout.readline() or '{"error": "it ended"}')
        cpu = cpu_of(self.program.pid) - before
        if "error" in report:
            program.kill()
            ending.thread.join(SECONDS)
            return {"sustained": False, "error": report["error"], "cpu_s": cpu}
        judged = ending.judged(rate, self.scan.frames, self.usual_tail)
        found = np.load(self.out)
        return {**judged, "cpu_s": cpu, "answer": {name: found[name] for name in ("sum", "row", "col")}}

    def close(self):
        self.program.stdin.close()
        self.program.wait(SECONDS)


def compare(scan, found):
    """Both agree with the truth, or nothing is timed."""
    total = scan.data.sum(axis=(0, 1), dtype=np.float64)
    for name, one in found.items():
        if "answer" not in one:
            raise SystemExit(f"{name} fails at the lowest rate: {one.get('error')}")
        if not np.array_equal(one["answer"]["sum"], total):
            raise SystemExit(f"{name} finds another sum; nothing is timed")
    for part in ("row", "col"):
        off = np.abs(found["sluice"]["answer"][part] - found["LiberTEM-live"]["answer"][part]).max()
        if not off < 1e-5 * max(scan.data.shape[2:]):
            raise SystemExit(f"centres of mass differ by {off} pixels; nothing is timed")


def measure(scan, folder, rates, rounds):
    both = [kind(scan, folder) for kind in (Ours, Theirs)]
    for one in both:
        one.run(rates[0])  # warms up
    first = {one.name: one.run(rates[0]) for one in both}
    compare(scan, first)
    for one in both:
        one.usual_tail = first[one.name]["tail_s"]
    report = {one.name: {"sustained": 0, "rates": {}} for one in both}
    going = list(both)
    for rate in rates:
        runs = {one.name: [] for one in going}
        for _ in range(rounds):
            for one in going:
                done = one.run(rate)
                done.pop("answer", None)
                runs[one.name].append(done)
        for name, found in runs.items():
            report[name]["rates"][rate] = found
            if all(run["sustained"] for run in found):
                report[name]["sustained"] = rate
                report[name]["us_per_frame"] = statistics.median(1e6 * run["cpu_s"] / scan.frames for run in found)
        going = [one for one in going if report[one.name]["sustained"] == rate]
        if not going:
            break
    for one in both:
        one.close()
    return report


def pair(text):
    return tuple(map(int, text.split("x")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--protocol", choices=["dectris-v1", "merlin"], action="append")
    parser.add_argument("--scan", type=pair, default=(128, 128))
    parser.add_argument("--detector", type=pair, default=(192, 192))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", default=",".join(map(str, RATES)))
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    reports = {}
    for protocol in given.protocol or ["dectris-v1", "merlin"]:
        with tempfile.TemporaryDirectory() as folder:
            scan = Scan(pathlib.Path(folder), protocol, given.scan, given.detector)
            report = reports[protocol] = measure(scan, pathlib.Path(folder), [int(r) for r in given.rates.split(",")],
                                                 given.rounds)
        ours, theirs = report["sluice"], report["LiberTEM-live"]
        for name, one in report.items():
            print(f"{protocol}: {name}: {one['sustained']} frames/s without loss, {one.get('us_per_frame', 0):.1f} us of "
                  "processor time a frame")
        if theirs["sustained"] and ours["sustained"]:
            print(f"  rate: {ours['sustained'] / theirs['sustained']:.1f} times (target 3); processor time: "
                  f"{theirs['us_per_frame'] / ours['us_per_frame']:.1f} times less (target 5)")
    if given.json:
        given.json.write_text(json.dumps(reports, indent=2) + "\n")


if __name__ == "__main__":
    main()
