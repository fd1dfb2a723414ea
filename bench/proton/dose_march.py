#!/usr/bin/env python3
"""Which dose is nearer to a fine march where a phantom is the same along z: sluice's or pyRadPlan's?

    PYTHONPATH=build/release/python V/bin/python bench/proton/dose_march.py --machine protons_generic_TOPAS.mat
        --rival V2/bin/python [--sluice build/release/bin/sluice] [--cell 0.5]

The plan is that of proton/dose.py. Sums over z of a dose in three dimensions are the dose of the march
in its plane, which knows no pencils: every proton meets what lies where it is. The march has sluice's own physics
and both doses have the machine's depth doses; the phantom without ribs and lung (`plain`) says what that makes.
V has nanobind-backend; V2 is as in proton/dose.py.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import pathlib
import tempfile

import numpy as np

import dose
import dose_scene
from gamma3 import gamma
from sluice import proton

GRAY_MM2 = 1.602176634e-7  # of a MeV a mm of water that is a mm thick


def plain(spacing):
    """The wall's skin, and one tissue behind it."""
    hu, origin = dose_scene.wall(spacing)
    return np.where(hu > -900, 20.0, hu), origin


def stopping(hu):
    """matRad's default table."""
    return np.interp(hu, [-1024, -999, -90, -45, 0, 100, 350, 3000], [0.001, 0.001, 0.95, 0.99, 1, 1.095, 1.199, 2.505])


def tissue(value):
    """A material of that stopping power; between two of the table it scatters as a mixture by volume."""
    known = sorted((m.electron_density, m.scattering, m.nuclear, m.density)
                   for m in map(proton.material, ("air", "lung", "muscle", "cortical_bone")))
    parts = [np.interp(value, [k[0] for k in known], [k[i] for k in known]) for i in (1, 2, 3)]
    return proton.Material(f"rsp{value:.4f}", density=parts[2], electron_density=value, scattering=parts[0],
                           nuclear=parts[1])


def widths_of(record):
    """Of the first focus, where the image begins; matRad's distances are from the source."""
    return record.sigma[0] ** 2 + 2 * record.covariance[0] * 380 + record.divergence[0] ** 2 * 380 ** 2


def march(scene_of, table, machine, cell):
    """Gy mm [plane][column] on cells of the image's spacing, to water. The march has the image's own voxels, cut into
    cells: what voxels make of curved borders is no error of an engine."""
    by = round(dose.SPACING / cell)
    hu = np.asarray(scene_of(dose.SPACING)[0])[:1].repeat(by, 1).repeat(by, 2)
    values, numbers = np.unique(stopping(hu[0]).round(6), return_inverse=True)
    numbers = numbers.reshape(hu[0].shape).astype(np.uint16)
    phantom = proton.Phantom.box(hu.shape[1] * cell, hu.shape[2] * cell, dz=cell, dx=cell,
                                 materials=[tissue(v) for v in values], map=numbers)
    physics = proton.Physics()
    total = np.zeros(hu[0].shape)
    for energy, x in sorted({(e, x) for e, x, _, _ in table}):
        protons = table[(table[:, 0] == energy) & (table[:, 1] == x), 3].sum()
        setting = proton.setting_of(machine, energy).energy
        spot = setting.spots[0]
        left = float(physics.energy(physics.range(setting.mean) - 0.0011 * 380))
        beam = proton.Beam(left, energy_spread=setting.spread, x=x, sigma_x=widths_of(spot) ** 0.5)
        total += protons * np.asarray(proton.march(phantom, beam, physics=physics).deposit)
    total *= GRAY_MM2 / (cell * cell) / values[numbers]
    return total.reshape(total.shape[0] // by, by, -1, by).mean((1, 3))


def main():
    root = dose.HERE.parents[1]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=str(root / "build/release/bin/sluice"))
    parser.add_argument("--machine", required=True)
    parser.add_argument("--rival")
    parser.add_argument("--cell", type=float, default=0.5)
    parser.add_argument("--keep", help="a folder for the doses")
    options = parser.parse_args()
    facts = dose.energies_of(options.sluice, options.machine)
    machine = proton.read_machine(options.machine)
    dose_scene.PHANTOMS["plain"], dose.DEPTHS["plain"] = plain, dose.DEPTHS["wall"]
    for name in ("plain", "wall"):
        with tempfile.TemporaryDirectory() as folder:
            scene, hu, _ = dose.make(folder, name, facts, 4, 8.0)
            ours = dose.Ours(options.sluice, scene, options.machine)
            doses = {"sluice, usual": ours.dose(), "sluice, 2 mm": ours.dose(*dose.COARSE)}
            if options.rival:
                rival = dose.Rival(options.rival, scene, options.machine)
                rival.ask("cutoff 0.9999")
                doses["pyRadPlan"] = rival.dose()
                rival.close()
            table = np.loadtxt(f"{scene}.csv", delimiter=",", skiprows=1, usecols=(0, 1, 2, 3))
        wanted = march(dose_scene.PHANTOMS[name], table, machine, options.cell)
        inside = np.asarray(hu)[0] > -900
        for which, found in doses.items():
            flat = found.sum(0, dtype=float) * dose.SPACING
            if options.keep:
                np.save(pathlib.Path(options.keep) / f"{name}_{which.replace(', ', '_').replace(' ', '')}.npy", flat)
            g, fine = (gamma(wanted[None], flat[None], dose.SPACING, p, p, inside=inside[None]) for p in (2, 1))
            off = np.abs(flat - wanted)[inside & (wanted > 0.1 * wanted.max())] / wanted.max()
            print(f"{name}, {which}: gamma 2 %/2 mm {g['passed']:.2f} %, 1 %/1 mm {fine['passed']:.2f} % of "
                  f"{g['points']} points; off by {100 * (off ** 2).mean() ** 0.5:.2f} % of the highest (rms), "
                  f"{100 * off.max():.1f} % at most, in {100 * (off > 0.05).mean():.1f} % by more than 5 %; "
                  f"total {flat[inside].sum() / wanted[inside].sum():.4f}")
        if options.keep:
            np.save(pathlib.Path(options.keep) / f"{name}_march.npy", wanted)


if __name__ == "__main__":
    main()
