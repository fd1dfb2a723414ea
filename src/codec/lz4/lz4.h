// LZ4 blocks, by the LZ4 library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses one raw block that must fill `out` exactly.
Status lz4_decompress(Bytes block, std::span<std::byte> out);

/// Appends the raw block of `bytes` to `out` and returns its length.
std::size_t lz4_compress(Bytes bytes, std::vector<std::byte>& out);

}  // namespace sluice::codec
