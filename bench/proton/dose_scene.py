"""Phantoms and plans of proton/dose.py, as files that sluice and its rivals read.

A phantom is an image of HU with the beam from the front (gantry 0, HFS): depth is y. A plan is a table
of spots at nominal energies of a machine file, so that nobody interpolates between energies.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib

import numpy as np

FWHM = 2.3548200450309493


def write_image(path, hu, spacing, origin):
    """MetaImage of HU [z][y][x]."""
    n = hu.shape
    head = ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
            "CompressedData = False\nOffset = {} {} {}\nElementSpacing = {} {} {}\nDimSize = {} {} {}\n"
            "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n").format(*origin, *[spacing] * 3, n[2], n[1], n[0])
    pathlib.Path(path).write_bytes(head.encode() + hu.astype("<f4").tobytes())


def axes(spacing, sides, top):
    """Middles of voxels: x and z about the isocentre, y from `top` on."""
    x, y, z = (np.arange(round(s / spacing)) * spacing + spacing / 2 for s in sides)
    return x - sides[0] / 2, y + top, z - sides[2] / 2


def water(spacing):
    """20 mm of air, then water; the isocentre is 120 mm deep."""
    x, y, z = axes(spacing, (160, 200, 160), -140)
    hu = np.where(y[None, :, None] < -120, -1000.0, 0.0) + np.zeros((len(z), 1, len(x)))
    return hu, (x[0], y[0], z[0])


def body(spacing):
    """A curved skin, ribs, a lung of blobs and bone behind it; nothing is the same along any axis."""
    x, y, z = axes(spacing, (200, 200, 200), -100)
    b, d, a = np.meshgrid(z + 100, y + 100, x + 100, indexing="ij")
    hu = np.full(a.shape, 20.0)
    wave = np.sin(a * 0.21) * np.cos(b * 0.17 + d * 0.05)
    hu[(d > 30) & (d < 45) & (wave > 0.45)] = 900
    hu[(d > 55) & (d < 95) & (np.sin(a * 0.07 + 1) * np.sin(b * 0.06) > 0.3)] = -740
    hu[(d > 100) & (d < 110) & (wave < -0.5)] = 450
    hu[d < 10 + (a - 100) ** 2 / 1500] = -1000
    return hu, (x[0], y[0], z[0])


def wall(spacing):
    """The same along z: a curved skin, ribs, an edge of lung and bone behind it."""
    x, y, z = axes(spacing, (160, 200, 160), -120)
    d, a = np.meshgrid(y + 120, x, indexing="ij")
    hu = np.full(a.shape, 20.0)
    hu[(d > 35) & (d < 45) & (np.mod(a + 6, 24) < 12)] = 900
    hu[(d > 60) & (d < 90) & (a > 4)] = -740
    hu[d < 10 + a ** 2 / 1500] = -1000
    return np.broadcast_to(hu, (len(z),) + hu.shape), (x[0], y[0], z[0])


PHANTOMS = {"water": water, "body": body, "wall": wall}


def box_plan(energies, peaks, deepest, shallowest, layers=10, side=4, pitch=8.0):
    """[energy, x, y, protons] for a box: layers whose peaks lie evenly, the deepest of most weight."""
    table = []
    for i, depth in enumerate(np.linspace(shallowest, deepest, layers)):
        energy = energies[np.argmin(np.abs(np.asarray(peaks) - depth))]
        # Parts of a flat spread-out peak: range to the power 1.77.
        share = ((layers - i) ** 0.43 - (layers - i - 1) ** 0.43)
        for r in range(side):
            for c in range(side):
                table.append((energy, (c - (side - 1) / 2) * pitch, (r - (side - 1) / 2) * pitch, 2e8 * share))
    return np.array(table)


def layers_plan(layers=20, spots=50):
    """[energy, x, y, protons] of 100, 103 ... MeV, and the spots' sigma of each layer, 5 to 3 mm."""
    table = [(100.0 + 3 * i, 6 * (k % 7 - 3) + 0.3 * (i % 3), 6 * (k // 7 - 3.5), 1e7)
             for i in range(layers) for k in range(spots)]
    return np.array(table), {100.0 + 3 * i: 5 - 2 * i / layers for i in range(layers)}


def write_plan(path, table, source, sigma=4.0):
    """`sigma`: of all spots, or of each energy's."""
    rows = ["energy_MeV,x_mm,y_mm,protons,gantry_deg,iso_x_mm,iso_y_mm,iso_z_mm,sad_x_mm,sad_y_mm,"
            "fwhm_x_mm,fwhm_y_mm,patient_position"]
    for energy, x, y, protons in table:
        width = FWHM * (sigma[energy] if isinstance(sigma, dict) else sigma)
        rows.append(f"{energy!r},{x!r},{y!r},{protons!r},0,0,0,0,{source},{source},"
                    f"{width:.4f},{width:.4f},HFS".replace("np.float64(", "").replace(")", ""))
    pathlib.Path(path).write_text("\n".join(rows) + "\n")
