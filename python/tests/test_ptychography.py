"""Ptychography from Python: against an implementation in NumPy that shares no code with it.

SPDX-License-Identifier: Apache-2.0
"""
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

import sluice
from sluice import stem4d


def simulated(side=64, places=5, step=6.0, counts=1e5, seed=3):
    """Patterns (zero frequency in the middle), positions, object and probe."""
    draw = np.random.default_rng(seed)
    rows = np.arange(places) * step
    positions = np.stack(np.meshgrid(rows, rows, indexing="ij"), -1).reshape(-1, 2)
    positions = positions + draw.uniform(-1.5, 1.5, positions.shape)
    extent = int(np.ceil(positions.max() + 4)) + side
    y, x = np.mgrid[:extent, :extent]
    thing = np.exp(1j * (0.5 * np.sin(0.31 * x) * np.cos(0.23 * y + 0.1 * x))) * (
        1 - 0.1 * np.cos(0.17 * y))
    y, x = (np.mgrid[:side, :side] - side // 2) / (0.12 * side)
    probe = np.exp(-0.5 * (x**2 + y**2) + 0.7j * (x**2 + y**2))
    probe *= np.sqrt(counts / (np.abs(probe)**2).sum())
    patterns = []
    for row, col in positions - positions.min(0) + 2:
        r, c = int(np.rint(row)), int(np.rint(col))
        wave = moved(probe, row - r, col - c) * thing[r:r + side, c:c + side]
        patterns.append(np.fft.fftshift(np.abs(np.fft.fft2(wave, norm="ortho"))**2))
    return np.array(draw.poisson(patterns), np.uint16), positions, thing, probe


def moved(probe, row, col):
    k = np.fft.fftfreq(len(probe))
    turn = np.exp(-2j * np.pi * (k[:, None] * row + k * col))
    return np.fft.ifft2(np.fft.fft2(probe) * turn)


def epie(counts, positions, probe, iterations, step, margin):
    """All patterns in one group: the object by max |P|^2, the probe by the mean and max |O|^2."""
    side = len(probe)
    corners = positions - positions.min(0) + margin
    extent = np.ceil(np.ptp(positions, axis=0)).astype(int) + side + 2 * margin
    thing, probe = np.ones(extent, complex), probe.astype(complex)
    amplitudes = np.sqrt(np.fft.ifftshift(counts.astype(float), axes=(1, 2)))
    errors = []
    for iteration in range(1, iterations + 1):
        by_object, by_probe, peak, error = np.zeros_like(thing), np.zeros_like(probe), 0, 0
        for (row, col), measured in zip(corners, amplitudes):
            r, c = int(np.rint(row)), int(np.rint(col))
            window = np.s_[r:r + side, c:c + side]
            there = moved(probe, row - r, col - c)
            wave = np.fft.fft2(there * thing[window], norm="ortho")
            error += ((np.abs(wave) - measured)**2).sum()
            # The square roots' small constant keeps quotients of nothing finite.
            model = np.sqrt(np.abs(wave)**2 + 1e-9)
            change = np.fft.ifft2((np.sqrt(measured**2 + 1e-9) / model - 1) * wave, norm="ortho")
            by_object[window] += there.conj() * change
            by_probe += moved(thing[window].conj() * change, r - row, c - col)
            peak = max(peak, (np.abs(thing[window])**2).max())
        largest = (np.abs(probe)**2).max()
        if iteration >= 2:
            probe = probe + step * by_probe / (len(counts) * peak)
        thing = thing + step * by_object / largest
        errors.append(np.sqrt(error / counts.sum(dtype=float)))
    return thing, probe, np.array(errors)


def relative(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


def test_the_usual_likelihood_is_told():
    counts, positions, _, probe = simulated()

    def taken(values, **stage):
        found = stem4d.ptychography(stem4d.Patterns(values, positions),
                                    stem4d.PtychographyStage(iterations=2, **stage), probe=probe,
                                    progress=False)
        assert found.settings["stage 1 likelihood"] == found.likelihoods[0]
        return found.likelihoods

    assert taken(counts) == ["poisson"]
    assert taken(counts * np.float32(0.25)) == ["poisson"]
    assert taken(counts + np.float32(0.371)) == ["amplitude"]
    assert taken(counts, likelihood="amplitude") == ["amplitude"]
    assert taken(counts, solver="epie") == ["amplitude"]


@pytest.mark.parametrize("side", [48, 64])
@pytest.mark.parametrize("iterations", [1, 5])
def test_epie_is_that_of_numpy(side, iterations):
    counts, positions, _, probe = simulated(side)
    scaled = probe * np.sqrt(counts.sum(dtype=float) / len(counts) / (np.abs(probe)**2).sum())
    thing, wave, errors = epie(counts, positions, scaled, iterations, 0.1, 8)
    patterns = stem4d.Patterns(counts, positions)
    stage = stem4d.PtychographyStage("epie", iterations, group=len(counts), object_step=0.1,
                                     probe_step=0.1, probe_power=False, probe_support=1)
    for device, near in (("cpu", 1e-4), ("fake", 1e-4), ("reference", 1e-6)):
        found = stem4d.ptychography(patterns, stage, probe=probe, device=device, progress=False)
        assert found.object.shape == (1, *thing.shape)
        assert relative(found.object[0], thing) < near
        assert relative(found.probe[0], wave) < near
        assert np.allclose(found.r, errors, rtol=1e-5)


def test_a_scan_becomes_patterns_and_a_picture():
    counts, _, _, _ = simulated(32, places=4)
    scan = sluice.load(counts.reshape(4, 4, 32, 32), progress=False)
    patterns = stem4d.patterns_of(scan, energy=300, center=(16, 16), detector_step_mrad=1.5,
                                  scan_step_nm=0.2, progress=False)
    wavelength = stem4d.electron_wavelength_nm(300)
    assert patterns.size == 64 and len(patterns) == 16
    assert patterns.pixel_nm == pytest.approx(wavelength / (64 * 1.5e-3))
    assert patterns.bad.sum() == 64 * 64 - 32 * 32
    assert np.array_equal(np.fft.fftshift(patterns.counts[3])[16:48, 16:48], counts[3])
    assert patterns.positions[5] == pytest.approx(np.array([1, 1]) * 0.2 / patterns.pixel_nm)
    turned = stem4d.patterns_of(scan, energy=300, center=(16, 16), detector_step_mrad=1.5,
                                scan_step_nm=0.2, rotation_degrees=90, progress=False)
    step = 0.2 / patterns.pixel_nm
    # A step along the scan's columns is one along the detector's rows.
    assert turned.positions[1] == pytest.approx([step, 0], abs=1e-9)
    found = stem4d.ptychography(turned, stem4d.PtychographyStage("rpie", 3), modes=2,
                                progress=False)
    assert found.probe.shape == (2, 64, 64) and len(found.r) == 3
    assert found.mode_powers.sum() == pytest.approx(1)
    assert any("not measured" in note for note in found.notes)


def test_the_files_energy_is_taken():
    dataset = sluice.open("synthetic:stem4d?scan=6x6&detector=32x32")
    assert dataset.energy_kv == 300 and dataset.semiangle_mrad == 25
    assert dataset.metadata["high tension"] == ("300", "kV") and dataset.detector_turn is None
    about = dict(size=32, center=(16, 16), progress=False)
    patterns = stem4d.patterns_of(dataset, **about)
    assert patterns.wavelength_nm == stem4d.electron_wavelength_nm(300)
    assert any("comes from the file: 300 kV" in note for note in patterns.notes)
    given = stem4d.patterns_of(dataset, energy=80, **about)
    assert given.wavelength_nm == stem4d.electron_wavelength_nm(80)
    assert any("as given; the file states 300 kV" in note for note in given.notes)
    probe = stem4d.probe_of(32, patterns.pixel_nm, patterns.wavelength_nm, semiangle_mrad=25)
    phase = stem4d.single_side_band(patterns, probe)
    assert phase.ndim == 2 and np.isfinite(phase).all()


def test_the_aperture_is_where_it_should_be():
    wavelength = stem4d.electron_wavelength_nm(80)
    probe = stem4d.probe_of(64, 0.02, wavelength, semiangle_mrad=20, defocus_nm=30)
    assert np.abs(probe).dtype == np.float32
    assert (np.abs(probe)**2).sum() == pytest.approx(1, rel=1e-5)
    angle = np.hypot(*np.meshgrid(*[np.fft.fftfreq(64, 0.02) * wavelength] * 2)) * 1e3
    lit = np.abs(np.fft.fft2(np.fft.ifftshift(probe)))
    assert lit[angle > 22].max() < 1e-4 * lit.max() and lit[angle < 18].min() > 0.9 * lit.max()
    # exp(-i pi lambda (-defocus) k^2)
    phase = np.angle(np.fft.fft2(np.fft.ifftshift(probe)))
    wanted = np.pi / wavelength * 30 * (angle * 1e-3)**2
    inside = angle < 18
    assert np.abs(np.angle(np.exp(1j * (phase - wanted))))[inside].max() < 1e-3


def test_a_probe_of_a_vacuum_image():
    image = np.zeros((70, 80))
    y, x = np.mgrid[:70, :80]
    image[np.hypot(y - 30, x - 45) < 12] = 50
    probe = stem4d.probe_of(64, 0.02, 0.002, vacuum=image, defocus_nm=8)
    lit = np.abs(np.fft.fft2(np.fft.ifftshift(probe)))
    assert (lit > 0.5 * lit.max()).sum() == (image > 0).sum()
    moved = stem4d.probe_of(64, 0.02, 0.002, vacuum=image, vacuum_center=(30, 46), defocus_nm=8)
    away = np.abs(np.fft.fft2(np.fft.ifftshift(moved)))
    assert np.abs(away - np.roll(lit, -1, axis=1)).max() < 1e-4 * lit.max()
    with pytest.raises(sluice.InvalidArgument, match="no aberration"):
        stem4d.probe_of(64, 0.02, 0.002, semiangle_mrad=20, aberrations=["C22=1"])
    with pytest.raises(sluice.InvalidArgument, match="row, col"):
        stem4d.probe_of(64, 0.02, 0.002, vacuum=image[0])


def test_what_an_object_begins_with():
    counts, positions, _, probe = simulated(16, places=4)
    patterns = stem4d.Patterns(counts, positions)
    stage = stem4d.PtychographyStage("lsqml", 15)
    first = stem4d.ptychography(patterns, stage, probe=probe, progress=False)
    stage = stem4d.PtychographyStage("lsqml", 1)
    again = stem4d.ptychography(patterns, stage, probe=first.probe, object=first.object,
                                progress=False)
    assert again.r[0] < 1.02 * first.r[-1]
    drawn = stem4d.ptychography(patterns, stage, probe=probe, object_start="random", progress=False)
    assert any("drawn within" in note for note in drawn.notes)
    with pytest.raises(sluice.InvalidArgument, match="same grid"):
        stem4d.ptychography(patterns, stage, object=first.object[:, 1:], progress=False)
    with pytest.raises(sluice.InvalidArgument, match="object_start"):
        stem4d.ptychography(patterns, stage, object_start="parallax", progress=False)


def test_an_earlier_result_is_begun_with(tmp_path):
    counts, positions, _, probe = simulated(16, places=4)
    patterns = stem4d.Patterns(counts, positions, wavelength_nm=0.002, pixel_nm=0.01)
    stage = stem4d.PtychographyStage("lsqml", 15, refine_positions=True)
    first = stem4d.ptychography(patterns, stage, probe=probe, progress=False)
    first.save(tmp_path / "first.h5")
    # More modes, another solver and margin; of the file and of the result the same.
    stage = stem4d.PtychographyStage("epie", 2)
    for modes, margin in ((1, 8), (3, 12)):
        of_file, of_result = (
            stem4d.ptychography(patterns, stage, modes=modes, margin=margin, start=start,
                                progress=False)
            for start in (tmp_path / "first.h5", first))
        assert np.array_equal(of_file.object, of_result.object)
        assert np.array_equal(of_file.positions, first.positions + (margin - 8))
        assert np.array_equal(of_file.started, first.started + (margin - 8))
        assert any("of an earlier result" in note for note in of_file.notes)
        assert of_file.r[0] < first.r[0] and of_file.probe.shape[0] == modes
        if modes == 1:
            assert of_file.r[0] < 1.02 * first.r[-1]
    coarse = stem4d.Patterns(counts, positions, wavelength_nm=0.002, pixel_nm=0.02)
    with pytest.raises(sluice.InvalidArgument, match="pixels of 0.01 nm and these.* 0.02 nm"):
        stem4d.ptychography(coarse, stage, start=first, progress=False)
    with pytest.raises(sluice.InvalidArgument, match="leave out probe"):
        stem4d.ptychography(patterns, stage, start=first, probe=probe, progress=False)
    with pytest.raises(sluice.NotFound):
        stem4d.ptychography(patterns, stage, start=tmp_path / "gone.h5", progress=False)


def test_wrong_input_is_refused():
    counts, positions, _, probe = simulated(16, places=3)
    patterns = stem4d.Patterns(counts, positions)
    for wrong in (counts[0], counts.astype(complex), counts.astype(object)):
        with pytest.raises(sluice.InvalidArgument):
            stem4d.Patterns(wrong, positions)
    with pytest.raises(sluice.InvalidArgument, match="of the 9 patterns"):
        stem4d.ptychography(stem4d.Patterns(counts, positions[:4]), progress=False)
    with pytest.raises(sluice.InvalidArgument, match="metres"):
        stem4d.ptychography(stem4d.Patterns(counts, positions * 1e-9), progress=False)
    with pytest.raises(sluice.InvalidArgument, match="solver is 'pie'.*give one of epie"):
        stem4d.ptychography(patterns, stem4d.PtychographyStage("pie"), progress=False)
    with pytest.raises(sluice.InvalidArgument, match="stage"):
        stem4d.ptychography(patterns, ["epie"], progress=False)
    with pytest.raises(sluice.InvalidArgument, match="iterations"):
        stem4d.ptychography(patterns, stem4d.PtychographyStage(iterations=10**30), progress=False)
    with pytest.raises(sluice.InvalidArgument, match="probe"):
        stem4d.ptychography(patterns, probe=probe[:8], progress=False)
    with pytest.raises(sluice.InvalidArgument, match="Patterns"):
        stem4d.ptychography(counts, progress=False)
    with pytest.raises(sluice.OutOfMemory):
        stem4d.ptychography(patterns, memory_limit=10, progress=False)
    with pytest.raises(sluice.Cancelled):
        stem4d.ptychography(patterns, stem4d.PtychographyStage("epie", 10**6), progress=lambda *_: False)
    assert stem4d.ptychography_memory(patterns) > 0


def test_counts_share_memory_and_outlive_their_patterns():
    counts, positions, _, _ = simulated(16, places=3)
    patterns = stem4d.Patterns(counts, positions, centred=False)
    shared = patterns.counts
    assert np.array_equal(shared, counts) and shared.dtype == np.uint16
    del patterns
    assert np.array_equal(shared, counts)


def test_bins_that_lack_pixels_were_not_measured():
    counts = np.full((2, 2, 16, 16), 3, np.uint16)
    mask = np.zeros((16, 16), np.uint8)
    mask[5, 6] = 1
    scan = sluice.load(counts, det_bin=2, mask=mask, progress=False)
    patterns = stem4d.patterns_of(scan, energy=300, center=(4, 4), size=8, detector_step_mrad=1,
                                  scan_step_nm=0.1, progress=False)
    assert np.argwhere(np.fft.fftshift(patterns.bad)).tolist() == [[2, 3]]
    assert (patterns.counts[0][patterns.bad == 0] == 12).all()


def test_notes_say_what_a_scan_hides():
    counts = np.full((4, 4, 16, 16), 3, np.float32)
    counts[1, 2, 5, 6] = np.nan
    geometry = dict(energy=300, center=(8, 8), size=16, detector_step_mrad=1, scan_step_nm=0.1,
                    progress=False)
    scan = sluice.load(counts, progress=False)
    assert any("1 count was not measured" in n
               for n in stem4d.patterns_of(scan, **geometry).notes)
    clean = sluice.load(np.nan_to_num(counts), progress=False)
    raster = stem4d.patterns_of(clean, **geometry)
    assert not raster.notes
    for factor, doubted in ((1.1, False), (raster.pixel_nm, True), (10, True)):
        notes = stem4d.patterns_of(clean, **geometry, positions=raster.positions * factor).notes
        assert doubted == any("are they in pixels of the object" in n for n in notes)
    with pytest.raises(sluice.InvalidArgument, match="is it in V"):
        stem4d.patterns_of(clean, **{**geometry, "energy": 80000})


def test_stages_come_from_a_file(tmp_path):
    file = tmp_path / "job.toml"
    file.write_text('modes = 2\nsub_pixel = false\n[[stage]]\nsolver = "epie"\niterations = 2\n'
                    '[[stage]]\nobject_step = 0.3\nfix_probe = true\n')
    stages, others = stem4d.read_stages(file)
    assert stages == [stem4d.PtychographyStage("epie", 2),
                      stem4d.PtychographyStage(object_step=0.3, fix_probe=True)]
    assert others["modes"] == 2 and others["sub_pixel"] is False and others["margin"] == 8
    counts, positions, _, _ = simulated(places=3)
    found = stem4d.ptychography(stem4d.Patterns(counts, positions), stages[:1], **others)
    assert len(found.r) == 2 and found.probe.shape[0] == 2
    file.write_text("[[stage]]\nfix_prob = true\n")
    with pytest.raises(sluice.InvalidArgument, match="line 2.*did you mean 'fix_probe'"):
        stem4d.read_stages(file)


def test_a_killed_reconstruction_goes_on_with_the_same_bits(tmp_path):
    counts, positions, _, _ = simulated(32, places=6)
    np.savez(tmp_path / "data.npz", counts=counts, positions=positions)
    script = tmp_path / "run.py"
    script.write_text("""
import sys
import numpy as np
from sluice import stem4d
data = np.load(sys.argv[1])
stages = [stem4d.PtychographyStage("mpie", 30, group=4), stem4d.PtychographyStage("adam", 3000)]
stem4d.ptychography(stem4d.Patterns(data["counts"], data["positions"]), stages, modes=2,
                    checkpoint=sys.argv[2], checkpoint_every=1, progress=False)
""")
    file = tmp_path / "checkpoint.h5"
    process = subprocess.Popen([sys.executable, script, tmp_path / "data.npz", file])
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and not file.exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.3)
    finally:
        process.kill()
        process.wait()
    with h5py.File(file) as kept:
        done = int(kept["reached/count"][0])
        assert kept["object"].dtype == np.complex64 and kept.attrs["option modes"] == "2"
    assert 0 < done < 3030
    patterns = stem4d.Patterns(counts, positions)
    stages = [stem4d.PtychographyStage("mpie", 30, group=4),
              stem4d.PtychographyStage("adam", max(done + 7 - 30, 1))]
    resumed = stem4d.ptychography(patterns, stages, modes=2, resume=file, progress=False)
    whole = stem4d.ptychography(patterns, stages, modes=2, threads=2, progress=False)
    assert np.array_equal(whole.object, resumed.object)
    assert np.array_equal(whole.probe, resumed.probe)
    assert np.array_equal(whole.r, resumed.r) and len(whole.r) >= done
    with pytest.raises(sluice.InvalidArgument, match="seed = 0 and not 1"):
        stem4d.ptychography(patterns, stages, modes=2, resume=file, seed=1, progress=False)
    with pytest.raises(sluice.InvalidArgument, match="other positions"):
        stem4d.ptychography(stem4d.Patterns(counts, positions + 1), stages, modes=2,
                            resume=file, progress=False)
def test_a_watcher_sees_every_iteration_and_changes_nothing():
    counts, positions, _, _ = simulated(32, places=4)
    patterns = stem4d.Patterns(counts, positions)
    stage = stem4d.PtychographyStage("lsqml", 4, refine_positions=True)
    alone = stem4d.ptychography(patterns, stage, modes=2, progress=False)
    seen, kept = [], []

    def watch(view):
        kept.append(view)
        seen.append((view.iteration, view.iterations, view.r[-1], view.object, view.positions))
        assert view.probe.shape == (2, 32, 32) and view.floor > 0
        assert view.started == pytest.approx(positions + np.array(alone.shift))

    found = stem4d.ptychography(patterns, stage, modes=2, progress=False, watch=watch)
    assert [one[:2] for one in seen] == [(i, 4) for i in (1, 2, 3, 4)]
    assert [one[2] for one in seen] == list(alone.r)
    assert np.array_equal(found.object, alone.object) and np.array_equal(found.probe, alone.probe)
    assert np.array_equal(seen[-1][3], found.object) and np.array_equal(seen[-1][4], found.positions)
    assert not np.array_equal(seen[0][3], seen[1][3])
    with pytest.raises(sluice.InvalidArgument, match="view has ended"):
        kept[0].object


def test_what_a_watcher_raises_ends_the_work():
    counts, positions, _, _ = simulated(16, places=3)
    patterns = stem4d.Patterns(counts, positions)
    calls = []

    def watch(view):
        calls.append(view.iteration)
        raise KeyError("enough")

    for iterations in (1, 10**6):
        with pytest.raises(KeyError, match="enough"):
            stem4d.ptychography(patterns, stem4d.PtychographyStage("epie", iterations), progress=False,
                                watch=watch)
    assert calls == [1, 1]


@pytest.mark.parametrize("units, step", [
    (("A", "A^-1"), 0.2 * stem4d.electron_wavelength_nm(300) * 1e3), (("nm", "mrad"), 0.02)])
def test_steps_of_py4dstem_set_the_pixel(tmp_path, units, step):
    """As py4DSTEM 0.14 lays its files out."""
    with h5py.File(tmp_path / "a.h5", "w") as file:
        cube = file.create_group("datacube_root/datacube")
        cube["data"] = np.random.default_rng(1).poisson(3, (4, 5, 16, 16)).astype(np.uint16)
        for axis in range(4):
            cube[f"dim{axis}"] = np.array([0, (0.4, 0.02)[axis // 2]])
            cube[f"dim{axis}"].attrs["units"] = units[axis // 2]
        calibration = file.create_group("datacube_root/metadatabundle/calibration")
        for side, value, unit in zip("RQ", (0.4, 0.02), units):
            calibration[f"{side}_pixel_size"] = value
            calibration[f"{side}_pixel_units"] = unit
    patterns = stem4d.patterns_of(sluice.load(tmp_path / "a.h5"), energy=300, center=(8, 8),
                                  size=16)
    wavelength = stem4d.electron_wavelength_nm(300)
    assert patterns.pixel_nm == pytest.approx(wavelength / (16 * step * 1e-3), rel=1e-9)
    nm = 0.04 if units[0] == "A" else 0.4
    assert patterns.positions[1][1] == pytest.approx(nm / patterns.pixel_nm, rel=1e-6)


def test_counts_above_65535_are_kept_as_float(tmp_path):
    counts = np.random.default_rng(1).poisson(3, (4, 5, 16, 16)).astype(np.uint32)
    counts[2, 3, 8, 9] = 70001
    np.save(tmp_path / "a.npy", counts)
    patterns = stem4d.patterns_of(sluice.load(tmp_path / "a.npy"), energy=300, center=(8, 8),
                                  size=16, detector_step_mrad=1, scan_step_nm=0.1)
    assert patterns.counts.dtype == np.float32
    assert np.array_equal(np.fft.fftshift(patterns.counts, axes=(1, 2)), counts.reshape(20, 16, 16))
    assert any("70001 counts" in note for note in patterns.notes)


@pytest.mark.parametrize("given", [
    {"modes": 2.5}, {"modes": "3"}, {"seed": 1.0}, {"slice_nm": "3"}, {"slice_nm": 1e30},
    {"stage": ("epie", 2.5)}, {"stage": ("epie", "3")}, {"stage": ("epi", 3)}])
def test_numbers_of_another_kind_are_refused(given):
    scan = sluice.load("synthetic:stem4d?scan=4x4&detector=32x32")
    patterns = stem4d.patterns_of(scan, energy=300, center=(16, 16), detector_step_mrad=1,
                                  scan_step_nm=0.1)
    with pytest.raises(sluice.InvalidArgument, match="give"):
        if "stage" in given:
            given = {"stages": stem4d.PtychographyStage(*given["stage"])}
        stem4d.ptychography(patterns, progress=False, **given)


def test_a_scan_that_knows_its_geometry_is_one_call():
    source = "synthetic:stem4d?scan=8x8&detector=32x32"
    stage = stem4d.PtychographyStage("epie", 2)
    near = stem4d.ptychography(stem4d.patterns_of(source), stage, progress=False)
    for given in (source, sluice.open(source), sluice.load(source)):
        assert np.array_equal(stem4d.ptychography(given, stage, progress=False).object, near.object)
    with pytest.raises(sluice.InvalidArgument):
        stem4d.ptychography(np.ones((4, 4, 32, 32), np.uint16), stage, progress=False)
