"""DICOM: what pydicom writes is read, and what is written pydicom reads, at the same places.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pydicom
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

import sluice
from sluice import proton

CT, DOSE = "1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.481.2"
PLAN, STRUCTURES = "1.2.840.10008.5.1.4.1.1.481.8", "1.2.840.10008.5.1.4.1.1.481.3"


def dataset(**values):
    made = Dataset()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def save(path, made, syntax=ExplicitVRLittleEndian):
    made.file_meta = FileMetaDataset()
    made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
    made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian if syntax == RLELossless else syntax
    if syntax == RLELossless:
        made.compress(RLELossless)
    made.save_as(path, enforce_file_format=True)


def ct_image(z, pixels):
    return dataset(
        SOPClassUID=CT, SOPInstanceUID=f"1.2.3.{1000 + z}", Modality="CT", PatientName="A^B",
        PatientID="42", StudyInstanceUID="1.2", SeriesInstanceUID="1.2.3", PatientPosition="HFS",
        FrameOfReferenceUID="1.2.9", ImagePositionPatient=[-10, 20, z],
        ImageOrientationPatient=[1, 0, 0, 0, 1, 0], PixelSpacing=[1.5, 2], SliceThickness=3,
        Rows=pixels.shape[0], Columns=pixels.shape[1], SamplesPerPixel=1, BitsAllocated=16,
        BitsStored=16, HighBit=15, PixelRepresentation=1, PhotometricInterpretation="MONOCHROME2",
        RescaleSlope=2, RescaleIntercept=-1000, PixelData=pixels.astype("<i2").tobytes())


@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless])
def test_a_ct_is_what_pydicom_wrote(tmp_path, syntax):
    pixels = np.random.default_rng(1).integers(-30000, 30000, (4, 6, 8), np.int16)
    for z in (2, 0, 3, 1):
        save(tmp_path / f"{z}.dcm", ct_image(3 * z, pixels[z]), syntax)
    volume = sluice.load_volume(tmp_path)
    assert np.array_equal(volume.image, pixels * np.float32(2) - 1000)
    assert volume.spacing == (2, 1.5, 3) and volume.origin == (-10, 20, 0) and not volume.turned
    assert volume.content == "CT, HU"


def test_a_dose_is_where_it_was_for_pydicom(tmp_path):
    for z in (0, 1):
        save(tmp_path / f"{z}.dcm", ct_image(3 * z, np.zeros((4, 4))))
    dose = sluice.Volume(np.random.default_rng(2).random((3, 4, 5)) * 70, (2, 2.5, 3),
                         (-100.25, 50, -7.5))
    out = tmp_path / "dose.dcm"
    proton.save_dicom_dose(out, dose, ct=tmp_path / "0.dcm", comment="a test")
    read = pydicom.dcmread(out)
    assert read.SOPClassUID == DOSE and read.file_meta.TransferSyntaxUID == ExplicitVRLittleEndian
    assert (read.PatientID, read.StudyInstanceUID, read.FrameOfReferenceUID) == ("42", "1.2", "1.2.9")
    assert read.FrameIncrementPointer == 0x3004000C and read.DoseUnits == "GY"
    assert np.allclose(read.pixel_array * float(read.DoseGridScaling), dose.image, rtol=0,
                       atol=70 / 2**32)
    assert read.ImagePositionPatient == [-100.25, 50, -7.5]
    assert read.PixelSpacing == [2.5, 2] and read.GridFrameOffsetVector == [0, 3, 6]
    again = sluice.load_volume(out)
    assert np.allclose(again.image, dose.image, rtol=1e-6) and again.spacing == dose.spacing
    assert again.origin == dose.origin


def plan_dataset():
    def point(weights, cumulative, **more):
        return dataset(CumulativeMetersetWeight=cumulative, NumberOfScanSpotPositions=2,
                       ScanSpotPositionMap=[0, 1, 5, 2], ScanSpotMetersetWeights=weights, **more)
    first = point([1.0, 3.0], 0, NominalBeamEnergy=120, GantryAngle=90, PatientSupportAngle=10,
                  IsocenterPosition=[1, 2, -3], ScanningSpotSize=[9.0, 8.0], NumberOfPaintings=2)
    beam = dataset(BeamNumber=1, BeamName="left", RadiationType="PROTON", ScanMode="MODULATED",
                   TreatmentDeliveryType="TREATMENT", PrimaryDosimeterUnit="MU",
                   FinalCumulativeMetersetWeight=4, VirtualSourceAxisDistances=[2000.0, 2500.0],
                   IonControlPointSequence=[first, point([0.0, 0.0], 4)])
    group = dataset(NumberOfFractionsPlanned=30, ReferencedBeamSequence=[
        dataset(BeamMeterset=100, ReferencedBeamNumber=1)])
    return dataset(SOPClassUID=PLAN, SOPInstanceUID="1.2.5", Modality="RTPLAN", RTPlanLabel="test",
                   PatientSetupSequence=[dataset(PatientPosition="HFS")],
                   FractionGroupSequence=[group], IonBeamSequence=[beam])


def test_a_plan_has_its_types(tmp_path):
    save(tmp_path / "plan.dcm", plan_dataset())
    plan = proton.read_plan(tmp_path / "plan.dcm")
    assert (plan.label, plan.patient_position, plan.unit, plan.fractions) == ("test", "HFS", "mu", 30)
    beam, = plan.beams
    assert isinstance(beam, proton.IonBeam) and isinstance(beam.layers[0], proton.PlanLayer)
    assert (beam.gantry, beam.couch, beam.isocentre, beam.source) == (90, 10, (1, 2, -3), (2000, 2500))
    assert beam.layers[0].spots.tolist() == [[0, 1, 25], [5, 2, 75]]
    assert beam.layers[0].fwhm == (9, 8) and plan.spots == 2 and plan.meterset == 100
    proton.save_plan_list(tmp_path / "plan.csv", plan)
    again = proton.read_plan(tmp_path / "plan.csv")
    assert again.beams[0].layers[0].spots.tolist() == beam.layers[0].spots.tolist()
    assert again.beams[0].isocentre == beam.isocentre and again.fractions == 30


def test_what_a_plan_lacks_is_named_and_can_be_given(tmp_path):
    made = plan_dataset()
    del made.IonBeamSequence[0].VirtualSourceAxisDistances
    save(tmp_path / "plan.dcm", made)
    with pytest.raises(sluice.Corrupt, match=r"VirtualSourceAxisDistances \(300A,030A\) is missing"):
        proton.read_plan(tmp_path / "plan.dcm")
    assert proton.read_plan(tmp_path / "plan.dcm", source=1800).beams[0].source == (1800, 1800)
    assert proton.read_plan(tmp_path / "plan.dcm", incomplete=True).notes
    with pytest.raises(sluice.InvalidArgument, match="source is"):
        proton.read_plan(tmp_path / "plan.dcm", source=[1, 2, 3])


def test_structures_have_contours_and_volumes(tmp_path):
    contours = [dataset(ContourGeometricType="CLOSED_PLANAR", NumberOfContourPoints=4,
                        ContourData=[0, 0, z, 10, 0, z, 10, 10, z, 0, 10, z]) for z in (0, 2, 4)]
    save(tmp_path / "s.dcm", dataset(
        SOPClassUID=STRUCTURES, SOPInstanceUID="1.2.6", Modality="RTSTRUCT",
        StructureSetROISequence=[dataset(ROINumber=1, ROIName="target"),
                                 dataset(ROINumber=2, ROIName="empty")],
        ROIContourSequence=[dataset(ReferencedROINumber=1, ContourSequence=contours)]))
    target, empty = proton.load_structures(tmp_path / "s.dcm")
    assert (target.name, len(target.contours), round(target.volume, 9)) == ("target", 3, 0.6)
    assert target.contours[1].tolist()[2] == [10, 10, 2]
    assert empty.contours == () and empty.volume == 0
