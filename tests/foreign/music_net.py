"""The network of audio-separator, with random weights, and what its stages give.

SPDX-License-Identifier: Apache-2.0
"""
import importlib
import importlib.util
import pathlib
import sys
import types
import warnings

import torch
import yaml


def network_module():
    """audio-separator's file of the network; its package wants what other networks need."""
    root = pathlib.Path(importlib.util.find_spec("audio_separator").submodule_search_locations[0])
    for name in ("separator", "separator.uvr_lib_v5"):
        package = types.ModuleType(f"audio_separator.{name}")
        package.__path__ = [str(root.joinpath(*name.split(".")))]
        sys.modules.setdefault(f"audio_separator.{name}", package)
    return importlib.import_module("audio_separator.separator.uvr_lib_v5.tfc_tdf_v3")


def settings(**changed):
    """A small model's settings; those of the configuration's sections by their own names."""
    wanted = {"n_fft": 256, "hop_length": 64, "dim_f": 128, "num_subbands": 4, "num_channels": 8,
              "growth": 4, "num_scales": 2, "num_blocks_per_scale": 2, "bottleneck_factor": 4,
              "norm": "InstanceNorm", "act": "gelu", "scale": [2, 2], "frames": 16,
              "instruments": ["a", "b"], "target_instrument": None}
    unknown = set(changed) - set(wanted)
    assert not unknown, unknown
    return wanted | changed


def configuration(s):
    """The sections of a YAML as MSST publishes it."""
    chunk = s["hop_length"] * (s["frames"] - 1)
    model = ("act", "bottleneck_factor", "growth", "norm", "num_blocks_per_scale", "num_channels",
             "num_scales", "num_subbands", "scale")
    return {"audio": {"chunk_size": chunk, "dim_f": s["dim_f"], "dim_t": s["frames"],
                      "hop_length": s["hop_length"], "n_fft": s["n_fft"], "num_channels": 2,
                      "sample_rate": 44100},
            "model": {key: s[key] for key in model if s[key] is not None},
            "training": {"instruments": s["instruments"],
                         "target_instrument": s["target_instrument"]},
            "inference": {"batch_size": 1, "dim_t": s["frames"], "num_overlap": 2}}


def network(s, seed):
    """The network with random weights, affine maps and averages."""
    sections = {name: types.SimpleNamespace(**values)
                for name, values in configuration(s).items()}
    sections["model"].norm = s["norm"]
    torch.manual_seed(seed)
    net = network_module().TFC_TDF_net(types.SimpleNamespace(**sections), torch.device("cpu"))
    with torch.no_grad():
        for name, tensor in net.named_parameters():
            if tensor.dim() == 1:
                tensor.copy_(0.2 * torch.randn_like(tensor) + name.endswith("weight"))
        for name, tensor in net.named_buffers():
            if name.endswith("running_mean"):
                tensor.copy_(0.3 * torch.randn_like(tensor))
            if name.endswith("running_var"):
                tensor.copy_(0.5 + torch.rand_like(tensor))
    return net.eval()


def write(net, s, folder):
    """The checkpoint and the configuration: their paths."""
    torch.save(net.state_dict(), folder / "model.ckpt")
    (folder / "model.yaml").write_text(yaml.safe_dump(configuration(s)))
    return folder / "model.ckpt", folder / "model.yaml"


def stages_of(net, mix):
    """Every stage of the first chunk by its name, [height][width][channels], and what comes out."""
    seen, bands = {}, net.first_conv.in_channels

    def keep(name, tensor, turned):
        if name not in seen:
            seen[name] = tensor[0].detach().permute(*((2, 1, 0) if turned else (1, 2, 0))).numpy()

    def behind(name, turned=False):
        return lambda _, given, made: keep(name, made, turned)

    def before(name, turned=False, first=0):
        return lambda _, given: keep(name, given[0][:, first:], turned)

    for name, module in net.named_modules():
        stack, _, number = name.rpartition(".blocks.")
        if name == "first_conv":
            module.register_forward_pre_hook(before("mix", turned=True))
            module.register_forward_hook(behind(name, turned=True))
        elif name == "final_conv":
            module.register_forward_pre_hook(before("gate", turned=True, first=bands))
            module.register_forward_hook(behind(name, turned=True))
        elif name.endswith("scale.conv"):
            module.register_forward_hook(behind(name.removesuffix(".conv")))
        elif name.endswith(".shortcut") and (block := int(number.split(".")[0])) > 0:
            module.register_forward_pre_hook(before(f"{stack}.blocks.{block - 1}"))
        elif name.endswith("tfc_tdf") or name == "bottleneck_block":
            module.register_forward_hook(behind(f"{name}.blocks.{len(module.blocks) - 1}"))
    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = [net(chunk[None]).reshape(-1, 2, chunk.shape[-1]) for chunk in mix]
    return seen, torch.stack(out).numpy()
