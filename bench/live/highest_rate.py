#!/usr/bin/env python3
"""The highest rate of a stream without a lost frame: sender and receiver on this machine, paced by the clock.

    python3 bench/live/highest_rate.py
    ... --scan 512x512        what is sent: 192x192 detector, uint16, bitshuffle with LZ4, about 900 electrons a frame
    ... --protocol dectris-v2 or dectris-v1
    ... --rates 40000,80000,...
    ... --buffer 1000         frames that the simulated detector holds; it drops what finds no room
    ... --rounds 3            of each rate, in turns
    ... --json FILE

The receiver computes bright field, annular dark field, centres of mass and the sum of all patterns. A rate is sustained
if the sender reached it and no frame was lost in any round. Before that the results are compared with those of `sluice stem4d` on the file, byte by
byte. Processor time is that of the whole receiver. The line at the end names the processor.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = str(ROOT / "build/release/bin/sluice")
DISK = ["--disk", "96:96:20"]
SECONDS = 180


def quiet(*command, **how):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS, **how)


def free_address():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{one.getsockname()[1]}"


def round_of(folder, options, rate):
    """One scan at a rate: what the sender and the receiver report, and the receiver's processor seconds."""
    address = free_address()
    sender = subprocess.Popen([SLUICE, "synth", "stream", options.protocol, str(folder / "scan_master.h5"), "--bind",
                               address, "--rate", str(rate), "--buffer", str(options.buffer), "--memory-limit",
                               options.memory, "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    got = quiet(SLUICE, "live", address, "--protocol", options.protocol, *DISK, "--format", "npy", "--out", str(folder / "out"),
                "--json")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    sent = json.loads(sender.communicate(timeout=SECONDS)[0])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sent, json.loads(got.stdout)["live"], cpu


def agree(folder):
    """Whether the live results have the bytes of the commands on the file."""
    file, out = str(folder / "scan_master.h5"), str(folder / "file")
    how = ["--format", "npy", "--out", out]
    quiet(SLUICE, "stem4d", "virtual-image", file, *DISK, "--detector", "bf", "--detector", "adf", *how)
    quiet(SLUICE, "stem4d", "center-of-mass", file, *how)
    quiet(SLUICE, "stem4d", "diffraction-pattern", file, "--kind", "sum", *how)
    names = ["bf", "adf", "com_row", "com_col", "pattern_sum"]
    return all((folder / "out" / f"{name}.npy").read_bytes() == (folder / "file" / f"{name}.npy").read_bytes()
               for name in names)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown processor"


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("--scan", default="512x512")
    parse.add_argument("--protocol", default="dectris-v2", choices=["dectris-v2", "dectris-v1"])
    parse.add_argument("--rates", default="20000,40000,60000,80000,100000,120000")
    parse.add_argument("--buffer", type=int, default=1000)
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--memory", default="8G", help="of the sender, which makes all messages before")
    parse.add_argument("--json")
    options = parse.parse_args()
    rates = [int(r) for r in options.rates.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        quiet(SLUICE, "synth", "arina", str(folder / "scan"), "--scan", options.scan, "--detector", "192x192",
              "--dose", "900")
        round_of(folder, options, rates[0])
        if not agree(folder):
            sys.exit("the live results differ from those of the file")
        rows = {rate: [] for rate in rates}
        for _ in range(options.rounds):
            for rate in rates:
                sent, live, cpu = round_of(folder, options, rate)
                rows[rate].append({"reached": sent["sent"] / sent["seconds"], "no_room": sent["no_room"],
                                   "lost": live["lost"], "us": 1e6 * cpu / live["frames"],
                                   "lag_ms": live["lag_ms"]["most"]})
    print(f"{'asked for':>10} {'reached':>9} {'no room':>9} {'lost':>7} {'us a frame':>11} {'most lag, ms':>13}")
    sustained = 0
    for rate in rates:
        its = rows[rate]
        lost = max(r["lost"] for r in its)
        reached = statistics.median(r["reached"] for r in its)
        if lost == 0 and reached > 0.98 * rate:
            sustained = max(sustained, rate)
        print(f"{rate:>10} {reached:>9.0f} {max(r['no_room'] for r in its):>9} {lost:>7} "
              f"{statistics.median(r['us'] for r in its):>11.1f} {max(r['lag_ms'] for r in its):>13.1f}")
    print(f"sustained without a lost frame: {sustained}/s ({options.protocol}, scan {options.scan}, "
          f"buffer of {options.buffer}, {os.cpu_count()} threads of {processor()})")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"rows": rows, "sustained": sustained}, indent=2))


if __name__ == "__main__":
    main()
