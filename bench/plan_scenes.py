"""Input of all tasks that `sluice plan` plans, in three sizes each, for plan.py.

SPDX-License-Identifier: Apache-2.0
"""
import os
import struct

GOLD = """data_Au
_chemical_name_mineral Gold
_symmetry_space_group_name_H-M 'F m -3 m'
_cell_length_a 4.078
_cell_length_b 4.078
_cell_length_c 4.078
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_B_iso_or_equiv
Au 0 0 0 0
"""
SPOTS = "energy_MeV,x_mm,y_mm,protons,gantry_deg,iso_x_mm,iso_y_mm,iso_z_mm,sad_x_mm,sad_y_mm,fwhm_x_mm," \
        "fwhm_y_mm,patient_position\n"
KILOVOLTS = 300


def scan(run, folder, shape, detector="128x128"):
    """Frames as an ARINA writes them."""
    prefix = f"{folder}/scan{shape}"
    run("synth", "arina", prefix, "--scan", shape, "--detector", detector, "--dose", "4000")
    return prefix + "_master.h5"


def crystal(run, folder, shape):
    """A strained crystal, in a detector's files."""
    out = f"{folder}/crystal{shape}_master.h5"
    if not os.path.exists(out):
        run("stem4d", "convert", f"synthetic:crystal?scan={shape}&dose=100000&strain=0.02,-0.01,0.005,0.5", out)
    return out


def gold(run, folder, shape):
    """Six grains of gold, kinematic and with Poisson's noise; larger scans repeat them. Needs NumPy."""
    import numpy as np
    draw = np.random.default_rng(1)
    hkl = np.stack(np.meshgrid(*[np.arange(-7, 8)] * 3, indexing="ij"), -1).reshape(-1, 3)
    g = hkl[(np.ptp(hkl % 2, axis=1) == 0) & (hkl != 0).any(1)] / 4.078
    length = np.linalg.norm(g, axis=1)
    g, length = g[length < 1.5], length[length < 1.5]
    factor = (np.array([2.388, 4.226, 2.689, 1.255]) *
              np.exp(-np.outer(length**2, [42.866, 9.743, 2.264, 0.307]) / 4)).sum(1)

    def bunge(a, b, c):
        def turn(t):
            return np.array([[np.cos(t), np.sin(t), 0], [-np.sin(t), np.cos(t), 0], [0, 0, 1]])
        return turn(c) @ np.array([[1, 0, 0], [0, np.cos(b), np.sin(b)], [0, -np.sin(b), np.cos(b)]]) @ turn(a)

    y, x = np.mgrid[:256, :256]
    means = []
    for angles in ((10, 20, 30), (200, 35, 5), (77, 50, 40), (300, 12, 80), (140, 41, 22), (250, 30, 61)):
        q, k = g @ bunge(*np.radians(angles)), 1 / 0.0196875
        power = factor**2 * np.exp(-(np.hypot(np.hypot(q[:, 0], q[:, 1]), k + q[:, 2]) - k)**2 / (2 * 0.02**2))
        image = 0.02 + 300 / (1 + np.exp(np.minimum(4 * (np.hypot(y - 128, x - 128) - 4), 60)))
        for i in np.flatnonzero(power > 1e-3 * power.max()):
            away = np.hypot(y - 128 - q[i, 1] / 0.0125, x - 128 - q[i, 0] / 0.0125)
            image += 1e4 * power[i] / power.sum() / 50 / (1 + np.exp(np.minimum(4 * (away - 4), 60)))
        means.append(image)
    rows, cols = map(int, shape.split("x"))
    frames = np.empty((rows, cols, 256, 256), np.uint16)
    for r, c in np.ndindex(rows, cols):
        frames[r, c] = draw.poisson(means[3 * (2 * r // rows) + 3 * c // cols])
    np.save(f"{folder}/gold{shape}.npy", frames)
    with open(f"{folder}/gold.cif", "w") as file:
        file.write(GOLD)
    return f"{folder}/gold{shape}.npy"


def patient(folder):
    """A block of water behind air, 60 mm wide, as a CT."""
    shape, spacing = (30, 50, 30), 2
    z, y, x = shape
    voxels = [-1000 if j < 5 else 0 for _ in range(z) for j in range(y) for _ in range(x)]
    head = ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
            "CompressedData = False\n"
            f"Offset = {-(x - 1) * spacing / 2} {spacing / 2 - 100} {-(z - 1) * spacing / 2}\n"
            f"ElementSpacing = {spacing} {spacing} {spacing}\nDimSize = {x} {y} {z}\nElementType = MET_SHORT\n"
            "ElementDataFile = LOCAL\n")
    with open(f"{folder}/ct.mha", "wb") as file:
        file.write(head.encode() + struct.pack(f"<{len(voxels)}h", *voxels))
    return f"{folder}/ct.mha"


def spots(run, folder, size):
    """A plan of so many layers with 25 spots each."""
    layers = int(size)
    lines = [SPOTS]
    for layer in range(layers):
        for k in range(25):
            lines.append(f"{60 + 35 * layer / layers:.2f},{4 * (k % 5) - 8},{4 * (k // 5) - 8},1e8,0,0,-50,0,2000,"
                         "1800,9,9,HFS\n")
    with open(f"{folder}/spots{layers}.csv", "w") as file:
        file.writelines(lines)
    return f"{folder}/spots{layers}.csv"


def song(run, folder, size):
    """So many seconds of noise of two channels at 44.1 kHz."""
    seconds = int(size)
    import random
    import wave
    draw = random.Random(1)
    with wave.open(f"{folder}/song{seconds}.wav", "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44100)
        one = b"".join(struct.pack("<h", draw.randrange(-3000, 3000)) for _ in range(2 * 44100))
        file.writeframes(one * seconds)
    return f"{folder}/song{seconds}.wav"
