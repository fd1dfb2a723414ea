"""py4DSTEM 0.14 as the other side of the benchmarks: disks, lattices and strain by its own functions.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io

import numpy as np

try:
    import py4DSTEM
    from emdfile import PointList
    from py4DSTEM.braggvectors import find_Bragg_disks
    from py4DSTEM.process.strain import latticevectors
except ImportError:
    py4DSTEM = None
    print("py4DSTEM is not installed: ours alone")


@contextlib.contextmanager
def silent():
    """Without bars of progress."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def disks(counts, vacuum, radius, pitch, subpixel="multicorr", least=0.001, most=100):
    """BraggVectors of counts [pattern, row, col]; the kernel is the vacuum's disk with a trench from 0 to 2 radii."""
    cube = py4DSTEM.DataCube(data=counts[None].astype(np.float32))
    with silent():
        probe = py4DSTEM.Probe.from_vacuum_data(vacuum.astype(float))
        probe.get_kernel(mode="sigmoid", radii=(0, 2 * radius))
        return find_Bragg_disks(data=cube, template=probe.kernel, corrPower=1, sigma_cc=2, edgeBoundary=int(radius),
                                minRelativeIntensity=least, minPeakSpacing=0.6 * pitch, maxNumPeaks=most,
                                subpixel=subpixel)


def places(vectors, n):
    data = vectors.raw[0, n].data
    return np.stack([data["qx"], data["qy"]], 1)


def indexed(vectors, center, basis):
    """Its disks with the indices of the nearest points of a lattice."""
    h, k = (n.ravel() for n in np.mgrid[-40:41, -40:41])
    points = np.stack([h, k], 1) @ np.asarray(basis)
    table = np.zeros(len(h), [("qx", float), ("qy", float), ("g1_ind", int), ("g2_ind", int)])
    table["qx"], table["qy"], table["g1_ind"], table["g2_ind"] = *points.T, h, k
    table = table[np.abs(points).max(1) <= max(vectors.Qshape)]
    vectors.calibration.set_origin(tuple(np.full(vectors.Rshape, float(c)) for c in center))
    vectors.setcal(center=True, ellipse=False, pixel=False, rotate=False)
    spacing = 0.3 * min(np.linalg.norm(v) for v in basis)
    with silent():
        return latticevectors.add_indices_to_braggvectors(vectors, PointList(data=table), spacing)


def lattices(table, center=(0, 0)):
    """Its map of lattices, and the same as [pattern, 6]: origin, a, b; NaN where it has none."""
    with silent():
        fitted = latticevectors.fit_lattice_vectors_all_DPs(table)
    values = np.stack([fitted.get_slice(name).data.ravel() for name in ("x0", "y0", "g1x", "g1y", "g2x", "g2y")], 1)
    values[fitted.get_slice("mask").data.ravel() == 0] = np.nan
    return fitted, values + np.array([*center, 0, 0, 0, 0])


def strains(fitted, basis):
    """[pattern, 4] as it says it: e_xx, e_yy, e_xy, theta, linear in the lattice."""
    with silent():
        maps = latticevectors.get_strain_from_reference_g1g2(fitted, *basis)
    return np.stack([maps.get_slice(name).data.ravel() for name in ("e_xx", "e_yy", "e_xy", "theta")], 1)
