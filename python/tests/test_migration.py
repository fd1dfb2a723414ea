"""The tables of docs/guide/python-migration.md: their call, our call, the same numbers.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import pathlib
import subprocess
import warnings

import numpy as np
import pytest

import sluice
from sluice import stem4d

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW, COL, RADIUS = 30, 33, 9


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("arina") / "scan"
    subprocess.run([ROOT / "build/release/bin/sluice", "synth", "arina", prefix, "--scan", "8x8",
                    "--detector", "64x64"], check=True, stdout=subprocess.DEVNULL)
    return f"{prefix}_master.h5"


@pytest.fixture(scope="module")
def frames(path):
    return sluice.open(path).to_numpy()


@pytest.fixture(scope="module")
def scan(path):
    return sluice.load(path, as_stored=True)


@pytest.fixture(scope="module")
def mask():
    return np.random.default_rng(4).random((64, 64)) < 0.3


def silent(function, *args, **options):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def image(scan, detector):
    return stem4d.virtual_image(scan, detector).values[0]


def test_quantem(path, scan, frames, mask):
    io_ = pytest.importorskip("quantem.core.io", reason="quantem is not installed")
    theirs = silent(io_.read_4dstem, path, file_type="arina")
    assert np.array_equal(theirs.array, frames)
    assert np.array_equal(silent(theirs.get_virtual_image, mask=mask).array, image(scan, mask))
    circle = silent(theirs.get_virtual_image, mode="circle", geometry=((ROW, COL), RADIUS)).array
    assert np.array_equal(circle, image(scan, stem4d.disk(RADIUS, (ROW, COL))))


def test_py4dstem(path, scan, frames, mask):
    py4DSTEM = pytest.importorskip("py4DSTEM", reason="py4DSTEM is not installed")
    cube = silent(py4DSTEM.import_file, path, filetype="arina")
    assert np.array_equal(cube.data, frames)
    theirs = silent(cube.get_virtual_image, mode="mask", geometry=mask).data
    assert np.array_equal(theirs, image(scan, mask))
    np.testing.assert_allclose(silent(cube.get_dp_mean).data,
                               stem4d.diffraction_pattern(scan, "mean").values, rtol=1e-12)
    assert np.array_equal(silent(cube.get_dp_max).data,
                          stem4d.diffraction_pattern(scan, "max").values)
    cube.data = sluice.load(path).to_numpy()  # its marks for no data outshine the disk
    silent(cube.get_dp_mean)
    radius, row, col = silent(cube.get_probe_size)
    disk = stem4d.find_disk(scan)
    # Two ways of measuring a disk: theirs by thresholds, ours by its edge.
    assert abs(disk.center[0] - row) < 1 and abs(disk.center[1] - col) < 1
    assert abs(disk.radius - radius) < 1.5


@pytest.fixture(scope="module")
def context():
    api = pytest.importorskip("libertem.api", reason="LiberTEM is not installed")
    with api.Context.make_with("inline") as made:
        yield made


def test_libertem(context, frames, mask):
    ds = context.load("memory", data=frames, sig_dims=2)
    scan = sluice.load(sluice.from_array(frames))

    def run(analysis):
        return silent(context.run, analysis)

    disk = context.create_disk_analysis(ds, cx=COL, cy=ROW, r=RADIUS)
    np.testing.assert_allclose(run(disk).intensity.raw_data,
                               image(scan, stem4d.disk(RADIUS, (ROW, COL))), rtol=1e-6)
    # Their ring leaves out the pixels that lie on its inner edge exactly.
    ring = context.create_ring_analysis(ds, cx=COL, cy=ROW, ri=10, ro=20)
    np.testing.assert_allclose(run(ring).intensity.raw_data,
                               image(scan, stem4d.annulus(10 + 1e-6, 20, (ROW, COL))), rtol=1e-6)
    theirs = run(context.create_mask_analysis(dataset=ds, factories=[lambda: mask]))
    np.testing.assert_allclose(theirs.mask_0.raw_data, image(scan, mask), rtol=1e-6)
    theirs = run(context.create_com_analysis(ds, cx=COL, cy=ROW))
    com = stem4d.center_of_mass(scan)
    np.testing.assert_allclose(theirs.y.raw_data, com.row - ROW, atol=1e-3)
    np.testing.assert_allclose(theirs.x.raw_data, com.col - COL, atol=1e-3)
    theirs = run(context.create_sum_analysis(dataset=ds)).intensity.raw_data
    np.testing.assert_allclose(theirs, stem4d.diffraction_pattern(scan, "sum").values, rtol=1e-6)
    theirs = silent(context.map, ds, np.max).data
    assert np.array_equal(theirs, stem4d.fold(scan, lambda t: t.values.max((1, 2))))
