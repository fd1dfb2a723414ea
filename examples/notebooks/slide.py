# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A slide, from the file to pixels and OME-Zarr
# This notebook makes a small OME-Zarr image, so that it runs anywhere. Put the path of your own slide in its place: a CZI file of a ZEISS
# microscope, or an OME-Zarr folder.
# %%
import json
import pathlib

import matplotlib.pyplot as plt
import numpy as np
from sluice import slide


def small_image(folder):
    """Two channels and three depths of blobs that go out of focus, in three levels of OME-Zarr 0.4."""
    row, col = np.mgrid[:1024, :1024]
    places = np.random.default_rng(1).uniform(0, 1024, (40, 2))
    axes = [{"name": "c", "type": "channel"}] + [{"name": n, "type": "space", "unit": "micrometer"} for n in "zyx"]
    levels = []
    for n in range(3):
        side = 1024 >> n
        about = dict(zarr_format=2, shape=[2, 3, side, side], chunks=[1, 1, side, side], dtype="<u2", order="C",
                     compressor=None, filters=None, fill_value=0, dimension_separator="/")
        for c in range(2):
            for z in range(3):
                plane = sum(9000 / (z + 1) * np.exp(-((row - a)**2 + (col - b)**2) / (60 * (z + 1)**2))
                            for a, b in places[c::2])
                chunk = folder / f"{n}/{c}/{z}/0/0"
                chunk.parent.mkdir(parents=True, exist_ok=True)
                chunk.write_bytes(plane.reshape(side, 1 << n, side, 1 << n).mean((1, 3)).astype("<u2").tobytes())
        (folder / f"{n}/.zarray").write_text(json.dumps(about))
        levels.append({"path": str(n), "coordinateTransformations": [
            {"type": "scale", "scale": [1, 1, 0.5 * 2**n, 0.5 * 2**n]}]})
    (folder / ".zgroup").write_text('{"zarr_format": 2}')
    (folder / ".zattrs").write_text(json.dumps({"multiscales": [{"version": "0.4", "axes": axes, "datasets": levels}]}))


path = "small.zarr"
if path == "small.zarr":
    small_image(pathlib.Path(path))
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
# A CZI file becomes OME-Zarr; the folder of the conversion has its name once it is complete.
# %%
if s.format == "czi":
    report = slide.convert(path, "x.zarr", force=True, chunk=256, progress=False)
    for image in report.images:
        print(image.path, image.shape, image.dtype, image.levels, "levels")
