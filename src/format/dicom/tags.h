// The tags of DICOM that are read or written here, with their names (PS3.6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::dicom {

/// The group in the upper half, the element in the lower one.
using Tag = std::uint32_t;

namespace tags {
inline constexpr Tag character_set = 0x00080005, sop_class = 0x00080016, sop_instance = 0x00080018,
                     study_date = 0x00080020, study_time = 0x00080030,
                     accession_number = 0x00080050, modality = 0x00080060,
                     manufacturer = 0x00080070, operators = 0x00081070,
                     referring_physician = 0x00080090, series_description = 0x0008103E,
                     instance_date = 0x00080012, instance_time = 0x00080013,
                     ref_sop_class = 0x00081150, ref_sop_instance = 0x00081155,
                     patient_name = 0x00100010, patient_id = 0x00100020, birth_date = 0x00100030,
                     sex = 0x00100040, slice_thickness = 0x00180050, software = 0x00181020,
                     patient_position = 0x00185100, study_uid = 0x0020000D, series_uid = 0x0020000E,
                     study_id = 0x00200010, series_number = 0x00200011,
                     instance_number = 0x00200013, image_position = 0x00200032,
                     image_orientation = 0x00200037, frame_of_reference = 0x00200052,
                     position_reference = 0x00201040, samples = 0x00280002,
                     photometric = 0x00280004, frames = 0x00280008, frame_pointer = 0x00280009,
                     rows = 0x00280010, columns = 0x00280011, pixel_spacing = 0x00280030,
                     bits_allocated = 0x00280100, bits_stored = 0x00280101, high_bit = 0x00280102,
                     pixel_representation = 0x00280103, intercept = 0x00281052, slope = 0x00281053,
                     rescale_type = 0x00281054, dose_units = 0x30040002, dose_type = 0x30040004,
                     dose_comment = 0x30040006, dose_summation = 0x3004000A,
                     frame_offsets = 0x3004000C, dose_scaling = 0x3004000E,
                     heterogeneity = 0x30040014, structure_label = 0x30060002,
                     structure_frames = 0x30060010, structures = 0x30060020,
                     structure_number = 0x30060022, structure_frame = 0x30060024,
                     structure_name = 0x30060026, structure_contours = 0x30060039,
                     contours = 0x30060040, contour_type = 0x30060042, contour_points = 0x30060046,
                     contour_data = 0x30060050, observations = 0x30060080,
                     ref_structure = 0x30060084, interpreted_type = 0x300600A4,
                     plan_label = 0x300A0002, fraction_groups = 0x300A0070,
                     fraction_group_number = 0x300A0071, fractions = 0x300A0078,
                     beam_meterset = 0x300A0086, dosimeter_unit = 0x300A00B3,
                     beam_number = 0x300A00C0, beam_name = 0x300A00C2, radiation = 0x300A00C6,
                     delivery = 0x300A00CE, compensators = 0x300A00E0, blocks = 0x300A00F0,
                     final_weight = 0x300A010E, energy = 0x300A0114, gantry = 0x300A011E,
                     gantry_rotation = 0x300A011F, couch = 0x300A0122, couch_rotation = 0x300A0123,
                     isocentre = 0x300A012C, cumulative_weight = 0x300A0134,
                     couch_pitch = 0x300A0140, couch_roll = 0x300A0144, gantry_pitch = 0x300A014A,
                     patient_setups = 0x300A0180, setup_number = 0x300A0182, scan_mode = 0x300A0308,
                     snout_position = 0x300A030D, source_distances = 0x300A030A,
                     shifter_count = 0x300A0312, shifters = 0x300A0314, shifter_number = 0x300A0316,
                     shifter_name = 0x300A0318, modulator_count = 0x300A0340,
                     shifter_settings = 0x300A0360, shifter_setting = 0x300A0362,
                     shifter_distance = 0x300A0364, shifter_water = 0x300A0366,
                     ref_shifter = 0x300C0100, spot_count = 0x300A0392, spot_positions = 0x300A0394,
                     spot_weights = 0x300A0396, spot_size = 0x300A0398, paintings = 0x300A039A,
                     beams = 0x300A03A2, control_points = 0x300A03A8, ref_plans = 0x300C0002,
                     ref_beams = 0x300C0004, ref_beam = 0x300C0006, ref_setup = 0x300C006A,
                     pixels = 0x7FE00010;
}  // namespace tags

/// As in "PixelSpacing (0028,0030)"; the numbers alone of one that is not in the list.
std::string name_of(Tag tag);

/// What kind of thing a file holds (PS3.4 B.5).
namespace classes {
inline constexpr std::string_view ct = "1.2.840.10008.5.1.4.1.1.2",
                                  enhanced_ct = "1.2.840.10008.5.1.4.1.1.2.1",
                                  dose = "1.2.840.10008.5.1.4.1.1.481.2",
                                  structures = "1.2.840.10008.5.1.4.1.1.481.3",
                                  photon_plan = "1.2.840.10008.5.1.4.1.1.481.5",
                                  ion_plan = "1.2.840.10008.5.1.4.1.1.481.8",
                                  mr = "1.2.840.10008.5.1.4.1.1.4",
                                  pet = "1.2.840.10008.5.1.4.1.1.128";
}  // namespace classes

/// As in "a CT image"; "an object of class 1.2..." of one that is not known here.
std::string describe_class(std::string_view sop_class);

}  // namespace sluice::dicom
