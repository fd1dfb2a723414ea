// Weights of one type of numbers as those of another: number by number, by way of double.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/rounding.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/bf16.h"
#include "base/half.h"

namespace sluice::weights {
namespace {

template <class T>
T at(std::byte const* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

double read(Element e, std::byte const* from) {
    switch (e) {
        case Element::f64:
            return at<double>(from);
        case Element::f16:
            return static_cast<float>(Half{at<std::uint16_t>(from)});
        case Element::bf16:
            return static_cast<float>(Bf16{at<std::uint16_t>(from)});
        default:
            return at<float>(from);
    }
}

// A float between two bf16 numbers that came out of a double may lie on their middle where the
// double does not: an odd last digit keeps what the first rounding left out.
float to_odd(double value) {
    auto const nearest = static_cast<float>(value);
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (!std::isfinite(nearest) || static_cast<double>(nearest) == value) return nearest;
    if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
    return std::bit_cast<float>(bits | 1);
}

double write(Element e, double value, std::byte* to) {
    auto const put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    switch (e) {
        case Element::f64:
            put(value);
            return value;
        case Element::f16: {
            Half const h = Half::of(value);
            put(h.bits);
            return static_cast<float>(h);
        }
        case Element::bf16: {
            Bf16 const b = Bf16::of(to_odd(value));
            put(b.bits);
            return static_cast<float>(b);
        }
        default: {
            auto const f = static_cast<float>(value);
            put(f);
            return f;
        }
    }
}

}  // namespace

bool is_real(Element e) {
    return e == Element::f64 || e == Element::f32 || e == Element::f16 || e == Element::bf16;
}

Result<std::vector<std::byte>> rounded(std::vector<std::byte> bytes, Element from, Element to,
                                       std::string const& name, Rounded& tally) {
    expects(is_real(from) && is_real(to));
    auto const size = static_cast<std::size_t>(bytes_of(from));
    auto const new_size = static_cast<std::size_t>(bytes_of(to));
    std::size_t const n = bytes.size() / size;
    tally.numbers += n;
    if (from == to) return bytes;
    std::vector<std::byte> out(n * new_size);
    for (std::size_t i = 0; i < n; ++i) {
        double const was = read(from, bytes.data() + i * size);
        double const is = write(to, was, out.data() + i * new_size);
        if (is == was || std::isnan(was)) {
            tally.signal += std::isfinite(was) ? was * was : 0;
            continue;
        }
        if (std::isinf(is))
            return Error{Code::invalid_argument,
                         fmt::format("tensor '{}' holds {:g}, which is beyond the range of {}; "
                                     "take another type",
                                     name, was, names_of(to).name)};
        ++tally.changed;
        tally.signal += was * was;
        tally.noise += (is - was) * (is - was);
    }
    return out;
}

}  // namespace sluice::weights
