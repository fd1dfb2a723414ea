// Feed: the source of a scan that is being measured: reading waits until frames have come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "format/frame_source.h"
#include "sluice/feed_state.h"

namespace sluice {

/// fetch() waits until its frames have come or were given up; those are `Encoding::missing`. Each
/// frame can be fetched once. All of it may be called by several threads at once.
class Feed : public FrameSource {
  public:
    virtual FeedState state() const = 0;
    /// Where frames were given up, ascending; complete once the feed has ended.
    virtual std::vector<FrameRun> gaps() const = 0;
    /// A frame that was fetched cannot be decoded: it is a gap, and `why` is told.
    virtual void spoiled(index frame, Error why) = 0;
    /// No frame comes any more, and whoever waits goes on: what came is kept.
    virtual void end(std::string const& why) = 0;
};

}  // namespace sluice
