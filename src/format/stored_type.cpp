// Converting numbers of files to those of memory, and counting what does not fit.
// SPDX-License-Identifier: Apache-2.0
#include "format/stored_type.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/bytes.h"

namespace sluice {
namespace {

using Kind = StoredType::Kind;

template <std::size_t bytes>
using Bits = std::conditional_t<
    bytes == 8, std::uint64_t,
    std::conditional_t<bytes == 4, std::uint32_t,
                       std::conditional_t<bytes == 2, std::uint16_t, std::uint8_t>>>;

/// Whether float32 holds the number: 24 bits from its highest to its lowest.
bool fits_float(std::uint64_t magnitude) {
    return magnitude == 0 ||
           static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <= 24;
}

template <class T>
float to_float(T v, Conversion& c) {
    if constexpr (std::is_same_v<T, float>) return v;
    if constexpr (std::is_same_v<T, double>) {
        constexpr double most = std::numeric_limits<float>::max();
        // What rounds to float32's largest still is in its range.
        constexpr double limit = most + most / (1 << 25);
        if (std::isfinite(v) && std::abs(v) >= limit) {
            ++c.beyond;
            return std::copysign(std::numeric_limits<float>::infinity(),
                                 static_cast<float>(v > 0 ? 1 : -1));
        }
        auto const f = static_cast<float>(v);
        c.rounded += static_cast<double>(f) != v && !std::isnan(v);
        return f;
    }
    if constexpr (std::is_integral_v<T>) {
        if constexpr (sizeof(T) >= 4) {
            auto const bits = static_cast<std::uint64_t>(v);
            c.rounded += !fits_float(std::is_signed_v<T> && v < 0 ? 0 - bits : bits);
        }
        return static_cast<float>(v);
    }
}

template <class Stored, class Memory>
Conversion convert(Bytes in, std::byte* out, bool big_endian) {
    Conversion c;
    for (std::size_t i = 0; i * sizeof(Stored) < in.size(); ++i) {
        std::byte const* p = in.data() + i * sizeof(Stored);
        auto const bits =
            big_endian ? load_be<Bits<sizeof(Stored)>>(p) : load_le<Bits<sizeof(Stored)>>(p);
        Memory value;
        if constexpr (std::is_same_v<Memory, float>)
            value = to_float(std::bit_cast<Stored>(bits), c);
        else
            value = std::bit_cast<Stored>(bits);
        std::memcpy(out + i * sizeof(Memory), &value, sizeof(Memory));
    }
    return c;
}

/// Turns the bytes of elements of 2 or 4 bytes around, eight bytes at a time: detectors send them.
template <class T>
void turn_bytes(Bytes in, std::byte* out) {
    constexpr std::uint64_t low = 0x00ff00ff00ff00ff;
    std::size_t const whole = in.size() / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8) {
        std::uint64_t x = 0;
        std::memcpy(&x, in.data() + i, 8);
        x = (x & low) << 8 | (x >> 8 & low);
        if constexpr (sizeof(T) == 4) {
            constexpr std::uint64_t lower = 0x0000ffff0000ffff;
            x = (x & lower) << 16 | (x >> 16 & lower);
        }
        std::memcpy(out + i, &x, 8);
    }
    convert<T, T>(in.subspan(whole), out + whole, true);
}

/// Half precision: 1 bit of sign, 5 of exponent, 10 of fraction.
float half(std::uint16_t h) {
    int const exponent = h >> 10 & 31, fraction = h & 0x3ff;
    float const sign = (h >> 15) != 0 ? -1.0F : 1.0F;
    if (exponent == 31)
        return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                             : sign * std::numeric_limits<float>::infinity();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

Conversion convert_half(Bytes in, std::byte* out, bool big_endian) {
    for (std::size_t i = 0; 2 * i < in.size(); ++i) {
        std::byte const* p = in.data() + 2 * i;
        float const v = half(big_endian ? load_be<std::uint16_t>(p) : load_le<std::uint16_t>(p));
        std::memcpy(out + 4 * i, &v, 4);
    }
    return {};
}

template <class Signed, class Unsigned>
Conversion convert_whole(StoredType s, Bytes in, std::byte* out) {
    if (s.kind == Kind::signed_int) return convert<Signed, float>(in, out, s.big_endian);
    if constexpr (sizeof(Unsigned) == 8) {
        return convert<Unsigned, float>(in, out, s.big_endian);
    } else if constexpr (sizeof(Unsigned) > 1 && std::endian::native == std::endian::little) {
        if (!s.big_endian) return convert<Unsigned, Unsigned>(in, out, false);
        turn_bytes<Unsigned>(in, out);
        return {};
    } else {
        return convert<Unsigned, Unsigned>(in, out, s.big_endian);
    }
}

}  // namespace

DType read_as(StoredType s) {
    if (s.kind != Kind::unsigned_int || s.bytes > 4) return DType::f32;
    return s.bytes == 1 ? DType::u8 : s.bytes == 2 ? DType::u16 : DType::u32;
}

std::optional<StoredType> stored_type_of(DType t) {
    auto const bytes = static_cast<int>(size_of(t));
    switch (t) {
        case DType::boolean:
        case DType::u8:
        case DType::u16:
        case DType::u32:
        case DType::u64:
            return StoredType{Kind::unsigned_int, bytes};
        case DType::i8:
        case DType::i16:
        case DType::i32:
        case DType::i64:
            return StoredType{Kind::signed_int, bytes};
        case DType::f16:
        case DType::f32:
        case DType::f64:
            return StoredType{Kind::floating, bytes};
        default:
            return {};
    }
}

bool as_stored(StoredType s) {
    bool const swapped = s.big_endian && s.bytes > 1;
    if (s.kind == Kind::floating) return s.bytes == 4 && !swapped;
    return s.kind == Kind::unsigned_int && s.bytes <= 4 && !swapped;
}

std::string name_of(StoredType s) {
    std::string_view const kind = s.kind == Kind::floating     ? "float"
                                  : s.kind == Kind::signed_int ? "int"
                                                               : "uint";
    return fmt::format("{}{}{}", s.big_endian && s.bytes > 1 ? "big-endian " : "", kind,
                       8 * s.bytes);
}

std::string conversion_note(StoredType s) {
    if (as_stored(s)) return {};
    bool const rounds = s.bytes == 8 || (s.kind == Kind::signed_int && s.bytes == 4);
    return fmt::format("the file's {} values are read as {}{}", name_of(s), name_of(read_as(s)),
                       rounds ? ", rounded to 24 bits" : "");
}

Conversion convert_values(StoredType s, Bytes in, std::byte* out) {
    if (s.kind == Kind::floating) {
        if (s.bytes == 2) return convert_half(in, out, s.big_endian);
        if (s.bytes == 4) return convert<float, float>(in, out, s.big_endian);
        return convert<double, float>(in, out, s.big_endian);
    }
    switch (s.bytes) {
        case 1:
            return convert_whole<std::int8_t, std::uint8_t>(s, in, out);
        case 2:
            return convert_whole<std::int16_t, std::uint16_t>(s, in, out);
        case 4:
            return convert_whole<std::int32_t, std::uint32_t>(s, in, out);
        default:
            return convert_whole<std::int64_t, std::uint64_t>(s, in, out);
    }
}

}  // namespace sluice
