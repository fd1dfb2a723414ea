// Block files (BLO) of NanoMEGAS: precession and scanning diffraction with ASTAR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::blo {

/// What the header says; all numbers are little-endian.
struct Header {
    bool wide = false;  ///< pixels of 16 bits
    std::uint64_t patterns_at = 0;
    index side = 0;  ///< of a pattern, in pixels
    index scan_rows = 0, scan_cols = 0;
    double step_x_nm = 0, step_y_nm = 0;
    double energy_v = 0, camera_length = 0,
           pixels_per_cm = 0;  ///< the last two in units of 0.1 mm and 0.01
    double scan_rotation = 0;  ///< in 1/100 degrees
};
Result<Header> parse_header(Bytes head);

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{.name = "blo",
                               .title = "block files (BLO) of NanoMEGAS",
                               .recognises = recognises,
                               .open = open};

}  // namespace sluice::blo
