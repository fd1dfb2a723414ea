// Writing results larger than the caches: stores that go past them do not read the lines first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice {

/// From so many bytes on a result cannot stay in the caches, whoever needs it next.
inline constexpr std::size_t past_caches_from = std::size_t{32} << 20;

/// Copies whose destination goes past the caches. Other threads see it after past_caches_done().
struct PastCaches {
    void (*copy)(std::byte const* from, index n, std::byte* to);
};

PastCaches const& past_caches(Isa isa);

/// Once per part, not per row: it waits until memory has taken everything.
void past_caches_done();

namespace baseline {
PastCaches past_caches();
}
namespace avx2 {
PastCaches past_caches();
}
namespace avx512 {
PastCaches past_caches();
}

}  // namespace sluice
