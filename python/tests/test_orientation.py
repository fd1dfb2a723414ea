"""Orientations: crystals that NumPy simulates, and what is refused.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d

CIF = """data_{name}
_cell_length_a {a}
_cell_length_b {a}
_cell_length_c {a}
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M '{group}'
loop_
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
{element} 0 0 0
"""
A, PIXEL, SIGMA, NOISE = 4.078, 0.01, 0.02, 0.003
# Doyle and Turner's of gold.
HEIGHT, WIDTH = np.array([2.388, 4.226, 2.689, 1.255]), np.array([42.866, 9.743, 2.264, 0.307])


@pytest.fixture(scope="module")
def gold(tmp_path_factory):
    path = tmp_path_factory.mktemp("orientation") / "gold.cif"
    path.write_text(CIF.format(name="gold", a=A, group="F m -3 m", element="Au"))
    return path


@pytest.fixture(scope="module")
def library(gold):
    return stem4d.orientation_library(gold, energy=300, zone_step=2)


def bunge(angles):
    """Takes the sample to the crystal."""
    turn = lambda t: np.array([[np.cos(t), np.sin(t), 0], [-np.sin(t), np.cos(t), 0], [0, 0, 1]])
    a, b, c = np.radians(angles)
    tilt = np.array([[1, 0, 0], [0, np.cos(b), np.sin(b)], [0, -np.sin(b), np.cos(b)]])
    return turn(c) @ tilt @ turn(a)


def cubic_rotations():
    out = []
    for p in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
        for s in np.ndindex(2, 2, 2):
            m = np.zeros((3, 3))
            m[range(3), p] = 1 - 2 * np.array(s)
            if np.linalg.det(m) > 0:
                out.append(m)
    return out


def degrees_between(a, b):
    traces = [np.trace(s @ a @ b.T) for s in cubic_rotations()]
    return np.degrees(np.arccos(np.clip((max(traces) - 1) / 2, -1, 1)))


def scan_of(matrices, seed=1):
    draw = np.random.default_rng(seed)
    hkl = np.stack(np.meshgrid(*[np.arange(-7, 8)] * 3, indexing="ij"), -1).reshape(-1, 3)
    hkl = hkl[(np.ptp(hkl % 2, axis=1) == 0) & (hkl != 0).any(1)]
    g = hkl / A
    length = np.linalg.norm(g, axis=1)
    g, length = g[length < 1.5], length[length < 1.5]
    factor = (HEIGHT * np.exp(-np.outer(length**2, WIDTH) / 4)).sum(1)
    k = 1 / 0.0196875
    first, row, col, counts = [0], [], [], []
    for m in matrices:
        q = g @ m  # the inverse turn
        off = np.sqrt(q[:, 0]**2 + q[:, 1]**2 + (k + q[:, 2])**2) - k
        mean = factor**2 * np.exp(-off**2 / (2 * SIGMA**2))
        seen = draw.poisson(1e4 * mean / mean.sum())
        keep = seen >= 4
        place = q[keep, :2] + draw.normal(0, NOISE, (keep.sum(), 2))
        row.append(np.append(place[:, 1] / PIXEL + 200, 200))
        col.append(np.append(place[:, 0] / PIXEL + 200, 200))
        counts.append(np.append(seen[keep], 5e4))
        first.append(first[-1] + keep.sum() + 1)
    n = first[-1]
    variance = np.full(n, (NOISE / PIXEL)**2)
    heights = np.concatenate(counts)
    return stem4d.BraggVectors((len(matrices) // 8, 8), (401, 401), first, row=np.concatenate(row),
                               col=np.concatenate(col), intensity=heights, intensity_error=np.sqrt(heights),
                               var_row=variance, var_col=variance, cov_row_col=np.zeros(n))


def truths(count, seed=2):
    draw = np.random.default_rng(seed)
    return [bunge((360 * draw.random(), np.degrees(np.arccos(1 - 2 * draw.random())), 360 * draw.random()))
            for _ in range(count)]


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    """Orientations, their disks and a calibration, as a user has them: from files. The direct beam is the brightest
    disk, and the pixel size follows from rings."""
    folder = tmp_path_factory.mktemp("scan")
    matrices = truths(128)
    scan_of(matrices).save(folder / "disks.h5")
    vectors = stem4d.load_vectors(folder / "disks.h5")
    made = stem4d.calibrate(vectors, spacings=[A / 3**0.5, A / 2, A / 8**0.5, A / 11**0.5, A / 12**0.5],
                            distortion="none")
    made.save(folder / "calibration.json")
    return matrices, vectors, stem4d.load_calibration(folder / "calibration.json")


def test_orientations_are_those_that_were_simulated(library, scan):
    matrices, vectors, calibration = scan
    assert calibration.pixel_size == pytest.approx(PIXEL, rel=0.003)
    found = stem4d.orientation(vectors, library, calibration)
    assert found.phases == ("gold",) and found.reason.shape == (16, 8)
    off = np.array([degrees_between(bunge(e), m) for e, m in zip(found.euler.reshape(-1, 3), matrices)])
    indexed = found.reason.ravel() == 0
    assert indexed.mean() > 0.8
    assert np.median(off[off < 3]) < 0.15
    assert (off[indexed] > 3).mean() < 0.02
    assert np.isfinite(found.covariance[found.reason == 0]).all()
    assert (found.probability[found.reason == 0] >= 0.5).all() and (found.probability <= 1).all()
    # Quaternions say the same.
    w, x, y, z = found.quaternion.reshape(-1, 4)[7]
    same = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    assert same == pytest.approx(bunge(found.euler.reshape(-1, 3)[7]), abs=1e-9)
    # Vectors that are calibrated already give the same.
    again = stem4d.orientation(stem4d.apply_calibration(vectors, calibration), library, threads=1)
    assert (again.quaternion == found.quaternion).all()


def test_theory_lies_under_the_disks(library, scan):
    matrices, vectors, calibration = scan
    found = stem4d.orientation(vectors, library, calibration)
    n = int(np.flatnonzero(found.reason.ravel() == 0)[0])
    spots = library.pattern(found.quaternion[n // 8, n % 8])
    assert spots["intensity"][0] == 1 and spots["hkl"].shape == (len(spots["row"]), 3)
    for disk in vectors[n // 8, n % 8]:
        if disk["intensity"] == 5e4:  # the direct beam
            continue
        near = np.hypot(spots["row"] - (disk["row"] - 200) * PIXEL, spots["col"] - (disk["col"] - 200) * PIXEL)
        assert near.min() < 5 * NOISE


def test_a_pattern_has_the_maps_answer_and_what_competes_with_it(library, scan):
    matrices, vectors, calibration = scan
    found = stem4d.orientation(vectors, library, calibration)
    n = int(np.flatnonzero(found.reason.ravel() == 0)[0])
    one = stem4d.orientation_of_pattern(vectors, library, n // 8, n % 8, calibration)
    first = one.candidates[0]
    assert (one.reason, one.disks) == (0, found.disks[n // 8, n % 8])
    assert one.probability == found.probability[n // 8, n % 8]
    assert (first.quaternion == found.quaternion[n // 8, n % 8]).all() and first.score == found.score[n // 8, n % 8]
    assert all(first.log_odds >= other.log_odds for other in one.candidates)
    # The zone axis is along the sample's -z.
    axis = np.array(first.zone) / np.linalg.norm(first.zone)
    along = -bunge(first.euler)[:, 2]
    assert np.degrees(np.arccos(axis @ along)) == pytest.approx(first.zone_degrees, abs=1e-4)
    spots = first.spots
    for disk in vectors[n // 8, n % 8]:
        if disk["intensity"] < 5e4:
            near = np.hypot(spots.detector_row - disk["row"], spots.detector_col - disk["col"])
            assert near.min() < 5 * NOISE / PIXEL
    with pytest.raises(sluice.InvalidArgument, match="no pattern at row 16"):
        stem4d.orientation_of_pattern(vectors, library, 16, 0, calibration)
    with pytest.raises(sluice.InvalidArgument, match="give calibration"):
        stem4d.orientation_of_pattern(vectors, library, 0, 0)


def test_overlapping_crystals_and_options(library, scan):
    _, vectors, calibration = scan
    found = stem4d.orientation(vectors, library, calibration, grains=2, exhaustive=True)
    # There is one crystal in each pattern.
    assert len(found.overlapping) == 1 and (found.overlapping[0].reason != 0).all()
    plain = stem4d.orientation(vectors, library, calibration, refine=False)
    assert np.isnan(plain.covariance).all() and np.isfinite(plain.euler).all()


def test_what_is_refused(gold, library, scan):
    _, vectors, calibration = scan
    with pytest.raises(sluice.InvalidArgument, match="give calibration"):
        stem4d.orientation(vectors, library)
    with pytest.raises(sluice.InvalidArgument, match="leave it out"):
        stem4d.orientation(stem4d.apply_calibration(vectors, calibration), library, calibration)
    with pytest.raises(sluice.InvalidArgument, match="give OrientationLibrary"):
        stem4d.orientation(vectors, gold, calibration)
    with pytest.raises(sluice.InvalidArgument, match="pixel size"):
        stem4d.orientation(vectors, library, stem4d.calibrate(vectors))
    with pytest.raises(sluice.InvalidArgument, match="candidates"):
        stem4d.orientation(vectors, library, calibration, candidates=0)
    with pytest.raises(sluice.InvalidArgument, match="kilovolts"):
        stem4d.orientation_library(gold, energy=0)
    with pytest.raises(TypeError):
        stem4d.orientation_library(gold)
    with pytest.raises(sluice.InvalidArgument, match="two phases"):
        stem4d.orientation_library([gold, gold], energy=300)
    with pytest.raises(sluice.InvalidArgument, match="a phase is a int"):
        stem4d.orientation_library([3], energy=300)


def test_progress_stops_it(library, scan):
    _, vectors, calibration = scan
    with pytest.raises(sluice.Cancelled):
        stem4d.orientation(vectors, library, calibration, progress=lambda done, total: False)
