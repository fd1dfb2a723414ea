// Reading datatype messages.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/datatype.h"

#include <fmt/format.h>

namespace sluice::hdf5::object {
namespace {

// An enumeration's or a list's base type may have a base type itself.
constexpr int deepest = 4;

struct Parser {
    Source const& source;
    std::uint64_t address;

    Error damaged() const { return source.corrupt("a datatype is damaged", address); }

    Result<Datatype> parse(Cursor& c, int depth) const {
        unsigned const first = c.byte();
        unsigned const bits = static_cast<unsigned>(c.number(3));
        Datatype t;
        t.size = c.number(4);
        t.kind = static_cast<TypeClass>(first & 15);
        unsigned const version = first >> 4;
        if (!c.ok() || version < 1 || t.kind > TypeClass::complex || depth > deepest || t.size == 0)
            return damaged();
        if (version > 5)
            return source.unsupported(
                fmt::format("a datatype has version {} (1 to 5 are read); rewrite the file with "
                            "h5repack --high=v110",
                            version),
                address);
        return properties(c, t, bits, version, depth);
    }

    Result<Datatype> properties(Cursor& c, Datatype t, unsigned bits, unsigned version,
                                int depth) const {
        switch (t.kind) {
            case TypeClass::whole:
                t.has_sign = (bits & 8) != 0;
                [[fallthrough]];
            case TypeClass::bits:
                t.big_endian = (bits & 1) != 0;
                t.bit_offset = static_cast<unsigned>(c.number(2));
                t.precision = static_cast<unsigned>(c.number(2));
                if (!fits(t)) return damaged();
                break;
            case TypeClass::real:
                return real(c, t, bits);
            case TypeClass::enumeration:
                return base_of(c, t, bits, depth);
            case TypeClass::variable:
                t.variable_text = (bits & 15) == 1;
                note_items(c, t, depth);
                break;
            case TypeClass::compound:
                t.complex_pair = (bits & 0xffff) == 2 && is_complex(c, t, version, depth);
                return t;
            default:
                break;
        }
        return c.ok() ? Result<Datatype>(t) : Result<Datatype>(damaged());
    }

    /// Lists of what is not read here are lists all the same.
    void note_items(Cursor c, Datatype& t, int depth) const {
        auto const item = t.variable_text ? Result<Datatype>(damaged()) : parse(c, depth + 1);
        if (!item || item->kind != TypeClass::whole) return;
        t.list_of_counts = !item->big_endian && !item->has_sign && item->plain();
        t.list_bytes = item->size;
    }

    /// Of other compounds nothing is known but their size.
    bool is_complex(Cursor& c, Datatype const& t, unsigned version, int depth) const {
        using namespace std::string_view_literals;
        constexpr std::string_view padded[] = {"r\0\0\0\0\0\0\0"sv, "i\0\0\0\0\0\0\0"sv};
        for (std::size_t k = 0; k < 2; ++k) {
            // With its end; filled up to eight bytes before version 3.
            bool const named = c.literal(version < 3 ? padded[k] : padded[k].substr(0, 2));
            std::uint64_t const at = c.number(version < 3 ? 4 : 1);
            // Dimensions, which members of version 1 have and nobody uses.
            if (version == 1) c.take(28);
            if (!named || at != k * t.size / 2) return false;
            auto const part = parse(c, depth + 1);
            if (!part || part->kind != TypeClass::real || !part->plain() || part->big_endian ||
                2 * part->size != t.size)
                return false;
        }
        return true;
    }

    static bool fits(Datatype const& t) {
        return t.precision > 0 && std::uint64_t{t.bit_offset} + t.precision <= 8 * t.size;
    }

