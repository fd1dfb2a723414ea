"""The dose of a plan on a CT, as a user comes to it: from files, and with what they hold.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import json
import pathlib
import subprocess
import warnings

import numpy as np
import pytest

import sluice
from sluice import proton

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
#: Water of 40x60x36 mm in voxels of 2 mm behind 6 mm of air; the beam comes from the front.
SHAPE, SPACING, ORIGIN = (20, 33, 18), (2.0, 2.0, 2.0), (-17.0, -5.0, -19.0)
PLAN = """beam,name,gantry_deg,iso_x_mm,iso_y_mm,iso_z_mm,energy_MeV,x_mm,y_mm,protons,fractions
1,front,0,0,20,0,75,-4,0,2e8,3
1,front,0,0,20,0,75,4,0,3e8,3
1,front,0,0,20,0,70,0,0,1e8,3
"""
PLACES = {"source": (2000.0, 2200.0), "fwhm": 10.0, "patient_position": "HFS"}
LAYERS = {"energy_spread": 0.7, "spacing": (2.0, 3.0, 4.0)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A CT, a plan, and the depth kernels that the first call makes."""
    made = tmp_path_factory.mktemp("dose")
    image = np.zeros(SHAPE, np.float32)
    image[:, :3] = -1000
    image[:, 12:14, 9:] = 700
    sluice.save_metaimage(made / "ct.mha", sluice.Volume(image, SPACING, ORIGIN, content="CT, HU"))
    (made / "plan.csv").write_text(PLAN)
    return made


