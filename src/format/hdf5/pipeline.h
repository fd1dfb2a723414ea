// The filter pipeline of HDF5, undone by the codecs of this project.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/chunk_index.h"
#include "format/hdf5/filters.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::hdf5 {

/// Code::unsupported, naming the filter, if one of them has no decoder here; Code::corrupt if one
/// was made for elements of another size than the dataset's.
Status check_filters(std::vector<Filter> const& filters, std::size_t element_bytes,
                     std::string const& file);

/// Undoes the filters of a chunk, the last one first; bit i of `mask` says that filter i was left
/// out. The chunk must fill `out` exactly.
Status decode_chunk(Bytes stored, std::vector<Filter> const& filters, std::uint32_t mask,
                    std::span<std::byte> out);

/// The most bytes that a chunk of `bytes` takes in a file: anything longer is not a chunk.
constexpr std::uint64_t longest_stored(std::uint64_t bytes) {
    return 2 * bytes + 65536;
}

/// Whether a chunk of `chunk_bytes` can be where its record says, in a file of `file_bytes`.
constexpr bool can_be_stored(ChunkRecord const& c, std::uint64_t file_bytes,
                             std::uint64_t chunk_bytes) {
    return c.address <= file_bytes && c.bytes <= file_bytes - c.address &&
           c.bytes <= longest_stored(chunk_bytes);
}

/// Whether a chunk reaches over the edge of the dataset: some files store such chunks without
/// their filters. `position` counts chunks along each dimension.
bool over_edge(std::span<std::uint64_t const> position, std::span<std::uint64_t const> chunk,
               std::span<std::uint64_t const> extent);

/// The mask of a chunk that no filter was used for.
inline constexpr std::uint32_t no_filters = ~std::uint32_t{0};

}  // namespace sluice::hdf5
