// FeedState: what is known of a scan while it is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice {

/// Every frame of the scan is awaited, waits, was taken, or is a gap.
struct FeedState {
    index received = 0;            ///< frames that came
    index taken = 0;               ///< of these, those that were read, and are not kept any more
    index gaps = 0;                ///< frames that were given up, spoiled ones among them
    std::uint64_t held_bytes = 0;  ///< of the frames that wait to be read
    double lag_s = 0;    ///< how long the one that waits longest has waited, of those that were
                         ///< not looked at
    bool ended = false;  ///< no frame comes any more

    index waiting() const { return received - taken; }
};

}  // namespace sluice
