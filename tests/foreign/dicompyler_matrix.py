#!/usr/bin/env python3
"""Dose volume histograms of structures and doses that pydicom writes, beside dicompyler-core's and closed forms.

SPDX-License-Identifier: Apache-2.0

    tests/foreign/dicompyler_matrix.py --sluice build/release/bin/sluice --out FOLDER

dicompyler-core takes the dose in each contour's plane and counts the pixels whose middles are in the contour, each
with one thickness for all planes: the least distance of two. Sluice takes the part of each element that is in the
structure, half way to the neighbouring planes, and samples the dose within elements. Where the planes are equally far
apart both converge to the same; what is left is the steps of whole pixels.
"""
import json
import sys

import matrix

with matrix.packages():
    import numpy as np
    import pydicom
    from dicompylercore import dvhcalc
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.sequence import Sequence

FRAME = "1.2.826.0.1.3680043.8.498.1"
CLASSES = {"RTSTRUCT": "1.2.840.10008.5.1.4.1.1.481.3", "RTDOSE": "1.2.840.10008.5.1.4.1.1.481.2"}


def dataset(path, modality):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = CLASSES[modality]
    meta.MediaStorageSOPInstanceUID = f"{FRAME}.{len(modality)}"
    meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    d = FileDataset(str(path), {}, file_meta=meta, preamble=bytes(128))
    d.SOPClassUID, d.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    d.Modality, d.PatientID, d.PatientName = modality, "1", "phantom"
    d.is_little_endian, d.is_implicit_VR = True, False
    d.StudyInstanceUID, d.SeriesInstanceUID = f"{FRAME}.7", f"{FRAME}.9"
    return d


def write_structures(path, contours_of):
    """`contours_of`: name to a list of contours [corner, 3]."""
    d = dataset(path, "RTSTRUCT")
    d.StructureSetLabel = "made"
    d.StructureSetROISequence, d.ROIContourSequence = Sequence(), Sequence()
    d.RTROIObservationsSequence = Sequence()
    for number, (name, contours) in enumerate(contours_of.items(), 1):
        roi, drawn, observed = Dataset(), Dataset(), Dataset()
        roi.ROINumber, roi.ROIName, roi.ReferencedFrameOfReferenceUID = number, name, FRAME
        roi.ROIGenerationAlgorithm = ""
        drawn.ReferencedROINumber, drawn.ROIDisplayColor, drawn.ContourSequence = number, [255, 0, 0], Sequence()
        for corners in contours:
            c = Dataset()
            c.ContourGeometricType, c.NumberOfContourPoints = "CLOSED_PLANAR", len(corners)
            c.ContourData = [f"{v:.4f}" for v in np.ravel(corners)]
            drawn.ContourSequence.append(c)
        observed.ObservationNumber, observed.ReferencedROINumber = number, number
        observed.RTROIInterpretedType, observed.ROIInterpreter = "ORGAN", ""
        d.StructureSetROISequence.append(roi)
        d.ROIContourSequence.append(drawn)
        d.RTROIObservationsSequence.append(observed)
    d.save_as(path, write_like_original=False)


def write_dose(path, dose, spacing, origin):
    """[z, y, x] in Gy; mm, x first."""
    d = dataset(path, "RTDOSE")
    d.FrameOfReferenceUID = FRAME
    d.SamplesPerPixel, d.PhotometricInterpretation = 1, "MONOCHROME2"
    d.NumberOfFrames, d.Rows, d.Columns = dose.shape
    d.FrameIncrementPointer = pydicom.tag.Tag(0x3004, 0x000C)
    d.GridFrameOffsetVector = [f"{spacing[2] * i:.4f}" for i in range(dose.shape[0])]
    d.PixelSpacing, d.SliceThickness = [spacing[1], spacing[0]], spacing[2]
    d.ImagePositionPatient, d.ImageOrientationPatient = list(origin), [1, 0, 0, 0, 1, 0]
    d.BitsAllocated = d.BitsStored = 32
    d.HighBit, d.PixelRepresentation = 31, 0
    d.DoseUnits, d.DoseType, d.DoseSummationType = "GY", "PHYSICAL", "PLAN"
    step = float(f"{dose.max() / (2**32 - 1) * 1.00001:.9e}")
    d.DoseGridScaling = f"{step:.9e}"
    d.PixelData = np.round(dose / step).astype("<u4").tobytes()
    d.save_as(path, write_like_original=False)


def circle(middle, radius, z, corners=180):
    angle = 2 * np.pi * np.arange(corners) / corners
    return np.stack([middle[0] + radius * np.cos(angle), middle[1] + radius * np.sin(angle),
                     np.full(corners, z)], axis=1)


def sphere(middle, radius, planes):
    """Circles in those of the planes that meet it."""
    return [circle(middle, np.sqrt(radius**2 - (z - middle[2])**2), z) for z in planes if abs(z - middle[2]) < radius]


def grid(spacing, origin, shape):
    """[z, y, x] of each coordinate."""
    z, y, x = (o + s * np.arange(n) for o, s, n in zip(origin[::-1], spacing[::-1], shape))
    return np.meshgrid(z, y, x, indexing="ij")[::-1]


MIDDLE = np.array([1.3, -2.1, 0.4])
DOSES = {
    "linear": lambda x, y, z: 30 + 0.4 * (x - MIDDLE[0]) + 0.2 * (y - MIDDLE[1]) - 0.3 * (z - MIDDLE[2]),
    "gauss": lambda x, y, z: 60 * np.exp(-((x - 8)**2 + (y + 3)**2 + (z - 2)**2) / (2 * 18**2)),
}


