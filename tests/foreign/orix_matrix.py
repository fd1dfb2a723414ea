#!/usr/bin/env python3
"""Orientation maps that we write as ANG, CTF and HDF5, read by orix and h5py.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/orix_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import sys
import warnings

import matrix

with matrix.packages():
    import h5py
    import numpy as np
    from orix import io
    from orix.quaternion import symmetry

# Laue class: space group's name and number, cell.
CLASSES = {
    "-1": ("P -1", 2, (7.1, 7.9, 5.6, 89.9, 101.1, 106.0)),
    "2/m": ("P 1 21/c 1", 14, (5.15, 5.21, 5.32, 90, 99.2, 90)),
    "mmm": ("P n m a", 62, (5.08, 6.75, 4.52, 90, 90, 90)),
    "4/m": ("I 41/a", 88, (5.24, 5.24, 11.4, 90, 90, 90)),
    "4/mmm": ("P 42/m n m", 136, (4.59, 4.59, 2.96, 90, 90, 90)),
    "-3": ("R -3", 148, (4.8, 4.8, 16.0, 90, 90, 120)),
    "-3m": ("R -3 c", 167, (4.99, 4.99, 17.06, 90, 90, 120)),
    "6/m": ("P 63/m", 176, (9.4, 9.4, 6.9, 90, 90, 120)),
    "6/mmm": ("P 63/m m c", 194, (2.951, 2.951, 4.684, 90, 90, 120)),
    "m-3": ("P a -3", 205, (5.4, 5.4, 5.4, 90, 90, 90)),
    "m-3m": ("F m -3 m", 225, (4.05, 4.05, 4.05, 90, 90, 90)),
}
CIF = """data_{name}
_chemical_name_common {name}
_cell_length_a {a}
_cell_length_b {b}
_cell_length_c {c}
_cell_angle_alpha {alpha}
_cell_angle_beta {beta}
_cell_angle_gamma {gamma}
_symmetry_space_group_name_H-M '{group}'
"""
SHAPE, STEP_NM, KILOVOLTS = (6, 9), 4.0, 200


def write_cif(path, laue):
    group, _, cell = CLASSES[laue]
    words = dict(zip(("a", "b", "c", "alpha", "beta", "gamma"), cell))
    path.write_text(CIF.format(name=path.stem, group=group, **words))


def made(sluice, folder, laues, end, seed=5):
    """Phases and unit quaternions of each pattern, and the file that has them."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(seed)
    phase = draw.integers(-1, len(laues), SHAPE).ravel()
    q = draw.normal(size=(phase.size, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    rows = [f"{p} {' '.join(map(repr, map(float, g)))}" for p, g in zip(phase, q)]
    (folder / "numbers.txt").write_text("\n".join([f"{SHAPE[0]} {SHAPE[1]} {STEP_NM} {KILOVOLTS:g}", *rows]))
    cifs = [folder / f"phase{i}.cif" for i in range(len(laues))]
    for cif, laue in zip(cifs, laues):
        write_cif(cif, laue)
    out = folder / f"map.{end}"
    sluice.beside("try_orientations").run(folder / "numbers.txt", out, *cifs)
    return phase, q, out


def axes_of(cell):
    """Rows a, b, c: x along a, z along c*."""
    a, b, c, *angles = cell
    ca, cb, cg = np.cos(np.radians(angles))
    sg = np.sin(np.radians(angles[2]))
    cy = (ca - cb * cg) / sg
    return np.array([[a, 0, 0], [b * cg, b * sg, 0], [c * cb, c * cy, c * np.sqrt(1 - cb**2 - cy**2)]])


def oxford(cell):
    """Takes vectors of that frame to x along a*, z along c."""
    axes = axes_of(cell)
    z = axes[2] / np.linalg.norm(axes[2])
    x = np.cross(axes[1], axes[2])
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def matrices(q):
    w, x, y, z = q.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def loaded(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return io.load(str(path))


def differences(theirs, phase, q, laues, end):
    """What orix reads otherwise than it was."""
    if theirs.shape != SHAPE:
        return f"shape {theirs.shape}"
    rows, cols = np.divmod(np.arange(phase.size), SHAPE[1])
    if np.abs(theirs.x - cols * STEP_NM / 1000).max() + np.abs(theirs.y - rows * STEP_NM / 1000).max() > 1e-8:
        return f"places {theirs.x} {theirs.y}"
    # Ours are in micrometres; what they would be in nanometres is off by a thousand.
    if theirs.scan_unit != "um" or abs(theirs.dx - STEP_NM / 1000) > 1e-9 or abs(theirs.dy - theirs.dx) > 1e-9:
        return f"steps {theirs.dx} {theirs.dy} {theirs.scan_unit}"
    known = phase >= 0
    if not np.array_equal(theirs.is_indexed, known):
        return f"indexed: {theirs.is_indexed.astype(int)} for {known.astype(int)}"
    if not np.array_equal(theirs.phase_id[known], phase[known] + 1):
        return f"phases {theirs.phase_id} for {phase}"
    wanted = matrices(q)
    # orix takes crystals of both formats to have x along a: Oxford's frame is undone here.
    if end == "ctf":
        for i, laue in enumerate(laues):
            wanted[phase == i] = oxford(CLASSES[laue][2]) @ wanted[phase == i]
    turned = np.einsum("nij,nkj->nik", theirs.rotations.to_matrix(), wanted)[known]
    off = np.degrees(np.arccos(np.clip((np.trace(turned, axis1=1, axis2=2) - 1) / 2, -1, 1))).max()
    if off > 0.02:  # five digits of radians, and arccos near 1
        return f"orientations are off by {off} degrees"
    for i, laue in enumerate(laues):
        their = theirs.phases[i + 1]
        group = their.point_group.laue
        if group.size != 2 * len(getattr(symmetry, ORIX[laue]).laue_proper_subgroup.data) or \
                (laue != "2/m" and group.name != laue):
            return f"{laue} became {group.name}"
        if end == "ctf" and their.space_group.number != CLASSES[laue][1]:
            return f"space group {their.space_group.number} for {CLASSES[laue][1]}"
        cell = their.structure.lattice.abcABG()
        if np.abs(np.array(cell) - CLASSES[laue][2]).max() > 1e-3:
            return f"cell {cell} of {laue}"
        if their.name != f"phase{i}":
            return f"phase {their.name}"
    return ""


ORIX = dict(zip(CLASSES, ("Ci", "C2h", "D2h", "C4h", "D4h", "S6", "D3d", "C6h", "D6h", "Th", "Oh")))


def agree(sluice, folder, laues, end):
    phase, q, path = made(sluice, folder, laues, end)
    return differences(loaded(path), phase, q, laues, end)


def hdf5(sluice, folder):
    phase, q, path = made(sluice, folder, ["m-3m", "6/mmm"], "h5")
    with h5py.File(path) as file:
        group = file["orientation_map"]
        if file.attrs["kind"] != "orientation map":
            return f"kind {file.attrs['kind']}"
        if np.abs(group["orientation"][()].reshape(-1, 4) - q).max() > 1e-15:
            return "orientations differ"
        if not np.array_equal(group["phase"][()].ravel(), phase):
            return "phases differ"
        if (group["step_nm"][()], group["kilovolts"][()]) != (STEP_NM, KILOVOLTS):
            return "the step or the energy differs"
        if group["phases/1/cell"][()].tolist() != list(CLASSES["6/mmm"][2]):
            return "the cell differs"
    return ""


def fixed(sluice, folder, tally):
    for end in ("ang", "ctf"):
        # orix 0.15.0 does not know the name that it gives to Oxford's class 10 (m-3).
        known = [laue for laue in CLASSES if (end, laue) != ("ctf", "m-3")]
        for laue in known:
            name = f"{end}-{laue.replace('/', '')}"
            tally.check(name, lambda: agree(sluice, folder / name, [laue], end))
        tally.check(f"{end}-two", lambda: agree(sluice, folder / f"{end}-two", ["m-3m", "6/mmm"], end))
        tally.check(f"{end}-all", lambda: agree(sluice, folder / f"{end}-all", known, end))
    tally.skip("orix 0.15.0 reads no CTF of class m-3")
    tally.check("hdf5", lambda: hdf5(sluice, folder / "hdf5"))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
