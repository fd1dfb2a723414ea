#!/usr/bin/env python3
"""Checks the frames of docs/design/028 in the generators of orientations, by hand, by abTEM and by orix.

    V/bin/python bench/crystal/orientation_frames.py            (V: abtem 1.0.11, ase 3.29)
    W/bin/python bench/crystal/orientation_frames.py --orix     (W: orix 0.15)

By hand: gold whose axes are those of the sample, turned by a known angle about the sample's x. By abTEM: a wave's sign of
tilt against where its beam goes in space; which end of a cell the beam enters; multislice of one crystal against the
kinematic pattern of its quaternion, of its inverse and of its mirrors. By orix: Bunge's angles and directions.

SPDX-License-Identifier: Apache-2.0
"""
import sys

import numpy as np
import turns


def said(name, good, value=""):
    print(f"{'right' if good else 'WRONG'}: {name} {value}", flush=True)
    if not good:
        sys.exit(1)


def by_hand():
    import crystals
    import orientation_scene as scenes
    _, g, _ = crystals.reflections("gold")
    step, k = 1 / 4.0782, 1 / scenes.wavelength(200)
    said("wavelength at 200 kV is 0.02508 ångström", abs(1 / k - 0.02508) < 1e-5, 1 / k)
    # 0 -4 0 of a crystal that lies like the sample has to sink below the plane of the detector to meet Ewald's sphere,
    # whose middle is towards the source: z < 0. The active turn by +angle about x (right) takes y (down) to z (along
    # the beam), so -y goes towards the source.
    angle = np.degrees(np.arcsin(4 * step / (2 * k)))
    # The crystal is turned, so that the sample is turned back when it is seen from the crystal.
    q = np.array([np.cos(np.radians(angle) / 2), -np.sin(np.radians(angle) / 2), 0, 0])
    at = g @ turns.matrix(q)
    off = scenes.off_sphere(at, np.zeros((1, 2)), 200.0)[0]
    find = lambda h: np.flatnonzero(np.abs(g / step - np.array(h)).max(1) < 1e-6)[0]
    said("0 -4 0 is on Ewald's sphere", abs(off[find((0, -4, 0))]) < 1e-9, off[find((0, -4, 0))])
    said("0 4 0 is not, by 4 steps times the sine twice", abs(off[find((0, 4, 0))] + 8 * step * np.sin(np.radians(angle)))
         < 1e-3, off[find((0, 4, 0))])
    scene = scenes.Scene()
    places = scenes.Places(scene, np.random.default_rng(0))
    row, col = places.of(at[find((0, -4, 0))], np.zeros(2)) - places.middle
    said("0 -4 0 lies above the middle", row < 0 and abs(row + 4 * step * np.cos(np.radians(angle)) / scene.pixel) < 1e-6
         and abs(col) < 1e-6, (row, col))
    row, col = places.of(at[find((4, 0, 0))], np.zeros(2)) - places.middle
    said("4 0 0 lies to the right", abs(row) < 1e-6 and abs(col - 4 * step / scene.pixel) < 1e-6, (row, col))
    # The intensity of a slab that does not absorb is sinc^2.
    bare = scenes.Scene(decay=1e9)
    s = np.array([0.0, 0.003, 0.007, 0.02])
    said("a slab without decay rocks as sinc squared",
         np.allclose(scenes.rocking(s, bare, 120.0), np.sinc(s * 120)**2, atol=1e-6))
    m = turns.matrix(turns.random_quaternions(np.random.default_rng(1), 50))
    said("quaternions and matrices agree", np.allclose(turns.matrix(turns.quaternion(m)), m, atol=1e-12))
    said("rotations are rotations", np.allclose(np.linalg.det(m), 1))
    for name, count in (("gold", 24), ("titanium", 12), ("corundum", 6), ("rutile", 8), ("triclinic", 1)):
        said(f"{name} has {count} rotations", len(crystals.rotations(name)) == count)
        # Symmetry must leave structure factors as they are.
        _, g, strength = crystals.reflections(name, 1.0)
        for turn in crystals.rotations(name):
            far = np.linalg.norm((g @ turn.T)[:, None] - g[None], axis=-1)
            assert far.min(1).max() < 1e-3
            assert np.allclose(strength[far.argmin(1)], strength, rtol=1e-3, atol=1e-6 * strength.max())
        said(f"{name}: the rotations keep |F|^2", True)


