// Hashes of content: each algorithm once. They find accidents, and do not protect against forgery.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/view.h"

namespace sluice {

/// XXH64: the 64-bit hash of Yann Collet's xxHash with seed 0, at the speed of memory, of bytes
/// that come in pieces.
class Xxh64 {
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

std::uint64_t xxh64(Bytes bytes);

/// FNV-1a: Fowler, Noll and Vo's hash of 64 bits, byte by byte; for short things such as names.
class Fnv1a {
  public:
    void update(Bytes bytes) {
        for (std::byte const b : bytes)
            value_ = (value_ ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3U;
    }
    std::uint64_t digest() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// SplitMix64's finaliser over the words of some bytes, the last of which is filled up with zeros.
/// `before` is the digest of what comes before them.
std::uint64_t splitmix_digest(Bytes bytes, std::uint64_t before = 0);

}  // namespace sluice
