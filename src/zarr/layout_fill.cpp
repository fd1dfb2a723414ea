// Fill values: numbers, words for NaN and infinity, and bits.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/half.h"
#include "zarr/layout_parts.h"

namespace sluice::zarr {
namespace {

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

std::optional<double> special(std::string const& text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    return {};
}

template <class T>
std::optional<std::vector<std::byte>> whole_fill(json const& j) {
    if (j.is_number_float()) {
        double const v = j.get<double>();
        // Writers of version 2 call the zero of integers 0.0, too.
        if (v != std::floor(v) || std::abs(v) > 9e15) return {};
        return whole_fill<T>(json(static_cast<std::int64_t>(v)));
    }
    if (j.is_boolean()) return bytes_of(static_cast<T>(j.get<bool>()));
    if (!j.is_number_integer()) return {};
    if (j.is_number_unsigned()) {
        auto const v = j.get<std::uint64_t>();
        return std::in_range<T>(v) ? std::optional(bytes_of(static_cast<T>(v))) : std::nullopt;
    }
    auto const v = j.get<std::int64_t>();
    return std::in_range<T>(v) ? std::optional(bytes_of(static_cast<T>(v))) : std::nullopt;
}

// Version 3 may give the bits of a floating-point number, as in "0x7fc00000".
std::optional<std::vector<std::byte>> bits(std::string const& text, std::size_t size) {
    if (!text.starts_with("0x") || text.size() != 2 + 2 * size ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
        return {};
    std::uint64_t const v = std::stoull(text.substr(2), nullptr, 16);
    std::vector<std::byte> out(size);
    std::memcpy(out.data(), &v, size);
    return out;
}

std::optional<std::vector<std::byte>> real_fill(DType e, json const& j) {
    double v = 0;
    if (j.is_string()) {
        auto const text = j.get<std::string>();
        if (auto found = bits(text, static_cast<std::size_t>(size_of(e)))) return found;
        auto const named = special(text);
        if (!named) return {};
        v = *named;
    } else if (j.is_number()) {
        v = j.get<double>();
    } else {
        return {};
    }
    if (e == DType::f64) return bytes_of(v);
    if (e == DType::f32) return bytes_of(static_cast<float>(v));
    return bytes_of(Half::of(v).bits);
}

}  // namespace

std::optional<std::vector<std::byte>> fill_of(DType e, json const& j) {
    if (j.is_null()) return std::vector<std::byte>(static_cast<std::size_t>(size_of(e)));
    switch (e) {
        case DType::i8:
            return whole_fill<std::int8_t>(j);
        case DType::boolean:
        case DType::u8:
            return whole_fill<std::uint8_t>(j);
        case DType::i16:
            return whole_fill<std::int16_t>(j);
        case DType::u16:
            return whole_fill<std::uint16_t>(j);
        case DType::i32:
            return whole_fill<std::int32_t>(j);
        case DType::u32:
            return whole_fill<std::uint32_t>(j);
        case DType::i64:
            return whole_fill<std::int64_t>(j);
        case DType::u64:
            return whole_fill<std::uint64_t>(j);
        default:
            break;
    }
    return real_fill(e, j);
}

}  // namespace sluice::zarr
