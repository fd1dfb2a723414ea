"""Analyses of one's own, here and on a cluster.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d

SYNTHETIC = "synthetic:stem4d?scan=37x29&detector=32x40&seed=5"


class Moments:
    """Sums of float32, whose bits depend on the order of addition."""

    def begin(self, frames):
        return np.zeros((3, 32, 40), np.float32)

    def add(self, partial, tile):
        for v in tile.values.astype(np.float32):
            partial[0] += v
            partial[1] += v * np.float32(0.1)
            partial[2] += np.sqrt(v)

    def merge(self, partial, later):
        return partial + later

    def finish(self, partial):
        return partial


@pytest.fixture(scope="module", params=["memory", "stream"])
def scan(request):
    return sluice.load(SYNTHETIC, stream=request.param == "stream")


def test_a_function_gives_an_image(scan):
    frames = scan.to_numpy()
    found = stem4d.fold(scan, lambda tile: tile.values.std(axis=2))
    assert found.shape == (37, 29, 32)
    assert np.array_equal(found, frames.std(axis=3))
    places = stem4d.fold(scan, lambda tile: np.stack([tile.rows, tile.cols], 1))
    assert np.array_equal(places, np.stack(np.mgrid[:37, :29], -1))


def test_a_class_has_the_same_bits_on_any_threads(scan):
    one = stem4d.fold(scan, Moments(), threads=1)
    for threads in (2, 3, 5):
        assert np.array_equal(stem4d.fold(scan, Moments(), threads=threads), one)
    frames = scan.to_numpy().reshape(-1, 32, 40)
    np.testing.assert_allclose(one[0], frames.sum(0), rtol=1e-5)


def test_tiles_stay_as_they_are(scan):
    kept = []
    stem4d.fold(scan, lambda tile: kept.append(tile) or tile.values[:, 0, 0])
    kept.sort(key=lambda tile: tile.frames.start)
    assert [f for tile in kept for f in tile.frames] == list(range(37 * 29))
    together = np.concatenate([tile.values for tile in kept])
    assert np.array_equal(together, scan.to_numpy().reshape(-1, 32, 40))
    with pytest.raises(ValueError):
        kept[0].values[0] = 1


def test_what_the_function_raises_comes_out(scan):
    def bad(tile):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        stem4d.fold(scan, bad)
    with pytest.raises(sluice.InvalidArgument, match="first axis is the frames"):
        stem4d.fold(scan, lambda tile: tile.values.sum(0))
    with pytest.raises(sluice.InvalidArgument, match="not an analysis"):
        stem4d.fold(scan, 3)


def test_progress_cancels(scan):
    with pytest.raises(sluice.Cancelled):
        stem4d.fold(scan, lambda tile: tile.values[:, 0, 0], progress=lambda done, total: False)
    with pytest.raises(ZeroDivisionError):
        stem4d.fold(scan, lambda tile: tile.values[:, 0, 0], progress=lambda done, total: 1 / 0)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as made:
            yield made


def test_a_cluster_has_the_same_bits(client):
    scan = sluice.load(SYNTHETIC, stream=True)
    far = sluice.distributed.fold(SYNTHETIC, Moments(), client=client)
    assert np.array_equal(far, stem4d.fold(scan, Moments()))
    far = sluice.distributed.fold(SYNTHETIC, lambda tile: tile.values.sum((1, 2)), client=client)
    assert np.array_equal(far, scan.to_numpy().sum((2, 3)))


@pytest.mark.parametrize("how", [{}, {"det_bin": 0}, {"det_bin": 2, "scan_region": (3, 4, 20, 10)},
                                 {"mask": np.eye(32, 40)}])
def test_a_cluster_takes_a_scan(client, how):
    scan = sluice.load(SYNTHETIC, **how)
    far = sluice.distributed.fold(scan, lambda tile: tile.values.sum((1, 2)), client=client)
    assert np.array_equal(far, scan.to_numpy().sum((2, 3)))
    far = sluice.distributed.products(scan, client=client, patterns="max").patterns[0]
    assert np.array_equal(far.values, stem4d.products(scan, patterns="max").patterns[0].values)


@pytest.mark.parametrize("references", [{}, {"dark": np.full((32, 40), 0.3), "gain": np.full((32, 40), 1.7)}])
def test_products_of_a_cluster(client, references):
    weights = np.random.default_rng(1).random((32, 40)).astype(np.float32)
    wishes = dict(detectors=["bf", weights], center_of_mass=True, patterns=["max", "variance"], **references)
    near = stem4d.products(SYNTHETIC, **wishes)
    far = sluice.distributed.products(SYNTHETIC, client=client, **wishes)
    assert np.array_equal(near.images.values, far.images.values)
    assert near.images.disk == far.images.disk
    assert np.array_equal(near.center_of_mass.col, far.center_of_mass.col)
    for a, b in zip(near.patterns, far.patterns):
        assert np.array_equal(a.values, b.values)


def test_disks_of_a_cluster(client):
    crystal = "synthetic:crystal?scan=9x11&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=6000"
    scan = sluice.load(crystal, stream=True)
    plan = stem4d.know_lattice(scan)
    for how in (None, plan):
        near = stem4d.find_disks(scan, how)
        far = sluice.distributed.find_disks(crystal, how, client=client)
        for name in ("first", "reason", "row", "var_col", "score"):
            assert getattr(far, name).tobytes() == getattr(near, name).tobytes(), name
    vectors, fit = stem4d.refine_lattice(scan, plan)
    far_vectors, far_fit = sluice.distributed.refine_lattice(crystal, plan, client=client)
    assert far_vectors.intensity.tobytes() == vectors.intensity.tobytes()
    assert far_fit.values.tobytes() == fit.values.tobytes() and far_fit.basis == fit.basis
    with pytest.raises(sluice.InvalidArgument, match="knows no lattice"):
        sluice.distributed.refine_lattice(crystal, stem4d.plan_disks(scan), client=client)


def test_errors_of_a_cluster(client):
    def bad(tile):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sluice.distributed.fold(SYNTHETIC, bad, client=client)
    with pytest.raises(sluice.InvalidArgument, match="does not travel"):
        sluice.distributed.fold(sluice.from_array(np.zeros((2, 2, 4, 4))), Moments(),
                                client=client)
    with pytest.raises(sluice.InvalidArgument, match="does not travel"):
        sluice.distributed.fold(sluice.load(np.zeros((2, 2, 4, 4))), Moments(), client=client)
    assert sluice.distributed.map(abs, [-1, 2, -3], client=client) == [1, 2, 3]


def test_temporary_arrays_are_memory_that_is_used_again():
    scan = sluice.load("synthetic:stem4d?scan=24x24&detector=128x128")
    kept = []

    def of_a_tile(tile):
        work = tile.values.astype(np.float64)
        work.resize((len(tile), 2 * 128 * 128), refcheck=False)  # another size, zeros behind
        zeros = np.zeros((len(tile), 300, 300))
        assert not zeros.any()
        zeros += 1  # so that memory that comes back is not zero
        if len(kept) < 3:
            kept.append((tile.values, tile.values.copy(), np.full((512, 512), tile.frames[0])))
        return np.sqrt(tile.values.astype(np.float32)).sum(axis=(1, 2))

    first = stem4d.fold(scan, of_a_tile, threads=2, progress=False)
    again = stem4d.fold(scan, of_a_tile, threads=1, progress=False)
    assert np.array_equal(first, again)
    values = np.concatenate([np.asarray(v).reshape(-1, 128, 128) for v, _, _ in kept])
    assert values.shape[1:] == (128, 128)
    for tile, copy, full in kept:  # they outlive the fold, and keep what was in them
        assert np.array_equal(tile, copy) and (full == full[0, 0]).all()
    # Outside of a fold NumPy's own memory is as before.
    assert np._core.multiarray.get_handler_name(np.zeros(10**6)) == "default_allocator"


def test_what_a_function_raises_leaves_numpys_memory_as_it_was():
    scan = sluice.load("synthetic:stem4d?scan=8x8&detector=64x64")

    def wrong(tile):
        np.ones(10**6)
        raise ValueError("no")

    for threads in (1, 2):
        with pytest.raises(ValueError, match="no"):
            stem4d.fold(scan, wrong, threads=threads, progress=False)
    assert np._core.multiarray.get_handler_name(np.zeros(10**6)) == "default_allocator"
