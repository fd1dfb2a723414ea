// How long who receives sleeps when nothing more is there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace sluice::net {

/// Of a stream that has no more just now. Who wakes up for each piece of a fast one spends more
/// time on that than on the piece; what comes meanwhile lies in the buffers of the system.
constexpr std::chrono::milliseconds nap{1};

}  // namespace sluice::net
