// Progress: how long work tells how far it is, and learns that it should stop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace sluice {

/// Called with what is done and all there is, in units that the work names, by one thread at a
/// time. Returning false cancels the work, which then ends with Code::cancelled.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

}  // namespace sluice
