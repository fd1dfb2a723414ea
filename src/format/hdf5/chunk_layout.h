// ChunkLayout: how the chunks of a dataset are indexed, as its layout message says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/superblock.h"

namespace sluice::hdf5 {

/// Numbered as in the file; btree1 is the only index of layout version 3.
enum class IndexType : std::uint8_t {
    btree1 = 0,
    single = 1,
    implicit = 2,
    fixed_array = 3,
    extensible_array = 4,
    btree2 = 5,
};

struct ChunkLayout {
    IndexType type = IndexType::btree1;
    std::uint8_t flags = 0;
    std::vector<std::uint64_t> chunk = {};  ///< elements per chunk and dimension
    std::uint64_t address = 0;              ///< of the index, or of the only chunk
    std::uint64_t single_bytes = 0;         ///< stored size of the only chunk; 0: unfiltered
    std::uint32_t single_mask = 0;
};

}  // namespace sluice::hdf5
