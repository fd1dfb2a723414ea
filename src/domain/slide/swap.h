// Blue and red exchanged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::slide {

/// `n` pixels of three samples, B, G, R to R, G, B; `from` and `to` do not overlap.
struct Swap {
    void (*u8)(std::byte const* from, index n, std::byte* to);
    void (*u16)(std::byte const* from, index n, std::byte* to);
};

Swap const& swap(Isa isa);

namespace baseline {
Swap swap();
}
namespace avx2 {
Swap swap();
}
namespace avx512 {
Swap swap();
}

}  // namespace sluice::slide
