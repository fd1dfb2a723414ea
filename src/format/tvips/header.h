// What a recording of a TVIPS camera says: of all its frames, and of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/file.h"
#include "format/scan_shape.h"

namespace sluice::tvips {

constexpr std::size_t series_header_bytes = 256;

struct SeriesHeader {
    int version = 1;
    index rows = 0, cols = 0;
    int bytes = 1;  ///< of a pixel
    std::uint64_t frame_header_bytes = 12;
    /// What version 1 need not state, but some programs write and mean.
    std::uint64_t stated_header_bytes = 0;
    index binning_x = 1, binning_y = 1;
    index pixel_nm = 0, energy_kv = 0, magnification = 0;

    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(rows * cols) * static_cast<std::uint64_t>(bytes);
    }
    std::uint64_t stride() const { return frame_header_bytes + frame_bytes(); }
};
Result<SeriesHeader> parse_series_header(Bytes head);

/// The scan as the headers of frames have it, which the microscope's control wrote.
struct FoundScan {
    index start = 0;  ///< frames before the scan
    index cols = 0;   ///< 0: not known
};
/// Looks at the first frames of the first file; nothing where their headers have no places.
Result<std::optional<FoundScan>> find_scan(File const& file, SeriesHeader const& header,
                                           index frames);

}  // namespace sluice::tvips
