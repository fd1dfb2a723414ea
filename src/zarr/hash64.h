// XXH64: tells whether a file still has the bytes that were written, at the speed of memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/view.h"

namespace sluice::zarr {

/// The 64-bit hash of Yann Collet's xxHash with seed 0, of bytes that come in pieces.
class Hash64 {
  public:
    void update(Bytes bytes);
    std::uint64_t digest() const;

  private:
    void take(std::byte const* block);
    std::array<std::uint64_t, 4> lanes_ = {0x60ea27eeadc0b5d6U, 0xc2b2ae3d27d4eb4fU, 0,
                                           0x61c8864e7a143579U};
    std::array<std::byte, 32> rest_ = {};
    std::size_t held_ = 0;
    std::uint64_t length_ = 0;
};

std::uint64_t hash64(Bytes bytes);

}  // namespace sluice::zarr
