#!/usr/bin/env python3
"""What our forward pass makes of models, as the network of audio-separator makes it, by PyTorch.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/music_matrix.py --sluice build/release/bin/sluice --out FOLDER
    tests/foreign/music_matrix.py ... --only InstVoc     a network as large as the published ones

Models have random weights, every norm, activation, scale, number of sub-bands and of stems that
their YAMLs can name. Every stage is compared, and two chunks as a whole.
"""
import sys

import matrix

with matrix.packages():
    import numpy as np
    import torch
    import music_net

# In decibels below the right signal. A stage within a small network has norms over few
# numbers, which makes rounding large; behind the last one it is small again.
STAGE_DB, WHOLE_DB, WHOLE_MAX = 75, 90, 1e-4

VARIANTS = {
    "InstanceNorm": {},
    "BatchNorm": {"norm": "BatchNorm"},
    "GroupNorm2": {"norm": "GroupNorm2"},
    "GroupNorm4": {"norm": "GroupNorm4"},
    "no norm": {"norm": None},
    "unknown norm": {"norm": "LayerNorm"},
    "relu": {"act": "relu"},
    "elu1.0": {"act": "elu1.0"},
    "elu0.5": {"act": "elu0.5"},
    "scale 1 2": {"scale": [1, 2]},
    "scale 2 1": {"scale": [2, 1]},
    "scale 4 2": {"scale": [4, 2], "frames": 32},
    "scale 1 4": {"scale": [1, 4], "bottleneck_factor": 2},
    "1 sub-band": {"num_subbands": 1},
    "2 sub-bands": {"num_subbands": 2},
    "6 sub-bands": {"num_subbands": 6, "dim_f": 96, "n_fft": 200, "bottleneck_factor": 2},
    "cut spectrum": {"dim_f": 64},
    "all bins": {"n_fft": 254},
    "1 stem": {"instruments": ["a"]},
    "target": {"target_instrument": "b"},
    "5 stems": {"instruments": list("abcde")},
    "1 block": {"num_blocks_per_scale": 1},
    "3 blocks": {"num_blocks_per_scale": 3},
    "1 level": {"num_scales": 1, "bottleneck_factor": 2},
    "odd channels": {"num_channels": 7, "growth": 3, "n_fft": 300, "hop_length": 50, "dim_f": 144,
                     "bottleneck_factor": 3, "num_blocks_per_scale": 1},
    "no growth": {"growth": 0},
    "rounded bottleneck": {"bottleneck_factor": 3},
    "16 channels": {"num_channels": 16, "growth": 16},
}
INST_VOC = {"n_fft": 8192, "hop_length": 1024, "dim_f": 4096, "num_channels": 128, "growth": 128,
            "num_scales": 5, "frames": 256}


def snr(right, found):
    """In decibels; NaN is what comes of wrong shapes or numbers."""
    if right.shape != found.shape:
        return float("nan")
    right, found = right.astype(np.float64), found.astype(np.float64)
    return 10 * np.log10((right**2).sum() / max(((right - found)**2).sum(), 1e-300))


def song(samples, seed):
    """Notes, beats and noise, as loud at each frequency as music is: [2][samples] of float."""
    rng = np.random.default_rng(seed)
    t = np.arange(samples) / 44100
    out = np.zeros((2, samples))
    for _ in range(16):
        pitch, begin = 110 * 2**(rng.integers(0, 48) / 12), rng.uniform(0, t[-1])
        fade = np.where(t > begin, np.exp(-3 * np.maximum(t - begin, 0)), 0)
        left = rng.uniform(0.2, 0.8)
        for k in range(1, 12):
            wave = fade / k * np.sin(2 * np.pi * pitch * k * t + rng.uniform(0, 6))
            out += np.outer([left, 1 - left], wave)
    spectrum = np.fft.rfft(rng.standard_normal((2, samples)))
    pink = np.fft.irfft(spectrum / np.sqrt(np.arange(1, spectrum.shape[1] + 1)), samples)
    out += 0.1 * pink / pink.std()
    return (0.8 * out / np.abs(out).max()).astype(np.float32)


def problem_of_stages(folder, right):
    """What is wrong with one of the stages that were written, or nothing."""
    listed = [line.split() for line in (folder / "stages.txt").read_text().splitlines()]
    if {line[0] for line in listed} != set(right):
        return f"other stages: {sorted({line[0] for line in listed} ^ set(right))}"
    for name, *shape in listed:
        found = np.fromfile(folder / f"{name}.f32", np.float32).reshape([int(n) for n in shape])
        if not (db := snr(right[name], found)) >= STAGE_DB:
            return f"{name}: {db:.1f} dB"
    return ""


def compare(sluice, folder, changed, seed=1):
    """Runs both: what differs, or nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    s = music_net.settings(**changed)
    net = music_net.network(s, seed)
    model, config = music_net.write(net, s, folder)
    samples = s["hop_length"] * (s["frames"] - 1)
    mix = np.stack([song(samples, seed), song(samples, seed + 1)])
    mix.tofile(folder / "mix.f32")
    right, whole = music_net.stages_of(net, torch.from_numpy(mix))
    sluice.beside("music_stages").run(model, config, folder / "mix.f32", f"{folder}/")
    if problem := problem_of_stages(folder, right):
        return problem
    found = np.fromfile(folder / "out.f32", np.float32).reshape(whole.shape)
    db, apart = snr(whole, found), np.abs(whole - found).max()
    if not db >= WHOLE_DB or not apart <= WHOLE_MAX:
        return f"the whole: {db:.1f} dB, {apart:.2g} apart"
    print(f"{folder.name}: {db:.1f} dB, {apart:.2g} apart", flush=True)
    return ""


def fixed(sluice, out, tally):
    """Every variant, and the large network if it is named."""
    torch.set_num_threads(2)
    tally.check_all((name, lambda name=name, changed=changed: compare(
        sluice, out / name.replace(" ", "_"), changed)) for name, changed in VARIANTS.items())
    if "InstVoc" in tally.only:
        tally.check("InstVoc", lambda: compare(sluice, out / "InstVoc", INST_VOC))
    elif not tally.only:
        tally.skip("InstVoc takes a minute and 2 GB: --only InstVoc")


def drawn(rng, sluice, folder):
    """A network of any sizes, which are small."""
    scale = rng.choice([[2, 2], [1, 2], [2, 1], [4, 2], [1, 3]])
    levels, bottleneck = rng.randint(1, 3), rng.choice([1, 2, 4])
    bands = rng.choice([1, 2, 3, 4, 6])
    bins = scale[1]**levels * bottleneck * rng.randint(2, 4)
    n_fft = 2 * bands * bins + 2 * rng.randint(0, 20)
    # A chunk is longer than half a window, which is four steps at most.
    step = scale[0]**levels
    frames = step * max(rng.randint(2, 4), -(-8 // step))
    return compare(sluice, folder, {
        "norm": rng.choice(["InstanceNorm", "BatchNorm", "GroupNorm2", None]),
        "act": rng.choice(["gelu", "relu", "elu0.7"]), "scale": scale, "num_scales": levels,
        "bottleneck_factor": bottleneck, "num_subbands": bands, "dim_f": bands * bins,
        "n_fft": n_fft, "hop_length": n_fft // rng.randint(2, 8),
        "frames": frames,
        "num_channels": 2 * rng.randint(2, 10), "growth": 2 * rng.randint(1, 8),
        "num_blocks_per_scale": rng.randint(1, 3),
        "instruments": list("abcdef")[:rng.randint(1, 6)]}, rng.randint(0, 10**6))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [drawn], 10))
