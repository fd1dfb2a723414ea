// check_frame(): whether a frame that came can be decoded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/decode_frame.h"

namespace sluice::net {

/// Does not make its values where it can do without. `room` is memory that is used again.
Status check_frame(EncodedFrame const& frame, FrameSize size, std::vector<std::byte>& room);

}  // namespace sluice::net
