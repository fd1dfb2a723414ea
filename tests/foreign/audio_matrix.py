#!/usr/bin/env python3
"""What src/audio does beside others: Fourier transforms (PyTorch), sample rates (python-soxr), and
files (libsndfile of today by python-soundfile, Python's wave, ffprobe).

SPDX-License-Identifier: Apache-2.0

    tests/foreign/audio_matrix.py --sluice build/release/bin/sluice --out FOLDER

PyTorch is too large to be among the packages of this folder: the cases that need it are skipped
where it is not. A Python that has it may run this script by hand.
"""
import importlib
import shutil
import subprocess
import sys
import wave

import matrix

with matrix.packages():
    import numpy as np

# n_fft, hop and frames of published networks, and some that are nobody's.
STFTS = [(8192, 1024, 256), (8192, 1024, 33), (12288, 1024, 64), (2048, 512, 200),
         (2048, 441, 100), (6144, 1024, 96), (4096, 1024, 12), (512, 511 // 2, 77), (30, 7, 50)]
RATES = [(48000, 44100), (44100, 48000), (96000, 44100), (44100, 96000), (22050, 44100),
         (44100, 32000), (44101, 44100), (11025, 44100)]
LEAST_STFT = 120  # dB
# Of the lower rate: up to here the filter is flat.
FLAT, LEAST_RATE = 0.45, 130


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
    """Sines at another rate are known exactly: ours must be near them, and no further than
    python-soxr is."""
    soxr = module("soxr")
    source, target = pair
    seconds, channels = 2, 2
    hertz, phases = random.uniform(20, FLAT * min(pair), 40), random.uniform(0, 6, (channels, 40))

    def at(rate):
        time = np.arange(rate * seconds) / rate
        waves = sum(np.sin(2 * np.pi * f * time[:, None] + p) for f, p in zip(hertz, phases.T))
        # From silence to silence, so that ends are no steps.
        return waves / 40 * np.sin(np.pi * time / seconds)[:, None] ** 2

    x, truth = at(source).astype("f4"), at(target)
    theirs = soxr.resample(x, source, target, quality="VHQ")
    ours = Tool(sluice, folder, name).run("resample", (source, target, channels, 1000), x)
    ours = ours.reshape(-1, channels)
    if ours.shape != truth.shape:
        return f"{ours.shape} of {x.shape}"
    db, other = decibels(ours, truth), decibels(theirs[:len(truth)], truth[:len(theirs)])
    print(f"{name}: {db:.1f} dB, python-soxr {other:.1f} dB", flush=True)
    return below(db, max(LEAST_RATE, other - 1), "rate")


def files(sluice, folder, name, how, random):
    """A file of theirs is copied by us, and read by them."""
    soundfile = module("soundfile")
    theirs, ours, bits, channels = how
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    x = random.integers(-12000, 12000, (5001, channels)) / 32768
    source, out = place / f"x.{theirs}", place / f"y.{ours}"
    subtype = {"wav": "DOUBLE", "flac": "PCM_24", "ogg": "VORBIS", "mp3": "MPEG_LAYER_III",
               "aiff": "PCM_16", "caf": "PCM_24"}[theirs]
    with soundfile.SoundFile(source, "w", 44100, channels, subtype) as file:
        file.title, file.artist, file.date = "T\u00eftle", "Me", "1999"
        file.write(x)
    if theirs in ("aiff", "caf") and not shutil.which("ffmpeg"):
        raise matrix.Skip("audio: ffmpeg is not installed")
    wanted = soundfile.read(source, always_2d=True)[0]
    sluice.beside("try_audio").run("copy", bits, 0, 0, 0, source, out)
    got, rate = soundfile.read(out, always_2d=True)
    if rate != 44100 or got.shape != wanted.shape:
        return f"{got.shape} at {rate}, not {wanted.shape}"
    # Half a step, and what decoders of two versions differ by.
    most = (2.0 ** -bits if bits < 32 else 0) + 1e-6
    if not np.abs(got - wanted).max() <= most:
        return f"differs by {np.abs(got - wanted).max()}"
    with soundfile.SoundFile(out) as file:
        tags = file.title, file.artist, file.date
    if theirs not in ("aiff", "caf", "mp3") and tags != ("T\u00eftle", "Me", "1999"):
        return f"tags {tags}"
    if ours == "wav" and bits != 32:
        with wave.open(str(out)) as file:
            if (file.getnframes(), file.getnchannels(), file.getsampwidth()) != (
                    len(x), channels, bits // 8):
                return "Python's wave reads something else"
    if shutil.which("ffmpeg"):
        done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", out, "-f", "f32le", "-"],
                              capture_output=True, timeout=matrix.SECONDS, check=False)
        same = np.array_equal(np.frombuffer(done.stdout, "<f4"), np.float32(got).ravel())
        if done.stderr or not same:
            return f"ffmpeg reads something else {done.stderr[:200]}"
    return ""


FILES = [(theirs, ours, bits, channels)
         for theirs in ("wav", "flac", "ogg", "mp3", "aiff", "caf")
         for ours, bits in (("wav", 16), ("wav", 24), ("wav", 32), ("flac", 16), ("flac", 24))
         for channels in (1, 2)]


def cases(sluice, folder, random):
    for how in FILES:
        name = "file_" + "_".join(map(str, how))
        yield name, lambda n=name, h=how: files(sluice, folder, n, h, random)
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
