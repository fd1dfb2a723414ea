// The compressors of Zarr's chunks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "zarr/array.h"

namespace sluice::zarr {

/// `bytes` consists of elements of `element` bytes each. The result lies in `memory`, which may
/// hold more, or is `bytes` itself.
Result<Bytes> compress(Bytes bytes, Codec const& codec, index element,
                       std::vector<std::byte>& memory);

/// What must expand to exactly out.size() bytes.
Status decompress(Bytes encoded, Codec const& codec, std::span<std::byte> out);

/// The bytes before the CRC-32C that they end with, which is compared.
Result<Bytes> without_crc32c(Bytes bytes);

}  // namespace sluice::zarr
