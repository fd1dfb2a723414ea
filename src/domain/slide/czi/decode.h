// Decoding one tile from the bytes of its sub-block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/tile_source.h"
#include "sluice/czi.h"

namespace sluice::slide {

/// Whether the bytes are the pixels of one plane.
bool is_plain(czi::Entry const& entry);

/// Where the pixels of a tile that is not compressed lie in its data. Data of another length than
/// its size needs are an error; the last row of a pyramid's tile may be missing.
Result<Pixels> plain_pixels(czi::Entry const& entry, Tile const& tile, Bytes data);

/// Whether an entry of `data_size` bytes can hold the pixels it says it has.
Status check_size(czi::Entry const& entry, std::uint64_t data_size);

/// Whether the head of compressed data says as many pixels as its entry.
Status check_claim(czi::Entry const& entry, Tile const& tile, Bytes data);

/// Decodes `data` into `out`, whose memory the result refers to (or to `data`'s).
Result<Pixels> decode(czi::Entry const& entry, Tile const& tile, Bytes data, int reduction,
                      Buffer& out);

}  // namespace sluice::slide