    /// An enumeration is its numbers; the names are only looked at for being FALSE and TRUE.
    Result<Datatype> base_of(Cursor& c, Datatype const& t, unsigned bits, int depth) const {
        SLUICE_TRY(Datatype base, parse(c, depth + 1));
        if (base.size != t.size) return damaged();
        Cursor names = c, padded = c;
        base.boolean =
            (bits & 0xffff) == 2 && (names.literal(std::string_view("FALSE\0TRUE\0", 11)) ||
                                     padded.literal(std::string_view("FALSE\0\0\0TRUE\0", 13)));
        return base;
    }

    Result<Datatype> real(Cursor& c, Datatype t, unsigned bits) const {
        bool const vax = (bits & 0x40) != 0;
        t.big_endian = (bits & 1) != 0;
        t.implied_one = (bits >> 4 & 3) == 2;
        t.sign_at = bits >> 8 & 0xff;
        t.bit_offset = static_cast<unsigned>(c.number(2));
        t.precision = static_cast<unsigned>(c.number(2));
        t.exponent_at = c.byte();
        t.exponent_bits = c.byte();
        t.mantissa_at = c.byte();
        t.mantissa_bits = c.byte();
        t.exponent_bias = static_cast<std::uint32_t>(c.number(4));
        std::uint64_t const all = 8 * t.size;
        bool const ok = c.ok() && fits(t) && t.sign_at < all && t.exponent_bits > 0 &&
                        t.mantissa_bits > 0 && t.exponent_at + t.exponent_bits <= all &&
                        t.mantissa_at + t.mantissa_bits <= all;
        if (!ok) return damaged();
        if (vax)
            return source.unsupported(
                "numbers have the byte order of the VAX; rewrite the file "
                "with IEEE numbers",
                address);
        return t;
    }
};

}  // namespace

Result<Datatype> parse_datatype(Source const& source, Bytes bytes, std::uint64_t address) {
    Cursor c(bytes);
    return Parser{source, address}.parse(c, 0);
}

std::string Datatype::name() const {
    std::string_view const order = big_endian && size > 1 ? "big-endian " : "";
    switch (kind) {
        case TypeClass::whole:
            if (precision != 8 * size)
                return fmt::format("{}{}int{} in {} bytes", order, has_sign ? "" : "u", precision,
                                   size);
            return fmt::format("{}{}int{}", order, has_sign ? "" : "u", 8 * size);
        case TypeClass::real:
            return fmt::format("{}float{}", order, 8 * size);
        case TypeClass::text:
            return "text";
        case TypeClass::variable:
            return variable_text ? "text" : "lists";
        case TypeClass::compound:
            return fmt::format("compound of {} bytes", size);
        case TypeClass::complex:
            return fmt::format("complex of {} bytes", size);
        case TypeClass::array:
            return fmt::format("arrays of {} bytes", size);
        case TypeClass::reference:
            return "references";
        case TypeClass::time:
            return "times";
        case TypeClass::bits:
            return fmt::format("{} bits", precision);
        default:
            return fmt::format("opaque elements of {} bytes", size);
    }
}

bool Datatype::plain() const {
    if (bit_offset != 0 || precision != 8 * size) return false;
    bool const power = size == 1 || size == 2 || size == 4 || size == 8;
    if (kind == TypeClass::whole) return power;
    auto const is = [&](unsigned exponent, unsigned mantissa) {
        return exponent_bits == exponent && mantissa_bits == mantissa && mantissa_at == 0 &&
               exponent_at == mantissa && sign_at == exponent + mantissa && implied_one &&
               exponent_bias == (1u << (exponent - 1)) - 1;
    };
    return kind == TypeClass::real &&
           ((size == 2 && is(5, 10)) || (size == 4 && is(8, 23)) || (size == 8 && is(11, 52)));
}

Status Datatype::check_number() const {
    bool const wide = size > 8 || (kind == TypeClass::real && exponent_bits > 11);
    if (numeric() && !wide) return {};
    return Error{Code::unsupported,
                 fmt::format("{} (integers and floats of 1 to 8 bytes are read)", name())};
}

}  // namespace sluice::hdf5::object
