# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A proton beam in water and behind lung
# %%
import matplotlib.pyplot as plt
import numpy as np
from sluice import proton

beam = proton.Beam(energy=100, sigma_x=3)
water = proton.Phantom.box(depth=120, width=40, dz=0.25, dx=0.5)
slab = np.zeros((water.planes, water.columns), np.uint16)
slab[80:160] = 1
lung = proton.Phantom.box(120, 40, dz=0.25, dx=0.5, materials=["water", "lung"], map=slab)
found = {name: proton.march(phantom, beam, let_map=True)
         for name, phantom in {"water": water, "lung from 20 to 40 mm": lung}.items()}
# %% [markdown]
# Depth doses, with the metrics that people compare.
# %%
for name, result in found.items():
    depth, dose = proton.depth_dose(result)
    metrics = proton.bragg_metrics(depth, dose)
    plt.plot(depth, dose, label=f"{name}: R80 = {metrics.r80:.2f} mm")
plt.xlabel("depth, mm"), plt.ylabel("MeV/mm a proton"), plt.legend();
# %% [markdown]
# The dose in the plane, and the dose-averaged LET of all protons.
# %%
result = found["lung from 20 to 40 mm"]
let = proton.let_map(result, with_secondaries=True)
fig, axes = plt.subplots(2, 1, figsize=(9, 5.5), layout="constrained")
for ax, image, title in ((axes[0], result.deposit, "deposit, MeV"), (axes[1], let, "LET, keV/um")):
    shown = ax.imshow(image.T, aspect="auto", extent=(0, 120, -20, 20), cmap="inferno")
    fig.colorbar(shown, ax=ax, label=title)
    ax.set_xlabel("depth, mm"), ax.set_ylabel("x, mm")
# %% [markdown]
# Where all energy went.
# %%
print(result.ledger)
