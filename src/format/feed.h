// Feed: the source of a scan that is being measured: reading waits until frames have come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "format/frame_source.h"

namespace sluice {

/// What a feed knows now. Every frame of the scan is awaited, waits, was taken, or is a gap.
struct FeedState {
    index received = 0;            ///< frames that came
    index taken = 0;               ///< of these, those that were read, and are not kept any more
    index gaps = 0;                ///< frames that were given up, spoiled ones among them
    std::uint64_t held_bytes = 0;  ///< of the frames that wait to be read
    double lag_s = 0;              ///< how long the one that waits longest has waited
    bool ended = false;            ///< no frame comes any more

    index waiting() const { return received - taken; }
};

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
