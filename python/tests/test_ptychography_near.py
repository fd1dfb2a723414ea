"""Near fields from files and arrays, modes of a probe, and the rotation that py4DSTEM's files say.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d
from test_ptychography import simulated

h5py = pytest.importorskip("h5py")

SIDE, PIXEL_NM, WAVELENGTH_NM, DISTANCE_MM = 48, 50.0, 0.1, 0.4


def images():
    """Near fields by the angular spectrum, positions in whole pixels, object and probe."""
    draw = np.random.default_rng(5)
    rows = np.arange(6) * 5
    places = np.stack(np.meshgrid(rows, rows, indexing="ij"), -1).reshape(-1, 2)
    places = places + draw.integers(0, 3, places.shape)
    y, x = np.mgrid[:places.max() + SIDE, :places.max() + SIDE]
    thing = np.exp(1j * (0.5 * np.sin(0.41 * x + 0.13 * y) * np.cos(0.29 * y)
                         + 0.3 * np.sin(0.53 * y - 0.2 * x)))
    y, x = (np.mgrid[:SIDE, :SIDE] - SIDE // 2) / (0.16 * SIDE)
    probe = 60 * np.exp(-0.5 * (x**2 + y**2) + 0.8j * (x**2 + y**2))
    k = np.fft.fftfreq(SIDE, PIXEL_NM) * WAVELENGTH_NM
    along = np.sqrt(1 - k[:, None]**2 - k**2) - 1
    spread = np.exp(2j * np.pi * DISTANCE_MM * 1e6 / WAVELENGTH_NM * along)
    waves = [np.fft.ifft2(np.fft.fft2(probe * thing[r:r + SIDE, c:c + SIDE]) * spread)
             for r, c in places]
    return np.array(np.rint(np.abs(waves)**2), np.uint16), places.astype(float), thing, probe


def expect_object(patterns, counts, places, thing, probe, **more):
    assert np.array_equal(patterns.counts, counts)
    assert patterns.pixel_nm == pytest.approx(PIXEL_NM)
    found = stem4d.ptychography(patterns, stem4d.PtychographyStage(iterations=60), probe=probe,
                                propagation="near", progress=False, **more)
    assert found.pixel_nm == pytest.approx(PIXEL_NM) and found.propagation == "near"
    cut = SIDE // 2 + 8
    low = (places.min(0) - 8).astype(int)
    phase = found.phase[0][cut:-cut, cut:-cut]
    true = np.angle(thing)[cut + low[0]:, cut + low[1]:][:phase.shape[0], :phase.shape[1]]
    assert np.corrcoef(phase.ravel(), true.ravel())[0, 1] > 0.95
    assert "probe edge" not in [f.name for f in stem4d.judge(found)]


def test_near_fields_from_files(tmp_path):
    counts, places, thing, probe = images()
    near = dict(size=SIDE, propagation="near", progress=False)
    np.savez(tmp_path / "a.npz", data=counts, scan=places, wavelength_nm=WAVELENGTH_NM,
             pixel_nm=PIXEL_NM)
    patterns, _ = stem4d.read_patterns(tmp_path / "a.npz", **near)
    expect_object(patterns, counts, places, thing, probe, distance_mm=DISTANCE_MM)
    with h5py.File(tmp_path / "a.ptyd", "w") as file:
        file["meta/energy"] = 1.239841984 / WAVELENGTH_NM
        file["meta/distance"], file["meta/psize"] = DISTANCE_MM * 1e-3, PIXEL_NM * 1e-9
        file["meta/propagation"] = "nearfield"
        file["chunks/0/data"] = counts
        file["chunks/0/positions"] = places * PIXEL_NM * 1e-9
    patterns, _ = stem4d.read_patterns(tmp_path / "a.ptyd", **near)
    assert patterns.distance_mm == pytest.approx(DISTANCE_MM)
    expect_object(patterns, counts, places, thing, probe)
    with pytest.raises(sluice.InvalidArgument, match="set propagation to near"):
        stem4d.read_patterns(tmp_path / "a.ptyd", progress=False)
    np.save(tmp_path / "a.npy", counts.reshape(6, 6, SIDE, SIDE))
    patterns = stem4d.patterns_of(tmp_path / "a.npy", wavelength_nm=WAVELENGTH_NM, positions=places,
                                  detector_pixel_um=PIXEL_NM * 1e-3, **near)
    expect_object(patterns, counts, places, thing, probe, distance_mm=DISTANCE_MM)


def test_arrays_that_were_centred_are_no_near_fields():
    counts, places, thing, probe = images()
    about = dict(wavelength_nm=WAVELENGTH_NM, pixel_nm=PIXEL_NM)
    with pytest.raises(sluice.InvalidArgument, match="centred=False"):
        stem4d.ptychography(stem4d.Patterns(counts, places, **about), propagation="near",
                            distance_mm=DISTANCE_MM, progress=False)
    patterns = stem4d.Patterns(counts, places, centred=False, **about)
    expect_object(patterns, counts, places, thing, probe, distance_mm=DISTANCE_MM)


def test_all_modes_of_an_npz_probe(tmp_path):
    counts, positions, _, probe = simulated(64, places=3)
    modes = np.stack([probe, 0.3 * probe[::-1], 0.1j * probe.T]).astype(np.complex64)
    np.savez(tmp_path / "a.npz", data=counts, scan=positions, probe=modes[None, None, None])
    patterns, read = stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    assert np.array_equal(read, modes)
    assert stem4d.ptychography(patterns, stem4d.PtychographyStage("epie", 1), probe=read, modes=3,
                               progress=False).probe.shape == (3, 64, 64)
    with pytest.raises(sluice.InvalidArgument, match="give its first modes, 1 at most"):
        stem4d.ptychography(patterns, probe=read, progress=False)


def test_the_rotation_of_py4dstems_calibration(tmp_path):
    counts = np.arange(4 * 5 * 16 * 16).reshape(4, 5, 16, 16) % 97
    about = dict(energy=300, center=(8, 8), size=16, detector_step_mrad=1, scan_step_nm=0.1,
                 progress=False)
    for flip in (False, True):
        with h5py.File(tmp_path / "a.h5", "w") as file:
            file["root/datacube/data"] = counts.astype(np.uint16)
            calibration = file.create_group("root/metadatabundle/calibration")
            calibration["QR_rotation"] = np.deg2rad(-30)
            calibration["QR_rotation_degrees"] = -30.0
            calibration["QR_flip"] = flip
        scan = sluice.load(tmp_path / "a.h5", progress=False)
        read = stem4d.patterns_of(scan, **about)
        given = stem4d.patterns_of(scan, rotation_degrees=-30, transpose=flip, **about)
        assert np.array_equal(read.positions, given.positions)
        assert any("-30 degrees" + ", transposed" * flip + ", as the file states" in note
                   for note in read.notes)
        # A vector of the detector, as py4DSTEM turns it, lies along the scan.
        at = read.positions.reshape(4, 5, 2)
        step = (at[1, 0] - at[0, 0]) * read.pixel_nm / 0.1
        g0, g1 = step[::-1] if flip else step
        turn = np.deg2rad(-30)
        assert np.allclose([np.cos(turn) * g0 - np.sin(turn) * g1,
                            np.sin(turn) * g0 + np.cos(turn) * g1], [1, 0])
        other = stem4d.patterns_of(scan, rotation_degrees=0, **about)
        assert np.allclose(other.positions.reshape(4, 5, 2)[1, 0, 1], 0)
        assert any("turned by 0 degrees, as given; the file states -30" in n for n in other.notes)
