// Datatype: what an element of a dataset or attribute is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/hdf5/object/header.h"

namespace sluice::hdf5::object {

/// Numbered as in the file.
enum class TypeClass : std::uint8_t {
    whole = 0,
    real = 1,
    time = 2,
    text = 3,
    bits = 4,
    opaque = 5,
    compound = 6,
    reference = 7,
    enumeration = 8,
    variable = 9,
    array = 10,
    complex = 11,
};

struct Datatype {
    TypeClass kind = TypeClass::whole;
    std::uint64_t size = 0;  ///< bytes of an element
    bool big_endian = false;
    bool has_sign = false;  ///< whole: two's complement
    unsigned bit_offset = 0, precision = 0;
    unsigned sign_at = 0, exponent_at = 0, exponent_bits = 0, mantissa_at = 0, mantissa_bits = 0;
    std::uint32_t exponent_bias = 0;
    bool implied_one = false;      ///< real: the mantissa's highest bit is not stored
    bool variable_text = false;    ///< variable: a text, else a list
    bool list_of_counts = false;   ///< variable: a list of little-endian whole numbers without sign
    std::uint64_t list_bytes = 0;  ///< and the bytes of each
    bool boolean = false;          ///< an enumeration of FALSE and TRUE, as h5py writes it
    /// compound: r and i, little-endian IEEE floats of half the size, as h5py has complex numbers.
    bool complex_pair = false;

    /// Whole, real, or an enumeration (such as h5py's booleans), which is read as its number.
    bool numeric() const { return kind == TypeClass::whole || kind == TypeClass::real; }
    bool is_text() const { return kind == TypeClass::text || variable_text; }
    /// "big-endian uint16", "text", "compound of 24 bytes".
    std::string name() const;
    /// Exactly uint8, uint16, uint32, ... or IEEE float of its size: no odd bits.
    bool plain() const;
    /// Code::unsupported unless elements are numbers of at most 8 bytes that can be converted.
    Status check_number() const;
};

/// A datatype message (specification 3.0, section IV.A.2.d). An enumeration is its base type.
Result<Datatype> parse_datatype(Source const& source, Bytes bytes, std::uint64_t address);

/// The number in an element of `type.size` bytes at `p`; check_number() holds.
double number_of(Datatype const& type, std::byte const* p);
/// The same as a whole number, exact to 64 bits; nothing if it is negative, over 2^64 or NaN.
std::optional<std::uint64_t> count_of(Datatype const& type, std::byte const* p);

}  // namespace sluice::hdf5::object
