// Numbers out of the bytes of elements, whatever their order, width and place.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "format/hdf5/object/datatype.h"

namespace sluice::hdf5::object {
namespace {

std::uint64_t low_bits(unsigned n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

std::uint64_t load(Datatype const& t, std::byte const* p) {
    std::uint64_t v = 0;
    auto const n = static_cast<std::size_t>(t.size);
    for (std::size_t i = 0; i < n; ++i)
        v = v << 8 | std::to_integer<std::uint64_t>(p[t.big_endian ? i : n - 1 - i]);
    return v;
}

std::uint64_t field(std::uint64_t v, unsigned at, unsigned bits) {
    return at >= 64 ? 0 : v >> at & low_bits(bits);
}

/// The bits of a whole number, and whether it is negative.
struct Whole {
    std::uint64_t bits;
    bool negative;
};

Whole whole_of(Datatype const& t, std::byte const* p) {
    std::uint64_t const v = field(load(t, p), t.bit_offset, t.precision);
    bool const negative = t.has_sign && (v >> (t.precision - 1) & 1) != 0;
    return {negative ? v | ~low_bits(t.precision) : v, negative};
}

double real_of(Datatype const& t, std::byte const* p) {
    std::uint64_t const v = load(t, p);
    std::uint64_t const mantissa = field(v, t.mantissa_at, t.mantissa_bits);
    std::uint64_t const exponent = field(v, t.exponent_at, t.exponent_bits);
    double const sign = field(v, t.sign_at, 1) != 0 ? -1.0 : 1.0;
    int const bits = static_cast<int>(t.mantissa_bits);
    int const bias = static_cast<int>(std::min<std::uint32_t>(t.exponent_bias, 1 << 20));
    if (exponent == low_bits(t.exponent_bits))
        return sign * (mantissa == 0 ? std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::quiet_NaN());
    double const fraction = static_cast<double>(mantissa);
    if (!t.implied_one)
        return sign * std::ldexp(fraction, static_cast<int>(exponent) - bias - bits);
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - bits);
    return sign *
           std::ldexp(fraction + std::ldexp(1.0, bits), static_cast<int>(exponent) - bias - bits);
}

}  // namespace

double number_of(Datatype const& t, std::byte const* p) {
    if (t.kind == TypeClass::real) return real_of(t, p);
    Whole const w = whole_of(t, p);
    return w.negative ? static_cast<double>(static_cast<std::int64_t>(w.bits))
                      : static_cast<double>(w.bits);
}

std::optional<std::uint64_t> count_of(Datatype const& t, std::byte const* p) {
    if (t.kind == TypeClass::whole) {
        Whole const w = whole_of(t, p);
        return w.negative ? std::nullopt : std::optional(w.bits);
    }
    double const v = real_of(t, p);
    constexpr double end = 18446744073709551616.0;
    if (!(v >= 0 && v < end)) return {};
    return static_cast<std::uint64_t>(v);
}

}  // namespace sluice::hdf5::object
