"""Orientation maps and plans on a cluster: the bits of one process, and what workers may do wrong.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pickle
import shutil

import numpy as np
import pytest

import sluice
from sluice import _cluster, _core, stem4d
from sluice.distributed import _matching
from sluice.distributed._analyze import _plan_of
from sluice.stem4d._orientation import match_numbers
from test_orientation import A, CIF, gold, scan_of, truths  # noqa: F401

distributed = pytest.importorskip("distributed")
COLUMNS = ("reason", "phase", "quaternion", "covariance", "score", "second_score", "residual", "explained",
           "probability", "disks")


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as made:
            yield made


@pytest.fixture(scope="module")
def library(gold, tmp_path_factory):  # noqa: F811
    iron = tmp_path_factory.mktemp("iron") / "iron.cif"
    iron.write_text(CIF.format(name="iron", a=2.866, group="I m -3 m", element="Fe"))
    return stem4d.orientation_library([gold, iron], energy=300, zone_step=3)


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    """Three groups of patterns, each of some orientations again."""
    folder = tmp_path_factory.mktemp("cluster")
    scan_of(truths(40) * 30).save(folder / "disks.h5")
    vectors = stem4d.load_vectors(folder / "disks.h5")
    calibration = stem4d.calibrate(vectors, spacings=[A / 3**0.5, A / 2, A / 8**0.5, A / 11**0.5, A / 12**0.5],
                                   distortion="none")
    return folder / "disks.h5", vectors, calibration


def same(a, b):
    for name in COLUMNS:
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes(), name
    assert a.phases == b.phases and a.notes == b.notes
    assert np.array_equal([a.common_factor, a.common_factor_error], [b.common_factor, b.common_factor_error],
                          equal_nan=True)
    assert len(a.overlapping) == len(b.overlapping)
    for one, other in zip(a.overlapping, b.overlapping):
        same(one, other)


def test_a_cluster_finds_the_same_bits(client, library, scan):
    path, vectors, calibration = scan
    near = stem4d.orientation(vectors, library, calibration, threads=2)
    assert (near.reason == 0).mean() > 0.3
    told = []
    same(near, sluice.distributed.orientation(path, library, calibration, client=client,
                                              progress=lambda done, total: told.append((done, total))))
    assert told[-1] == (3, 3)
    same(near, sluice.distributed.orientation(vectors, library, calibration, client=client))
    calibrated = stem4d.apply_calibration(vectors, calibration)
    wishes = dict(grains=2, candidates=3, least_probability=0.5)
    same(stem4d.orientation(calibrated, library, **wishes),
         sluice.distributed.orientation(calibrated, library, client=client, **wishes))


def test_cells_and_calibrations_travel(gold, scan):  # noqa: F811
    _, _, calibration = scan
    cell = stem4d.load_cif(gold)._native
    again = pickle.loads(pickle.dumps(cell))
    assert again.fields == cell.fields and again.__getstate__() == cell.__getstate__()
    native = pickle.loads(pickle.dumps(calibration._native))
    assert native.__getstate__() == calibration._native.__getstate__()
    with pytest.raises(sluice.Corrupt, match="is no calibration"):
        type(native).__new__(type(native)).__setstate__("{}")


def test_wrong_arguments_are_told_here(client, library, scan):
    path, vectors, calibration = scan
    with pytest.raises(sluice.InvalidArgument, match="give calibration"):
        sluice.distributed.orientation(path, library, client=client)
    with pytest.raises(TypeError, match="threads"):
        sluice.distributed.orientation(vectors, library, calibration, client=client, threads=2)
    with pytest.raises(sluice.InvalidArgument, match="candidates"):
        sluice.distributed.orientation(vectors, library, calibration, client=client, candidates=0)
    with pytest.raises(sluice.Error, match="absent.h5"):
        sluice.distributed.orientation("absent.h5", library, calibration, client=client)


class Parts:
    """Parts whose bytes are changed on their way."""

    def __init__(self, parts, change):
        self.parts, self.change, self.groups = parts, change, parts.groups

    def add(self, packed):
        self.parts.add(self.change(packed))


def parts_of(library, vectors, calibration):
    numbers = match_numbers()
    ready = stem4d.apply_calibration(vectors, calibration)
    return _core.OrientationParts(ready._native, library._native, *numbers, 1), numbers


def test_damaged_parts_name_the_groups(client, library, scan):
    path, vectors, calibration = scan
    here, numbers = parts_of(library, vectors, calibration)
    matching = _matching.Matching(vectors, calibration._native, library, numbers)

    def add(change):
        _cluster.add_parts(Parts(here, change), client, _matching.orientation_range,
                           (str(path), matching), "orientations", False)

    with pytest.raises(sluice.Corrupt, match=r"groups \d to \d of 3: a packed part is damaged"):
        add(lambda packed: packed[:100] + bytes([packed[100] ^ 1]) + packed[101:])
    with pytest.raises(sluice.Corrupt, match="what a worker sent"):
        add(lambda packed: packed[:-9])
    with pytest.raises(sluice.Error, match="group 0 of 3 is missing"):
        here.finish()


def test_workers_that_see_other_disks_are_refused(client, library, scan, tmp_path):
    path, vectors, calibration = scan
    numbers = match_numbers(candidates=2)  # so that no worker has these parts yet
    other = tmp_path / "other.h5"
    scan_of(truths(40, seed=3) * 30).save(other)
    matching = _matching.Matching(vectors, calibration._native, library, numbers)
    run = client.submit(_matching.orientation_range, str(other), matching, 0, 1, pure=False)
    with pytest.raises(sluice.InvalidArgument, match="the worker tcp://.* sees other disks"):
        run.result()
    run = client.submit(_matching.orientation_range, str(tmp_path / "gone.h5"), matching, 0, 1, pure=False)
    with pytest.raises(sluice.Error, match="gone.h5"):
        run.result()
    matching.version = "0.0 (abc)"
    run = client.submit(_matching.orientation_range, str(path), matching, 0, 1, pure=False)
    with pytest.raises(sluice.InvalidArgument, match="install the same everywhere"):
        run.result()


def die(*_):
    os._exit(3)


def test_workers_that_die_are_told_of(scan):
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None,
                                  silence_logs=50) as cluster, distributed.Client(cluster) as client:
        with pytest.raises(sluice.Error, match="workers died one after the other"):
            list(_cluster.gather(client, die, [(0, 1)], 1))


PLAN = {"virtual_image": {"ring": {"detector": ["bf", "annulus:r=8..15,center=16:20"]}},
        "diffraction_pattern": {"kind": ["mean", "max"]}, "center_of_mass": {"rotation": "20"}}


def same_analysis(a, b):
    assert list(a.images) == list(b.images) and a.disk == b.disk and a.decided == b.decided
    for name in a.images:
        assert a.images[name].tobytes() == b.images[name].tobytes()
    for name in a.patterns:
        assert a.patterns[name].values.tobytes() == b.patterns[name].values.tobytes()
    for name in a.center_of_mass:
        assert a.center_of_mass[name].row.tobytes() == b.center_of_mass[name].row.tobytes()
    for name in a.phase_contrast:
        assert a.phase_contrast[name].icom.tobytes() == b.phase_contrast[name].icom.tobytes()
    for name in a.disks:
        assert a.disks[name].row.tobytes() == b.disks[name].row.tobytes()
        assert a.disk_plans[name].why == b.disk_plans[name].why


def test_plans_of_a_cluster(client):
    source = "synthetic:stem4d?scan=37x29&detector=32x40&seed=5"
    near = stem4d.analyze(sluice.load(source, stream=True), PLAN, progress=False)
    same_analysis(near, sluice.distributed.analyze(source, PLAN, client=client, progress=False))
    crystal = "synthetic:crystal?scan=9x11&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=6000"
    scan = sluice.load(crystal, stream=True)
    plan = {"disks": {"template": stem4d.fit_template(scan), "weak": {"least_score": 10.0}}}
    near = stem4d.analyze(scan, plan, progress=False)
    assert sorted(near.disks) == ["disks", "weak"]
    same_analysis(near, sluice.distributed.analyze(crystal, plan, client=client, progress=False))


def test_plans_in_files_of_a_cluster(client, tmp_path):
    prefix = tmp_path / "plan.toml"
    prefix.write_text('scan = "synthetic:stem4d?scan=37x29&detector=32x40&seed=5"\n[load]\ndet_bin = 2\n'
                      '[virtual_image]\ndetector = ["bf"]\n')
    near = stem4d.analyze(None, prefix, progress=False)
    same_analysis(near, sluice.distributed.analyze(None, prefix, client=client, progress=False))
    with pytest.raises(sluice.InvalidArgument, match="source is None"):
        sluice.distributed.analyze(None, PLAN, client=client)
    other = tmp_path / "other.toml"
    shutil.copy(prefix, other)
    plan = str(other), _cluster.digest_of_file(prefix)
    other.write_text(other.read_text() + "mean = true\n")
    run = client.submit(_plan_of, plan, pure=False)
    with pytest.raises(sluice.InvalidArgument, match="sees another file"):
        run.result()


def test_masks_that_look_alike_are_told_apart(client):
    """A worker keeps scans by how they were loaded; the text of a large array leaves its middle out."""
    source = "synthetic:stem4d?scan=37x29&detector=64x64&seed=5"
    masks = [np.zeros((64, 64), bool) for _ in range(2)]
    masks[1][30:34, 30:34] = True
    found = [sluice.distributed.products(source, client=client, detectors="rectangle:rows=0..63,cols=0..63",
                                         mask=mask, progress=False).images.values for mask in masks]
    assert (found[0] > found[1]).all()
