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
    // 0: not known.
    double frame_time_s = 0, energy_kv = 0, pixel_m = 0;
    std::vector<std::string> notes = {};
    index expected_frames = 0;
};

/// Where a master has a field of metadata, and what its number is in there.
struct FieldPlace {
    std::string path = {};
    double scale = 1;       ///< from the base
    std::string unit = {};  ///< of the metadata
    std::string base = {};  ///< of the file; empty: it is a text
};
/// Nothing for a field that masters have no place for.
std::optional<FieldPlace> place_of(std::string_view field);

/// Frames as triggered; 0: it does not say.
index expected_frames(Values& master);

/// `channel` is empty but in files of the format 2024.2.
Detector read_detector(Values& master, std::string const& channel);

/// Reads the pixel mask for the frames of `dataset` into it. One that does not fit is a warning.
Status read_pixel_mask(Values& master, std::string const& channel, Dataset& dataset);

}  // namespace sluice::nxmx
