// Memory that begins on a cache line, and whose pages come into being when they are touched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>

#include "sluice/view.h"

namespace sluice::store {

struct Free {
    void operator()(std::byte* p) const { std::free(p); }
};
using AlignedBytes = std::unique_ptr<std::byte[], Free>;

/// Not initialised.
inline AlignedBytes aligned_bytes(index size) {
    auto const rounded = static_cast<std::size_t>((size + 63) / 64 * 64);
    void* const p = std::aligned_alloc(64, rounded ? rounded : 64);
    if (!p) throw std::bad_alloc();
    return AlignedBytes(static_cast<std::byte*>(p));
}

}  // namespace sluice::store
