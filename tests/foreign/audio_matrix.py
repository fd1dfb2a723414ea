#!/usr/bin/env python3
"""Short-time Fourier transforms and sample rates of src/audio, beside PyTorch's and python-soxr's.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/audio_matrix.py --sluice build/release/bin/sluice --out FOLDER

PyTorch is too large to be among the packages of this folder: the cases that need it are skipped
where it is not. A Python that has it may run this script by hand.
"""
import importlib
import sys

import matrix

with matrix.packages():
    import numpy as np

# n_fft, hop and frames of published networks, and some that are nobody's.
STFTS = [(8192, 1024, 256), (8192, 1024, 33), (12288, 1024, 64), (2048, 512, 200),
         (2048, 441, 100), (6144, 1024, 96), (4096, 1024, 12), (512, 511 // 2, 77), (30, 7, 50)]
RATES = [(48000, 44100), (44100, 48000), (96000, 44100), (44100, 96000), (22050, 44100),
         (44100, 32000), (44101, 44100), (11025, 44100)]
LEAST_STFT = 120  # dB
# Of the lower rate: up to here python-soxr's filter is flat; then it falls, which ours does not.
FLAT, LEAST_RATE = 0.25, 120


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as lack:
        raise matrix.Skip(f"audio: {lack}") from lack


def decibels(got, wanted):
    """Of the signal over the difference."""
    wanted = np.asarray(wanted, "f8")
    difference = np.asarray(got, "f8") - wanted
    return 10 * np.log10((wanted ** 2).sum() / max((difference ** 2).sum(), 1e-300))


def below(db, least, what):
    return f"{what}: {db:.1f} dB, less than {least}" if not db >= least else ""


class Tool:
    """try_audio with its files in a folder."""

    def __init__(self, sluice, folder, name):
        self.program, self.place = sluice.beside("try_audio"), folder / name
        self.place.mkdir(parents=True, exist_ok=True)

    def run(self, verb, numbers, values):
        source, out = self.place / f"{verb}.in", self.place / f"{verb}.out"
        np.ascontiguousarray(values, "<f4").tofile(source)
        self.program.run(verb, *numbers, source, out)
        return np.fromfile(out, "<f4")


def transforms(sluice, folder, name, shape, random):
    torch = module("torch")
    n_fft, hop, frames = shape
    tool = Tool(sluice, folder, name)
    x = random.uniform(-1, 1, hop * (frames - 1)).astype("f4")
    window = torch.hann_window(n_fft, periodic=True)
    theirs = torch.stft(torch.from_numpy(x), n_fft, hop, window=window, center=True,
                        pad_mode="reflect", return_complex=True)
    wanted = torch.view_as_real(theirs.transpose(0, 1)).numpy()
    ours = tool.run("stft", (*shape, 2), x).reshape(wanted.shape)
    # A spectrum of no sound: what istft makes of it shows the windows and their weights.
    made = random.normal(size=wanted.shape).astype("f4")
    back = torch.istft(torch.view_as_complex(torch.from_numpy(made)).transpose(0, 1), n_fft, hop,
                       window=window, center=True).numpy()
    ours_back = tool.run("istft", (*shape, 2), made)
    if ours_back.shape != back.shape:
        return f"istft: {ours_back.shape} samples, not {back.shape}"
    there, again = decibels(ours, wanted), decibels(ours_back, back)
    print(f"{name}: stft {there:.1f} dB, istft {again:.1f} dB", flush=True)
    return below(there, LEAST_STFT, "stft") or below(again, LEAST_STFT, "istft")


def rates(sluice, folder, name, pair, random):
    soxr = module("soxr")
    source, target = pair
    seconds, channels = 2, 2
    time = np.arange(source * seconds) / source
    hertz = random.uniform(20, FLAT * min(pair), 40)
    waves = [np.sin(2 * np.pi * f * time[:, None] + random.uniform(0, 6, channels)) for f in hertz]
    # From silence to silence, so that ends are no steps.
    x = (sum(waves) / 40 * np.sin(np.pi * time / seconds)[:, None] ** 2).astype("f4")
    wanted = soxr.resample(x, source, target, quality="VHQ")
    ours = Tool(sluice, folder, name).run("resample", (source, target, channels, 1000), x)
    ours = ours.reshape(-1, channels)
    if len(ours) != (2 * len(x) * target + source) // (2 * source):
        return f"{len(ours)} frames of {len(x)}"
    n = min(len(ours), len(wanted))
    db = decibels(ours[:n], wanted[:n])
    print(f"{name}: {db:.1f} dB", flush=True)
    return below(db, LEAST_RATE, "rate")


def cases(sluice, folder, random):
    for shape in STFTS:
        name = "stft_" + "x".join(map(str, shape))
        yield name, lambda n=name, s=shape: transforms(sluice, folder, n, s, random)
    for pair in RATES:
        name = "rate_" + "to".join(map(str, pair))
        yield name, lambda n=name, p=pair: rates(sluice, folder, n, p, random)


def fixed(sluice, folder, tally):
    for name, work in cases(sluice, folder, np.random.default_rng(3)):
        tally.check(name, work)


def drawn_transform(rng, sluice, place):
    n_fft = 2 * rng.randint(2, 3000)
    hop = rng.randint(max(1, n_fft // 20), n_fft // 2)
    least = n_fft // 2 // hop + 2
    shape = (n_fft, hop, rng.randint(least, least + 60))
    return transforms(sluice, place, "x".join(map(str, shape)), shape,
                      np.random.default_rng(rng.getrandbits(64)))


def drawn_rate(rng, sluice, place):
    pair = tuple(rng.choice([8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 192000,
                             rng.randint(4000, 200000)]) for _ in range(2))
    return rates(sluice, place, "to".join(map(str, pair)), pair,
                 np.random.default_rng(rng.getrandbits(64)))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn_transform, drawn_rate], 20))
