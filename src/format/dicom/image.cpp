// One image of a CT series (PS3.3 A.3, C.8.2.1).
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/dicom/ct.h"

namespace sluice::dicom {
namespace {

Status check_class(Values const& v) {
    std::string const sop_class = v.text(tags::sop_class);
    if (sop_class == classes::ct) return {};
    if (sop_class == classes::enhanced_ct)
        return v.error(
            "is an enhanced CT image, with many frames in one file (this is not read) export one "
            "file for each slice",
            Code::unsupported);
    return v.error(fmt::format("is {}, not a CT image; give CT images", describe_class(sop_class)),
                   Code::unsupported);
}

// Positions are in the patient's coordinates however he lies; on his side, beams of a plan would
// have to be turned with him.
Status check_patient_position(Values const& v) {
    std::string const p = v.text(tags::patient_position);
    if (p.empty() || p == "HFS" || p == "HFP" || p == "FFS" || p == "FFP") return {};
    return v.wrong(tags::patient_position, "HFS, HFP, FFS and FFP are read",
                   "export a series of a patient on his back or front", Code::unsupported);
}

Status check_image_kind(Values const& v) {
    SLUICE_CHECK(check_class(v));
    SLUICE_TRY(auto const frames, v.number(tags::frames));
    if (frames && *frames != 1)
        return v.wrong(tags::frames, "one frame in each file is read",
                       "export one file for each slice", Code::unsupported);
    std::string const rescale = v.text(tags::rescale_type);
    if (!rescale.empty() && rescale != "HU" && rescale != "US")
        return v.wrong(tags::rescale_type, "pixels in HU are read", "export the series in HU",
                       Code::unsupported);
    return check_patient_position(v);
}

}  // namespace

Result<Image> read_image(Dataset const& dataset, std::string const& file) {
    Values const v(dataset, file);
    SLUICE_CHECK(check_image_kind(v));
    Image image;
    image.slice.file = file;
    SLUICE_TRY(image.slice.frame, read_frame(v));
    SLUICE_TRY(image.slice.stored, read_stored(v));
    SLUICE_TRY(image.slice.slope, v.needed_number(tags::slope));
    SLUICE_TRY(image.slice.intercept, v.needed_number(tags::intercept));
    if (image.slice.slope == 0) return v.wrong(tags::slope, "all pixels would be alike");
    SLUICE_TRY(image.instance_uid, v.needed_text(tags::sop_instance));
    SLUICE_TRY(image.series_uid, v.needed_text(tags::series_uid));
    SLUICE_TRY(image.study_uid, v.needed_text(tags::study_uid));
    SLUICE_TRY(image.frame_of_reference, v.needed_text(tags::frame_of_reference));
    SLUICE_TRY(auto const thickness, v.number(tags::slice_thickness));
    image.thickness = thickness.value_or(0);
    image.patient_position = v.text(tags::patient_position);
    image.description = v.text(tags::series_description);
    return image;
}

}  // namespace sluice::dicom
