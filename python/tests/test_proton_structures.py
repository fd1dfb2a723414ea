"""Histograms of structures, and doses weighted by RBE, beside numbers that are worked out here.

SPDX-License-Identifier: Apache-2.0
"""
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pydicom
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

import sluice
from sluice import proton

getcontext().prec = 40


def square(z, half, middle=(0.0, 0.0)):
    x, y = middle
    return np.array([(x - half, y - half, z), (x + half, y - half, z), (x + half, y + half, z), (x - half, y + half, z)])


def shell(planes=(-3.0, 0.0, 3.0), frame=""):
    contours = tuple(square(z, half) for z in planes for half in (6.0, 2.0))
    return proton.Structure(1, "shell", "PTV", contours, frame_of_reference=frame)


def ramp(**more):
    z, y, x = np.meshgrid(*3 * [np.arange(-10.0, 11.0, 2.0)], indexing="ij")
    return sluice.Volume(20 + 2 * x, (2, 2, 2), (-10, -10, -10), **more)


def test_parts_are_areas_times_thicknesses():
    parts = proton.structure_parts(shell(), ramp())
    # Elements of 2 mm from -11: the shell is cut at 6 (half an element) and at 2, and along z at 4.5.
    along = np.clip((6 - np.abs(np.arange(-10.0, 11.0, 2.0)) + 1) / 2, 0, 1)
    hole = np.clip((2 - np.abs(np.arange(-10.0, 11.0, 2.0)) + 1) / 2, 0, 1)
    height = np.clip((4.5 - np.abs(np.arange(-10.0, 11.0, 2.0)) + 1) / 2, 0, 1)
    want = height[:, None, None] * (np.outer(along, along) - np.outer(hole, hole))
    np.testing.assert_allclose(parts, want, atol=1e-6)
    assert parts.sum() * 8e-3 == pytest.approx((144 - 16) * 9e-3)


def test_a_histogram_is_what_the_parts_say():
    dose = ramp()
    parts = proton.structure_parts(shell(), dose)
    found = proton.structure_dvh(dose, shell(), samples=1)
    want = proton.dvh(dose.image, parts)
    np.testing.assert_array_equal(found.dose, want.dose)
    np.testing.assert_allclose(found.part, want.part, atol=1e-6)
    assert found.volume_cm3 == pytest.approx(1.152) == pytest.approx(found.inside_cm3, rel=1e-6)
    # With samples it is that of the ramp: V at 20 + 2 x.
    found = proton.structure_dvh(dose, shell())
    assert found.samples > 4
    for x in (-5.0, -3.0, 0.5, 4.0):
        inside = 12 * (6 - x) - 4 * (min(max(2 - x, 0), 4))
        assert found.volume(20 + 2 * x) == pytest.approx(inside / 128, abs=0.01)
    assert found.coverage(np.array([1.0, 0.0])) == pytest.approx([8, 32], abs=0.2)


def test_what_lies_outside_is_told():
    structure = proton.Structure(1, "edge", "", tuple(square(z, 6.0, (8.0, 0.0)) for z in (-3.0, 0.0, 3.0)))
    found = proton.structure_dvh(ramp(), structure)
    assert found.inside_cm3 == pytest.approx(0.75 * found.volume_cm3, rel=1e-5)
    far = proton.Structure(1, "far", "", tuple(square(z, 6.0, (80.0, 0.0)) for z in (-3.0, 0.0, 3.0)))
    with pytest.raises(sluice.InvalidArgument, match="'far' .* lies outside of the dose"):
        proton.structure_dvh(ramp(), far)


def test_coordinates_of_files_are_compared(tmp_path):
    proton.save_dicom_dose(tmp_path / "dose.dcm", ramp())
    frame = str(pydicom.dcmread(tmp_path / "dose.dcm").FrameOfReferenceUID)
    contours = []
    for corners in shell().contours:
        c = Dataset()
        c.ContourGeometricType, c.NumberOfContourPoints = "CLOSED_PLANAR", 4
        c.ContourData = [float(v) for v in corners.ravel()]
        contours.append(c)
    roi, drawn, made = Dataset(), Dataset(), Dataset()
    roi.ROINumber, roi.ROIName, roi.ReferencedFrameOfReferenceUID = 1, "shell", frame
    drawn.ReferencedROINumber, drawn.ContourSequence = 1, contours
    made.SOPClassUID, made.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.481.3", "1.2.6"
    made.StructureSetROISequence, made.ROIContourSequence = [roi], [drawn]
    made.file_meta = FileMetaDataset()
    made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
    made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made.save_as(tmp_path / "rs.dcm", enforce_file_format=True)
    one, = proton.load_structures(tmp_path / "rs.dcm")
    assert one.frame_of_reference == frame
    assert proton.structure_dvh(tmp_path / "dose.dcm", one).mean == pytest.approx(20, abs=1e-3)
    with pytest.raises(sluice.InvalidArgument, match="in 1.2.9; give both of one CT"):
        proton.structure_dvh(tmp_path / "dose.dcm", shell(frame="1.2.9"))


