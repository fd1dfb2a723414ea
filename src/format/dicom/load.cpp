// Which volume a path means.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/load.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/dicom/ct.h"
#include "format/dicom/dose.h"
#include "format/dicom/mark.h"
#include "sluice/dicom.h"

namespace sluice {
namespace dicom {
namespace {

bool is_folder(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

bool is_ct_class(std::string_view sop_class) {
    return sop_class == classes::ct || sop_class == classes::enhanced_ct;
}

}  // namespace

bool is_dicom(std::string const& path) {
    return is_folder(path) ? is_dicom_folder(path) : class_of(path).has_value();
}

Result<VolumeFiles> volume_in(std::string const& path) {
    if (!is_folder(path)) return VolumeFiles{path, class_of(path).value_or("") != classes::dose};
    std::vector<std::string> doses;
    for (FoundFile const& f : dicom_files(path)) {
        if (is_ct_class(f.sop_class)) return VolumeFiles{path, true};
        if (f.sop_class == classes::dose) doses.push_back(f.path);
    }
    if (doses.size() == 1) return VolumeFiles{doses[0], false};
    if (doses.empty())
        return Error{Code::not_found,
                     "has DICOM files, but no CT images and no RT dose; give a folder with these",
                     path};
    return Error{Code::invalid_argument,
                 fmt::format("has {} RT doses (which one is meant?) give one of them, such as {}",
                             doses.size(), doses[0]),
                 path};
}

Result<Volume> load(std::string const& path, std::uint64_t most_bytes) {
    SLUICE_TRY(VolumeFiles const files, volume_in(path));
    if (files.is_ct) {
        SLUICE_TRY(CtSeries const series, find_ct(files.path));
        return load_ct(series, most_bytes);
    }
    SLUICE_TRY(DoseFile const dose, find_dose(files.path));
    return load_dose(dose, most_bytes);
}

}  // namespace dicom

Result<std::string> frame_of_reference(std::string const& path) {
    if (!dicom::is_dicom(path)) return std::string();
    SLUICE_TRY(dicom::VolumeFiles const files, dicom::volume_in(path));
    if (files.is_ct) {
        SLUICE_TRY(dicom::CtSeries const series, dicom::find_ct(files.path));
        return series.frame_of_reference;
    }
    SLUICE_TRY(dicom::DoseFile const dose, dicom::find_dose(files.path));
    return dose.frame_of_reference;
}

Result<InCoordinates> in_coordinates(std::string const& path) {
    SLUICE_TRY(std::string frame, frame_of_reference(path));
    return InCoordinates{path, std::move(frame)};
}

Result<bool> same_coordinates(InCoordinates const& one, InCoordinates const& other) {
    if (one.frame_of_reference.empty() || other.frame_of_reference.empty()) return false;
    if (one.frame_of_reference == other.frame_of_reference) return true;
    return Error{
        Code::invalid_argument,
        fmt::format("lies in the coordinates {} (FrameOfReferenceUID), and {} in {}; give files "
                    "of one CT",
                    one.frame_of_reference, other.path, other.frame_of_reference),
        one.path};
}

}  // namespace sluice
