// The chunk index of a dataset, read in one pass: where every chunk is and how long it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/checksum.h"
#include "format/hdf5/chunk_layout.h"

namespace sluice::hdf5 {

/// The shape of a chunked dataset.
struct ChunkGrid {
    std::vector<std::uint64_t> extent;  ///< elements per dimension
    std::vector<std::uint64_t> max;     ///< what they may grow to; all-ones: without limit
    std::vector<std::uint64_t> chunk;   ///< elements per chunk and dimension
    std::uint64_t chunk_bytes = 0;      ///< of a decoded chunk
    bool filtered = false;              ///< the dataset has a filter pipeline

    /// Chunks along each dimension; empty if the shape is impossible or has over 2^62 chunks.
    std::vector<std::uint64_t> counts() const;
};

struct ChunkRecord {
    std::uint64_t chunk = 0;        ///< number in the grid, the last dimension running fastest
    std::uint64_t address = 0;      ///< offset in the file
    std::uint32_t bytes = 0;        ///< stored size
    std::uint32_t filter_mask = 0;  ///< bit i set: filter i was skipped

    bool operator==(ChunkRecord const&) const = default;
};

/// Every chunk that has storage, by ascending number. A chunk that is stored twice and two that
/// share bytes of the file are errors.
Result<std::vector<ChunkRecord>> read_chunk_index(ReadAt const& in, Superblock const& sb,
                                                  ChunkLayout const& layout, ChunkGrid const& grid,
                                                  Sums sums = Sums::compare);

}  // namespace sluice::hdf5
