// Arrays of numbers in CBOR: RFC 8746, and DECTRIS' tag of compressed bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "net/cbor/reader.h"
#include "net/cbor/writer.h"
#include "sluice/dtype.h"

namespace sluice::cbor {

/// Tags that receivers and simulators share.
inline constexpr std::uint64_t date_tag = 0, row_major_tag = 40, column_major_tag = 1040,
                               compressed_tag = 56500;

struct TypedArray {
    DType dtype = DType::u8;  ///< its bytes are in little-endian order
    int dimensions = 1;
    std::array<index, 4> shape = {};  ///< the slowest first
    /// Empty: none. "bslz4", "lz4" and others; `modifier` is what their tag says beside it.
    std::string_view compression = {};
    std::uint64_t modifier = 0;
    Bytes bytes = {};

    index elements() const;
};

/// Reads one, with its shape (tag 40) or without. What it points at is the message, or `room`.
/// Checks that the elements of a shape are those of bytes that are not compressed. Errors: column
/// order (tag 1040), big-endian elements, and types that no detector has.
Result<TypedArray> read_typed_array(Reader& reader, std::vector<std::byte>& room);

/// Everything before the bytes of one, which somebody else sends: an array of this shape.
void write_typed_head(Writer& out, TypedArray const& array);

}  // namespace sluice::cbor
