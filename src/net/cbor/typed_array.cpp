// Arrays of numbers in CBOR.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/typed_array.h"

#include <fmt/format.h>

#include <limits>

namespace sluice::cbor {
namespace {

struct TypeTag {
    std::uint64_t tag;
    DType dtype;
};
// Of RFC 8746 those in little-endian order, and those of a byte each.
constexpr TypeTag types[] = {{64, DType::u8},  {69, DType::u16}, {70, DType::u32},
                             {71, DType::u64}, {68, DType::u8},  {72, DType::i8},
                             {77, DType::i16}, {78, DType::i32}, {79, DType::i64},
                             {84, DType::f16}, {85, DType::f32}, {86, DType::f64}};
constexpr std::uint64_t first_type = 64, last_type = 87;

// No detector has more pixels, and products of four stay within 64 bits.
constexpr index most_extent = 1 << 15;

Result<DType> dtype_of(Reader const& reader, std::uint64_t tag) {
    for (TypeTag const& t : types)
        if (t.tag == tag) return t.dtype;
    bool const known = tag >= first_type && tag <= last_type;
    Error error =
        reader.wrong(known ? fmt::format("elements of tag {}, which are big-endian or 16 bytes "
                                         "long; little-endian ones are read",
                                         tag)
                           : fmt::format("tag {} where a typed array is expected", tag));
    if (known) error.code = Code::unsupported;
    return error;
}

Status read_shape(Reader& reader, TypedArray& out) {
    SLUICE_TRY(Items extents, reader.array());
    out.dimensions = 0;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(extents));
        if (!more) break;
        if (out.dimensions == std::ssize(out.shape))
            return reader.wrong("an array of more than 4 dimensions");
        SLUICE_TRY(std::uint64_t const extent, reader.natural());
        if (extent < 1 || extent > static_cast<std::uint64_t>(most_extent))
            return reader.wrong(
                fmt::format("an extent of {} (arrays have 1 to {})", extent, most_extent));
        out.shape[static_cast<std::size_t>(out.dimensions++)] = static_cast<index>(extent);
    }
    if (out.dimensions == 0) return reader.wrong("an array without dimensions");
    return {};
}

// tag(type) and bytes, which may be compressed: 56500([algorithm, modifier, bytes]).
Status read_elements(Reader& reader, std::vector<std::byte>& room, TypedArray& out) {
    SLUICE_TRY(std::uint64_t const type, reader.tag());
    SLUICE_TRY(out.dtype, dtype_of(reader, type));
    SLUICE_TRY(Head const what, reader.look());
    if (what.kind != Kind::tag) {
        SLUICE_TRY(out.bytes, reader.bytes(room));
        return {};
    }
    SLUICE_TRY(std::uint64_t const tag, reader.tag());
    if (tag != compressed_tag)
        return reader.wrong(fmt::format("tag {} where bytes are expected", tag));
    SLUICE_TRY(Items const items, reader.array());
    if (items.indefinite || items.left != 3)
        return reader.wrong("compressed bytes that are not [algorithm, modifier, bytes]");
    SLUICE_TRY(Head const algorithm, reader.next());
    if (algorithm.kind != Kind::text || algorithm.indefinite)
        return reader.wrong("a compression without a name");
    out.compression = {reinterpret_cast<char const*>(algorithm.bytes.data()),
                       algorithm.bytes.size()};
    if (out.compression.empty()) return reader.wrong("a compression without a name");
    SLUICE_TRY(out.modifier, reader.natural());
    SLUICE_TRY(out.bytes, reader.bytes(room));
    return {};
}

}  // namespace

index TypedArray::elements() const {
    index n = 1;
    for (int d = 0; d < dimensions; ++d) n *= shape[static_cast<std::size_t>(d)];
    return n;
}

Result<TypedArray> read_typed_array(Reader& reader, std::vector<std::byte>& room) {
    TypedArray out;
    SLUICE_TRY(Head const head, reader.look());
    bool const shaped =
        head.kind == Kind::tag && (head.number == row_major_tag || head.number == column_major_tag);
    if (shaped) {
        SLUICE_CHECK(reader.next());
        if (head.number == column_major_tag) {
            Error error = reader.wrong("an array in column order; row order (tag 40) is read");
            error.code = Code::unsupported;
            return error;
        }
        SLUICE_TRY(Items const parts, reader.array());
        if (parts.indefinite || parts.left != 2)
            return reader.wrong("an array that is not [shape, elements]");
        SLUICE_CHECK(read_shape(reader, out));
    }
    SLUICE_CHECK(read_elements(reader, room, out));
    if (!out.compression.empty()) {
        if (!shaped) return reader.wrong("compressed elements without a shape");
        return out;
    }
    auto const size = static_cast<std::size_t>(size_of(out.dtype));
    if (!shaped) out.shape[0] = static_cast<index>(out.bytes.size() / size);
    if (out.bytes.size() != static_cast<std::size_t>(out.elements()) * size)
        return reader.wrong(fmt::format("{} bytes for {} elements of {}", out.bytes.size(),
                                        out.elements(), name_of(out.dtype)));
    return out;
}

void write_typed_head(Writer& out, TypedArray const& array) {
    out.tag(row_major_tag);
    out.array(2);
    out.array(static_cast<std::uint64_t>(array.dimensions));
    for (int d = 0; d < array.dimensions; ++d)
        out.natural(static_cast<std::uint64_t>(array.shape[static_cast<std::size_t>(d)]));
    for (TypeTag const& t : types)
        if (t.dtype == array.dtype) {
            out.tag(t.tag);
            break;
        }
    if (!array.compression.empty()) {
        out.tag(compressed_tag);
        out.array(3);
        out.text(array.compression);
        out.natural(array.modifier);
    }
    out.bytes_head(array.bytes.size());
}

}  // namespace sluice::cbor
