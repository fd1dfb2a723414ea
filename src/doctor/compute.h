// A computation in registers: neither memory nor caches decide how fast it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice::doctor {

/// So many steps of eight chains of multiplications, which keep a multiplier busy.
std::uint64_t compute(index steps, std::uint64_t seed);

/// The same `steps` on each of so many threads at a time.
void compute_on(int threads, index steps);

}  // namespace sluice::doctor
