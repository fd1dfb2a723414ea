// The checksum of HDF5 filter 3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Fletcher's checksum over big-endian 16-bit words; an odd last byte is the high one.
std::uint32_t fletcher32(Bytes bytes);

/// Checks the four bytes at the end of a chunk, and returns the chunk without them.
Result<Bytes> check_fletcher32(Bytes chunk);

}  // namespace sluice::codec
