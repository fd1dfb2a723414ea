// StoredType: a number type as a file stores it, what it is read as, and what that costs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/dtype.h"

namespace sluice {

/// A number type as a file stores it.
struct StoredType {
    enum class Kind : std::uint8_t { unsigned_int, signed_int, floating };
    Kind kind = Kind::unsigned_int;
    int bytes = 1;  ///< 1, 2, 4 or 8; floats have 2 (half precision) or more
    bool big_endian = false;

    bool operator==(StoredType const&) const = default;
};

/// What it is read as: unsigned integers up to 4 bytes as they are, everything else as float32.
DType read_as(StoredType stored);

/// Little-endian `t` as it is in memory; empty for bf16 and complex numbers, which frames do not
/// have.
std::optional<StoredType> stored_type_of(DType t);

/// Whether the bytes in the file are those in memory.
bool as_stored(StoredType stored);

/// "big-endian int16".
std::string name_of(StoredType stored);

/// The dataset's note about the conversion; empty when nothing is converted.
std::string conversion_note(StoredType stored);

/// Values that are not what the file holds.
struct Conversion {
    std::uint64_t rounded = 0;  ///< float32 has no such number; the nearest is taken
    std::uint64_t beyond = 0;   ///< finite, but larger than float32's largest: infinite

    void merge(Conversion const& other) {
        rounded += other.rounded;
        beyond += other.beyond;
    }
};

/// Converts all values of `in` to read_as(stored), little-endian, at `out`.
Conversion convert_values(StoredType stored, Bytes in, std::byte* out);

}  // namespace sluice
