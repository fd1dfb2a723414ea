// The values of a frame that came, decoded; and frames as chunks of HDF5 files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"

namespace sluice::net {

/// What a frame has to hold.
struct FrameSize {
    index rows = 0, cols = 0;
    int pixel_bytes = 0;

    std::size_t bytes() const { return static_cast<std::size_t>(rows * cols * pixel_bytes); }
};

/// Decodes a frame into little-endian values; `values` has room for them.
Status frame_values(EncodedFrame const& frame, FrameSize size, std::span<std::byte> values);

/// Whether a frame can be decoded, without its values. `room` is memory that is used again.
Status check_frame(EncodedFrame const& frame, FrameSize size, std::vector<std::byte>& room);

}  // namespace sluice::net
