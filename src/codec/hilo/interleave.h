// Low and high bytes put together, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::codec {

/// `n` samples; `past` writes them past the caches (device/past_caches.h).
struct Interleave {
    void (*to)(std::byte const* low, std::byte const* high, index n, std::byte* out);
    void (*past)(std::byte const* low, std::byte const* high, index n, std::byte* out);
};

Interleave const& interleave(Isa isa);

namespace baseline {
Interleave interleave();
}
namespace avx2 {
Interleave interleave();
}
namespace avx512 {
Interleave interleave();
}

}  // namespace sluice::codec
