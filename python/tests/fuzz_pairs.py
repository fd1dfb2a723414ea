"""Arrays that have to agree, and at random do not: shapes, lengths, types, order, masks.

`fuzz_calls.py` runs these beside its calls of anything. A recipe makes arrays that fit, some are
then disturbed, and the call has to answer or to raise; what it gives is read to the last byte.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import functools

import numpy as np

import sluice
from sluice import music, proton, stem4d


def disturbed(draw, array):
    """The array with something about it that does not fit, or fits in another guise."""
    a = np.asarray(array)
    axis = draw.randrange(a.ndim) if a.ndim else 0

    def resized(extent):
        shape = list(a.shape)
        if shape:
            shape[axis] = max(0, extent)
        return np.resize(a, shape) if a.size and 0 not in shape else np.zeros(shape, a.dtype)

    size = a.shape[axis] if a.ndim else 1
    ways = [lambda: resized(size + 1), lambda: resized(size - 1), lambda: resized(0),
            lambda: resized(2 * size), lambda: resized(size // 2), lambda: resized(1),
            lambda: resized(100 * size), lambda: np.swapaxes(a, 0, -1) if a.ndim > 1 else a,
            lambda: a.reshape(-1), lambda: a[None], lambda: a[..., None],
            lambda: np.asarray(a.flat[0]) if a.size else a,
            lambda: a.reshape(2, -1) if a.size % 2 == 0 else a,
            lambda: a.astype(draw.choice(["u1", "i2", ">u2", "f2", "f4", ">f4", "f8", "c8", "?",
                                          "U3", "O", "i8"])),
            lambda: np.asfortranarray(a), lambda: a.astype(a.dtype.newbyteorder()),
            lambda: np.repeat(a, 2, axis)[(slice(None),) * axis + (slice(None, None, 2),)],
            lambda: np.flip(a, axis), lambda: masked(draw, a), lambda: spoilt(draw, a),
            lambda: frozen(a), lambda: a.tolist(), lambda: None, lambda: np.empty((0,) * a.ndim),
            lambda: np.broadcast_to(a.flat[0], a.shape) if a.size else a]
    try:
        return draw.choice(ways)()
    except (ValueError, TypeError, IndexError):
        return a


def masked(draw, a):
    """Some elements are left out: anywhere, or alike along the first axes."""
    draws = np.random.default_rng(draw.randrange(2**32))
    mask = draws.random(a.shape[-2:] if draw.random() < 0.5 else a.shape) < 0.2
    return np.ma.array(a, mask=np.broadcast_to(mask, a.shape))


def spoilt(draw, a):
    """With what is no number, negative or huge."""
    if a.dtype.kind not in "fc" or not a.size:
        return a
    out = a.copy()
    out.flat[draw.randrange(a.size)] = draw.choice([np.nan, np.inf, -np.inf, -1, 1e30, -1e300])
    return out


def frozen(a):
    out = a.copy()
    out.setflags(write=False)
    return out


def read(what, depth=0):
    """Reads all memory of what came out."""
    if isinstance(what, np.ndarray):
        if what.dtype != object:
            what.tobytes()
    elif dataclasses.is_dataclass(what) and depth < 4:
        for f in dataclasses.fields(what):
            read(getattr(what, f.name), depth + 1)
    elif isinstance(what, dict):
        read(list(what.values()), depth + 1)
    elif isinstance(what, (list, tuple)):
        for one in what[:50]:
            read(one, depth + 1)
    elif isinstance(what, stem4d.Patterns):
        assert what.counts.shape == (len(what.positions), what.size, what.size)
        assert what.bad is None or what.bad.shape == (what.size, what.size)
        read([what.counts, what.positions, what.bad])


# What is made once and not changed.

@functools.lru_cache(None)
def scan():
    return sluice.load("synthetic:stem4d?scan=5x6&detector=16x24", progress=False)


@functools.lru_cache(None)
def patterns():
    draw = np.random.default_rng(1)
    place = np.stack(np.meshgrid(np.arange(6) * 3.0, np.arange(6) * 3.0), -1).reshape(-1, 2)
    y, x = np.mgrid[:16, :16] - 8
    counts = draw.poisson(500 * np.exp(-(y**2 + x**2) / 4), (36, 16, 16)).astype(np.uint16)
    return stem4d.Patterns(counts, place, pixel_nm=0.02, wavelength_nm=0.002)


QUICK = stem4d.PtychographyStage("epie", 1)


@functools.lru_cache(None)
def reconstruction():
    stage = stem4d.PtychographyStage("lsqml", 2, refine_descan=True, refine_background=True)
    return stem4d.ptychography(patterns(), stage, progress=False)


@functools.lru_cache(None)
def march():
    box = proton.Phantom.box(depth=30, width=20, dz=1, dx=1)
    return proton.march(box, proton.Beam(energy=50, sigma_x=3), let_map=True, progress=False)


def changed(made, f, *names):
    """f of a dataclass some of whose arrays are others."""
    return lambda **given: f(dataclasses.replace(made, **given)), {
        name: getattr(made, name) for name in names if getattr(made, name) is not None}


def of_results(draw):
    found = reconstruction()
    names = [f.name for f in dataclasses.fields(found)
             if isinstance(getattr(found, f.name), np.ndarray)]
    what = draw.choice([stem4d.judge, stem4d.remove_ramp, lambda r: r.save("result.h5"),
                        lambda r: stem4d.ptychography(patterns(), QUICK, start=r,
                                                      margin=draw.choice([0, 8, 20, 2**62]),
                                                      progress=False)])
    return changed(found, what, *draw.sample(names, 3))


def of_patterns(draw):
    n, side = draw.choice([4, 9, 36]), draw.choice([8, 16])
    y, x = np.mgrid[:side, :side] - side // 2
    counts = np.rint(99 * np.exp(-(y**2 + x**2) / 4)).astype(draw.choice(["u1", "u2", "f4"]))
    counts = np.repeat(counts[None], n, 0)
    positions = np.stack(np.divmod(np.arange(n), 6), -1) * 2.0

    def use(counts, positions, bad):
        made = stem4d.Patterns(counts, positions, bad=bad, centred=draw.random() < 0.5)
        read(made)
        takes = draw.choice([
            lambda: stem4d.ptychography(made, QUICK, progress=False),
            lambda: stem4d.correlate_halves(made, QUICK, progress=False,
                                            halves=draw.choice(["patterns", "counts"])),
            lambda: stem4d.orientations(made, QUICK, progress=False),
            lambda: stem4d.ptychography_sweep(made, {"seed": [1, 2]}, QUICK, progress=False,
                                              held_out=draw.choice([0.0, 0.2])),
            lambda: stem4d.ptychography_memory(made, QUICK)])
        return takes()

    return use, dict(counts=counts, positions=positions, bad=np.zeros((side, side), bool))


def of_waves(draw):
    found = reconstruction()
    takes = draw.choice([
        lambda probe, object: stem4d.ptychography(patterns(), QUICK, probe=probe, object=object,
                                                  modes=3, progress=False),
        lambda probe, object: stem4d.orientations(patterns(), QUICK, probe=probe, progress=False),
        lambda probe, object: stem4d.ptychography_sweep(patterns(), {"modes": [1, 2]}, QUICK,
                                                        probe=probe, progress=False)])
    return takes, dict(probe=np.repeat(found.probe, draw.choice([1, 2]), 0), object=found.object)


def of_planes(draw):
    a = np.exp(1j * np.random.default_rng(2).random((20, 24)))
    takes = draw.choice([lambda a, b, c: stem4d.align(a, b, c),
                         lambda a, b, c: stem4d.ring_correlation(a, b),
                         lambda a, b, c: stem4d.probe_of(16, 0.02, 0.002, vacuum=c)])
    return takes, dict(a=a, b=a * 1.1, c=np.ones((20, 24)))


def of_scans(draw):
    def products(detector, take, within):
        return stem4d.products(scan(), detectors=[detector], where=take, within=within,
                               patterns="mean", center_of_mass=True, progress=False)

    def placed(detector, take, within):
        return stem4d.patterns_of(scan(), energy=300, center=(8, 12), detector_step_mrad=1,
                                  scan_step_nm=0.1, size=16, positions=take)

    if draw.random() < 0.3:
        places = np.stack(np.divmod(np.arange(30), 6), -1) * 2.0
        return placed, dict(detector=0, where=places, within=0)
    return products, dict(detector=np.ones((16, 24)), where=np.ones((5, 6)),
                          within=np.ones((16, 24), bool))


def of_fields(draw):
    row = np.random.default_rng(4).normal(size=(12, 9))
    com = stem4d.CenterOfMass(row, row, row.copy(), (0.0, 0.0), row)
    if draw.random() < 0.4:
        return changed(com, stem4d.phase_contrast, "sum", "row", "col", "magnitude")
    f = draw.choice([stem4d.find_rotation, stem4d.divergence, stem4d.curl, stem4d.icom,
                     stem4d.remove_descan,
                     lambda row, col: stem4d.rotate(row, col, stem4d.Rotation(20.0))])
    return f, dict(row=row, col=row.copy())


def of_arrays(draw):
    frames = np.arange(3 * 4 * 8 * 10).reshape(3, 4, 8, 10).astype(draw.choice(["u2", "f4", "f8"]))

    def use(frames, mask):
        made = sluice.load(frames, mask=mask, progress=False,
                           stream=draw.choice([False, True, None]))
        read([made[...], made.bad_pixels])
        return stem4d.diffraction_pattern(made, ["mean", "max"], progress=False)

    return use, dict(frames=frames, mask=np.zeros((8, 10), bool))


def of_disks(draw):
    y, x = np.mgrid[:40, :48]
    disk = 100.0 * (np.hypot(y - 20, x - 24) < 9)
    return stem4d.find_disk, dict(what=disk, bad=np.zeros((40, 48), bool))


def of_indices(draw):
    def use(numbers):
        return scan()[draw.choice([numbers, (slice(None), numbers), (0, 1, numbers)])]
    return use, dict(numbers=np.arange(4) if draw.random() < 0.5 else np.ones(5, bool))


def of_tiles(draw):
    class Given:
        def __init__(self, out):
            self.out = out

        def __call__(self, tile):
            return self.out if draw.random() < 0.5 else np.resize(
                np.asarray(self.out), (len(tile),) + np.shape(self.out)[1:])

    return lambda out: stem4d.fold(scan(), Given(out), progress=False), dict(out=np.ones((30, 2)))


def of_doses(draw):
    dose = np.random.default_rng(5).random((9, 11))
    depth = np.arange(40.0)
    gamma = dict(reference=dose, evaluated=dose * 1.01, spacing=np.ones(2), origin=np.zeros(2))
    histogram = proton.dvh(dose, np.ones_like(dose))
    base = proton.BaseEnergy(50.0, 0.1, 20.0, 21.0, depth, depth, depth, depth)
    spectrum = proton.Spectrum(1.0, np.arange(5.0), np.arange(4.0))
    return draw.choice([
        (functools.partial(proton.gamma_index, progress=False), gamma),
        (proton.dvh, dict(dose=dose, mask=np.ones_like(dose))),
        (proton.bragg_metrics, dict(depth=depth, dose=np.exp(-(depth - 20)**2))),
        changed(histogram, lambda d: d.coverage(np.linspace(0, 1, 5)), "dose", "part"),
        changed(base, lambda b: proton.save_base_data("protons_x.mat", [b], 4.0), "depth", "dose",
                "sigma", "let"),
        changed(spectrum, lambda s: proton.sum_of([s, spectrum]), "edges", "protons")])


def of_marches(draw):
    f = draw.choice([proton.depth_dose, proton.lateral_sigma, proton.core_sigma, proton.let_map,
                     lambda r: proton.gamma_index(r, march(), progress=False)])
    return changed(march(), f, "deposit", "primary", "primary_let", "secondary", "secondary_let")


def of_phantoms(draw):
    def use(map):
        box = proton.Phantom(8, 9, 1.0, 1.0, 0.0, ("water", "water"), map)
        return proton.march(box, proton.Beam(energy=20, sigma_x=2), progress=False)
    return use, dict(map=np.ones((8, 9), np.uint16))


def of_volumes(draw):
    def use(image, spacing, origin, places):
        made = proton.Volume(image, spacing, origin)
        read(made.image)
        other = proton.Volume(np.ones((4, 5, 6)), (1, 1, 1), (0, 0, 0))
        return [proton.sample(made, places), proton.difference(made, other, progress=False),
                proton.sample_line(made, 0, (0, 0, 0), places)]
    return use, dict(image=np.ones((4, 5, 6)), spacing=np.ones(3), origin=np.zeros(3),
                     places=np.zeros((7, 3)) if draw.random() < 0.5 else np.zeros(7))


def of_structures(draw):
    square = np.array([(-2.0, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)])

    def use(image, low, high, let):
        dose = proton.Volume(image, np.ones(3), -3 * np.ones(3))
        one = proton.Structure(1, "one", "", (low, high))
        return draw.choice([lambda: proton.structure_dvh(dose, one), lambda: proton.structure_parts(one, dose),
                            lambda: proton.alpha_beta_map(dose, 2, [(one, 10)]).image,
                            lambda: proton.rbe_dose(dose, let).image, lambda: proton.rbe(image, let)])()
    return use, dict(image=np.ones((6, 6, 6)), low=square, high=square + (0, 0, 2), let=np.ones((6, 6, 6)))


def of_songs(draw):
    true = np.random.default_rng(6).normal(size=(2000, 2))
    return lambda a, b, c, d: music.score({"a": a, "b": b}, {"a": c, "b": d}, 8000, bss=False,
                                          progress=False), dict(a=true, b=true, c=true, d=true)


def of_files(draw):
    image = np.arange(60.0).reshape(5, 4, 3)
    return draw.choice([
        (lambda a: sluice.save_npy("a.npy", a, progress=False), dict(a=image)),
        (lambda a: sluice.save_tiff("a.tiff", a, samples=draw.random() < 0.5),
         dict(a=image.astype("f4"))),
        (lambda a, b: sluice.save_hdf5("a.h5", {"a": a, "b/c": b}), dict(a=image, b=image[0])),
        (lambda a: sluice.save_png("a.png", a), dict(a=image.astype("u1"))),
        (lambda a: sluice.save_nrrd("a.nrrd", a), dict(a=image)),
        (lambda a: sluice.save_metaimage("a.mha", a), dict(a=image))])


RECIPES = [of_patterns, of_patterns, of_waves, of_results, of_planes, of_scans, of_fields,
           of_arrays, of_disks, of_indices, of_tiles, of_doses, of_marches, of_phantoms,
           of_volumes, of_structures, of_songs, of_files]


def call(draw):
    """One call, whose arrays fit or not."""
    recipe = draw.choice(RECIPES)
    use, arrays = recipe(draw)
    given = {name: disturbed(draw, array) if draw.random() < 0.4 else array
             for name, array in arrays.items()}
    print(recipe.__name__, {name: (np.shape(a) if not np.ma.isMA(a) else ("masked", a.shape),
                                   str(getattr(a, "dtype", type(a).__name__)))
                            for name, a in given.items()}, flush=True)
    read(use(**given))
