#!/usr/bin/env python3
"""Processor time a frame of `sluice live` on Merlin's frames, of one program or several in turns.

    python3 bench/live/merlin_cost.py
    ... --sluice OLD --sluice NEW     in turns, of the same sender
    ... --forms u16,1,6,12            integers of 16 bits, and raw counters of so many
    ... --scan 64x64 --rate 2000 --rounds 5
    ... --json FILE

256x256 pixels over the loopback; sums and centres of mass are computed, as against_libertem.py does. The numbers are
of getrusage of the receiver alone, its start among them; the median and the least of the rounds. The sender is the
last program named. Results of all programs are compared byte for byte.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 120


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make(path, scan, form):
    rng = np.random.default_rng(1)
    row, col = np.indices((256, 256))
    disk = np.hypot(row - 128, col - 128) < 32
    drawn = rng.poisson(np.where(disk, 0.5, 0.01), (64, 256, 256))
    dtype = np.uint16 if form in ("u16", "12") else np.uint8
    drawn = np.minimum(drawn, 1 if form == "1" else 63).astype(dtype)
    data = np.lib.format.open_memmap(path, "w+", dtype, (*scan, 256, 256))
    for number in range(scan[0] * scan[1]):
        data[divmod(number, scan[1])] = np.roll(drawn[number % 64], number // 64 % 7, axis=1)
    data.flush()


def run(program, sender, data, form, given, out):
    port = free_port()
    words = [sender, "synth", "stream", "merlin", data, "--bind", f"tcp://127.0.0.1:{port}", "--rate", given.rate,
             "--wait-s", SECONDS, "--json", "--memory-limit", "4G"]
    if form != "u16":
        words += ["--raw", "--depth", form]
    sending = subprocess.Popen([str(w) for w in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    words = [program, "live", f"tcp://127.0.0.1:{port}", "--protocol", "merlin", "--scan", "x".join(map(str, given.scan)),
             "--detector", "disk:r=1,center=1:1", "--format", "npy", "--out", out, "--wait", SECONDS, "--patience-s", 5,
             "--json"]
    with tempfile.TemporaryFile() as text:
        live = subprocess.Popen([str(w) for w in words], stdout=text, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(live.pid, 0)
        live.returncode = os.waitstatus_to_exitcode(status)
        sending.wait(SECONDS)
        if live.returncode:
            raise SystemExit(f"{program} ends with {live.returncode}")
        text.seek(0)
        report = json.load(text)["live"]
    if report["lost"]:
        raise SystemExit(f"{program} lost {report['lost']} frames: give a lower --rate")
    frames = given.scan[0] * given.scan[1]
    return {"user_us": 1e6 * used.ru_utime / frames, "system_us": 1e6 * used.ru_stime / frames}


def results(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.npy"))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sluice", action="append", type=pathlib.Path)
    parser.add_argument("--forms", default="u16,1,6,12")
    parser.add_argument("--scan", default=(64, 64), type=lambda text: tuple(map(int, text.split("x"))))
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    programs = given.sluice or [ROOT / "build/release/bin/sluice"]
    reports = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for form in given.forms.split(","):
            data = folder / f"{form}.npy"
            make(data, given.scan, form)
            runs = [[] for _ in programs]
            for _ in range(given.rounds):
                for number, program in enumerate(programs):
                    runs[number].append(run(program, programs[-1], data, form, given, folder / f"{form}{number}"))
            found = [results(folder / f"{form}{number}") for number in range(len(programs))]
            if any(one != found[0] for one in found):
                raise SystemExit(f"{form}: the programs find different results")
            for program, each in zip(programs, runs):
                total = [one["user_us"] + one["system_us"] for one in each]
                user = statistics.median(one["user_us"] for one in each)
                print(f"{form}: {program}: {statistics.median(total):.1f} us a frame (least {min(total):.1f}), "
                      f"{user:.1f} of them of the program", flush=True)
            reports[form] = [{"program": str(p), "rounds": each} for p, each in zip(programs, runs)]
            data.unlink()
    load = os.getloadavg()[0]
    print(f"load {load:.1f}")
    if given.json:
        given.json.write_text(json.dumps({"load": load, "forms": reports}, indent=2) + "\n")


if __name__ == "__main__":
    main()
