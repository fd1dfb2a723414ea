// AlignedFloats: floats that begin on a cache line, for the kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "store/aligned.h"

namespace sluice::crystal {

/// Owns its numbers, which are 0 at first. It can be moved and not copied.
class AlignedFloats {
  public:
    AlignedFloats() = default;
    explicit AlignedFloats(index size)
        : size_(size), bytes_(store::aligned_bytes(size * static_cast<index>(sizeof(float)))) {
        std::fill_n(data(), size, 0.0F);
    }

    float* data() { return reinterpret_cast<float*>(bytes_.get()); }
    float const* data() const { return reinterpret_cast<float const*>(bytes_.get()); }
    index size() const { return size_; }
    bool empty() const { return size_ == 0; }

  private:
    index size_ = 0;
    store::AlignedBytes bytes_ = {};
};

}  // namespace sluice::crystal
