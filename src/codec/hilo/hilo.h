// What CZI files put around zstd: a header, and 16-bit samples split into low and high bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// The header before the frame of a tile that is compressed by "zstd1".
struct Zstd1Header {
    std::size_t size = 0;  ///< bytes before the frame
    bool hi_lo = false;    ///< whether the frame holds low bytes first, then high bytes
};

Result<Zstd1Header> parse_zstd1(Bytes data);

/// Puts 16-bit samples together again: out[0], out[1] are the low and high byte of sample `first`
/// of a packed buffer. The last byte of a buffer of odd size belongs to no sample and stays last.
/// With `past_caches`, past_caches_done() has to follow (device/past_caches.h).
void unpack_hilo(Bytes packed, index first, std::span<std::byte> out, bool past_caches = false);

}  // namespace sluice::codec
