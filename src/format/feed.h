// Feed: the source of a scan that is being measured: reading waits until frames have come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "format/frame_source.h"
#include "sluice/feed_state.h"

namespace sluice {

/// A frame that waits to be fetched; its bytes are there as long as `owner` is held.
struct WaitingFrame {
    EncodedFrame frame = {};
    std::shared_ptr<void const> owner = {};
};

/// fetch() waits until its frames have come or were given up; those are `Encoding::missing`. Each
/// frame can be fetched once. All of it may be called by several threads at once.
class Feed : public FrameSource {
  public:
    virtual FeedState state() const = 0;
    /// Where frames were given up, ascending; complete once the feed has ended.
    virtual std::vector<FrameRun> gaps() const = 0;
    /// Frames that have waited for `age` while somebody waits for others, each told once. They stay
    /// to be fetched. At most so many are told that are not fetched. None, where a feed keeps none.
    virtual std::vector<WaitingFrame> waiting(std::chrono::milliseconds /*age*/,
                                              index /*most*/) const {
        return {};
    }
    /// A frame that was fetched cannot be decoded: it is a gap, and `why` is told.
    virtual void spoiled(index frame, Error why) = 0;
    /// No frame comes any more, and whoever waits goes on: what came is kept.
    virtual void end(std::string const& why) = 0;
};

}  // namespace sluice
