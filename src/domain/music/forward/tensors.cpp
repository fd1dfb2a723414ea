// Tensors: read when they are wanted, so that a model is never in memory twice.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/tensors.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sluice::music {
namespace {

float half(std::uint16_t bits) {
    std::uint32_t const sign = std::uint32_t{bits & 0x8000U} << 16, exponent = bits >> 10 & 31U;
    std::uint32_t const mantissa = bits & 1023U;
    // Below the least exponent a number is its mantissa times 2^-24, which float can hold.
    if (exponent == 0) {
        float const size = static_cast<float>(mantissa) * 0x1p-24F;
        return sign ? -size : size;
    }
    std::uint32_t const wide = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

template <class From, class Convert>
std::vector<std::byte> converted(std::vector<std::byte> const& bytes, Convert const& convert) {
    std::size_t const n = bytes.size() / sizeof(From);
    std::vector<std::byte> out(n * sizeof(float));
    for (std::size_t i = 0; i < n; ++i) {
        From from;
        std::memcpy(&from, bytes.data() + i * sizeof from, sizeof from);
        float const to = convert(from);
        std::memcpy(out.data() + i * sizeof to, &to, sizeof to);
    }
    return out;
}

}  // namespace

Result<Numbers> numbers_of(weights::Weights const& weights, std::string const& name) {
    weights::Tensor const* const tensor = weights.find(name);
    expects(tensor != nullptr);
    SLUICE_TRY(std::vector<std::byte> bytes, weights::read_tensor(weights, *tensor));
    switch (tensor->element) {
        case weights::Element::f64:
            return Numbers(
                converted<double>(bytes, [](double v) { return static_cast<float>(v); }));
        case weights::Element::f16:
            return Numbers(converted<std::uint16_t>(bytes, half));
        case weights::Element::bf16:
            return Numbers(converted<std::uint16_t>(bytes, [](std::uint16_t v) {
                return std::bit_cast<float>(std::uint32_t{v} << 16);
            }));
        default:
            return Numbers(std::move(bytes));
    }
}

}  // namespace sluice::music
