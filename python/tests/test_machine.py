"""Machines: TOML, beam models of MCsquare, base data of matRad; settings between energies.

SPDX-License-Identifier: Apache-2.0
"""
import math
import pathlib
import subprocess

import numpy as np
import pytest

import sluice
from sluice import proton

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
TEXT = """
name = "Gantry 2"
source = ["2000 mm", "2500 mm"]
plane = "430 mm"
[[shifter]]
name = "RS40"
water = "41.5 mm"
[[energy]]
nominal = "100 MeV"
mean = "100.5 MeV"
spread = "0.8 MeV"
protons_per_mu = 1e8
sigma = ["4 mm", "5 mm"]
divergence = "3 mrad"
correlation = 0.5
[[energy]]
nominal = "110 MeV"
mean = "110.5 MeV"
spread = "0.9 MeV"
protons_per_mu = 2e8
sigma = "3 mm"
divergence = "3 mrad"
second_weight = 0.1
second_sigma = "9 mm"
second_divergence = "6 mrad"
"""


def test_a_machine_has_its_types(tmp_path):
    path = tmp_path / "gantry.toml"
    path.write_text(TEXT)
    machine = proton.read_machine(path)
    assert isinstance(machine, proton.Machine) and machine == proton.parse_machine(TEXT)
    assert (machine.name, machine.source, machine.plane) == ("Gantry 2", (2000, 2500), 430)
    assert not machine.air_included and machine.shifters == (proton.MachineShifter("RS40", 41.5),)
    first, second = machine.energies
    assert isinstance(first, proton.MachineEnergy) and first.kernel is None
    assert first.spots == (proton.SpotGaussian(1, (4, 5), (0.003, 0.003), (0.006, 0.0075)),)
    assert (first.nominal, first.mean, first.spread, first.protons_per_mu) == (100, 100.5, 0.8, 1e8)
    assert [s.weight for s in second.spots] == [0.9, 0.1]


def test_energies_between_two_are_mixed():
    machine = proton.parse_machine(TEXT)
    assert not proton.setting_of(machine, 100).interpolated
    setting = proton.setting_of(machine, 105)
    assert isinstance(setting, proton.MachineSetting) and setting.interpolated
    assert setting.energy.mean == 105.5 and setting.energy.protons_per_mu == pytest.approx(1.5e8)
    assert setting.energy.spots[0].sigma[0] == pytest.approx(math.sqrt((16 + 9) / 2))
    with pytest.raises(sluice.InvalidArgument, match="energies from 100 to 110 MeV"):
        proton.setting_of(machine, 120)
    with pytest.raises(sluice.InvalidArgument, match="that no file made"):
        proton.setting_of(proton.Machine("m", (1, 1), 0, False, ()), 100)
    with pytest.raises(sluice.InvalidArgument, match="energy"):
        proton.setting_of(machine, "far")


def test_what_is_wrong_is_named(tmp_path):
    with pytest.raises(sluice.InvalidArgument, match=r"line 8: energy.sigma is missing"):
        proton.parse_machine(TEXT.replace('sigma = ["4 mm", "5 mm"]\n', ""))
    with pytest.raises(sluice.InvalidArgument, match="give a text"):
        proton.parse_machine(b"name")
    with pytest.raises(FileNotFoundError):
        proton.read_machine(tmp_path / "none.toml")
    (tmp_path / "v.nrrd").write_text("NRRD0004\n")
    with pytest.raises(sluice.Unsupported, match="is not a machine of proton beams"):
        proton.read_machine(tmp_path / "v.nrrd")


