// The data of sub-blocks: pixels in every compression of CZI files that this project reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "czi_writer/czi_writer.h"

namespace sluice::test {

/// Bytes of the tile's pixels when they are not compressed.
index raw_bytes(Tile const& tile);

/// Paints and encodes a tile.
std::vector<std::byte> encode_tile(Tile const& tile);

/// A JPEG file of [height][width][samples] in the order R, G, B; quality 0 .. 1.
std::vector<std::byte> encode_jpeg(Bytes pixels, index width, index height, int samples,
                                   double quality);

/// LZW as TIFF has it.
std::vector<std::byte> encode_lzw(Bytes bytes);

}  // namespace sluice::test
