// Volumes out of DICOM.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice::dicom {

/// A folder with DICOM files, or a file that begins like one.
bool is_dicom(std::string const& path);

/// A CT series (a folder, or one of its files) in HU, or an RT dose in Gy.
Result<Volume> load(std::string const& path, std::uint64_t most_bytes);

/// What load() reads of a path: a file as it is; of a folder its CT series, or else its only dose.
/// `is_ct`: which of the two it is.
struct VolumeFiles {
    std::string path;
    bool is_ct = true;
};
Result<VolumeFiles> volume_in(std::string const& path);

}  // namespace sluice::dicom
