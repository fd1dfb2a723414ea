#!/usr/bin/env python3
"""Times a chunk of MDX23C beside PyTorch's, in turns, with the same weights and the same sound.

    bench/music/run.py --sluice build/release/bin/sluice [--like instvoc-hq] [--rounds 3]

PyTorch (`pip install torch numpy`) runs the same network as modules: float32 as users of
audio-separator, MSST and UVR run it on processors; float32 and bfloat16 in channels-last. All have
as many threads. Answers are compared before anything is timed. One job at a time has a processor;
every job waits 0.2 s for threads of others that spin.

    bench/music/run.py --sluice build/release/bin/sluice --device cuda

puts both on the GPU: a lap ends when the stems are in the host's memory. PyTorch's float32 multiplies
without TF32 there, as sluice's fp32 does; --precision fp32,tf32 adds sluice's tf32.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch

from network import network_like, read_safetensors


class Server:
    """sluice music benchmark --serve."""

    def __init__(self, arguments):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.ready = json.loads(self.line())

    def line(self):
        text = self.process.stdout.readline()
        if not text:
            sys.exit("sluice stopped: " + " ".join(map(str, self.process.args)))
        return text

    def lap(self, job):
        self.process.stdin.write(job + "\n")
        self.process.stdin.flush()
        found = json.loads(self.line())
        return found["seconds"], found["cpu_seconds"]

    def peak(self):
        """Bytes of memory at most so far."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return 1024 * int(line.split()[1])
        return 0

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Torch:
    """A way that PyTorch separates the chunk."""

    def __init__(self, network, kind, device):
        self.device = "cuda" + device[4:] if device.startswith("cuda") else "cpu"
        network = network.to(self.device)
        self.bf16, last = "bf16" in kind, "channels-last" in kind
        self.network = network.bfloat16() if self.bf16 else network
        self.network.window = self.network.window.float()
        if last:
            self.network = self.network.to(memory_format=torch.channels_last)
        self.last = last

    @torch.inference_mode()
    def separate(self, sound):
        sound = sound.to(self.device)
        spectra = self.network.spectra(sound)
        if self.bf16:
            spectra = spectra.bfloat16()
        if self.last:
            spectra = spectra.contiguous(memory_format=torch.channels_last)
        return self.network.sound(self.network.separate_spectra(spectra).float()).cpu()

    def lap(self, sound):
        wall, cpu = time.perf_counter(), time.process_time()
        self.separate(sound)
        return time.perf_counter() - wall, time.process_time() - cpu


def decibels(reference, answer):
    noise = np.sum((reference.astype(float) - answer) ** 2)
    return 10 * np.log10(np.sum(reference.astype(float) ** 2) / noise) if noise else np.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sluice", type=pathlib.Path, required=True)
    parser.add_argument("--like", default="instvoc-hq")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:1, of both")
    parser.add_argument("--precision", help="of sluice [fp32,bf16; on GPUs fp32]")
    parser.add_argument("--torch", default="fp32,fp32 channels-last,bf16 channels-last",
                        help="the ways of PyTorch, with commas")
    parser.add_argument("--json", type=pathlib.Path, help="write the numbers there")
    given = parser.parse_args()
    given.precision = given.precision or ("fp32,bf16" if given.device == "cpu" else "fp32")
    torch.set_num_threads(given.threads)
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    with tempfile.TemporaryDirectory() as folder:
        model, mix = pathlib.Path(folder) / "model.safetensors", pathlib.Path(folder) / "mix.npy"
        subprocess.run([given.sluice, "music", "synth", model, "--like", given.like], check=True,
                       stdout=subprocess.DEVNULL)
        facts = json.loads(subprocess.run([given.sluice, "music", "inspect", model, "--json"],
                                          check=True, capture_output=True).stdout)
        ours = Server([given.sluice, "music", "benchmark", str(model), "--serve", str(mix),
                       "--precision", given.precision, "--threads", str(given.threads),
                       "--device", given.device])
        sound = torch.from_numpy(np.load(mix))[None]
        precisions = given.precision.split(",")
        stems = {}
        for p in precisions:
            ours.lap("save " + p)
            stems[p] = np.load(f"{mix}.{p}.npy")
        # Weights once for each way: another layout or type is another copy.
        weights = read_safetensors(model)
        rivals = {kind: Torch(network_like(facts, weights), kind, given.device)
                  for kind in given.torch.split(",")}
        weights.clear()
        truth = None
        print(f"{given.like}: {given.device}, {given.threads} threads, torch {torch.__version__}")
        for kind, rival in rivals.items():
            answer = rival.separate(sound)[0].reshape(-1, sound.shape[-1]).numpy()
            truth = answer if truth is None else truth
            print(f"  torch {kind:<20} {decibels(truth, answer):6.1f} dB beside its first way")
        for p, answer in stems.items():
            print(f"  sluice {p:<19} {decibels(truth, answer):6.1f} dB beside it, differs by at "
                  f"most {np.abs(truth - answer).max():.2g} (it reaches {np.abs(truth).max():.2g})")
        jobs = {f"torch {kind}": (lambda rival=rival: rival.lap(sound))
                for kind, rival in rivals.items()}
        for name in ours.ready["details"]:
            jobs["sluice " + name] = lambda name=name: ours.lap(name)
        laps = {name: [] for name in jobs}
        for i in range(given.rounds + 1):
            for name, job in jobs.items():
                time.sleep(0.2)
                lap = job()
                if i:
                    laps[name].append(lap)
        seconds = ours.ready["samples"] / ours.ready["sample_rate"]
        rows = {name: [statistics.median(x) for x in zip(*found)] for name, found in laps.items()}
        best = min(wall for name, (wall, _) in rows.items() if name.startswith("torch"))
        first = rows[next(iter(jobs))][0]
        print(f"\n{'':<34}{'s':>8}{'min..max':>16}{'cpu s':>9}{'GFLOP/s':>9}{'RTF 1':>7}"
              f"{'x first':>9}{'x best torch':>14}")
        for name, (wall, cpu) in rows.items():
            walls = [lap[0] for lap in laps[name]]
            print(f"{name:<34}{wall:8.2f}{min(walls):8.2f}..{max(walls):<6.2f}{cpu:9.2f}"
                  f"{ours.ready['flop'] / wall / 1e9:9.0f}{wall / seconds:7.2f}"
                  f"{first / wall:9.2f}{best / wall:14.2f}")
        peaks = {"sluice (all precisions)": ours.peak(),
                 "this Python (all ways)": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
        print("\npeak memory: " + ", ".join(f"{name} {peak / 1e9:.2f} GB"
                                             for name, peak in peaks.items()))
        if given.json:
            given.json.write_text(json.dumps({"rows": rows, "laps": laps, "ready": ours.ready}))
        ours.close()


if __name__ == "__main__":
    main()
