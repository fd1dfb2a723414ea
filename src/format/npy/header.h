// The header of an NPY file (NumPy enhancement proposal 1), versions 1 to 3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/raw/flat_source.h"

namespace sluice::npy {

struct Header {
    StoredType type;
    bool complex = false;  ///< two numbers of `type` each: the real part first
    bool fortran_order = false;
    std::vector<index> shape;
    std::uint64_t data_at = 0;  ///< bytes before the first element
};

/// True for the six magic bytes.
bool is_npy(Bytes head);

/// The bytes that the fixed part says the header takes, itself included; `head` needs 12 bytes.
Result<std::uint64_t> header_bytes(Bytes head);

/// Reads a whole header; `bytes` may go on after it. Error::at is the offset in `bytes`. Complex
/// numbers are an error unless they are asked for.
Result<Header> parse_header(Bytes bytes, bool complex_too = false);

}  // namespace sluice::npy