#: RBEmax and RBEmin of the papers, as fractions: of LET and alpha/beta, and the root of this.
LIMITS = {
    "mcnamara": lambda let, r, root: (Decimal("0.99064") + Decimal("0.35605") * let / r,
                                      Decimal("1.1012") - Decimal("0.0038703") * root * let),
    "wedenberg": lambda let, r, root: (1 + Decimal("0.434") * let / r, Decimal(1)),
    "carabe": lambda let, r, root: (Decimal("0.843") + Decimal("0.154") * Decimal("2.686") * let / r,
                                    Decimal("1.09") + Decimal("0.006") * Decimal("2.686") * let / r),
}


@pytest.mark.parametrize("model", sorted(LIMITS))
def test_rbe_is_that_of_the_papers(model):
    dose, let, r = (Decimal(str(v)) for v in ("1.8", "4.2", "3.1"))
    for d in (Decimal("0.001"), dose, Decimal(40)):
        most, least = LIMITS[model](let, r, r.sqrt())
        want = ((r * r + 4 * d * r * most + 4 * d * d * least * least).sqrt() - r) / (2 * d)
        assert proton.rbe(float(d), float(let), float(r), model=model) == pytest.approx(float(want), rel=1e-12)
    assert proton.rbe(0, float(let), float(r), model=model) == pytest.approx(float(most), rel=1e-12)
    assert proton.rbe(1e12, float(let), float(r), model=model) == pytest.approx(float(least), rel=1e-9)
    doses = np.linspace(0, 5, 6).reshape(2, 3)
    assert proton.rbe(doses, 4.2, 3.1, model=model).shape == (2, 3)


def test_a_weighted_dose_is_fraction_by_fraction():
    dose, let = np.array([[0.0, 20, 60]]), np.array([[np.nan, 1.5, 8]])
    weighted = proton.rbe_dose(dose, let, model="wedenberg", alpha_beta=3, fractions=30)
    assert weighted.image[0, 0] == 0 and weighted.content == "effective dose, Gy"
    for i in (1, 2):
        d = Fraction(dose[0, i]) / 30
        most = 1 + Fraction(434, 1000) * Fraction(let[0, i]) / 3
        x = Fraction(float(weighted.image[0, i])) / 30
        # As many cells survive x of photons as d of protons: alpha d + beta d^2, over beta.
        assert float(3 * x + x * x) == pytest.approx(float(3 * most * d + d * d), rel=1e-6)
    assert np.array_equal(proton.rbe_dose(dose, model="constant").image, (dose * 1.1).astype(np.float32))


def test_tissues_have_their_own():
    dose = ramp()
    tissues = proton.alpha_beta_map(dose, 2.0, [(shell(), 10.0)])
    assert np.array_equal(tissues.image == 10, proton.structure_parts(shell(), dose) >= 0.5)
    let = sluice.Volume(np.full(dose.shape, 3.0), dose.spacing, dose.origin)
    weighted = proton.rbe_dose(dose, let, alpha_beta=tissues).image
    for x in (0, 7):
        d, r = float(dose.image[5, 5, x]), float(tissues.image[5, 5, x])
        assert weighted[5, 5, x] == pytest.approx(d * proton.rbe(d, 3, r), rel=1e-6) and r == (10 if x else 2)


@pytest.mark.parametrize("call, words", [
    (lambda: proton.structure_dvh(ramp(), "PTV"), "structure is .PTV."),
    (lambda: proton.structure_dvh(np.ones((3, 3, 3)), shell()), "spacing and origin"),
    (lambda: proton.structure_dvh(ramp(), shell(), samples=99), "too many"),
    (lambda: proton.structure_dvh(ramp(), proton.Structure(1, "none", "", ())), "no closed contours"),
    (lambda: proton.structure_dvh(ramp(), shell((0.0,))), "one plane only"),
    (lambda: proton.structure_parts(proton.Structure(1, "a", "", (np.ones((2, 3)),)), ramp()), "corner, 3"),
    (lambda: proton.structure_parts(proton.Structure(1, "a", "", (square(0, np.nan), square(1, 3.0))), ramp()), "no number"),
    (lambda: proton.rbe(-1, 2, 3), "at least 0"),
    (lambda: proton.rbe(1, np.inf, 3), "finite"),
    (lambda: proton.rbe(1, 2, 3, model="best"), "give one of constant"),
    (lambda: proton.rbe_dose(np.ones((2, 2)), None), "the LET is missing"),
    (lambda: proton.rbe_dose(np.ones((2, 2)), np.full((2, 2), np.nan)), "the LET at y 0, x 0 is nan"),
    (lambda: proton.rbe_dose(np.ones((2, 2)), np.ones((2, 3))), "2x3 elements"),
    (lambda: proton.rbe_dose(np.ones((2, 2)), np.ones((2, 2)), alpha_beta=0), "alpha/beta is 0"),
    (lambda: proton.rbe_dose(np.ones((2, 2)), np.ones((2, 2)), fractions=0), "0 fractions"),
    (lambda: proton.rbe_dose(-np.ones((2, 2)), np.ones((2, 2))), "-1 Gy"),
    (lambda: proton.alpha_beta_map(ramp(), 2, [(shell(), 0)]), "'shell' is 0"),
])
def test_what_would_be_wrong_is_refused(call, words):
    with pytest.raises(sluice.Error, match=words):
        call()
