"""Files of ptychography that h5py and NumPy wrote, and results that h5py reads.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d
from test_ptychography import simulated

h5py = pytest.importorskip("h5py")

PIXEL_NM, WAVELENGTH_NM, SIDE = 0.5, 0.1, 64
# Of a detector 1 m away.
DETECTOR_PIXEL = WAVELENGTH_NM / (SIDE * PIXEL_NM)


def write_cxi(path, counts, positions, *, basis=True, mask=None, chunks=None):
    """As the definition of CXI has it; positions in pixels of the object, of the probe."""
    with h5py.File(path, "w") as file:
        file["cxi_version"] = 150
        entry = file.create_group("entry_1")
        source = entry.create_group("instrument_1/source_1")
        source["energy"] = 1.602176634e-16 * 1.239841984 / WAVELENGTH_NM
        detector = entry.create_group("instrument_1/detector_1")
        detector.create_dataset("data", data=counts.astype(np.int32), chunks=chunks,
                                compression="gzip" if chunks else None)
        detector["distance"] = 1.0
        detector["x_pixel_size"] = detector["y_pixel_size"] = DETECTOR_PIXEL
        if basis:
            detector["basis_vectors"] = [[0, -DETECTOR_PIXEL, 0], [-DETECTOR_PIXEL, 0, 0]]
        if mask is not None:
            detector["mask"] = mask
        metres = positions * PIXEL_NM * 1e-9
        # Rows go along -y and columns along -x, and the sample goes where the probe comes from.
        entry["sample_1/geometry_1/translation"] = np.stack(
            [metres[:, 1], metres[:, 0], 0 * metres[:, 0]], -1)
        entry.create_group("data_1")["data"] = h5py.SoftLink("/entry_1/instrument_1/detector_1/data")


def write_ptyd(path, counts, positions):
    with h5py.File(path, "w") as file:
        meta = file.create_group("meta")
        meta["energy"] = 1.239841984 / WAVELENGTH_NM
        meta["distance"] = 1.0
        meta["psize"] = [DETECTOR_PIXEL, DETECTOR_PIXEL]
        meta["center"] = [SIDE / 2, SIDE / 2]
        meta["propagation"] = "farfield"
        # Not in the order of their names.
        for number, part in (("2", slice(0, 7)), ("10", slice(7, None))):
            chunk = file.create_group(f"chunks/{number}")
            chunk["data"] = counts[part].astype(np.float32)
            chunk["positions"] = positions[part] * PIXEL_NM * 1e-9
            weights = np.ones(counts[part].shape, np.float32)
            weights[:, 3, 5] = 0
            chunk["weights"] = weights


@pytest.mark.parametrize("chunks", [None, (1, 64, 64), (4, 16, 64)])
def test_cxi(tmp_path, chunks):
    counts, positions, _, _ = simulated(SIDE)
    mask = np.zeros((SIDE, SIDE), np.uint32)
    mask[2, 7], mask[9, 9] = 4, 0x1000
    write_cxi(tmp_path / "a.cxi", counts, positions, mask=mask, chunks=chunks)
    patterns, probe = stem4d.read_patterns(tmp_path / "a.cxi", progress=False)
    expected = counts.copy()
    expected[:, 2, 7] = 0
    assert probe is None and patterns.counts.dtype == np.uint16
    assert np.array_equal(np.fft.fftshift(patterns.counts, axes=(1, 2)), expected)
    assert np.argwhere(np.fft.fftshift(patterns.bad)).tolist() == [[2, 7]]
    assert patterns.pixel_nm == pytest.approx(PIXEL_NM, rel=1e-6)
    assert patterns.wavelength_nm == pytest.approx(WAVELENGTH_NM, rel=1e-6)
    assert np.abs(patterns.positions - positions).max() < 1e-4
    assert any("photons of" in note for note in patterns.notes)
    assert any("translations are taken as the sample's" in note for note in patterns.notes)
    found = stem4d.ptychography(patterns, progress=False)
    assert found.r[-1] < 0.5 * found.r[0]
    assert len(repr(found)) < 150 and "base64" in found._repr_html_()
    again = stem4d.ptychography(tmp_path / "a.cxi", progress=False)  # in one call from the file
    assert np.array_equal(again.object, found.object)
    turned, _ = stem4d.read_patterns(tmp_path / "a.cxi", transpose=True, flip_cols=True,
                                     progress=False)
    assert np.abs(turned.positions - positions[:, ::-1] * [1, -1]).max() < 1e-4
    electrons, _ = stem4d.read_patterns(tmp_path / "a.cxi", energy=300, progress=False)
    assert electrons.wavelength_nm == stem4d.electron_wavelength_nm(300)


def test_cxi_without_basis_vectors_says_what_it_assumes(tmp_path):
    counts, positions, _, _ = simulated(SIDE, places=3)
    write_cxi(tmp_path / "a.cxi", counts, positions, basis=False)
    patterns, _ = stem4d.read_patterns(tmp_path / "a.cxi", size=96, progress=False)
    # Wider windows have smaller pixels.
    assert patterns.pixel_nm == pytest.approx(PIXEL_NM * 64 / 96, rel=1e-6)
    assert np.abs(patterns.positions - positions * 96 / 64).max() < 1e-4
    assert any("no basis vectors" in note for note in patterns.notes)
    assert any("were not measured" in note for note in patterns.notes)


def test_cxi_basis_vectors_of_other_shapes(tmp_path):
    """Programs write them transposed, or once for each frame."""
    counts, positions, _, _ = simulated(SIDE, places=3)
    write_cxi(tmp_path / "a.cxi", counts, positions, basis=False)
    # Rows go along x and columns along -y.
    basis = np.array([[DETECTOR_PIXEL, 0, 0], [0, -DETECTOR_PIXEL, 0]])
    moving = np.stack([basis, basis[::-1]])
    turned = positions[:, ::-1] * [-1, 1]
    for stored, expected, note in ((basis, turned, "as the file's basis vectors say"),
                                   (basis.T, turned, "as the file's basis vectors say"),
                                   (np.stack([basis] * 9), turned, "as the file's basis"),
                                   (moving, positions, "not two directions"),
                                   (basis.ravel(), positions, "not two directions"),
                                   (basis * np.nan, positions, "not two directions")):
        with h5py.File(tmp_path / "a.cxi", "a") as file:
            detector = file["entry_1/instrument_1/detector_1"]
            if "basis_vectors" in detector:
                del detector["basis_vectors"]
            detector["basis_vectors"] = stored
        patterns, _ = stem4d.read_patterns(tmp_path / "a.cxi", progress=False)
        assert np.abs(patterns.positions - expected).max() < 1e-4, stored.shape
        assert any(note in n for n in patterns.notes)


def test_ptyd(tmp_path):
    counts, positions, _, _ = simulated(SIDE)
    write_ptyd(tmp_path / "a.ptyd", counts, positions)
    patterns, _ = stem4d.read_patterns(tmp_path / "a.ptyd", progress=False)
    expected = counts.copy()
    expected[:, 3, 5] = 0
    assert patterns.counts.dtype == np.uint16
    assert np.array_equal(np.fft.fftshift(patterns.counts, axes=(1, 2)), expected)
    assert np.argwhere(np.fft.fftshift(patterns.bad)).tolist() == [[3, 5]]
    assert np.abs(patterns.positions - positions).max() < 1e-4
    assert patterns.pixel_nm == pytest.approx(PIXEL_NM, rel=1e-6)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("corners", [True, False])
def test_npz(tmp_path, save, corners):
    counts, positions, _, probe = simulated(SIDE)
    stored = np.fft.ifftshift(counts, axes=(1, 2)) if corners else counts
    probe = probe.astype(np.complex64)
    save(tmp_path / "a.npz", data=stored.astype(np.float32), scan=positions.astype(np.float32),
         probe=probe[None, None, None, None])
    patterns, read = stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    assert patterns.counts.dtype == np.uint16
    assert np.array_equal(patterns.counts, np.fft.ifftshift(counts, axes=(1, 2)))
    assert np.abs(patterns.positions - positions).max() < 1e-4 and np.array_equal(read, probe)
    assert patterns.pixel_nm == 0
    assert any(("at [0][0]" if corners else "in the middle") in n for n in patterns.notes)
    found = stem4d.ptychography(patterns, probe=read, progress=False)
    assert found.r[-1] < 0.1


def test_npz_with_an_axis_of_angles(tmp_path):
    """As tike writes them: [angle, pattern, row, col]."""
    counts, positions, _, _ = simulated(SIDE, places=3)
    np.savez(tmp_path / "a.npz", data=counts[None], scan=positions[None])
    patterns, _ = stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    assert np.array_equal(patterns.counts, np.fft.ifftshift(counts, axes=(1, 2)))
    turned = np.asfortranarray(counts[None])
    assert turned.flags.f_contiguous
    np.savez(tmp_path / "f.npz", data=turned, scan=np.asfortranarray(positions))
    patterns, _ = stem4d.read_patterns(tmp_path / "f.npz", progress=False)
    assert np.array_equal(patterns.counts, np.fft.ifftshift(counts, axes=(1, 2)))
    assert np.abs(patterns.positions - positions).max() < 1e-4
    np.savez(tmp_path / "b.npz", data=np.stack([counts, counts]), scan=positions[None])
    with pytest.raises(sluice.Unsupported, match="pattern"):
        stem4d.read_patterns(tmp_path / "b.npz", progress=False)


def test_what_counts_become(tmp_path):
    counts, positions, _, _ = simulated(SIDE, places=3)
    values = counts.astype(np.float64)
    values[2, 10, 10], values[3, 11, 12], values[0, 0, 0] = -3, np.nan, 0.5
    np.savez(tmp_path / "a.npz", data=values, scan=positions)
    patterns, _ = stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    shown = np.fft.fftshift(patterns.counts, axes=(1, 2))
    assert shown.dtype == np.float32 and shown[2, 10, 10] == 0 and shown[0, 0, 0] == 0.5
    assert np.argwhere(np.fft.fftshift(patterns.bad)).tolist() == [[11, 12]]
    assert any("1 count is below 0" in n for n in patterns.notes)
    small = np.minimum(counts, 200)
    np.savez(tmp_path / "b.npz", data=small, scan=positions)
    assert stem4d.read_patterns(tmp_path / "b.npz", progress=False)[0].counts.dtype == np.uint8


def test_py4dstem_files_are_scans(tmp_path):
    counts = np.arange(4 * 5 * 16 * 16).reshape(4, 5, 16, 16) % 97
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.attrs.update({"emd_group_type": "file", "version_major": 1, "version_minor": 0})
        cube = file.create_group("datacube_root/datacube")
        cube["data"] = counts.astype(np.uint16)
        for axis, step, unit in ((0, 0.4, "A"), (1, 0.4, "A"), (2, 0.02, "A^-1"),
                                 (3, 0.02, "A^-1")):
            cube[f"dim{axis}"] = np.array([0, step])
            cube[f"dim{axis}"].attrs["units"] = unit
    scan = sluice.load(tmp_path / "a.h5", progress=False)
    patterns = stem4d.patterns_of(scan, energy=300, center=(8, 8), size=16, progress=False,
                                  detector_step_mrad=0.39, scan_step_nm=0.04)
    assert np.array_equal(np.fft.fftshift(patterns.counts, axes=(1, 2)).reshape(counts.shape),
                          counts)


def test_wrong_and_damaged_files(tmp_path):
    counts, positions, _, _ = simulated(SIDE, places=3)
    np.savez_compressed(tmp_path / "good.npz", data=counts, scan=positions)
    write_cxi(tmp_path / "good.cxi", counts, positions, chunks=(2, 64, 64))
    write_ptyd(tmp_path / "good.ptyd", counts, positions)
    draw = np.random.default_rng(5)
    for name in ("good.npz", "good.cxi", "good.ptyd"):
        good = (tmp_path / name).read_bytes()
        for size in (0, 7, 100, len(good) // 2, len(good) - 1):
            (tmp_path / "bad").write_bytes(good[:size])
            with pytest.raises(sluice.Error):
                stem4d.read_patterns(tmp_path / "bad", progress=False)
        for _ in range(30):
            bad = bytearray(good)
            for at in draw.integers(0, min(len(bad), 4000), 8):
                bad[at] = draw.integers(256)
            (tmp_path / "bad").write_bytes(bad)
            try:
                stem4d.read_patterns(tmp_path / "bad", progress=False)
            except sluice.Error as e:
                assert "bad" in str(e)
    with pytest.raises(sluice.NotFound):
        stem4d.read_patterns(tmp_path / "nothing.cxi", progress=False)
    np.savez(tmp_path / "a.npz", data=counts, scan=positions[:4])
    with pytest.raises(sluice.Error, match="4 positions for 9 patterns"):
        stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    np.savez(tmp_path / "a.npz", frames=counts, scan=positions)
    with pytest.raises(sluice.Unsupported, match="no arrays data and scan"):
        stem4d.read_patterns(tmp_path / "a.npz", progress=False)
    with pytest.raises(sluice.OutOfMemory):
        stem4d.read_patterns(tmp_path / "good.npz", memory_limit=1000, progress=False)
    write_cxi(tmp_path / "a.cxi", counts, positions, mask=np.ones((SIDE, SIDE)))
    with pytest.raises(sluice.InvalidArgument, match="may be inverted"):
        stem4d.read_patterns(tmp_path / "a.cxi", progress=False)
    with h5py.File(tmp_path / "a.cxi", "a") as file:
        del file["entry_1/instrument_1/detector_1/mask"]
        file["entry_1/instrument_1/source_1/energy"][()] = 8000.0
    with pytest.raises(sluice.Corrupt, match="is it in eV"):
        stem4d.read_patterns(tmp_path / "a.cxi", progress=False)
    # A shape that costs nothing to write.
    with h5py.File(tmp_path / "a.cxi", "a") as file:
        del file["entry_1/instrument_1/detector_1/data"]
        file["entry_1/instrument_1/detector_1"].create_dataset("data", (10**6, 1000, 1000), "i4",
                                                               chunks=(1, 1000, 1000))
    with pytest.raises(sluice.Incomplete):
        stem4d.read_patterns(tmp_path / "a.cxi", progress=False)


def test_results_are_read_by_h5py(tmp_path):
    counts, positions, _, _ = simulated(32, places=3)
    patterns = stem4d.Patterns(counts, positions, wavelength_nm=0.002, pixel_nm=0.01)
    found = stem4d.ptychography(patterns, stem4d.PtychographyStage("epie", 3), modes=2,
                                progress=False)
    found.save(tmp_path / "a.h5", patterns, {"sample": "å"})
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["object"].dtype == np.complex64
        assert np.array_equal(file["object"][()], found.object)
        assert np.array_equal(file["entry_1/image_1/data"][()], found.object)
        assert np.array_equal(file["entry_1/image_2/data"][()], found.probe)
        assert np.array_equal(file["positions"][()], found.positions)
        assert np.array_equal(file["rounds/r"][()], found.r)
        assert file["entry_1/image_1/x_pixel_size"][()] == pytest.approx(1e-11)
        assert file["pixel_nm"].attrs["units"] == "nm" and file["cxi_version"][()] == 160
        assert file.attrs["sample"] == "å" and found.notes[0] in file.attrs["note"]
        assert file["entry_1/image_1/data_space"][()] == b"real"


def test_results_come_back_as_they_were(tmp_path):
    counts, positions, _, _ = simulated(32, places=3)
    patterns = stem4d.Patterns(counts, positions, wavelength_nm=0.002, pixel_nm=0.01)
    stage = stem4d.PtychographyStage("lsqml", 3, group=3, refine_positions=True, opr_modes=1,
                                     refine_descan=True, refine_background=True)
    found = stem4d.ptychography(patterns, stage, modes=2, progress=False)
    assert found.started.shape == found.positions.shape
    found.save(tmp_path / "a.h5", provenance={"sample": "å"})
    back = stem4d.load_ptychography(tmp_path / "a.h5")
    for name in vars(found):
        one, other = getattr(found, name), getattr(back, name)
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other, name
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None), name
    assert back.settings["stage 1 solver"] == "lsqml" and back.wavelength_nm == 0.002
    back.save(tmp_path / "b.h5")
    assert np.array_equal(stem4d.load_ptychography(tmp_path / "b.h5").object, found.object)


def test_results_are_refused_with_a_reason(tmp_path):
    counts, positions, _, _ = simulated(32, places=3)
    found = stem4d.ptychography(stem4d.Patterns(counts, positions),
                                stem4d.PtychographyStage("epie", 1), progress=False)
    with pytest.raises(sluice.NotFound):
        stem4d.load_ptychography(tmp_path / "nothing.h5")
    found.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["probe"]
    with pytest.raises(sluice.Corrupt, match="a.h5.*the result's probe is missing"):
        stem4d.load_ptychography(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "a") as file:
        file["probe"] = found.probe.astype(np.complex128)
    with pytest.raises(sluice.Corrupt, match="holds compound of 16 bytes, and not complex64"):
        stem4d.load_ptychography(tmp_path / "a.h5")
    # As h5repack and people pack them.
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["probe"], file["object"]
        file.create_dataset("probe", data=found.probe, compression="gzip")
        file.create_dataset("object", data=found.object, chunks=(1, 16, 16), shuffle=True,
                            compression="gzip")
    back = stem4d.load_ptychography(tmp_path / "a.h5")
    assert np.array_equal(back.object, found.object) and np.array_equal(back.probe, found.probe)
    # A shape that costs nothing to write.
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["object"]
        file.create_dataset("object", (100, 30000, 30000), "c8", chunks=(1, 100, 100))
    with pytest.raises((sluice.OutOfMemory, sluice.Unsupported)):
        stem4d.load_ptychography(tmp_path / "a.h5")
    # Numbers of another kind in as many bytes.
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["object"]
        file["object"] = np.zeros(found.object.shape, [("r", "<i4"), ("i", "<i4")])
    with pytest.raises(sluice.Corrupt, match="holds compound of 8 bytes"):
        stem4d.load_ptychography(tmp_path / "a.h5")
