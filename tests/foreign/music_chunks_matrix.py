#!/usr/bin/env python3
"""How songs are cut and joined with --preset uvr and msst, beside the tools that they reproduce.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/music_chunks_matrix.py --sluice build/release/bin/sluice --out FOLDER

Their loops run with a stand-in for the network, and with audio-separator's. MSST is in no
registry: its checkout is SLUICE_DATA/msst. Cases are skipped where these are not.
"""
import importlib
import importlib.abc
import importlib.machinery
import logging
import os
import pathlib
import struct
import sys
import types
from unittest import mock

import matrix

with matrix.packages():
    import numpy as np

LEAST = 100  # dB
CASES = [(chunk, overlap, length)
         for chunk, lengths in ((1000, (1, 400, 999, 1000, 1001, 1500, 3000, 12345)),
                                (1023, (700, 1024, 9999)))
         for overlap in (1, 2, 3, 4, 8, 50) for length in lengths]


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """What audio-separator wants for its files and its other networks: empty where it is absent."""
    NAMES = {"audioread", "beartype", "einops", "librosa", "ml_collections", "onnx", "onnxruntime",
             "pydub", "requests", "resampy", "rotary_embedding_torch", "samplerate", "scipy",
             "soundfile"}

    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in self.NAMES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        empty = types.ModuleType(spec.name)
        empty.__getattr__ = lambda attribute: mock.MagicMock()
        return empty

    def exec_module(self, module):
        pass


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as lack:
        raise matrix.Skip(f"music: {lack}") from lack


def decibels(ours, wanted):
    error = ((np.asarray(ours, "f8") - wanted) ** 2).sum()
    return 999 if error == 0 else 10 * np.log10((np.asarray(wanted, "f8") ** 2).sum() / error)


def stand_in(torch, stems):
    """The scrambler of stand_ins_test.h: [batch][2][n] to [batch][stems][2][n]."""
    def separate(mix):
        n = mix.shape[-1]
        before = torch.cat([mix[..., :1], mix[..., :-1]], -1)
        lanes = []
        for lane in range(2 * stems):
            place = (torch.arange(n) * (lane + 1) % n).float() / torch.tensor(float(n))
            x, other = mix[:, lane % 2], mix[:, (lane + 1) % 2]
            f = lambda v: torch.tensor(v, dtype=torch.float32)
            lanes.append(f(.6) * x + f(.3) * before[:, lane % 2] +
                         f(.2) * place * x.flip(-1) + f(.1) * other + f(.01) * place)
        return torch.stack(lanes, 1).reshape(len(mix), stems, 2, n)
    separate.num_target_instruments = stems
    return separate


def audio_separator(torch, mix, chunk, overlap, stems, network=None):
    name = "audio_separator.separator.architectures.mdxc_separator"
    separator_type = module(name).MDXCSeparator
    separator = separator_type.__new__(separator_type)
    names = [str(k) for k in range(stems)]
    space = types.SimpleNamespace
    quiet = logging.getLogger("audio-separator")
    quiet.setLevel(logging.ERROR)
    vars(separator).update(
        is_roformer=False, pitch_shift=0, logger=quiet, override_model_segment_size=False,
        model_run=network or stand_in(torch, stems), overlap=overlap, batch_size=2,
        torch_device=torch.device("cpu"), torch_device_cpu=torch.device("cpu"),
        is_primary_stem_main_target=False, primary_stem_name="0", segment_size=256,
        model_data_cfgdict=space(audio=space(hop_length=1), inference=space(dim_t=chunk + 1),
                                 training=space(instruments=names, target_instrument=None)))
    out = separator.demix(mix)
    return np.stack([out[k] for k in names])


def msst(torch, mix, chunk, overlap, stems, network=None):
    root = pathlib.Path(os.environ.get("SLUICE_DATA", "")) / "msst"
    if not (root / "utils/model_utils.py").exists():
        raise matrix.Skip("music: MSST is not in SLUICE_DATA/msst")
    sys.path.insert(0, str(root))
    demix = module("utils.model_utils").demix

    class Config(dict):
        __getattr__ = dict.__getitem__

    names = [str(k) for k in range(stems)]
    config = Config(inference=Config(chunk_size=chunk, num_overlap=overlap, batch_size=1),
                    training=Config(instruments=names, target_instrument=None, use_amp=False))
    out = demix(config, network or stand_in(torch, stems), mix, "cpu", "mdx23c")
    return np.stack([out[k] for k in names])


