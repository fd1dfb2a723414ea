// How the images of a recording make a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/frames.h"
#include "format/nxmx/values.h"
#include "format/scan_shape.h"

namespace sluice::nxmx {

/// What a recording says of its images.
struct RecordedPath {
    ScanGrid scan{};
    std::string words = {};
    std::vector<index> frame_of = {};  ///< [image], -1: none; empty: image i is frame i
    std::vector<MetaField> metadata = {};
};

/// Nothing for masters that are no recordings.
Result<std::optional<RecordedPath>> read_recorded_path(Values& master);

/// The frames of the scan, out of the images in their order.
hdf5::FrameParts along_path(hdf5::FrameParts const& images, RecordedPath const& path);

}  // namespace sluice::nxmx
