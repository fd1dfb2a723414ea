// Numbers of 16 bits that are the upper half of a float: its range, eight binary digits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace sluice {

/// The bits of a bf16.
struct Bf16 {
    std::uint16_t bits = 0;

    /// The nearest bf16, ties to even; NaN stays NaN, and numbers too large become infinite.
    static Bf16 of(float value) {
        auto const u = std::bit_cast<std::uint32_t>(value);
        if (value != value) return {static_cast<std::uint16_t>(u >> 16 | 0x40)};
        return {static_cast<std::uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16)};
    }

    explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
    friend bool operator==(Bf16, Bf16) = default;
};

}  // namespace sluice
