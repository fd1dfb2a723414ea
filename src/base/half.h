// Numbers of 16 bits, the halves of IEEE 754: not every compiler here has a type for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sluice {

/// The bits of a half.
struct Half {
    std::uint16_t bits = 0;

    /// The nearest half, ties to even; what is too large becomes infinite.
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
        int const exponent = bits >> 10 & 31, mantissa = bits & 1023;
        float value = 0;
        if (exponent == 31)
            value = mantissa == 0 ? std::numeric_limits<float>::infinity()
                                  : std::numeric_limits<float>::quiet_NaN();
        else if (exponent == 0)
            value = std::ldexp(static_cast<float>(mantissa), -24);
        else
            value = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
        return bits & 0x8000 ? -value : value;
    }
};

}  // namespace sluice
