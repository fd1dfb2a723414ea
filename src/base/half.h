// Numbers of 16 bits, the halves of IEEE 754: not every compiler here has a type for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sluice {

/// The bits of a half.
struct Half {
    std::uint16_t bits = 0;

    /// The nearest half, ties to even; numbers that are too large become infinite.
    static Half of(double value) {
        std::uint16_t const sign = std::signbit(value) ? 0x8000 : 0;
        double const size = std::abs(value);
        if (std::isnan(value)) return {static_cast<std::uint16_t>(sign | 0x7e00)};
        if (size >= 65520) return {static_cast<std::uint16_t>(sign | 0x7c00)};
        if (size == 0) return {sign};
        int exponent = 0;
        std::frexp(size, &exponent);
        // Below 2^-14 all halves are multiples of 2^-24.
        int const unit = std::max(exponent - 11, -24);
        auto const units = static_cast<int>(std::nearbyint(std::ldexp(size, -unit)));
        int const bits = unit == -24 ? units : ((unit + 25) << 10) + units - 1024;
        return {static_cast<std::uint16_t>(sign | bits)};
    }

    explicit operator float() const {
        std::uint32_t const sign = std::uint32_t{bits & 0x8000U} << 16, mantissa = bits & 1023U;
        std::uint32_t const exponent = bits >> 10 & 31U;
        // Below the least exponent a number is its mantissa times 2^-24, which float can hold.
        if (exponent == 0) {
            float const size = static_cast<float>(mantissa) * 0x1p-24F;
            return sign ? -size : size;
        }
        std::uint32_t const wide = exponent == 31 ? 255 : exponent + 112;
        return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
    }
};

}  // namespace sluice
