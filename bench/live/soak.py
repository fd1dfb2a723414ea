#!/usr/bin/env python3
"""Hours of scans, one after the other: whether memory stays flat, frames are lost, and how far the pictures lag.

    python3 bench/live/soak.py --minutes 60 --rate 20000
    ... --scan 512x512        as highest_rate.py: 192x192 detector, uint16, bitshuffle with LZ4
    ... --protocol dectris-v2 or dectris-v1
    ... --buffer 10000        frames that the simulated detector holds; it drops what finds no room
    ... --json FILE

`sluice synth stream --repeat` sends, paced by the clock, and `sluice live --scans` computes bright field, annular dark
field, centres of mass and the sum of all patterns of each scan, and writes them. Each second the receiver's resident
memory is read. The images of every scan are compared with those of the first, byte by byte.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from highest_rate import DISK, SLUICE, free_address, processor, quiet

NAMES = ["bf", "adf", "com_row", "com_col", "pattern_sum"]


def documents(stream):
    """The JSON documents that a program prints one after the other."""
    text, decoder = "", json.JSONDecoder()
    for line in stream:
        text += line
        if line.rstrip() != "}":
            continue
        found, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        yield found


def resident(pid):
    """Bytes of a process in memory; 0 when it has ended."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def watch(pid, memory, stop):
    while not stop.wait(1):
        memory.append((time.monotonic(), resident(pid)))


def soak(folder, options, scans):
    """The reports of all scans, the memory over time, and what the sender says."""
    address = free_address()
    sender = subprocess.Popen(
        [SLUICE, "synth", "stream", options.protocol, str(folder / "scan_master.h5"), "--bind", address, "--rate",
         str(options.rate), "--repeat", str(scans), "--buffer", str(options.buffer), "--memory-limit", "8G", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    receiver = subprocess.Popen(
        [SLUICE, "live", address, "--protocol", options.protocol, *DISK, "--format", "npy", "--scans", str(scans),
         "--out", str(folder / "out"), "--json"], stdout=subprocess.PIPE, text=True)
    memory, stop, reports, differ, first = [], threading.Event(), [], 0, None
    watcher = threading.Thread(target=watch, args=(receiver.pid, memory, stop))
    watcher.start()
    try:
        for number, report in enumerate(documents(receiver.stdout), 1):
            reports.append(report["live"])
            # Of many scans the folder's name has four digits or more.
            out = folder / "out" / f"{number:04}"
            bits = [(out / f"{name}.npy").read_bytes() for name in NAMES]
            # A scan that lacks frames differs; how many it lacks is told beside this.
            if report["live"]["lost"] == 0:
                first = first or bits
                differ += bits != first
            for file in out.iterdir():
                file.unlink()
    finally:
        stop.set()
        watcher.join()
        receiver.wait(60)
    return reports, memory, differ, json.loads(sender.communicate(timeout=60)[0])


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("--minutes", type=float, default=60)
    parse.add_argument("--rate", type=int, default=20000)
    parse.add_argument("--scan", default="512x512")
    parse.add_argument("--protocol", default="dectris-v2", choices=["dectris-v2", "dectris-v1"])
    parse.add_argument("--buffer", type=int, default=10000)
    parse.add_argument("--json")
    options = parse.parse_args()
    rows, cols = map(int, options.scan.split("x"))
    scans = max(2, math.ceil(options.minutes * 60 * options.rate / (rows * cols)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        quiet(SLUICE, "synth", "arina", str(folder / "scan"), "--scan", options.scan, "--detector", "192x192",
              "--dose", "900")
        begin = time.monotonic()
        reports, memory, differ, sent = soak(folder, options, scans)
        minutes = (time.monotonic() - begin) / 60
    if not reports:
        sys.exit("no scan was received")
    # The first tenth is the program's start; what grows later does not stop growing.
    sizes = [size / 2**20 for _, size in memory if size > 0]
    tenth = max(1, len(sizes) // 10)
    early, late = statistics.median(sizes[tenth:2 * tenth + 1]), statistics.median(sizes[-tenth:])
    lags = [r["lag_ms"]["most"] for r in reports]
    ended = collections.Counter(r["ended"] for r in reports)
    print(f"{len(reports)} of {scans} scans in {minutes:.1f} minutes, {sum(r['received'] for r in reports)} frames, "
          f"{sent['sent'] / sent['seconds']:.0f}/s; {sum(r['lost'] for r in reports)} lost in "
          f"{sum(r['lost'] > 0 for r in reports)} scans, {sent['no_room']} of them found no room in the detector")
    print(f"ended: {dict(ended)}; complete scans whose images differ from the first: {differ}")
    print(f"resident memory: {early:.1f} MB after a tenth, {late:.1f} MB at the end, {max(sizes):.1f} MB at most")
    print(f"most lag of a scan: {statistics.median(lags):.0f} ms in the median, {max(lags):.0f} ms at worst")
    print(f"{options.protocol}, scan {options.scan}, buffer of {options.buffer}, {os.cpu_count()} threads of "
          f"{processor()}, load {os.getloadavg()[2]:.1f}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"scans": reports, "memory": memory, "sent": sent}))


if __name__ == "__main__":
    main()
