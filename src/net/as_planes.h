// AsPlanes: values that came become bit planes before they wait.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/decode_frame.h"
#include "format/feed.h"
#include "net/slabs.h"

namespace sluice::net {

/// Of one receiver. Its thread has the values in its cache, where another one's processor would
/// fetch all of them again; and their memory serves for what comes next.
class AsPlanes {
  public:
    /// The frame by its planes; as it is, where it is no values, or of another size.
    WaitingFrame make(EncodedFrame const& frame, FrameSize size, std::shared_ptr<void const> owner);

  private:
    std::optional<Slabs> slabs_ = {};
    std::shared_ptr<std::byte[]> memory_ = {};
    std::size_t used_ = 0;
};

}  // namespace sluice::net
