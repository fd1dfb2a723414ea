#!/usr/bin/env python3
"""Times a dense step of proton transport beside NumPy's, in turns, on the same state.

    bench/proton/run.py --sluice build/release/bin/sluice [--rounds 7] [--threads 2]

The NumPy step is the same three operators with the same numbers (float32, whole arrays at once,
nothing allocated in a step). Both answers are compared before anything is timed.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np


class Server:
    """sluice proton benchmark --serve."""

    def __init__(self, program, threads, precision, saved):
        self.saved = saved
        self.process = subprocess.Popen(
            [program, "proton", "benchmark", "--serve", saved, "--threads", str(threads),
             "--precision", precision],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = json.loads(self.line())

    def line(self):
        text = self.process.stdout.readline()
        if not text:
            sys.exit("sluice stopped: " + " ".join(self.process.args))
        return text

    def ask(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return json.loads(self.line())["seconds"]

    def state(self, shape):
        self.ask("save")
        return np.load(self.saved).reshape(shape)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class NumpyStep:
    """A step on whole arrays."""

    def __init__(self, numbers, dtype):
        self.shape = tuple(numbers["shape"])
        energies, angles = self.shape[:2]
        self.p = np.array(numbers["diffusion"], dtype)
        self.passes = numbers["passes"]
        self.z = np.array(numbers["z"]).reshape(energies, angles)
        self.x = np.array(numbers["x"]).reshape(energies, angles)
        self.to = np.array(numbers["to"]).reshape(energies, 3)
        self.part = np.array(numbers["part"], dtype).reshape(energies, 3)
        self.loss = np.array(numbers["deposit"], dtype)
        self.room = np.zeros(self.shape, dtype)
        self.deposit = np.zeros((angles,) + self.shape[2:], dtype)
        # Energies that move alike, one after the other, are moved at once.
        self.groups, first = [], 0
        for i in range(1, energies + 1):
            if i == energies or not np.array_equal(self.z[i], self.z[first]):
                self.groups.append((first, i))
                first = i

    def scatter(self, psi, out, p):
        """out = psi after a pass; the angles are a ring."""
        p = p[:, None, None, None]
        np.add(psi[:, :-2], psi[:, 2:], out=out[:, 1:-1])
        np.add(psi[:, -1], psi[:, 1], out=out[:, 0])
        np.add(psi[:, -2], psi[:, 0], out=out[:, -1])
        out *= p
        psi *= 1 - 2 * p
        out += psi

    def stream(self, psi, out):
        out[:] = 0
        planes, columns = self.shape[2:]
        for first, past in self.groups:
            for j in range(self.shape[1]):
                z, x = self.z[first, j], self.x[first, j]
                kz, kx = int(np.floor(z)), int(np.floor(x))
                for dz, wz in ((kz, 1 - (z - kz)), (kz + 1, z - kz)):
                    for dx, wx in ((kx, 1 - (x - kx)), (kx + 1, x - kx)):
                        if wz * wx == 0:
                            continue
                        source = psi[first:past, j, max(0, -dz):planes - max(0, dz),
                                     max(0, -dx):columns - max(0, dx)]
                        out[first:past, j, max(0, dz):planes - max(0, -dz),
                            max(0, dx):columns - max(0, -dx)] += psi.dtype.type(wz * wx) * source

    def slow_down(self, psi, out):
        out[:] = 0
        for i in range(self.shape[0]):
            for to, part in zip(self.to[i], self.part[i]):
                if to >= 0:
                    out[to] += part * psi[i]
        self.deposit += np.tensordot(self.loss, psi, axes=(0, 0))

    def step(self, psi):
        """psi after a step; psi itself is overwritten."""
        for i, passes in enumerate(self.passes):
            for _ in range(passes - 1):
                self.scatter(psi[i:i + 1], self.room[i:i + 1], self.p[i:i + 1])
                psi[i] = self.room[i]
        self.scatter(psi, self.room, self.p)
        self.stream(self.room, psi)
        self.slow_down(psi, self.room)
        psi, self.room = self.room, psi
        return psi


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=here / "build/release/bin/sluice")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(str(options.sluice), options.threads, "f32", folder + "/state.npy")
        numbers = server.ready
        shape = tuple(numbers["shape"])
        start = server.state(shape)
        rivals = {"NumPy float32": (NumpyStep(numbers, np.float32), start.astype(np.float32)),
                  "NumPy float64": (NumpyStep(numbers, np.float64), start.astype(np.float64))}
        server.ask("step")
        ours = server.state(shape)
        for name, (step, psi) in rivals.items():
            psi = step.step(psi)
            rivals[name] = (step, psi)
            worst = float(np.abs(psi - ours).max() / ours.max())
            if not worst < 1e-5:
                sys.exit(f"{name} and sluice differ by {worst:.2g} of the largest weight")
        seconds = {"sluice": [], **{name: [] for name in rivals}}
        for _ in range(options.rounds):
            seconds["sluice"].append(statistics.median(server.ask("step") for _ in range(5)))
            for name, (step, psi) in rivals.items():
                begin = time.perf_counter()
                psi = step.step(psi)
                seconds[name].append(time.perf_counter() - begin)
                rivals[name] = (step, psi)
        server.close()
    middle = {name: statistics.median(s) for name, s in seconds.items()}
    copy = 2 * 4 * np.prod(shape) / middle["sluice"] / numbers["copy_bandwidth"]
    if options.json:
        print(json.dumps({"shape": shape, "seconds": middle, "threads": options.threads,
                          "part_of_copy_bandwidth": copy}))
        return
    print(f"{'x'.join(map(str, shape))} cells, {options.threads} threads for sluice, NumPy "
          f"{np.__version__}; answers agree to 1e-5; medians of {options.rounds} rounds")
    for name, s in middle.items():
        print(f"{name:<16}{1e3 * s:>10.1f} ms{s / middle['sluice']:>8.1f} x")
    print(f"sluice reads and writes the state once at {100 * copy:.0f} % of the speed of memcpy")


if __name__ == "__main__":
    main()
