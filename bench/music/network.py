"""MDX23C (TFC-TDF U-Net, version 3) as PyTorch modules with the names of published checkpoints.

For comparisons only: sluice never calls it. Written from the description of the network in the
paper (Kim and others, "Sound Demixing Challenge 2023", arXiv 2306.09382) and the names of tensors.

SPDX-License-Identifier: Apache-2.0
"""
import json
import struct

import numpy as np
import torch
from torch import nn


def norm_of(kind, channels):
    if kind == "InstanceNorm":
        return nn.InstanceNorm2d(channels, affine=True)
    if kind == "BatchNorm":
        return nn.BatchNorm2d(channels)
    if kind and kind.startswith("GroupNorm"):
        return nn.GroupNorm(int(kind[len("GroupNorm"):]), channels)
    return nn.Identity()


def act_of(kind):
    if kind == "gelu":
        return nn.GELU()
    if kind == "relu":
        return nn.ReLU()
    return nn.ELU(float(kind[len("elu"):] or 1))


class Block(nn.Module):
    """Convolution, layers along frequency, convolution, and a shortcut around them."""

    def __init__(self, before, channels, bins, narrow, norm, act):
        super().__init__()

        def convolution(inputs):
            return nn.Sequential(norm_of(norm, inputs), act_of(act),
                                 nn.Conv2d(inputs, channels, 3, padding=1, bias=False))

        self.tfc1 = convolution(before)
        self.tdf = nn.Sequential(
            norm_of(norm, channels), act_of(act), nn.Linear(bins, bins // narrow, bias=False),
            norm_of(norm, channels), act_of(act), nn.Linear(bins // narrow, bins, bias=False))
        self.tfc2 = convolution(channels)
        self.shortcut = nn.Conv2d(before, channels, 1, bias=False)

    def forward(self, x):
        around = self.shortcut(x)
        x = self.tfc1(x)
        x = x + self.tdf(x)
        return self.tfc2(x) + around


class Stack(nn.Module):
    def __init__(self, before, channels, count, *rest):
        super().__init__()
        self.blocks = nn.ModuleList(
            Block(channels if i else before, channels, *rest) for i in range(count))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Resampling(nn.Module):
    def __init__(self, layer, norm, act):
        super().__init__()
        self.conv = nn.Sequential(norm_of(norm, layer.in_channels), act_of(act), layer)

    def forward(self, x):
        return self.conv(x)


class Network(nn.Module):
    """From [batch, 2, samples] to [batch, stems, 2, samples]."""

    def __init__(self, n_fft, hop, bins, subbands, channels, growth, scales, blocks, narrow, stems,
                 scale=(2, 2), norm="InstanceNorm", act="gelu"):
        super().__init__()
        self.n_fft, self.hop, self.bins, self.subbands, self.stems = n_fft, hop, bins, subbands, stems
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)
        inputs, scale = 4 * subbands, tuple(scale)
        self.first_conv = nn.Conv2d(inputs, channels, 1, bias=False)
        width, c = bins // subbands, channels
        self.encoder_blocks, self.decoder_blocks = nn.ModuleList(), nn.ModuleList()
        for _ in range(scales):
            level = nn.Module()
            level.tfc_tdf = Stack(c, c, blocks, width, narrow, norm, act)
            level.downscale = Resampling(
                nn.Conv2d(c, c + growth, scale, scale, bias=False), norm, act)
            self.encoder_blocks.append(level)
            width, c = width // scale[1], c + growth
        self.bottleneck_block = Stack(c, c, blocks, width, narrow, norm, act)
        for _ in range(scales):
            level = nn.Module()
            level.upscale = Resampling(
                nn.ConvTranspose2d(c, c - growth, scale, scale, bias=False), norm, act)
            width, c = width * scale[1], c - growth
            level.tfc_tdf = Stack(2 * c, c, blocks, width, narrow, norm, act)
            self.decoder_blocks.append(level)
        self.final_conv = nn.Sequential(nn.Conv2d(channels + inputs, channels, 1, bias=False),
                                        act_of(act), nn.Conv2d(channels, stems * inputs, 1, bias=False))

    def spectra(self, sound):
        """[batch, 4 * subbands, bins / subbands, frames]"""
        batch, _, samples = sound.shape
        found = torch.stft(sound.reshape(-1, samples), self.n_fft, self.hop, window=self.window,
                           return_complex=True)
        found = torch.view_as_real(found)[:, :self.bins].permute(0, 3, 1, 2)
        return found.reshape(batch, 4 * self.subbands, self.bins // self.subbands, -1)

    def sound(self, spectra):
        """[batch, stems, 2, samples]"""
        batch, frames = spectra.shape[0], spectra.shape[-1]
        x = spectra.reshape(batch * self.stems * 2, 2, self.bins, frames).permute(0, 2, 3, 1)
        x = nn.functional.pad(x, (0, 0, 0, 0, 0, self.n_fft // 2 + 1 - self.bins)).contiguous()
        x = torch.istft(torch.view_as_complex(x), self.n_fft, self.hop, window=self.window)
        return x.reshape(batch, self.stems, 2, -1)

    def stages(self, mix):
        """The network between the spectra, stage by stage: (name, [batch, channels, frames, bins])."""
        first = self.first_conv(mix)
        yield "first_conv", first.transpose(-1, -2)
        x, skips = first.transpose(-1, -2), []
        for i, level in enumerate(self.encoder_blocks):
            x = level.tfc_tdf(x)
            yield f"encoder_blocks.{i}.tfc_tdf", x
            skips.append(x)
            x = level.downscale(x)
            yield f"encoder_blocks.{i}.downscale", x
        x = self.bottleneck_block(x)
        yield "bottleneck_block", x
        for i, level in enumerate(self.decoder_blocks):
            x = level.upscale(x)
            yield f"decoder_blocks.{i}.upscale", x
            x = level.tfc_tdf(torch.cat([x, skips.pop()], 1))
            yield f"decoder_blocks.{i}.tfc_tdf", x
        x = x.transpose(-1, -2) * first
        yield "gate", x.transpose(-1, -2)
        x = self.final_conv(torch.cat([mix, x], 1))
        yield "final_conv", x.transpose(-1, -2)

    def separate_spectra(self, mix):
        for _, x in self.stages(mix):
            pass
        return x.transpose(-1, -2)

    def forward(self, sound):
        return self.sound(self.separate_spectra(self.spectra(sound)).float())


def read_safetensors(path):
    """The tensors of a file of sluice's, which are float32 or integers."""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = np.frombuffer(file.read(), np.uint8)
    header.pop("__metadata__", None)
    kinds = {"F32": np.float32, "I64": np.int64}
    return {name: torch.from_numpy(data[t["data_offsets"][0]:t["data_offsets"][1]]
                                   .view(kinds[t["dtype"]]).reshape(t["shape"]).copy())
            for name, t in header.items()}


def network_like(configuration, weights):
    """A network of what `sluice music inspect --json` calls its configuration, with its weights."""
    c = {name: fact["value"] for name, fact in configuration["configuration"].items()}
    network = Network(c["n_fft"], c["hop_length"], c["dim_f"], c["num_subbands"], c["num_channels"],
                      c["growth"], c["num_scales"], c["num_blocks_per_scale"],
                      c["bottleneck_factor"], len(configuration["stems"]["names"]),
                      [int(n) for n in c["scale"].split(", ")], c["norm"], c["act"])
    network.load_state_dict(weights, strict=True)
    return network.eval()
