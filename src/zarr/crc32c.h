// CRC-32C, the checksum at the end of a shard's index.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::zarr {

/// Castagnoli's polynomial, reflected, as in RFC 3720.
std::uint32_t crc32c(Bytes bytes);

}  // namespace sluice::zarr
