"""pyRadPlan as the other side of proton/dose.py: reads the same files and answers jobs on its input.

    PYTHON bench/proton/dose_rival.py CT.mha SPOTS.csv MACHINE.mat DOSE.npy

PYTHON has pyRadPlan, with numba if there. A line on the input names a job: `forward` is its dose of given
weights, `influence` the matrix of all spots and that times the weights. The answer is a line of JSON;
the dose is kept in DOSE.npy, Gy on the image's voxels, after `save`. Reading and importing are not timed.
Settings are its usual ones but the dose grid (the image's voxels), no LET, and what follows CSV's weights:
`cutoff P` sets the part of a spot's dose within its lateral cut-off (usually 0.995), `air off` leaves out
the energy lost in air before the skin.

SPDX-License-Identifier: Apache-2.0
"""
import copy
import csv
import json
import logging
import sys
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.INFO)

import numpy as np
import SimpleITK as sitk

import pyRadPlan
from pyRadPlan import CT, IonPlan, StructureSet, calc_dose_forward, calc_dose_influence
from pyRadPlan.dose.engines import DoseEngineBase
from pyRadPlan.machines import load_machine_from_mat, validate_machine
from pyRadPlan.stf import Beam, IonSpot, Ray, RangeShifter, SteeringInformation


def machine_of(path):
    """Its model of machines takes one focus of an energy: the first one, as sluice and matRad take here."""
    machine = load_machine_from_mat(path)
    for focus in machine["data"]["initFocus"]:
        emittance = focus.get("emittance", {})
        for record, names in ((focus, ("dist", "sigma", "SisFWHMAtIso")), (emittance, list(emittance))):
            for name in names:
                record[name] = record[name][0]
    return machine


def keep_machine(record):
    """Its engines look for machines by name in the package's folder only: ours is handed to them, ready."""
    ready = validate_machine(record)
    DoseEngineBase.load_machine = staticmethod(lambda *_, **__: copy.deepcopy(ready))


def scene(ct_path, spots_path, machine_path):
    """The image, all of it that is not air as the patient, the plan's rays, and 1e6 protons of each spot."""
    image = sitk.ReadImage(ct_path, sitk.sitkFloat64)
    ct = CT(cube_hu=image)
    patient = sitk.GetImageFromArray((sitk.GetArrayFromImage(image) > -900).astype(np.uint8))
    patient.CopyInformation(image)
    # Its ray tracer begins at the skin, which is where tissue begins along each ray.
    whole = {"name": "BODY", "ct_image": ct, "mask": patient, "voi_type": "EXTERNAL"}
    target = {"name": "TARGET", "ct_image": ct, "mask": patient, "voi_type": "TARGET"}
    cst = StructureSet(vois=[whole, target], ct_image=ct)
    machine = machine_of(machine_path)
    sad, name = float(machine["meta"]["SAD"]), machine["meta"]["machine"]
    keep_machine(machine)
    rays = {}
    with open(spots_path, newline="") as f:
        for row in csv.DictReader(f):
            key = float(row["x_mm"]), float(row["y_mm"])
            rays.setdefault(key, []).append((float(row["energy_MeV"]), float(row["protons"]) / 1e6))
    made, weights = [], []
    for (x, y), spots in rays.items():
        beamlets = [IonSpot(energy=energy, focus_ix=0, range_shifter=RangeShifter()) for energy, _ in spots]
        weights += [w for _, w in spots]
        at, toward = np.array([x, 0.0, y]), np.array([2 * x, sad, 2 * y])
        # Gantry and couch at 0: the beam's coordinates are those of the patient about the isocentre.
        made.append(Ray(ray_pos_bev=at, ray_pos=at, target_point_bev=toward, target_point=toward,
                        beamlets=beamlets))
    source = np.array([0.0, -sad, 0.0])
    beam = Beam(gantry_angle=0, couch_angle=0, radiation_mode="protons", machine=name, sad=sad,
                iso_center=np.zeros(3), rays=made, source_point_bev=source, source_point=source)
    return ct, cst, SteeringInformation(beams=[beam]), name, np.array(weights)


def plan_of(machine, ct, cutoff, air):
    plan = IonPlan(radiation_mode="protons", machine=machine, num_of_fractions=1)
    spacing = ct.cube_hu.GetSpacing()
    plan.prop_dose_calc = {"engine": "HongPB", "calc_let": False, "calc_bio_dose": False, "lateral_model": "double",
                           "dosimetric_lateral_cutoff": cutoff, "console_progress": False, "air_offset_correction": air,
                           "dose_grid": {"resolution": dict(zip("xyz", spacing))}}
    return plan


def main():
    ct, cst, stf, machine, weights = scene(*sys.argv[1:4])
    cutoff, air, dose = 0.995, True, None
    print(json.dumps({"version": pyRadPlan.version("pyRadPlan") if callable(pyRadPlan.version) else "",
                      "spots": len(weights)}), flush=True)
    for line in sys.stdin:
        job = line.split()
        wall, cpu = time.perf_counter(), time.process_time()
        if job[0] == "cutoff":
            cutoff = float(job[1])
        elif job[0] == "air":
            air = job[1] == "on"
        elif job[0] == "forward":
            dose = calc_dose_forward(ct, cst, stf, plan_of(machine, ct, cutoff, air), weights)["physical_dose"]
        elif job[0] == "influence":
            dij = calc_dose_influence(ct, cst, stf, plan_of(machine, ct, cutoff, air))
            dose = dij.compute_result_ct_grid(weights)["physical_dose"]
        elif job[0] == "save":
            np.save(sys.argv[4], sitk.GetArrayFromImage(dose))
        print(json.dumps({"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}),
              flush=True)


if __name__ == "__main__":
    main()
