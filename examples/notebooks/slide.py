# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A slide, from the file to OME-Zarr
# Put the path of your own slide in the next cell: a CZI file of a ZEISS microscope, or an OME-Zarr folder.
# %%
import matplotlib.pyplot as plt
from sluice import slide

path = "x.czi"
s = slide.open(path)
print(s)
for scene in s.scenes:
    print(scene)
print([level.factor for level in s.levels], s.metadata.x_um, "um a pixel")
s.notes
# %% [markdown]
# Everything at a glance, and a part at full resolution. Results say what of them is no pixel of the file.
# %%
overview = s.read(zoom=0.2)
part = s.read(scene=s.scenes[0].id, region=(300, 200, 400, 300))
fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
axes[0].imshow(overview, cmap="gray")
axes[0].set_title(f"everything at zoom 0.2: {overview.shape}")
axes[1].imshow(part, cmap="gray")
axes[1].set_title(f"a part: {part.shape}")
overview.notes
# %% [markdown]
# A scene indexes like an array, and reads only what is asked for; dask and xarray take it as it is.
# %%
array = s.array(scene=s.scenes[0].id)
print(array.axes, array.shape, array.dtype)
lazy = array.to_dask()
means = lazy.mean(axis=(-2, -1)).compute()
plt.imshow(means)
plt.xlabel(array.axes[1]), plt.ylabel(array.axes[0])
plt.title("mean of each plane")
plt.colorbar();
# %% [markdown]
# The folder of the conversion has its name once it is complete.
# %%
report = slide.convert(path, "x.zarr", overwrite=True, chunk=256, progress=False)
for image in report.images:
    print(image.path, image.shape, image.dtype, image.levels, "levels")
