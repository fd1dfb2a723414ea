// What a master file says about the detector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/nxmx/values.h"
#include "sluice/dataset.h"

namespace sluice::nxmx {

struct Detector {
    std::vector<MetaField> metadata = {};
    std::optional<std::uint64_t> saturation = {};
    bool mask_applied = false;
    double frame_time_s = 0, high_tension_kv = 0, pixel_m = 0;
    index expected_frames = 0;
};

/// Frames as triggered; 0: it does not say.
index expected_frames(Values& master);

/// `channel` is empty but in files of the format 2024.2.
Detector read_detector(Values& master, std::string const& channel);

/// The pixel mask for frames of rows x cols, [row][col]; empty if there is none that fits.
Result<std::vector<std::uint32_t>> read_pixel_mask(Values& master, std::string const& channel,
                                                   index rows, index cols,
                                                   std::vector<std::string>& notes);

}  // namespace sluice::nxmx