def compare(sluice, folder, preset, theirs, case):
    torch = module("torch")
    chunk, overlap, length = case
    stems = 2
    mix = np.random.default_rng(length).uniform(-1, 1, (2, length)).astype("f4")
    wanted = np.asarray(theirs(torch, mix.copy(), chunk, overlap, stems), "f8")
    folder.mkdir(parents=True, exist_ok=True)
    mix.tofile(folder / "mix")
    sluice.beside("try_chunks").run(preset, chunk, overlap, stems, folder / "mix", folder / "out")
    ours = np.fromfile(folder / "out", "<f4").reshape(wanted.shape)
    db = decibels(ours, wanted)
    print(f"{preset} {case}: {db:.0f} dB", flush=True)
    return "" if db >= LEAST else f"{db:.1f} dB, less than {LEAST}"


def write_wav(path, samples):
    """Floats as [frames][channels], 44100 frames per second."""
    data = np.ascontiguousarray(samples, "<f4").tobytes()
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 3, 2, 44100, 8 * 44100, 8, 32)
    path.write_bytes(b"RIFF" + struct.pack("<I", 12 + len(head) + len(data)) + b"WAVE" + head +
                     b"data" + struct.pack("<I", len(data)) + data)


def read_wav(path):
    data = path.read_bytes()
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack_from("<I", data, at + 4)[0]
    size = struct.unpack_from("<I", data, at + 4)[0]
    return np.frombuffer(data, "<f4", size // 4, at + 8).reshape(-1, 2)


def whole_song(sluice, folder, preset, theirs, overlap, length):
    """A file through `sluice music separate`, and its samples through the other tool."""
    torch = module("torch")
    net = module("music_net")
    folder.mkdir(parents=True, exist_ok=True)
    s = net.settings()
    network = net.network(s, 5)
    model, config = net.write(network, s, folder)
    chunk = s["hop_length"] * (s["frames"] - 1)
    mix = np.random.default_rng(length).uniform(-.5, .5, (2, length)).astype("f4")
    with torch.no_grad():
        wanted = theirs(torch, mix.copy(), chunk, overlap, 2, network)
    write_wav(folder / "song.wav", mix.T)
    sluice.run("music", "separate", folder / "song.wav", "--model", model, "--config", config,
               "--out", folder / "out", "--preset", preset, "--overlap", overlap, "--precision",
               "fp32", "--force")
    db = min(decibels(read_wav(folder / f"out/song/{stem}.wav").T, wanted[k])
             for k, stem in enumerate(s["instruments"]))
    print(f"{preset} whole song, overlap {overlap}: {db:.1f} dB", flush=True)
    return "" if db >= LEAST else f"{db:.1f} dB, less than {LEAST}"


def fixed(sluice, folder, tally):
    for preset, theirs in (("uvr", audio_separator), ("msst", msst)):
        for overlap, length in ((2, 20000), (4, 7777), (8, 12345)):
            name = f"{preset}_song_{overlap}"
            tally.check(name, lambda n=name, p=preset, t=theirs, o=overlap, l=length:
                        whole_song(sluice, folder / n, p, t, o, l))
    for preset, theirs in (("uvr", audio_separator), ("msst", msst)):
        for case in CASES:
            name = "_".join(map(str, (preset, *case)))
            tally.check(name, lambda n=name, c=case, p=preset, t=theirs:
                        compare(sluice, folder / n, p, t, c))


def drawn(preset, theirs):
    def work(rng, sluice, place):
        chunk = rng.randint(100, 3000)
        case = (chunk, rng.randint(1, 50), rng.randint(1, 6 * chunk))
        return compare(sluice, place, preset, theirs, case)
    work.__name__ = f"drawn_{preset}"
    return work


if __name__ == "__main__":
    sys.meta_path.append(Absent())
    sys.exit(matrix.main(__doc__, fixed, [drawn("uvr", audio_separator), drawn("msst", msst)], 20))
