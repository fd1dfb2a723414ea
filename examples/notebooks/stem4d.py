# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # From a 4D-STEM file to pictures
# Put the path of your own acquisition in the next cell: the master file of an ARINA, an EMD, HDF5, MIB or NPY file.
# %%
import matplotlib.pyplot as plt
import numpy as np
import sluice
from sluice import stem4d

path = "synthetic:stem4d?scan=64x64&detector=128x128&dose=2000"
dataset = sluice.open(path)
dataset, dataset.notes
# %% [markdown]
# A scan is kept in memory as lossless bit planes.
# %%
scan = sluice.load(dataset)
print(scan.layout, f"{scan.memory['resident'] / 1e6:.1f} MB, as float32 {scan.memory['float32'] / 1e6:.0f} MB")
for note in scan.notes:
    print("-", note)
# %% [markdown]
# Everything below is one pass over the data.
# %%
found = stem4d.products(scan, detectors=["bf", "adf", "haadf"], center_of_mass=True, patterns=["mean", "max"])
fig, axes = plt.subplots(1, 5, figsize=(16, 3.2), layout="constrained")
for ax, name in zip(axes, found.images.names):
    ax.imshow(found.images[name], cmap="gray")
    ax.set_title(f"{name}, counts")
for ax, pattern, name in zip(axes[3:], found.patterns, ("mean", "max")):
    ax.imshow(np.log1p(pattern.values), cmap="magma")
    ax.set_title(f"log(1 + {name} pattern)")
for ax in axes:
    ax.set_xticks([]), ax.set_yticks([])
# %% [markdown]
# The phase: the rotation between scan and detector is found where the field determines it.
# %%
phase = stem4d.phase_contrast(found.center_of_mass, descan="plane")
print(phase.rotation)
fig, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
for ax, (title, image, cmap) in zip(axes, [("iCoM, px x steps", phase.icom, "viridis"),
                                           ("divergence, px/step", phase.divergence, "RdBu_r"),
                                           ("magnitude, px", phase.magnitude, "magma")]):
    fig.colorbar(ax.imshow(image, cmap=cmap), ax=ax, shrink=0.8)
    ax.set_title(title)
    ax.set_xticks([]), ax.set_yticks([])
# %% [markdown]
# An analysis of your own: any function of a tile of frames, on all threads.
# %%
def sharpness(tile):
    f = tile.values.astype(np.float32)
    return f.var(axis=(1, 2)) / f.mean(axis=(1, 2))


plt.imshow(stem4d.fold(scan, sharpness, progress=False), cmap="gray")
plt.title("variance / mean of each frame")
plt.colorbar();
