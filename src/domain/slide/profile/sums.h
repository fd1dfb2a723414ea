// Sums over the spans of a read: seconds of each step, and the slowest tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/slide_profile.h"

namespace sluice::slide {

/// Names of the steps that are not of a codec.
namespace step {
inline constexpr std::string_view plan = "plan", disk = "wait for the disk",
                                  copy = "copy from the cache", compose = "compose",
                                  starved = "wait for a processor", idle = "idle",
                                  outside = "filling and starting", other = "between the steps";
}

/// Fills steps, slowest tiles and CPU time out of times.spans, of a read that began at `begin_ns`
/// and ended at `end_ns` of the same clock. `codec_of` names a tile's compression. Where the file
/// is `mapped`, it is decoding that waits for the disk. A read that took no bytes from the disk
/// does not wait for it: it waits for a processor. Computing of the process that is in no
/// step is one of its own: filling what has no tile, starting threads.
void sum_up(ReadTimes& times, std::int64_t begin_ns, std::int64_t end_ns, bool mapped,
            std::function<std::string(std::int32_t tile)> const& codec_of);

}  // namespace sluice::slide