def test_our_base_data_are_a_machine(tmp_path):
    made = [proton.base_energy(energy) for energy in (70, 73)]
    proton.save_base_data(tmp_path / "protons_own.mat", made, 4)
    machine = proton.read_machine(tmp_path / "protons_own.mat")
    assert machine.name == "own" and machine.air_included
    for energy, was in zip(machine.energies, made):
        assert energy.spots[0].sigma == (4, 4) and energy.spots[0].divergence == (0, 0)
        assert np.array_equal(energy.kernel.dose, was.dose) and np.array_equal(energy.kernel.let, was.let)
        assert energy.kernel.range == pytest.approx(was.range, abs=0.05)
    between = proton.setting_of(machine, 71.5).energy.kernel
    assert between.range == pytest.approx(proton.base_energy(71.5).range, abs=0.05)


def test_files_of_version_7_3_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "protons_new.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_group("machine/meta")
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM")
    with pytest.raises(sluice.Unsupported, match="version 7.3 .HDF5., and version 5 is read"):
        proton.read_machine(path)
    told = subprocess.run([PROGRAM, "info", path], capture_output=True, text=True)
    assert told.returncode == 1 and "is a MAT file of version 7.3" in told.stderr


def matrad_machine():
    """With all that matRad's own files have, also what is not read."""
    energies = []
    for i in range(3):
        energy = 100.0 + 20 * i
        z = np.array([-500.0, -250, 0, 250, 500])
        wide = np.sqrt(16 + 2 * 3e-3 * (z + 500) + 4e-6 * (z + 500) ** 2)
        energies.append({
            "energy": energy, "peakPos": 30.0 + 10 * i, "offset": 0.0,
            "depths": np.array([[0, 10, 20, 30, 40, 50]], np.float32).T * (1 + i / 3),
            "Z": np.array([[5, 6, 8, 20, 10, 0]], np.uint8).T, "weight": np.full((6, 1), 0.1),
            "sigma1": np.linspace(0, 1, 6)[:, None], "sigma2": np.linspace(5, 9, 6)[:, None],
            "LET": np.linspace(1, 12, 6)[:, None], "alphaX": [],
            "initFocus": {"dist": np.array([10000 + z, 10000 + z]).astype(np.uint16),
                          "sigma": np.array([wide / 2, wide]), "SisFWHMAtIso": np.array([[6.0, 12]]),
                          "unit": "mm", "emittance": {"type": "bigaussian", "sigmaX": 3.0}},
            "energySpectrum": {"type": "gaussian", "mean": energy, "sigma": 0.5}})
    data = np.zeros((1, len(energies)), dtype=[(name, object) for name in energies[0]])
    for i, energy in enumerate(energies):
        data[0, i] = tuple(energy.values())
    meta = {"radiationMode": "protons", "dataType": "doubleGauss", "machine": "générique",
            "SAD": 10000, "BAMStoIsoDist": 500, "fitAirOffset": 0,
            "LUT_bxWidthminFWHM": np.array([[1, 2, np.inf], [8, 8, 8]])}
    return {"machine": {"meta": meta, "data": data}}


@pytest.mark.parametrize("packed", [False, True])
def test_files_of_scipy_are_read(tmp_path, packed):
    scipy_io = pytest.importorskip("scipy.io")
    path = tmp_path / "protons_x.mat"
    scipy_io.savemat(path, {"other": np.arange(5), **matrad_machine()}, do_compression=packed)
    machine = proton.read_machine(path)
    assert (machine.name, machine.source, machine.plane) == ("générique", (10000, 10000), 500)
    assert [e.nominal for e in machine.energies] == [100, 120, 140]
    energy = machine.energies[1]
    spot, = energy.spots
    assert spot.sigma[0] == pytest.approx(4) and spot.divergence[0] == pytest.approx(2e-3)
    assert spot.covariance[0] == pytest.approx(3e-3)
    assert energy.spread == pytest.approx(0.6)
    assert energy.kernel.dose.tolist() == [5, 6, 8, 20, 10, 0]
    assert energy.kernel.let.tolist() == np.linspace(1, 12, 6).tolist()
    with pytest.raises(sluice.Unsupported, match="no variable .machine."):
        scipy_io.savemat(path, {"other": np.arange(5)}, do_compression=packed)
        proton.read_machine(path)
