// CRC-32C, the checksum that finds every burst of up to 32 bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::codec {

/// Castagnoli's polynomial, reflected, as in RFC 3720.
std::uint32_t crc32c(Bytes bytes);

/// The same as machines without an instruction for it have it, for tests.
std::uint32_t crc32c_by_tables(Bytes bytes);

}  // namespace sluice::codec