def by_abtem():
    import abtem
    import ase
    import make_orientation_multislice as slices
    import orientation_scene as scenes
    abtem.config.set({"precision": "float32", "dask.lazy": False})
    # A beam with a tilt along x goes to the first axis of the pattern, and to larger x in space.
    wave = abtem.Probe(energy=200e3, semiangle_cutoff=4, extent=60, sampling=0.3, tilt=(0, 0)).build(
        scan=abtem.CustomScan([[30, 30]]), lazy=False)
    ramp = np.exp(2j * np.pi * 0.5 * np.arange(200) * 0.3)[:, None]
    wave.array[...] *= ramp.astype(np.complex64)
    pattern = np.asarray(wave.diffraction_patterns(max_angle="cutoff").array).squeeze()
    middle = np.array(pattern.shape) // 2
    ahead = np.argwhere(pattern > pattern.max() / 2).mean(0) - middle
    said("exp(2 pi i g x) lies at +g along axis 0 of abTEM's pattern", ahead[0] > 0 and abs(ahead[1]) < 0.5, ahead)
    centre = lambda w: (np.arange(200) * (np.abs(np.asarray(w.array).squeeze())**2).sum(1)).sum() / (
        np.abs(np.asarray(w.array))**2).sum() * 0.3
    before = centre(wave)
    vacuum = abtem.Potential(ase.Atoms(cell=(60, 60, 400)), gpts=200, slice_thickness=10).build(lazy=False)
    after = centre(wave.multislice(vacuum))
    said("and goes to larger x as it flies", after - before > 1, f"{after - before:.2f} ångström in 400")
    thin = ase.Atoms("Au", positions=[(30, 30, 2)], cell=(60, 60, 40))
    potential = abtem.Potential(thin, gpts=200, slice_thickness=10).build(lazy=False)
    said("the first slice holds the atoms of small z", np.asarray(potential.array)[0].sum() > 1)
    draw = np.random.default_rng(5)
    for name in ("gold", "titanium"):
        best = {}
        for _ in range(3):
            q = turns.random_quaternions(draw)
            pattern = slices.column(name, turns.matrix(q), (150,), 200.0, 0, draw)[0]
            for what, m, seen in (("as 028 says", turns.matrix(q), pattern), ("inverse", turns.matrix(q).T, pattern),
                                  ("transposed pattern", turns.matrix(q), pattern.T),
                                  ("pattern upside down", turns.matrix(q), pattern[::-1]),
                                  ("turned by 180 degrees", turns.matrix(q), pattern[::-1, ::-1])):
                best.setdefault(what, []).append(likeness(scenes, slices, name, m, seen))
        values = {what: float(np.round(np.mean(v), 3)) for what, v in best.items()}
        said(f"multislice of {name} is like its kinematic pattern", max(values, key=values.get) == "as 028 says", values)


def likeness(scenes, slices, name, m, pattern):
    """Correlation of the roots of kinematic and multislice intensities at the places of all reflections."""
    scene = scenes.Scene(pixel=slices.PIXEL, radius=slices.radius(200.0), detector=(slices.SIDE, slices.SIDE),
                         thickness=(150, 150), decay=150)
    q, expect, _ = scenes.expected(scene, name, m, 150.0, np.random.default_rng(0))
    place = np.round(slices.MIDDLE + q[:, 1::-1] / slices.PIXEL).astype(int)
    inside = (place >= 4).all(1) & (place < slices.SIDE - 4).all(1)
    seen = [pattern[r - 3:r + 4, c - 3:c + 4].sum() for r, c in place[inside]]
    return np.corrcoef(np.sqrt(seen), np.sqrt(expect[inside]))[0, 1]


def by_orix():
    from orix.quaternion import Orientation, Rotation
    from orix.vector import Vector3d
    q = turns.random_quaternions(np.random.default_rng(2), 20)
    m = turns.matrix(q)
    for one, matrix in zip(q, m):
        mine = Orientation(one)
        said("orix: the matrix of the same numbers", np.allclose(mine.to_matrix()[0], matrix, atol=1e-9)) \
            if one is q[0] else None
        v = np.array([0.3, -0.5, 0.8])
        assert np.allclose((mine * Vector3d(v)).data[0], matrix @ v, atol=1e-9)
        # Bunge: phi1 about z, Phi about x', phi2 about z''; the matrix takes the sample to the crystal.
        angles = mine.to_euler()[0]
        c, s = np.cos(angles), np.sin(angles)
        z = lambda n: np.array([[c[n], s[n], 0], [-s[n], c[n], 0], [0, 0, 1]])
        x = np.array([[1, 0, 0], [0, c[1], s[1]], [0, -s[1], c[1]]])
        assert np.allclose(z(2) @ x @ z(0), matrix, atol=1e-6), (z(2) @ x @ z(0), matrix)
        assert np.allclose(Rotation.from_euler(angles).to_matrix()[0], matrix, atol=1e-6)
    said("orix: an orientation times a vector of the sample is that of the crystal", True)
    said("orix: Bunge's z-x-z angles by hand give the same matrix", True)
    from orix.quaternion.symmetry import D6, O
    for name, group in (("cubic", O), ("hexagonal", D6)):
        ops = group.to_matrix()
        theirs = Orientation(q[:10], group).angle_with(Orientation(q[10:], group), degrees=True)
        ours = turns.disorientation(m[:10], m[10:], ops)
        said(f"orix: disorientations, {name}", np.allclose(theirs, ours, atol=1e-4), float(np.abs(theirs - ours).max()))


if __name__ == "__main__":
    if "--orix" in sys.argv:
        by_orix()
    else:
        by_hand()
        by_abtem()
