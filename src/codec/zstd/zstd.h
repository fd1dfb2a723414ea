// Zstandard frames, by the zstd library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses one frame that must fill `out` exactly.
Status zstd_decompress(Bytes frame, std::span<std::byte> out);

/// The same for a frame that may be shorter than `out`; returns its length.
Result<std::size_t> zstd_decompress_some(Bytes frame, std::span<std::byte> out);

/// How many bytes the frame expands to, as its own header says; a frame may leave it out, which is
/// an error of Code::unsupported.
Result<std::uint64_t> zstd_content_size(Bytes frame);

enum class ZstdChecksum : std::uint8_t { none, of_content };

/// Appends the frame of `bytes` to `out` and returns its length. A checksum of the content costs 4
/// bytes, and every reader of zstd compares it.
std::size_t zstd_compress(Bytes bytes, std::vector<std::byte>& out, int level = 3,
                          ZstdChecksum checksum = ZstdChecksum::none);

}  // namespace sluice::codec
