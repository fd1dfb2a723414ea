// decode_frame(): the values of a stored frame, in whatever encoding a source has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"

namespace sluice {

/// What a frame has to hold.
struct FrameSize {
    index rows = 0, cols = 0;
    int pixel_bytes = 0;

    std::size_t bytes() const { return static_cast<std::size_t>(rows * cols * pixel_bytes); }
};

/// Little-endian values, as many as `values` has room for: size.bytes(). A missing frame is its
/// fill value everywhere, or zeros. Errors: damaged bytes, without the name of the file.
Status decode_frame(EncodedFrame const& frame, FrameSize size, std::span<std::byte> values);

}  // namespace sluice
