// How the elements of a Zarr array are stored, by whatever program wrote it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/dtype.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::zarr {

/// What a writer did to the bytes of a chunk.
enum class Step : std::uint8_t { blosc, zstd, deflate, lz4, crc32c };

/// What the metadata say. Source: the specifications of Zarr 2 and 3, zarr-specs.readthedocs.io.
struct Layout {
    int version = 3;
    DType dtype = DType::u8;
    bool big_endian = false;
    std::vector<index> shape, chunk;
    /// Elements per file along each axis, multiples of `chunk`; empty: a file per chunk.
    std::vector<index> shard = {};
    /// Elements between neighbours along each axis, within a chunk.
    std::vector<index> stride = {};
    /// In the order of the writer; only the first may compress.
    std::vector<Step> steps = {};
    bool bits_shuffled = false;                        ///< by Blosc
    bool index_checksum = false, index_first = false;  ///< of shards
    bool key_prefix = true;                            ///< names of files begin with "c"
    char separator = '/';                              ///< between the numbers of a name
    std::vector<std::byte> fill = {};                  ///< one element, in this machine's order

    index chunk_bytes() const;
};

/// The metadata file's text, .zarray or zarr.json. Unknown features are refused by their names;
/// chunks of more than 2 GiB, too.
Result<Layout> parse_layout(std::string_view json);

}  // namespace sluice::zarr
