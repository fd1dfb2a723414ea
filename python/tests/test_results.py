"""Results of arrays know their names, axes and units; they compare, and show themselves.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import copy
import pickle
import re

import numpy as np
import pytest

import sluice
from sluice import stem4d

SYNTHETIC = "synthetic:stem4d?scan=8x6&detector=32x32"


@pytest.fixture(scope="module")
def scan():
    return sluice.load(SYNTHETIC)


@pytest.fixture(scope="module")
def every(scan):
    com = stem4d.center_of_mass(scan)
    crystal = sluice.load("synthetic:crystal?scan=4x5&dose=100000&strain=0.02,0,0,0&field=gradient")
    return {"images": stem4d.virtual_image(scan, ["bf", "adf"]), "com": com, "phase": stem4d.phase_contrast(com),
            "pattern": stem4d.diffraction_pattern(scan),
            "strain": stem4d.strain(stem4d.fit_lattice(stem4d.find_disks(crystal)))}


NAMES = ["images", "com", "phase", "pattern", "strain"]


@pytest.mark.parametrize("name", NAMES)
def test_they_compare(every, name):
    other = copy.deepcopy(every[name])
    assert every[name] == other and not every[name] != other and every[name] != 3
    array = next(v for v in vars(other).values() if isinstance(v, np.ndarray))
    array.flat[0] += 1
    assert every[name] != other
    assert pickle.loads(pickle.dumps(other)) == other


@pytest.mark.parametrize("name", NAMES)
def test_they_show_themselves_in_a_line_and_in_a_notebook(every, name):
    line = repr(every[name])
    assert len(line) < 100 and "\n" not in line and re.search(r"\d+x\d+", line)
    page = every[name]._repr_html_()
    pictures = [base64.b64decode(one) for one in re.findall(r"base64,([^\"]+)", page)]
    assert pictures and all(one.startswith(b"\x89PNG") and len(one) < 60_000 for one in pictures)


def test_a_thumbnail_is_a_picture_that_others_read():
    pytest.importorskip("matplotlib")
    import io

    import matplotlib.pyplot as plt

    from sluice._result import thumbnail
    ramp = np.arange(300.0 * 40).reshape(300, 40)
    ramp[5, 5] = np.nan
    found = plt.imread(io.BytesIO(thumbnail(ramp)))
    assert found.shape[0] / found.shape[1] == pytest.approx(7.5, rel=0.05) and found[0, 0] < 0.1 < 0.9 < found[-1, -1]
    assert plt.imread(io.BytesIO(thumbnail(np.full((3, 3), np.nan)))).max() == 0


def test_images_are_a_mapping(every):
    images = every["images"]
    assert "bf" in images and "dark" not in images and images.keys() == ["bf", "adf"]
    assert list(dict(images)) == ["bf", "adf"] and [n for n, _ in images.items()] == ["bf", "adf"]
    assert len(list(images)) == len(images) == 2 and np.array_equal(list(images)[1], images["adf"])


def test_xarray_has_names_steps_and_units():
    xr = pytest.importorskip("xarray")
    dataset = sluice.open(SYNTHETIC)
    step, angle = dataset.scan_step_nm, dataset.detector_step_mrad
    assert step > 0 and angle > 0
    whole = dataset.load()
    part = dataset.load(scan_region=(2, 1, 4, 4), scan_bin=2, det_bin=2, detector_region=(4, 8, 16, 16))
    every_pixel = stem4d.rectangle((0, 0), (31, 31), "all")
    images = stem4d.virtual_image(part, every_pixel).to_xarray()
    assert isinstance(images, xr.DataArray) and images.dims == ("detector", "scan_row", "scan_col")
    np.testing.assert_allclose(images.scan_row, (2.5 + 2 * np.arange(2)) * step)
    np.testing.assert_allclose(images.scan_col, (1.5 + 2 * np.arange(2)) * step)
    assert images.scan_row.attrs["units"] == "nm" and images.attrs["units"] == "counts"
    assert images.sel(detector="all").shape == (2, 2)
    assert stem4d.virtual_image(part, every_pixel, mean=True).to_xarray().attrs["units"] == "counts/pixel"
    pattern = stem4d.diffraction_pattern(part, "mean").to_xarray()
    np.testing.assert_allclose(pattern.detector_row, (4.5 + 2 * np.arange(8)) * angle)
    np.testing.assert_allclose(pattern.detector_col, (8.5 + 2 * np.arange(8)) * angle)
    com = stem4d.center_of_mass(whole)
    table = com.to_xarray()
    assert sorted(table) == ["col", "magnitude", "row", "sum"] and table.row.attrs["units"] == com.units["row"]
    assert "icom" in stem4d.phase_contrast(com).to_xarray() and "scan_row" in stem4d.phase_contrast(com).to_xarray().coords
    # The values of the array and those of the table lie at the same places.
    lazy = part.to_xarray()
    np.testing.assert_allclose(lazy.mean(("scan_row", "scan_col")).values, pattern.values)
    xr.testing.assert_allclose(lazy.detector_row, pattern.detector_row)
    np.testing.assert_allclose(lazy.scan_col, images.scan_col)


def test_maps_of_disks_lie_where_the_scan_lies(tmp_path):
    pytest.importorskip("xarray")
    crystal = sluice.open("synthetic:stem4d?scan=6x8&detector=64x64&dose=100000")
    part = crystal.load(scan_region=(2, 3, 4, 4))
    step = crystal.scan_step_nm
    assert step > 0
    vectors = stem4d.find_disks(part)
    for found in (vectors, pickle.loads(pickle.dumps(vectors))):
        strain = stem4d.strain(stem4d.fit_lattice(found)).to_xarray()
        np.testing.assert_allclose(strain.scan_row, (2 + np.arange(4)) * step)
        np.testing.assert_allclose(strain.e_xx.scan_col, (3 + np.arange(4)) * step)
    assert stem4d.grain_strain(stem4d.fit_grains(vectors)).strain.axes == stem4d.fit_lattice(vectors).axes
    together = stem4d.analyze(part, {"disks": {}, "center_of_mass": {}, "diffraction_pattern": {"kind": ["mean"]}})
    np.testing.assert_allclose(together.center_of_mass["center_of_mass"].to_xarray().scan_row, (2 + np.arange(4)) * step)
    assert "detector_row" in together.patterns["mean"].to_xarray().coords
    assert stem4d.strain(stem4d.fit_lattice(together.disks["disks"])).axes.scan_step_nm == step
    # What a file of vectors does not hold has no coordinates.
    vectors.save(tmp_path / "v.h5")
    assert not stem4d.strain(stem4d.fit_lattice(stem4d.load_vectors(tmp_path / "v.h5"))).to_xarray().coords


def test_strain_and_doses_have_units(every):
    pytest.importorskip("xarray")
    strain = every["strain"].to_xarray()
    assert strain.omega.attrs["units"] == "degree" and "e_xx_error" in strain
    dose = sluice.Volume(np.ones((2, 3, 4)), spacing=(1, 2, 5), origin=(10, 20, 30), content="dose, Gy").to_xarray()
    assert dose.dims == ("z", "y", "x") and dose.name == "dose" and dose.attrs["units"] == "Gy"
    assert dose.z.values.tolist() == [30, 35] and dose.x.values.tolist() == [10, 11, 12, 13]
    assert not sluice.Volume(np.ones((2, 3))).to_xarray().coords


def test_binned_scans_are_dask_arrays(tmp_path):
    pytest.importorskip("dask")
    np.save(tmp_path / "scan.npy", np.random.default_rng(1).poisson(2, (4, 5, 16, 16)).astype(np.uint16))
    scan = sluice.load(tmp_path / "scan.npy", det_bin=2, mask=np.eye(16))
    lazy = scan.to_dask(chunks=(2, 5, 8, 8))
    assert lazy.shape == scan.shape and lazy.dtype == scan.dtype
    assert np.array_equal(lazy.compute(scheduler="threads"), scan.to_numpy())
    assert np.array_equal(lazy[1:, ::2].compute(scheduler="processes"), scan[1:, ::2])
    memory = sluice.load(np.ones((2, 2, 8, 8))).to_dask()
    assert memory.sum().compute(scheduler="threads") == 256
