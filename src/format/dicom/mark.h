// What the first bytes of a DICOM file say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/view.h"

namespace sluice::dicom {

/// The class of what a file holds, out of its header (PS3.10 7.1); empty where the header does not
/// say it. None where the bytes do not begin as a DICOM file does.
std::optional<std::string> class_of(Bytes head);
/// The same of a file; none where it cannot be read.
std::optional<std::string> class_of(std::string const& path);

struct FoundFile {
    std::string path, sop_class;
};
/// The DICOM files of a folder, by their names. Empty where the folder cannot be listed.
std::vector<FoundFile> dicom_files(std::string const& folder);
/// Whether there are any among the first of a folder's files, by their names.
bool is_dicom_folder(std::string const& folder);

}  // namespace sluice::dicom
