"""Arrays that have to agree are compared before anything is computed: the words name both sizes.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest

import sluice
from sluice import proton, stem4d

QUICK = stem4d.PtychographyStage("epie", 1)


def raster(n, step=3.0, across=6):
    return np.stack(np.divmod(np.arange(n), across), -1) * step


def counts_of(n, side=16):
    """A small disk in the middle, so that the probe is wide and windows overlap."""
    y, x = np.mgrid[:side, :side] - side // 2
    mean = 500 * np.exp(-(y**2 + x**2) / 4)
    return np.random.default_rng(1).poisson(mean, (n, side, side)).astype(np.uint16)


@pytest.fixture(scope="module")
def patterns():
    return stem4d.Patterns(counts_of(36), raster(36), wavelength_nm=0.002, pixel_nm=0.02)


@pytest.fixture(scope="module")
def found(patterns):
    return stem4d.ptychography(patterns, QUICK, progress=False)


# Patterns.

@pytest.mark.parametrize("places", [5, 3, 0, 64, 100000])
def test_patterns_have_a_position_each(places):
    with pytest.raises(sluice.InvalidArgument, match=rf"\({places}, 2\).*\(4, 8, 8\)"):
        stem4d.Patterns(np.ones((4, 8, 8), np.uint16), np.zeros((places, 2)))


@pytest.mark.parametrize("positions, bad, says", [
    (np.zeros((4, 3)), None, r"\(4, 3\)"),
    (np.zeros((2, 4)), None, r"\(2, 4\)"),
    (np.zeros(8), None, "1 axes"),
    (np.full((4, 2), np.nan), None, "position 0 is"),
    (np.array([[0, 0], [0, 1], [1, np.inf], [1, 1]]), None, "position 2 is"),
    (raster(4), np.zeros((8, 7)), r"\(8, 7\).*\(8, 8\)"),
    (raster(4), np.zeros((4, 16)), r"\(4, 16\).*\(8, 8\)"),
    (raster(4), np.zeros(64), "1 axes"),
])
def test_positions_and_bad_pixels_are_those_of_the_patterns(positions, bad, says):
    with pytest.raises(sluice.InvalidArgument, match=says):
        stem4d.Patterns(np.ones((4, 8, 8), np.uint16), positions, bad=bad)


@pytest.mark.parametrize("counts", [np.ones((4, 8, 9), np.uint8), np.ones((0, 8, 8), np.float32),
                                    np.ones((4, 0, 0), np.uint16), np.ones((4, 8), np.uint16),
                                    np.ones((4, 5000, 5000), np.bool_), np.float32(3)])
def test_patterns_are_squares_with_pixels(counts):
    with pytest.raises(sluice.InvalidArgument):
        stem4d.ptychography(stem4d.Patterns(counts, raster(len(counts) if counts.ndim else 0)),
                            QUICK, progress=False)


def test_the_compiled_part_checks_by_itself():
    from sluice import _core
    for n in (0, 3, 5, 1000):
        with pytest.raises(sluice.InvalidArgument, match=f"4 patterns of 8x8.* and {n} positions"):
            _core.make_patterns(np.ones((4, 8, 8), np.uint16), np.zeros((n, 2)), None, 0.0, 0.0, True)
    with pytest.raises(sluice.InvalidArgument, match=r"bad has the shape \(4, 16\)"):
        _core.make_patterns(np.ones((4, 8, 8), np.uint16), raster(4), np.zeros((4, 16), np.uint8),
                            0.0, 0.0, True)


@pytest.mark.parametrize("guise", [
    np.asfortranarray, lambda a: a.astype(a.dtype.newbyteorder()), lambda a: np.flip(a, 2)[..., ::-1],
    lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: np.moveaxis(np.moveaxis(a, 0, 2).copy(), 2, 0)])
def test_patterns_are_the_same_in_every_order_of_memory(guise):
    right = counts_of(9, 8)
    made = stem4d.Patterns(guise(right), raster(9), centred=False)
    assert made.counts.dtype == np.uint16 and np.array_equal(made.counts, right)


def test_patterns_do_not_follow_what_they_were_made_of():
    counts, positions = counts_of(9, 8), raster(9)
    made = stem4d.Patterns(counts, positions, centred=False)
    kept, view = counts.copy(), made.counts
    counts[:], positions[:] = 0, np.nan
    del made, counts
    assert np.array_equal(view, kept)


# Waves.

@pytest.mark.parametrize("shape", [(8, 8), (1, 8, 32), (4, 8, 8), (1, 32, 8), (2, 16, 8), (0, 16, 16)])
def test_a_probe_is_of_the_patterns_window(patterns, shape):
    probe = np.ones(shape, complex)
    for takes in (stem4d.ptychography, stem4d.orientations, stem4d.correlate_halves,
                  lambda p, **o: stem4d.ptychography_sweep(p, {"seed": [1]}, **o)):
        with pytest.raises(sluice.InvalidArgument, match="probe"):
            runs = takes(patterns, probe=probe, progress=False, modes=4)
            assert not runs[0].error, f"probe: {runs[0].error}"


def test_an_object_has_the_sides_of_its_canvas(patterns, found):
    rows, cols = found.object.shape[1:]
    tall = stem4d.Patterns(patterns.counts, raster(36, across=4), centred=False)
    sides = stem4d.ptychography(tall, QUICK, progress=False).object.shape
    assert sides[1] != sides[2]
    with pytest.raises(sluice.InvalidArgument, match=rf"{sides[2]}x{sides[1]} pixels and the "
                       rf"computed one {sides[1]}x{sides[2]}"):
        stem4d.ptychography(tall, QUICK, object=np.ones((1, sides[2], sides[1]), complex),
                            progress=False)
    with pytest.raises(sluice.InvalidArgument, match=f"{rows}x{cols + 1} pixels and the computed "
                       f"one {rows}x{cols}"):
        stem4d.ptychography(patterns, QUICK, object=np.ones((1, rows, cols + 1), complex),
                            progress=False)
    again = stem4d.ptychography(patterns, QUICK, object=found.object, progress=False)
    assert again.object.shape == found.object.shape


@pytest.mark.parametrize("name, value, says", [
    ("positions", np.zeros((3, 3)), r"\(3, 3\)"),
    ("started", np.zeros((3, 2)), "started has 3 entries, and there are 36 positions"),
    ("descan", np.zeros((37, 2)), "descan has 37 entries, and there are 36 positions"),
    ("mode_powers", np.ones(2), "mode_powers has 2 numbers, and there are 1 modes"),
    ("probe", np.ones((1, 16, 8), np.complex64), "probe has the shape 1x16x8"),
    ("background", np.ones((3, 4), np.float32), "background"),
    ("r", np.ones(3), "3 numbers of r and 1 of stage"),
    ("seconds", np.ones(0), "0 numbers of seconds and 1 of stage"),
    ("stage", np.array([-1.0]), "stage -1"),
    ("stage", np.array([np.nan]), "stage nan"),
    ("object", None, "object"),
    ("r", np.ones((1, 1)), r"r has the shape \(1, 1\)"),
])
def test_what_a_result_has_belongs_together(tmp_path, patterns, found, name, value, says):
    with pytest.raises(sluice.InvalidArgument, match=says):
        wrong = dataclasses.replace(found, **{name: value})
        wrong.save(tmp_path / "wrong.h5")
    assert not (tmp_path / "wrong.h5").exists()
    with pytest.raises(sluice.InvalidArgument, match=says):
        wrong = dataclasses.replace(found, **{name: value})
        stem4d.ptychography(patterns, QUICK, start=wrong, progress=False)


@pytest.mark.parametrize("name, value", [
    ("object", np.ones((1, 10, 10), np.complex64)), ("object", np.ones((20, 20), np.complex64)),
    ("probe", np.ones((1, 16, 8), np.complex64)), ("probe", np.ones((1, 99, 99), np.complex64)),
    ("positions", np.zeros((0, 2))), ("positions", np.full((36, 2), np.nan)),
    ("positions", np.full((36, 2), 1e30)), ("positions", np.zeros((36, 3))),
    ("object", np.zeros((0, 40, 40), np.complex64))])
def test_results_are_judged_only_where_their_arrays_fit(found, name, value):
    wrong = dataclasses.replace(found, **{name: value})
    for looks in (stem4d.judge, stem4d.remove_ramp):
        with pytest.raises(sluice.InvalidArgument):
            looks(wrong)


def test_a_huge_margin_is_refused(patterns, found):
    for margin in (-1, 10**6, 2**62):
        with pytest.raises(sluice.InvalidArgument, match="margin"):
            stem4d.ptychography(patterns, QUICK, start=found, margin=margin, progress=False)


def test_planes_are_of_one_shape():
    a = np.exp(1j * np.random.default_rng(2).random((16, 24)))
    with pytest.raises(sluice.InvalidArgument, match=r"\(16, 24\).*\(24, 16\)"):
        stem4d.align(a, a.T)
    with pytest.raises(sluice.InvalidArgument, match=r"region has the shape \(24, 16\)"):
        stem4d.align(a, a, np.ones((24, 16)))
    with pytest.raises(sluice.InvalidArgument, match=r"\(16, 24\).*\(16, 16\)"):
        stem4d.ring_correlation(a, a[:, :16])


# Scans.

@pytest.fixture(scope="module")
def scan():
    return sluice.load("synthetic:stem4d?scan=5x6&detector=16x24", progress=False)


def test_bad_pixels_of_a_pattern_have_its_shape():
    y, x = np.mgrid[:40, :48]
    disk = 100.0 * (np.hypot(y - 20, x - 24) < 9)
    with pytest.raises(sluice.InvalidArgument, match=r"\(48, 40\).*\(40, 48\)"):
        stem4d.find_disk(disk, np.zeros((48, 40)))


def test_bad_pixels_are_not_given_beside_a_scan(scan):
    with pytest.raises(sluice.InvalidArgument, match="mask"):
        stem4d.find_disk(scan, np.zeros((16, 24)))


def test_parts_of_products_compare_the_points_that_are_taken(scan):
    from sluice import _core
    with pytest.raises(sluice.InvalidArgument, match="6x5.*5x6"):
        _core.ProductParts(scan._open(), [], False, None, ["mean"], np.ones((6, 5), np.uint8), 1,
                           None, False, _core.references(None, None, "", ""))


def test_patterns_of_a_scan_have_a_position_each(scan):
    with pytest.raises(sluice.InvalidArgument, match="31.*30|30.*31"):
        stem4d.patterns_of(scan, energy=300, center=(8, 12), detector_step_mrad=1,
                           scan_step_nm=0.1, size=16, positions=raster(31))


def test_two_detectors_have_two_names(scan):
    with pytest.raises(sluice.InvalidArgument, match="two detectors are called 'a'"):
        stem4d.virtual_image(scan, ["a=disk:r=3,center=8:12", "a=disk:r=5,center=8:12"])
    with pytest.raises(sluice.InvalidArgument, match="two detectors are called 'x'"):
        stem4d.products(scan, detectors=[stem4d.disk(3, (8, 12), "x"), stem4d.disk(4, (8, 12), "x")])
    unnamed = stem4d.virtual_image(scan, [np.ones((16, 24)), np.eye(16, 24)])
    assert len(unnamed) == 2 and not np.array_equal(unnamed[0], unnamed[1])
    with pytest.raises(KeyError, match="2 images have no name"):
        unnamed[""]


def test_a_list_of_patterns_gives_all_of_them(scan):
    frames = scan.to_numpy().astype(float)
    both = stem4d.diffraction_pattern(scan, ["mean", "max"])
    assert list(both) == ["mean", "max"]
    np.testing.assert_allclose(both["mean"].values, frames.mean((0, 1)))
    np.testing.assert_allclose(both["max"].values, frames.max((0, 1)))
    assert list(stem4d.diffraction_pattern(scan, ("sum",))) == ["sum"]
    for wrong in ([], ["mean", "mean"]):
        with pytest.raises(sluice.InvalidArgument, match="each once"):
            stem4d.diffraction_pattern(scan, wrong)


def test_what_would_be_lost_is_no_option(scan):
    for call in (lambda: stem4d.virtual_image(scan, "bf", patterns=["mean"]),
                 lambda: stem4d.center_of_mass(scan, detectors="bf"),
                 lambda: stem4d.diffraction_pattern(scan, "mean", center_of_mass=True)):
        with pytest.raises(TypeError, match=r"has no keyword .*; did you mean"):
            call()


# Masked arrays.

def frames_of(kind="u2"):
    return np.random.default_rng(3).poisson(9, (3, 4, 8, 10)).astype(kind)


def test_a_mask_of_all_frames_is_the_pixel_mask():
    frames, bad = frames_of(), np.zeros((8, 10), bool)
    bad[2, 3] = bad[7, 0] = True
    masked = np.ma.array(frames, mask=np.broadcast_to(bad, frames.shape))
    scan = sluice.load(masked, progress=False)
    assert np.array_equal(scan.bad_pixels, bad)
    image = stem4d.virtual_image(scan, [np.ones((8, 10))]).values[0]
    assert np.array_equal(image, frames[:, :, ~bad].sum(-1))
    flat = sluice.load(masked.reshape(12, 8, 10), progress=False)
    assert np.array_equal(flat.bad_pixels, bad)
    series = sluice.open_series(masked[None])
    assert np.array_equal(series[0].pixel_mask != 0, bad)


def test_a_mask_without_a_pixel_changes_nothing():
    frames = frames_of()
    for mask in (np.ma.nomask, np.zeros(frames.shape, bool)):
        scan = sluice.load(np.ma.array(frames, mask=mask), progress=False)
        assert not scan.bad_pixels.any() and np.array_equal(scan.to_numpy(), frames)


def test_a_mask_of_frames_is_nan_in_floats_and_refused_of_integers():
    frames, mask = frames_of("f4"), np.zeros((3, 4, 8, 10), bool)
    mask[1, 2, 3, 4] = mask[:, :, 0, 0] = True
    made = sluice.from_array(np.ma.array(frames, mask=mask))
    own = mask & ~mask.all((0, 1))
    assert np.array_equal(np.isnan(made[...]), own)
    assert np.array_equal(made.pixel_mask != 0, mask.all((0, 1)))
    assert not np.isnan(frames).any()
    with pytest.raises(sluice.InvalidArgument, match=r"leaves out 1 elements.*float32"):
        sluice.load(np.ma.array(frames.astype("u2"), mask=mask), progress=False)


def test_patterns_take_a_mask_as_bad_pixels():
    counts, bad = counts_of(9, 8), np.zeros((8, 8), bool)
    bad[1, 2] = True
    masked = np.ma.array(counts, mask=np.broadcast_to(bad, counts.shape))
    other = np.zeros((8, 8))
    other[5, 5] = 1
    made = stem4d.Patterns(masked, raster(9), centred=False, bad=other)
    assert np.array_equal(made.bad != 0, bad | (other != 0))
    masked = np.ma.array(counts, mask=np.zeros(counts.shape, bool))
    masked.mask[4, 1, 2] = True
    with pytest.raises(sluice.InvalidArgument, match="leave out 1 elements"):
        stem4d.Patterns(masked, raster(9))


def holed(a):
    a = np.ma.array(a)
    a[(0,) * a.ndim] = np.ma.masked
    return a


@pytest.mark.parametrize("call", [
    lambda: stem4d.Patterns(counts_of(4), holed(raster(4))),
    lambda: stem4d.find_rotation(holed(np.ones((9, 9))), np.ones((9, 9))),
    lambda: stem4d.find_disk(holed(np.ones((32, 32)))),
    lambda: stem4d.mask(holed(np.ones((8, 8), bool))),
    lambda: stem4d.align(np.ones((16, 16), complex), holed(np.ones((16, 16), complex))),
    lambda: proton.dvh(holed(np.ones(9)), np.ones(9)),
    lambda: proton.gamma_index(np.ones((4, 4)), holed(np.ones((4, 4)))),
    lambda: proton.bragg_metrics(np.arange(9.0), holed(np.arange(9.0))),
    lambda: sluice.Volume(holed(np.ones((4, 4)))),
    lambda: sluice.Volume([holed(np.ones(4)), np.ones(4)]),
    lambda: sluice.save_npy(os.devnull, holed(np.ones(4))),
    lambda: sluice.load(frames_of(), mask=holed(np.ones((8, 10)))),
], ids=lambda _: "")
def test_elsewhere_a_mask_is_not_lost(call):
    with pytest.raises(sluice.InvalidArgument, match="masked array that leaves out 1 of"):
        call()


def test_dask_keeps_a_mask():
    da = pytest.importorskip("dask.array")
    bad = np.zeros((8, 10), bool)
    bad[2, 3] = True
    frames = frames_of()
    lazy = da.ma.masked_array(da.from_array(frames), mask=np.broadcast_to(bad, frames.shape))
    assert np.array_equal(sluice.load(lazy, progress=False).bad_pixels, bad)


def test_an_index_that_leaves_out_is_refused(scan):
    with pytest.raises(IndexError, match="compressed"):
        scan[np.ma.array([0, 1, 2], mask=[0, 1, 0])]


def test_a_function_of_tiles_keeps_its_mask(scan):
    found = stem4d.fold(scan, lambda tile: np.ma.masked_less(tile.values[:, 0, 0], 10**9),
                        progress=False)
    assert found.shape == (5, 6) and np.ma.getmaskarray(found).all()


# Doses.

def test_doses_of_two_shapes_have_two_spacings():
    with pytest.raises(sluice.InvalidArgument, match=r"\(8, 8\) and \(4, 4\)"):
        proton.gamma_index(np.ones((8, 8)), np.ones((4, 4)))
    assert proton.gamma_index(np.ones((8, 8)), np.ones((4, 4)), 1, evaluated_spacing=2).passed == 1
    with pytest.raises(sluice.InvalidArgument, match="2 axes and evaluated 1"):
        proton.gamma_index(np.ones((4, 4)), np.ones(4))


def test_curves_and_tables_have_as_many_numbers():
    with pytest.raises(sluice.InvalidArgument, match="40 depths and 39 doses"):
        proton.bragg_metrics(np.arange(40.0), np.ones(39))
    with pytest.raises(sluice.InvalidArgument, match="5 edges and 5 bins"):
        proton.sum_of([proton.Spectrum(1.0, np.arange(5.0), np.ones(5))])
    histogram = proton.dvh(np.arange(9.0), np.ones(9))
    with pytest.raises(sluice.InvalidArgument, match="9 doses and 8 parts"):
        dataclasses.replace(histogram, part=histogram.part[:8]).coverage(0.5)
    with pytest.raises(sluice.InvalidArgument, match=r"\(9, 8\).*\(8, 9\)"):
        box = proton.Phantom(8, 9, 1.0, 1.0, 0.0, ("water",), np.zeros((9, 8), int))
        proton.march(box, proton.Beam(energy=20, sigma_x=2), progress=False)


def test_no_mismatch_ends_the_process():
    """What used to crash, in a process of its own."""
    program = """
import numpy as np, sluice
from sluice import stem4d, _core
for n in (5, 100, 100000):
    for make in (lambda: stem4d.Patterns(np.ones((4, 8, 8), np.uint16), np.zeros((n, 2))).counts[4],
                 lambda: _core.make_patterns(np.ones((4, 8, 8), np.float32), np.zeros((n, 2)), None,
                                             0.0, 0.0, True).counts.sum()):
        try:
            make()
        except sluice.InvalidArgument:
            continue
        raise SystemExit("foreign memory was read")
"""
    run = subprocess.run([sys.executable, "-c", program], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    assert run.returncode == 0, run.stdout
