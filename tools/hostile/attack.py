#!/usr/bin/env python3
"""Attacks a running `sluice view` through its sockets: tools/hostile/attack.py BINARY.

SPDX-License-Identifier: Apache-2.0

Each attack is a line: what the server did, its memory, and how long a polite client waited
meanwhile. The exit status is 1 where a polite client was not served, memory grew by more than
MEMORY_BEYOND, or the server ended. It takes half a minute, most of it attacks that wait, and is no
stage of `./dev test`: run it by hand where the server's sockets have changed.
"""
import json
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 2)[0])
from hostile.sockets import Live, connect, frame, get, request  # noqa: E402

MEMORY_BEYOND = 64  # MB
PATIENCE = 5.0  # seconds that a polite client waits
REFUSED = b'{"op":"image","id":%d,"slot":"s%d","dataset":"d1","mode":"none such"}'
WRONG_SET = b'{"op":"frame","id":%d,"slot":"s%d","dataset":"d9","row":0,"col":0}'


class Viewer:
    def __init__(self, binary):
        self.process = subprocess.Popen(
            [binary, "view", "--print-url", "--port", "0",
             "synthetic:stem4d?scan=64x64&detector=64x64&dose=200"],
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.port, self.token = re.search(r":(\d+)/\?token=(\w+)", self.url).groups()
        self.port = int(self.port)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024

    def live(self, **how):
        return Live(self.port, self.token, **how)

    def polite(self):
        """Seconds for a page and an answer over a fresh socket."""
        start = time.monotonic()
        if get(self.port, f"/?token={self.token}") != 200:
            raise ConnectionError("the page was not served")
        live = self.live()
        live.send(b'{"op":"ping","id":1,"slot":"p"}')
        while b'"pong"' not in live.receive()[1]:
            pass
        live.close()
        return time.monotonic() - start


def silent_connections(v):
    held = [connect(v.port, address=f"127.0.0.{2 + i % 3}") for i in range(900)]
    return held, "900 connections that say nothing, from three addresses"


def slow_headers(v):
    held = [connect(v.port, b"GET / HTTP/1.1\r\nX-", f"127.0.1.{1 + i % 20}") for i in range(400)]
    for one in held:
        try:
            one.sendall(b"a")
        except OSError:
            pass
    return held, "400 requests that never end, from twenty addresses"


def huge_headers(v):
    held = []
    for more in ("X: " + "a" * 1_000_000 + "\r\n", "X: a\r\n" * 100_000,
                 "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n"):
        one = connect(v.port)
        try:
            one.sendall(request(v.port, "/", more))
        except OSError:
            pass
        held.append(one)
    return held, "headers of 1 MB, 100 000 headers, endless bodies"


def unread_pages(v):
    held = [connect(v.port, buffer=4096) for _ in range(60)]
    for one in held:
        one.setblocking(False)
        try:
            while True:
                one.send(request(v.port, f"/?token={v.token}") * 50)
        except OSError:
            pass
    return held, "60 visitors ask for pages again and again, and read none"


def broken_frames(v):
    codes = []
    nested = b"[" * 60_000
    for send in (frame(b"x" * 100, reserved=4), frame(b"x", opcode=3), frame(b"x", masked=False),
                 frame(b"", size=1 << 62), frame(b"x" * 70_000), frame(b"x" * 200, opcode=9),
                 frame(b"\xff\xfe"), frame(nested) * 7, frame(b"x", opcode=0),
                 frame(b"\0", opcode=8), frame(b"x", opcode=2)):
        live = v.live(more="Sec-WebSocket-Extensions: permessage-deflate\r\n")
        if b"permessage-deflate" in live.head:
            raise ConnectionError("compression was agreed to")
        live.socket.settimeout(3)
        live.socket.sendall(send)
        codes.append(live.code())
        live.close()
    return [], f"frames that break the rules: closed with {codes}"


def endless_fragments(v):
    live = v.live()
    live.send(b"{", final=False)
    sent, until = 0, time.monotonic() + 3
    try:
        while time.monotonic() < until:
            live.socket.sendall(frame(b"", opcode=0, final=False) * 1000)
            sent += 1000
    except OSError:
        pass
    return [live], f"{sent} empty fragments of one message"


def unread_pings(v):
    live = v.live(buffer=4096)
    live.socket.setblocking(False)
    sent, until = 0, time.monotonic() + 3
    while time.monotonic() < until:
        try:
            sent += live.socket.send(frame(b"x" * 125, opcode=9) * 100)
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:
            break
    return [live], f"{sent >> 20} MB of pings, no pong read"


def unread_refusals(v):
    live = v.live(buffer=4096)
    live.socket.settimeout(0.2)
    sent, until = 0, time.monotonic() + 10
    while time.monotonic() < until:
        block = b"".join(frame((WRONG_SET if (sent + i) % 3 else REFUSED) %
                               (sent + i, (sent + i) % 100_000)) for i in range(200))
        try:
            live.socket.sendall(block)
        except OSError as error:
            if not isinstance(error, TimeoutError):
                break
        sent += 200
    live.socket.settimeout(5)
    return [live], f"{sent} refused requests, nothing read: closed with {live.code()}"


def unread_answers(v):
    live = v.live(buffer=4096)
    live.socket.settimeout(0.2)
    fields = {"op": "image", "dataset": "d1", "mode": "sum", "detectors": [
        {"shape": "disk", "center": [32, 32], "outer": r} for r in range(1, 60)]}
    sent, until = 0, time.monotonic() + 6
    while time.monotonic() < until:
        fields |= {"id": sent, "slot": f"s{sent % 60}"}
        try:
            live.socket.sendall(frame(json.dumps(fields).encode()))
        except OSError as error:
            if not isinstance(error, TimeoutError):
                break
        sent += 1
    return [live], f"{sent} images asked for, none read"


def all_sockets(v):
    held, said = [], "was not asked for"
    try:
        while len(held) < 200:
            held.append(v.live())
    except ConnectionError as error:
        said = str(error)
    for live in held:
        live.close()
    time.sleep(0.3)
    return [], f"{len(held)} sockets, the next: {said}"


ATTACKS = (silent_connections, slow_headers, huge_headers, unread_pages, broken_frames,
           endless_fragments, unread_pings, unread_refusals, unread_answers, all_sockets)


def main(binary):
    v = Viewer(binary)
    time.sleep(1)
    v.polite()
    before, bad = v.memory(), 0
    print(f"{before:.0f} MB at the beginning")
    for attack in ATTACKS:
        held, what = attack(v)
        memory = v.memory()
        try:
            waited = f"{v.polite():.2f} s"
        except OSError as error:
            waited, bad = f"NOT SERVED ({error})", bad + 1
        grown = memory - before > MEMORY_BEYOND
        bad += grown
        print(f"{attack.__name__:20} {memory:5.0f} MB{' GROWN' if grown else ''}, a polite client: "
              f"{waited}; {what}", flush=True)
        for one in held:
            one.close()
        if v.process.poll() is not None:
            print(f"the server ended: {v.process.returncode}")
            return 1
    v.process.terminate()
    v.process.wait()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
