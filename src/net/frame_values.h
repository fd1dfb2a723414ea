// The values of a frame that came, decoded; and frames as chunks of HDF5 files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"

namespace sluice::net {

/// Decodes a frame into little-endian values, which are as many as `values` has room for.
Status frame_values(EncodedFrame const& frame, int element_bytes, std::span<std::byte> values);

/// Whether a frame can be decoded, without its values. `room` is memory that is used again.
Status check_frame(EncodedFrame const& frame, int element_bytes, std::size_t value_bytes,
                   std::vector<std::byte>& room);

}  // namespace sluice::net
