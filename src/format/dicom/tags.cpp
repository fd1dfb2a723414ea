// Names of tags and classes.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sluice::dicom {
namespace {

struct TagName {
    Tag tag;
    std::string_view name;
};

// Only those that messages name.
constexpr TagName tag_names[] = {
    {tags::sop_class, "SOPClassUID"},
    {tags::sop_instance, "SOPInstanceUID"},
    {tags::modality, "Modality"},
    {tags::patient_name, "PatientName"},
    {tags::patient_id, "PatientID"},
    {tags::slice_thickness, "SliceThickness"},
    {tags::patient_position, "PatientPosition"},
    {tags::study_uid, "StudyInstanceUID"},
    {tags::series_uid, "SeriesInstanceUID"},
    {tags::image_position, "ImagePositionPatient"},
    {tags::image_orientation, "ImageOrientationPatient"},
    {tags::frame_of_reference, "FrameOfReferenceUID"},
    {tags::samples, "SamplesPerPixel"},
    {tags::photometric, "PhotometricInterpretation"},
    {tags::frames, "NumberOfFrames"},
    {tags::rows, "Rows"},
    {tags::columns, "Columns"},
    {tags::pixel_spacing, "PixelSpacing"},
    {tags::bits_allocated, "BitsAllocated"},
    {tags::bits_stored, "BitsStored"},
    {tags::high_bit, "HighBit"},
    {tags::pixel_representation, "PixelRepresentation"},
    {tags::intercept, "RescaleIntercept"},
    {tags::slope, "RescaleSlope"},
    {tags::rescale_type, "RescaleType"},
    {tags::dose_units, "DoseUnits"},
    {tags::dose_type, "DoseType"},
    {tags::dose_summation, "DoseSummationType"},
    {tags::frame_offsets, "GridFrameOffsetVector"},
    {tags::dose_scaling, "DoseGridScaling"},
    {tags::structures, "StructureSetROISequence"},
    {tags::structure_number, "ROINumber"},
    {tags::structure_name, "ROIName"},
    {tags::structure_contours, "ROIContourSequence"},
    {tags::contours, "ContourSequence"},
    {tags::contour_type, "ContourGeometricType"},
    {tags::contour_points, "NumberOfContourPoints"},
    {tags::contour_data, "ContourData"},
    {tags::ref_structure, "ReferencedROINumber"},
    {tags::fraction_groups, "FractionGroupSequence"},
    {tags::fractions, "NumberOfFractionsPlanned"},
    {tags::beam_meterset, "BeamMeterset"},
    {tags::dosimeter_unit, "PrimaryDosimeterUnit"},
    {tags::beam_number, "BeamNumber"},
    {tags::beam_name, "BeamName"},
    {tags::radiation, "RadiationType"},
    {tags::delivery, "TreatmentDeliveryType"},
    {tags::compensators, "NumberOfCompensators"},
    {tags::blocks, "NumberOfBlocks"},
    {tags::final_weight, "FinalCumulativeMetersetWeight"},
    {tags::energy, "NominalBeamEnergy"},
    {tags::gantry, "GantryAngle"},
    {tags::gantry_rotation, "GantryRotationDirection"},
    {tags::couch, "PatientSupportAngle"},
    {tags::couch_rotation, "PatientSupportRotationDirection"},
    {tags::isocentre, "IsocenterPosition"},
    {tags::cumulative_weight, "CumulativeMetersetWeight"},
    {tags::couch_pitch, "TableTopPitchAngle"},
    {tags::couch_roll, "TableTopRollAngle"},
    {tags::gantry_pitch, "GantryPitchAngle"},
    {tags::patient_setups, "PatientSetupSequence"},
    {tags::setup_number, "PatientSetupNumber"},
    {tags::scan_mode, "ScanMode"},
    {tags::snout_position, "SnoutPosition"},
    {tags::source_distances, "VirtualSourceAxisDistances"},
    {tags::shifter_count, "NumberOfRangeShifters"},
    {tags::shifters, "RangeShifterSequence"},
    {tags::shifter_number, "RangeShifterNumber"},
    {tags::modulator_count, "NumberOfRangeModulators"},
    {tags::shifter_settings, "RangeShifterSettingsSequence"},
    {tags::shifter_setting, "RangeShifterSetting"},
    {tags::shifter_distance, "IsocenterToRangeShifterDistance"},
    {tags::shifter_water, "RangeShifterWaterEquivalentThickness"},
    {tags::ref_shifter, "ReferencedRangeShifterNumber"},
    {tags::spot_count, "NumberOfScanSpotPositions"},
    {tags::spot_positions, "ScanSpotPositionMap"},
    {tags::spot_weights, "ScanSpotMetersetWeights"},
    {tags::spot_size, "ScanningSpotSize"},
    {tags::paintings, "NumberOfPaintings"},
    {tags::beams, "IonBeamSequence"},
    {tags::control_points, "IonControlPointSequence"},
    {tags::ref_beams, "ReferencedBeamSequence"},
    {tags::ref_beam, "ReferencedBeamNumber"},
    {tags::ref_setup, "ReferencedPatientSetupNumber"},
    {tags::pixels, "PixelData"},
};

struct ClassName {
    std::string_view sop_class, words;
};
constexpr ClassName class_names[] = {
    {classes::ct, "a CT image"},
    {classes::enhanced_ct, "an enhanced CT image, with many frames in one file"},
    {classes::dose, "an RT dose"},
    {classes::structures, "an RT structure set"},
    {classes::photon_plan, "an RT plan of photons or electrons"},
    {classes::ion_plan, "an RT ion plan"},
    {classes::mr, "an MR image"},
    {classes::pet, "a PET image"},
};

}  // namespace

std::string name_of(Tag tag) {
    std::string const numbers = fmt::format("({:04X},{:04X})", tag >> 16, tag & 0xffff);
    auto const found = std::ranges::find(tag_names, tag, &TagName::tag);
    return found == std::end(tag_names) ? numbers : fmt::format("{} {}", found->name, numbers);
}

std::string describe_class(std::string_view sop_class) {
    auto const found = std::ranges::find(class_names, sop_class, &ClassName::sop_class);
    return found == std::end(class_names) ? fmt::format("an object of class {}", sop_class)
                                          : std::string(found->words);
}

}  // namespace sluice::dicom
