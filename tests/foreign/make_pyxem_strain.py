#!/usr/bin/env python3
"""Makes tests/data/crystal_strain/pyxem.json: what pyxem says of lattices whose deformation is known.

    V/bin/python tests/foreign/make_pyxem_strain.py      (V: pyxem 0.21.0, hyperspy 2.5.0)

pyxem needs too much to be installed for every test; its answers are kept. python/tests/test_crystal.py compares.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib

import hyperspy.api as hs
import numpy as np
import pyxem
from pyxem.generators.displacement_gradient_tensor_generator import get_DisplacementGradientMap

OUT = pathlib.Path(__file__).parents[1] / "data/crystal_strain/pyxem.json"
# (row, col) in pixels, as detectors have them.
BASIS = np.array([(20.0, 3.0), (-4.0, 19.0)])
# F of the atoms in (row, col): stretches along each axis, shears, turns, all together.
DEFORMATIONS = [np.eye(2), [[1.01, 0], [0, 1]], [[1, 0], [0, 0.98]], [[1, 0.01], [0.01, 1]], [[1, 0.02], [0, 1]],
                [[np.cos(0.02), -np.sin(0.02)], [np.sin(0.02), np.cos(0.02)]], [[1.012, -0.019], [0.027, 0.985]]]


def main():
    vectors = [BASIS @ np.linalg.inv(f) for f in DEFORMATIONS]  # g' = F^-T g, of rows
    # pyxem's vectors are (x, y) = (col, row).
    signal = hs.signals.Signal2D(np.array([[v[:, ::-1] for v in vectors]]))
    strain = get_DisplacementGradientMap(signal, BASIS[:, ::-1]).get_strain_maps()
    maps = np.asarray(strain.data).reshape(4, len(vectors)).T
    OUT.write_text(json.dumps({
        "made": f"tests/foreign/make_pyxem_strain.py with pyxem {pyxem.__version__}, hyperspy {hs.__version__}",
        "licence": "Apache-2.0: numbers that a program computed of our lattices",
        "axes": "vectors are (row, col); pyxem got them as (x, y) = (col, row)",
        "basis": BASIS.tolist(), "vectors": [v.tolist() for v in vectors],
        "deformation": np.array(DEFORMATIONS, float).tolist(), "e11_e22_e12_theta": maps.tolist()}, indent=1) + "\n")
    print(OUT, maps, sep="\n")


if __name__ == "__main__":
    main()
