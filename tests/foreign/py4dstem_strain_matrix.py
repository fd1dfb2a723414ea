#!/usr/bin/env python3
"""Strain of the same Bragg vectors by py4DSTEM and by `sluice stem4d strain --convention py4dstem`.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/py4dstem_strain_matrix.py --sluice build/release/bin/sluice --out FOLDER
"""
import contextlib
import io
import sys

import matrix

with matrix.packages():
    import numpy as np
    import py4DSTEM
    from emdfile import PointList
    from py4DSTEM.process.strain import latticevectors

BASIS = np.array([(20.0, 3.0), (-4.0, 19.0)])
ORIGIN = np.array([55.5, 54.25])
# F of the atoms in (row, col); the first is the reference. Each has signs of its own.
DEFORMATIONS = {
    "rest": np.eye(2),
    "row": [[1.01, 0], [0, 1]],
    "col": [[1, 0], [0, 0.98]],
    "shear": [[1, 0.01], [0.01, 1]],
    "slip": [[1, 0.02], [0, 1]],
    "turn": [[np.cos(0.02), -np.sin(0.02)], [np.sin(0.02), np.cos(0.02)]],
    "all": [[1.012, -0.019], [0.027, 0.985]],
}


def silent(call, *words, **named):
    """Calls without bars of progress."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return call(*words, **named)


def made(deformations, noise, seed=3):
    """Vectors of py4DSTEM: disks at places that are exact but for some noise."""
    draw = np.random.default_rng(seed)
    h, k = (n.ravel() for n in np.mgrid[-2:3, -2:3])
    vectors = py4DSTEM.BraggVectors((1, len(deformations)), (112, 112))
    for col, f in enumerate(deformations):
        at = ORIGIN + np.stack([h, k], 1) @ BASIS @ np.linalg.inv(f)
        disks = np.zeros(len(h), vectors._v_uncal.dtype)
        disks["qx"], disks["qy"] = (at + noise * draw.normal(size=at.shape)).astype("f4").T
        disks["intensity"] = 1
        vectors._v_uncal[0, col].add(disks)
    return vectors


def theirs(vectors):
    """[pattern, 4] e_xx, e_yy, e_xy, theta by its functions, the first pattern as reference."""
    h, k = (n.ravel() for n in np.mgrid[-3:4, -3:4])
    table = np.zeros(len(h), [("qx", float), ("qy", float), ("g1_ind", int), ("g2_ind", int)])
    table["qx"], table["qy"] = (np.stack([h, k], 1) @ BASIS).T
    table["g1_ind"], table["g2_ind"] = h, k
    vectors.calibration.set_origin(tuple(np.full(vectors.Rshape, c) for c in ORIGIN))
    vectors.setcal(center=True, ellipse=False, pixel=False, rotate=False)
    indexed = silent(latticevectors.add_indices_to_braggvectors, vectors, PointList(data=table), 5)
    fitted = silent(latticevectors.fit_lattice_vectors_all_DPs, indexed)
    mask = np.zeros(vectors.Rshape, bool)
    mask[0, 0] = True
    reference = latticevectors.get_reference_g1g2(fitted, mask)
    maps = silent(latticevectors.get_strain_from_reference_g1g2, fitted, *reference)
    return np.stack([maps.get_slice(n).data[0] for n in ("e_xx", "e_yy", "e_xy", "theta")], 1)


def agree(sluice, folder, names, noise):
    folder.mkdir(parents=True, exist_ok=True)
    vectors = made([DEFORMATIONS[n] for n in ("rest", *names)], noise)
    silent(py4DSTEM.save, str(folder / "disks.h5"), vectors, mode="o")
    marks = np.zeros(vectors.Rshape, np.uint8)
    marks[0, 0] = 1
    np.save(folder / "marks.npy", marks)
    basis = ",".join(f"{v[0]}:{v[1]}" for v in BASIS)
    sluice.run("stem4d", "strain", folder / "disks.h5", "--basis", basis, "--reference",
               folder / "marks.npy", "--convention", "py4dstem", "--cut", "100", "--format", "npy",
               "--out", folder / "strain")
    ours = [np.load(folder / f"strain/{n}.npy")[0] for n in ("e_xx", "e_yy", "e_xy", "omega")]
    ours[3] = np.radians(ours[3])
    off = np.abs(np.stack(ours, 1) - theirs(vectors)).max()
    return "" if off < 1e-6 else f"strain is off by {off}: {np.stack(ours, 1)} for {theirs(vectors)}"


def fixed(sluice, folder, tally):
    for name in list(DEFORMATIONS)[1:]:
        tally.check(name, lambda: agree(sluice, folder / name, [name], 0))
    tally.check("noise", lambda: agree(sluice, folder / "noise", list(DEFORMATIONS)[1:], 0.05))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
