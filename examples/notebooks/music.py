# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A song and its stems
# No model comes with Sluice. This notebook makes one that nobody trained, so that it runs anywhere; put your own checkpoint and its YAML in its
# place, and your own song.
# %%
import matplotlib.pyplot as plt
import numpy as np
from sluice import music

music.synthesize(music.published_config("tiny"), "model.safetensors", force=True)
model = music.Model("model.safetensors")
model.stems, model.rate, model.chunk
# %%
rate = 44100
t = np.arange(6 * rate) / rate
song = np.stack([0.3 * np.sin(2 * np.pi * 220 * t) * (1 + np.sin(2 * np.pi * 2 * t)),
                 0.2 * np.sin(2 * np.pi * 330 * t)], axis=1)
stems = music.separate(model, song, rate, progress=False)
# %% [markdown]
# Stems have the length, the channels and the rate of the song.
# %%
fig, axes = plt.subplots(len(stems) + 1, 1, figsize=(9, 2 * (len(stems) + 1)), sharex=True,
                         layout="constrained")
for ax, (name, samples) in zip(axes, {"song": song, **stems}.items()):
    ax.plot(t[::50], samples[::50, 0], lw=0.5)
    ax.set_ylabel(name)
axes[-1].set_xlabel("time, s");
# %%
total = sum(np.asarray(s, dtype=float) for s in stems.values())
print("the stems less the song:", np.abs(total - song).max())
