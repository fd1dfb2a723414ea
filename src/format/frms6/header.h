// The headers of FRMS6 files and the text beside them, as bytes and characters.
// Source: LiberTEM's reader (MIT), io/dataset/frms6.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/scan_shape.h"

namespace sluice::frms6 {

constexpr std::uint64_t file_header_bytes = 1024, frame_header_bytes = 64;

/// A frame is stored as `rows` lines of `cols` values: the left half of a line is a row of the
/// upper half of the image, and the right half, turned around, one of the lower half.
struct Header {
    index rows = 0, cols = 0;  ///< as stored
    index frames = 0;          ///< 0: the file's size tells

    std::uint64_t frame_bytes() const { return static_cast<std::uint64_t>(rows * cols) * 2; }
    std::uint64_t stride() const { return frame_bytes() + frame_header_bytes; }
};
Result<Header> parse_header(Bytes head);

/// Of the text NAME.hdr: [measurementInfo] and lines of "key = value".
struct Info {
    std::optional<ScanGrid> scan = {};
    index signal_frames = 0;  ///< 0: it does not say
    index binning = 1;        ///< of rows
    double dwell_s = 0;
};
Info parse_info(std::string_view text);

}  // namespace sluice::frms6
