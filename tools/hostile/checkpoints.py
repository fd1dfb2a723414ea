#!/usr/bin/env python3
"""A small network as three checkpoints, without PyTorch: checkpoints.py writes x.ckpt (zip), x.th
(as PyTorch before 1.6), x.safetensors and x.yaml into the folder that it runs in.

SPDX-License-Identifier: Apache-2.0

The pickles are written operation by operation, as torch.save writes them, but for the memo.
"""
import json
import pathlib
import struct
import zipfile

CHANNELS, GROWTH, INPUTS, BINS, NARROWER, STEMS = 4, 2, 4, 8, 4, 2
YAML = """\
audio: {chunk_size: 112, hop_length: 16, n_fft: 64, sample_rate: 44100}
model:
  act: gelu
  norm: InstanceNorm
  num_channels: 4
  growth: 2
  scale: !!python/tuple
  - 2
  - 2
training: {instruments: [Vocals, Instrumental]}
"""


def norm(name, n):
    return {f"{name}weight": [n], f"{name}bias": [n]}


def block(name, inputs, c, bins):
    name += "blocks.0."
    return (norm(f"{name}tfc1.0.", inputs) | {f"{name}tfc1.2.weight": [c, inputs, 3, 3]} |
            norm(f"{name}tdf.0.", c) | {f"{name}tdf.2.weight": [bins // NARROWER, bins]} |
            norm(f"{name}tdf.3.", c) | {f"{name}tdf.5.weight": [bins, bins // NARROWER]} |
            norm(f"{name}tfc2.0.", c) | {f"{name}tfc2.2.weight": [c, c, 3, 3],
                                         f"{name}shortcut.weight": [c, inputs, 1, 1]})


def network():
    """Names and shapes of a TFC-TDF U-Net of one level."""
    c, below = CHANNELS, CHANNELS + GROWTH
    down, up = "encoder_blocks.0.downscale.conv.", "decoder_blocks.0.upscale.conv."
    return ({"first_conv.weight": [c, INPUTS, 1, 1]} |
            block("encoder_blocks.0.tfc_tdf.", c, c, BINS) |
            norm(f"{down}0.", c) | {f"{down}2.weight": [below, c, 2, 2]} |
            block("bottleneck_block.", below, below, BINS // 2) |
            norm(f"{up}0.", below) | {f"{up}2.weight": [below, c, 2, 2]} |
            block("decoder_blocks.0.tfc_tdf.", 2 * c, c, BINS) |
            {"final_conv.0.weight": [c, c + INPUTS, 1, 1],
             "final_conv.2.weight": [STEMS * INPUTS, c, 1, 1]})


def size(shape):
    count = 1
    for n in shape:
        count *= n
    return count


def numbers(shape):
    return b"".join(struct.pack("<f", (k * 37 % 101 - 50) / 500) for k in range(size(shape)))


def text(word):
    return b"X" + struct.pack("<I", len(word)) + word.encode()


def number(n):
    return b"J" + struct.pack("<i", n)


def row(values):
    return b"(" + b"".join(number(n) for n in values) + b"t"


def name(module, word):
    return f"c{module}\n{word}\n".encode()


def tensor(key, shape, legacy):
    strides, step = [], 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    storage = (b"(" + text("storage") + name("torch", "FloatStorage") + text(key) + text("cpu") +
               number(size(shape)) + (b"N" if legacy else b"") + b"tQ")
    return (name("torch._utils", "_rebuild_tensor_v2") + b"(" + storage + number(0) + row(shape) +
            row(strides) + b"\x89" + name("collections", "OrderedDict") + b")RtR")


def state_dict(shapes, legacy=False):
    """The pickle of {"state_dict": OrderedDict of tensors}."""
    items = b"".join(text(word) + tensor(str(key), shape, legacy)
                     for key, (word, shape) in enumerate(shapes.items()))
    tensors = name("collections", "OrderedDict") + b")R(" + items + b"u"
    return b"\x80\x02}" + text("state_dict") + tensors + b"s."


def as_zip(path, shapes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        file.writestr("x/data.pkl", state_dict(shapes))
        file.writestr("x/byteorder", "little")
        for key, shape in enumerate(shapes.values()):
            file.writestr(f"x/data/{key}", numbers(shape))
        file.writestr("x/version", "3\n")


def as_legacy(path, shapes):
    magic = 0x1950a86a20f9469cfc6c
    keys = b"\x80\x02](" + b"".join(text(str(key)) for key in range(len(shapes))) + b"e."
    system = (b"\x80\x02}(" + text("protocol_version") + b"M\xe9\x03" + text("little_endian") +
              b"\x88" + text("type_sizes") + b"}(" + text("short") + b"K\x02" + text("int") +
              b"K\x04" + text("long") + b"K\x04uu.")
    raw = b"".join(struct.pack("<q", size(shape)) + numbers(shape) for shape in shapes.values())
    path.write_bytes(b"\x80\x02\x8a\x0a" + magic.to_bytes(10, "little") + b"." +
                     b"\x80\x02M\xe9\x03." + system + state_dict(shapes, True) + keys + raw)


def as_safetensors(path, shapes):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for word, shape in shapes.items():
        end = at + 4 * size(shape)
        header[word] = {"dtype": "F32", "shape": shape, "data_offsets": [at, end]}
        at = end
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(struct.pack("<Q", len(head)) + head +
                     b"".join(numbers(shape) for shape in shapes.values()))


if __name__ == "__main__":
    shapes = network()
    as_zip(pathlib.Path("x.ckpt"), shapes)
    as_legacy(pathlib.Path("x.th"), shapes)
    as_safetensors(pathlib.Path("x.safetensors"), shapes)
    pathlib.Path("x.yaml").write_text(YAML)