def quiet(folder, plan=None, ct=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", proton.DoseWarning)
        return proton.dose(plan or folder / "plan.csv", ct or folder / "ct.mha", kernels=folder / "kernels",
                           progress=False, **options)


@pytest.fixture(scope="module")
def found(folder):
    return quiet(folder, **PLACES, **LAYERS)


def square(name, kind, x, y, z):
    """A structure of squares in planes 2 mm apart."""
    corners = np.array([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], float)
    contours = tuple(np.column_stack([corners, np.full(4, at)]) for at in np.arange(z[0], z[1], 2.0))
    return proton.Structure(1, name, kind, contours, (), 0.0)


def test_a_dose_is_that_of_the_command_line(folder, found, tmp_path):
    ran = subprocess.run(
        [PROGRAM, "proton", "dose", folder / "plan.csv", "--ct", folder / "ct.mha", "--source", "2000 mm,2200 mm",
         "--fwhm", "10 mm", "--patient-position", "HFS", "--energy-spread", "0.7 MeV", "--spacing", "2 mm,3 mm,4 mm",
         "--kernels", folder / "kernels", "--format", "npy,nrrd", "--out", tmp_path / "out", "--json"],
        capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    for name in ("dose", "let", "error"):
        kept = np.load(tmp_path / f"out/{name}.npy")
        assert kept.tobytes() == getattr(found, name).image.tobytes(), name
    volume = sluice.load_volume(tmp_path / "out/dose.nrrd")
    assert (volume.spacing, volume.origin) == (found.dose.spacing, found.dose.origin)
    assert report["notes"] == found.notes and report["warnings"] == found.warnings
    assert report["fractions"] == found.fractions == 3
    of_program, = report["beams"]
    beam, = found.beams
    assert (beam.number, beam.name, beam.layers, beam.spots) == (1, "front", 2, 3)
    assert (beam.protons, beam.highest) == (of_program["protons"], of_program["highest_Gy"])
    assert (beam.energy, beam.deposited) == (of_program["energy_J"], of_program["deposited_J"])


def test_what_is_in_memory_gives_the_same_bits(folder, found):
    plan = proton.read_plan(folder / "plan.csv", **PLACES)
    same = quiet(folder, plan, sluice.load_volume(folder / "ct.mha"), threads=3, **LAYERS)
    assert same.dose.image.tobytes() == found.dose.image.tobytes()
    assert same.error.image.tobytes() == found.error.image.tobytes()
    one = quiet(folder, plan, single_fraction=True, let=False, error=False, each_beam=True, **LAYERS)
    assert found.beams[0].dose is None
    assert np.array_equal(one.beams[0].dose.image, one.dose.image)  # the only beam
    assert one.beams[0].dose.content == one.dose.content
    assert one.let is None and one.error is None and one.fractions == 1
    np.testing.assert_allclose(one.dose.image * 3, found.dose.image, rtol=1e-6, atol=1e-9)
    with pytest.raises(sluice.InvalidArgument, match="fwhm is for a plan that is read"):
        quiet(folder, plan, fwhm=3.0)


def test_a_dose_has_places_and_units(found):
    assert found.dose.content == "dose to water, Gy" and found.dose.spacing == LAYERS["spacing"]
    assert found.dose.image.dtype == np.float32 and found.dose.image.min() == 0
    assert found.let.content.endswith("keV/um") and found.error.content
    peak = np.unravel_index(found.dose.image.argmax(), found.dose.shape)
    assert found.let.image[peak] > 2 and "1 beam," in repr(found)
    assert found.provenance["command"] == "sluice.proton.dose" and "ct.mha" in found.provenance["source"]


def test_a_dose_in_xarray(found):
    pytest.importorskip("xarray")
    d = found.to_xarray()
    assert set(d) == {"dose", "let", "error"} and d.dose.dims == ("z", "y", "x")
    assert d.dose.attrs["units"] == "Gy" and d.let.attrs["units"] == "keV/um" and d.error.attrs["units"] == "%"
    assert d.x.attrs["units"] == "mm" and d.x.values[0] == found.dose.origin[0]
    assert np.allclose(np.diff(d.z), 4) and d.attrs["spacing"] == LAYERS["spacing"]
    assert "plan.csv" in d.attrs["source"] and d.attrs["notes"] == found.notes and d.attrs["fractions"] == 3


def test_mirrored_axes_have_coordinates_that_descend():
    pytest.importorskip("xarray")
    back = np.diag([-1.0, -1.0, 1.0])
    v = sluice.Volume(np.zeros((2, 3, 4)), (1, 2, 5), (10, 20, 30), direction=back).to_xarray()
    assert v.x.values.tolist() == [10, 9, 8, 7] and v.y.values.tolist() == [20, 18, 16]
    turned = np.eye(3)[[1, 0, 2]]
    assert not sluice.Volume(np.zeros((2, 3, 4)), (1, 2, 5), (0, 0, 0), direction=turned).to_xarray().coords


def test_structures_cut_and_change_the_image(folder, found):
    body = square("Body", "EXTERNAL", (-18, 18), (0, 60), (-19, 20))
    implant = square("Implant", "", (-18, 18), (4, 16), (-19, 20))
    one = quiet(folder, structures=[body, implant], override={"Implant": 3000}, **PLACES, **LAYERS)
    assert any("outside of structure 'Body' there is air" in note for note in one.notes)
    assert any("structure 'Implant' is taken as 3000 HU" in note for note in one.notes)
    def depth(dose):
        return dose.image.sum((0, 2)).argmax() * 3
    assert depth(one.dose) < depth(found.dose) - 6
    assert any("all of the image counts" in note for note in found.notes)
    with pytest.raises(sluice.InvalidArgument, match="no structure 'Bone' .there are Body, Implant"):
        quiet(folder, structures=[body, implant], override=[("Bone", 700)], **PLACES, **LAYERS)
    with pytest.raises(sluice.InvalidArgument, match="structures is .*Structure"):
        quiet(folder, structures=["Body"], **PLACES)


def test_machines_are_files_or_what_was_read(folder):
    text = """name = "Gantry"
source = "2000 mm"
plane = "0 mm"
[[energy]]
nominal = "60 MeV"
mean = "60 MeV"
spread = "0.5 MeV"
sigma = "4 mm"
divergence = "2 mrad"
[[energy]]
nominal = "80 MeV"
mean = "80 MeV"
spread = "0.5 MeV"
sigma = "4 mm"
divergence = "2 mrad"
"""
    (folder / "machine.toml").write_text(text)
    options = {**PLACES, "spacing": 4.0, "let": False}
    by_file = quiet(folder, machine=folder / "machine.toml", **options)
    read = quiet(folder, machine=proton.read_machine(folder / "machine.toml"), **options)
    assert by_file.dose.image.tobytes() == read.dose.image.tobytes() and by_file.dose.image.max() > 0
    with pytest.raises(sluice.InvalidArgument, match="that no file made"):
        quiet(folder, machine=proton.Machine("m", (1, 1), 0, False, ()), **options)


def test_warnings_are_told(folder):
    plan = proton.read_plan(folder / "plan.csv", **PLACES)
    beam, = plan.beams
    aside = dataclasses.replace(plan, beams=(dataclasses.replace(beam, isocentre=(16.0, 20.0, 0.0)),))
    with pytest.warns(proton.DoseWarning) as told:
        one = proton.dose(aside, folder / "ct.mha", kernels=folder / "kernels", energy_spread=0.7, spacing=4.0)
    assert [str(warning.message) for warning in told] == one.warnings
    assert any("leaves the image" in text for text in one.warnings)


@pytest.mark.parametrize("options, text", [
    ({"accuracy": 0.0}, "accuracy"),
    ({"spacing": (1.0, 2.0)}, "spacing is .* three for x, y and z"),
    ({"pixel": 20.0}, "pixels of 20 mm; give 0.2 to 10"),
    ({"override": ["Implant"]}, "override"),
    ({"dose_to": "bone"}, "dose_to.*did you mean|dose_to"),
    ({"energy_spred": 1.0}, "did you mean 'energy_spread'"),
    ({"quantity": "density"}, "ct.mha.*cannot be a density"),
])
def test_what_is_wrong_is_named(folder, options, text):
    with pytest.raises(sluice.Error, match=text):
        quiet(folder, **{**PLACES, **LAYERS, **options})


def test_what_a_plan_lacks_is_said(folder):
    with pytest.raises(sluice.Error, match="plan.csv.*sad_x_mm|source"):
        quiet(folder, **LAYERS)
    with pytest.raises(sluice.Error, match="energy_spread|machine"):
        quiet(folder, **PLACES)


def test_progress_ends_a_dose(folder):
    told = []
    with pytest.raises(sluice.Cancelled):
        proton.dose(folder / "plan.csv", folder / "ct.mha", kernels=folder / "kernels", energy_spread=0.7, **PLACES,
                    progress=lambda done, total: told.append((done, total)) or False)
    assert told and 0 <= told[0][0] <= told[0][1]


def test_spots_for_a_target_give_it_the_dose(folder, tmp_path):
    (tmp_path / "machine.toml").write_text("""name = "test"
source = ["2000 mm", "2200 mm"]
plane = "0 mm"
[[energy]]
nominal = "40 MeV"
spread = "0.5 MeV"
sigma = "4 mm"
divergence = "0 mrad"
[[energy]]
nominal = "80 MeV"
spread = "0.5 MeV"
sigma = "4 mm"
divergence = "0 mrad"
""")
    target = square("PTV", "PTV", (-9, 9), (20, 34), (-9, 9))
    made = proton.place_spots(folder / "ct.mha", target, "PTV", tmp_path / "machine.toml", margin=8, spacing=4,
                              fractions=5, kernels=folder / "kernels", progress=False)
    assert made.plan.fractions == 5 and made.plan.spots == made.beams[0].spots > 60
    assert made.beams[0].layers == len(made.plan.beams[0].layers) and not made.guards
    again = proton.place_spots(sluice.load_volume(folder / "ct.mha"), [target], "PTV",
                               proton.read_machine(tmp_path / "machine.toml"), margin=8, spacing=4, fractions=5,
                               kernels=folder / "kernels", threads=1, progress=False)
    assert all(np.array_equal(a.spots, b.spots) for a, b in
               zip(made.plan.beams[0].layers, again.plan.beams[0].layers))
    got = quiet(folder, plan=made.plan, machine=tmp_path / "machine.toml", error=False)
    assert proton.structure_dvh(got.dose, target).mean == pytest.approx(10, rel=0.05)
    for wrong in ({"target": "PTX"}, {"target": "PTV", "gantry": (0, 1), "couch": (0, 1, 2)},
                  {"target": "PTV", "gantry": "left"}, {"target": "PTV", "margin": -1}):
        with pytest.raises((sluice.InvalidArgument, sluice.NotFound)):
            proton.place_spots(folder / "ct.mha", target, machine=tmp_path / "machine.toml", **wrong)
