// SplitMix64: 64 good bits out of any counter, the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::splitmix {

/// Its step and its finaliser: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014 (doi:10.1145/2660193.2660195).
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace sluice::splitmix