def structures(planes):
    ball = lambda r, at=MIDDLE: sphere(at, r, planes)  # noqa: E731
    return {
        "r30": ball(30), "r10": ball(10), "r5": ball(5), "r3": ball(3),
        "shell": ball(25) + ball(12),
        "island": ball(25) + ball(15) + ball(6),
        "apart": ball(9, MIDDLE - [0, 0, 22]) + ball(9, MIDDLE + [0, 0, 22]),
        "beside": ball(8, MIDDLE - [15, 4, 0]) + ball(8, MIDDLE + [14, 0, 0]),
    }


def theirs(rs, rd, number):
    """Its own D98 is the first bin whose volume is nearest to 98 %: 0 Gy, where the histogram of few pixels has no
    bin between 97 and 100 %. Here it is the highest dose that 98 % have, out of the same histogram."""
    d = dvhcalc.get_dvh(str(rs), str(rd), number)
    part = d.counts / d.counts[0]
    return {"volume_cm3": float(d.volume), "mean": float(d.mean),
            **{f"D{n}": float(d.bincenters[np.nonzero(part >= n / 100 - 1e-9)[0][-1]]) for n in (98, 95, 50, 2)}}


def ours(sluice, rs, rd, *more):
    found = json.loads(sluice.run("proton", "dvh", rd, "--structures", rs, "--json", *more))
    if found["left_out"] or not found["coordinates_checked"]:
        raise AssertionError(found)
    return {s["name"]: s for s in found["structures"]}


# How far the two may be apart: the volume in %, doses in Gy, as whole pixels of 2.5 mm and gradients of 0.5 (linear)
# and 2 Gy/mm (gauss) allow. Between two equal pieces apart any dose is D50.
APART = {"r30": (0.5, 0.3), "r10": (1.5, 0.5), "r5": (4, 1.1), "r3": (25, 1.6)}
USUAL = (2.5, 1.2)
HALVES = ("apart", "beside")


def compare(sluice, folder, dose, spacing, step):
    def work():
        place = folder / f"{dose}-{spacing}-{step}"
        place.mkdir(parents=True, exist_ok=True)
        rs, rd = place / "rs.dcm", place / "rd.dcm"
        shapes = structures(np.arange(-40, 40.1, step))
        write_structures(rs, shapes)
        origin = (-50.0, -50.0, -50.0)
        side = int(100 / spacing) + 1
        x, y, z = grid((spacing,) * 3, origin, (side,) * 3)
        write_dose(rd, DOSES[dose](x, y, z), (spacing,) * 3, origin)
        mine = ours(sluice, rs, rd)
        wrong = []
        for number, name in enumerate(shapes, 1):
            other = theirs(rs, rd, number)
            volume, gy = APART.get(name, USUAL)
            off = 100 * abs(mine[name]["volume_cm3"] / other["volume_cm3"] - 1)
            keys = [k for k in ("mean", "D98", "D95", "D50", "D2") if not (k == "D50" and name in HALVES)]
            far = {key: mine[name][key] - other[key] for key in keys}
            if off > volume or max(map(abs, far.values())) > gy:
                wrong.append(f"{name}: volume {off:.2f} % apart, doses {far}")
        return "; ".join(wrong)
    return work


def uneven(sluice, folder):
    """Planes 2 and 3 mm apart in turns: dicompyler-core takes 2 mm for all, Sluice half way to both neighbours. And
    half of it lies above the dose: its volume is told, and dicompyler-core's histogram is of what is inside, too."""
    def work():
        place = folder / "uneven"
        place.mkdir(parents=True, exist_ok=True)
        rs, rd = place / "rs.dcm", place / "rd.dcm"
        planes = np.cumsum([0, *[2, 3] * 10]) - 25.0
        write_structures(rs, {"tube": [circle((0, 0), 20, z) for z in planes]})
        origin = (-50.0, -50.0, -50.0)
        x, y, z = grid((2.5,) * 3, origin, (22, 41, 41))
        write_dose(rd, DOSES["gauss"](x, y, z), (2.5,) * 3, origin)
        mine, other = ours(sluice, rs, rd)["tube"], theirs(rs, rd, 1)
        area = 180 / 2 * np.sin(2 * np.pi / 180) * 20**2
        wrong = [] if abs(mine["volume_cm3"] / (area * 52e-3) - 1) < 1e-5 else [f"volume {mine['volume_cm3']}"]
        # The last middle of the dose is at 2.5 mm, its last element ends at 3.75.
        if abs(mine["inside_cm3"] / (area * (3.75 + 26) * 1e-3) - 1) > 1e-5:
            wrong.append(f"inside {mine['inside_cm3']}")
        if abs(other["volume_cm3"] / (area * 42e-3) - 1) > 0.04:
            wrong.append(f"dicompyler-core's volume is {other['volume_cm3']} now")
        if abs(mine["D50"] - other["D50"]) > 0.7:
            wrong.append(f"D50 {mine['D50']} and {other['D50']}")
        return "; ".join(wrong)
    return work


def fixed(sluice, out, tally):
    tally.check("uneven", uneven(sluice, out))
    for dose in DOSES:
        for spacing, step in ((2.5, 2.5), (2.5, 2.0), (1.5, 3.0)):
            tally.check(f"{dose}-{spacing}-{step}", compare(sluice, out, dose, spacing, step))


if __name__ == "__main__":
    sys.exit(matrix.main(__doc__, fixed, [], 0))
