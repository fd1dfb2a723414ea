// Arena: one piece of a device's memory for many places, which are counted before it is taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/place.h"

namespace sluice {

/// Gives out addresses one after the other and takes none back. One without memory only counts, so
/// that the same code says what it needs and then gets it.
class Arena {
  public:
    Arena() = default;
    static Result<Arena> make(Queue& queue, index bytes) {
        Arena a;
        SLUICE_TRY(a.memory_, Place<std::byte>::make(queue, bytes));
        return a;
    }

    /// On the device; null where this only counts.
    template <class T>
    T* take(index count) {
        std::byte* const at = memory_.data() ? memory_.data() + used_ : nullptr;
        used_ += (count * static_cast<index>(sizeof(T)) + line - 1) / line * line;
        expects(!at || used_ <= memory_.count());
        return reinterpret_cast<T*>(at);
    }
    index used() const { return used_; }
    index bytes() const { return static_cast<index>(memory_.bytes()); }

  private:
    static constexpr index line = 256;  // as cudaMalloc() aligns
    Place<std::byte> memory_;
    index used_ = 0;
};

}  // namespace sluice
