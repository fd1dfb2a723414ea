// CRC-32C, the checksum that finds every burst of up to 32 bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::codec {

/// Castagnoli's polynomial, reflected, as in RFC 3720.
std::uint32_t crc32c(Bytes bytes);

}  // namespace sluice::codec
