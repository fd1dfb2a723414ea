#!/usr/bin/env python3
"""Files that py4DSTEM wrote, read by Sluice with the steps of scan and detector.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/py4dstem_matrix.py --sluice build/release/bin/sluice --out FOLDER

py4DSTEM wants an older numpy than the other programs here, and is in no list: it is skipped unless
the Python that runs this has it (`pip install py4dstem`).
"""
import json
import sys

import matrix

with matrix.packages():
    import numpy as np
    import py4DSTEM

# units and steps of R and Q as set there; what Sluice says: nm, mrad, 1/nm
CASES = {
    "reciprocal": ("A", 0.4, "A^-1", 0.02, 0.04, None, 0.2),
    "angles": ("nm", 0.05, "mrad", 1.5, 0.05, 1.5, None),
    "pixels": ("pixels", 1, "pixels", 1, None, None, None),
}


def close(said, wanted):
    return said == wanted or (said and wanted and abs(said / wanted - 1) < 1e-9)


def fixed(sluice, folder, tally):
    data = np.random.default_rng(1).poisson(3, (6, 7, 24, 26)).astype("u2")
    for name, (r_unit, r, q_unit, q, nm, mrad, per_nm) in CASES.items():
        def work():
            path = folder / f"{name}.h5"
            cube = py4DSTEM.DataCube(data=data)
            cube.calibration.set_R_pixel_size(r)
            cube.calibration.set_R_pixel_units(r_unit)
            cube.calibration.set_Q_pixel_size(q)
            cube.calibration.set_Q_pixel_units(q_unit)
            py4DSTEM.save(str(path), cube, mode="o")
            said = json.loads(sluice.run("info", path, "--json"))["members"][0]
            found = (said.get("scan_step_nm"), said.get("detector_step_mrad"),
                     said.get("detector_step_per_nm"))
            if not all(map(close, found, (nm, mrad, per_nm))):
                return f"{found}, not {(nm, mrad, per_nm)}"
            return "" if said["scan"] == [6, 7] and said["detector"] == [24, 26] else "other shape"
        tally.check(name, work)
    for kind in ("u1", "u2", "u4", "f4"):
        tally.check(f"converted_{kind}", lambda: converted(sluice, folder, data.astype(kind), kind))


def converted(sluice, folder, data, kind):
    """What py4DSTEM reads of an EMD of ours."""
    source, path = folder / f"{kind}.npy", folder / f"{kind}.emd"
    np.save(source, data)
    sluice.run("stem4d", "convert", source, path, "--detector-step-mrad", "0.5", "--verify", "--force")
    cube = py4DSTEM.read(str(path))
    if not isinstance(cube, py4DSTEM.DataCube):
        return f"{type(cube)}"
    if cube.data.dtype != data.dtype or not np.array_equal(cube.data, data):
        return "other values"
    found = (cube.calibration.get_Q_pixel_size(), cube.calibration.get_Q_pixel_units(),
             cube.calibration.get_R_pixel_size(), cube.calibration.get_R_pixel_units())
    if found != (0.5, "mrad", 1, "pixels"):
        return f"{found}"
    again = folder / f"{kind}_again.h5"
    py4DSTEM.save(str(again), cube, mode="o")
    sluice.run("stem4d", "convert", again, folder / f"{kind}_again.npy", "--force")
    return "" if np.array_equal(np.load(folder / f"{kind}_again.npy"), data) else "other values again"


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
