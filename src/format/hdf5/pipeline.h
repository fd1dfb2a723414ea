// The filter pipeline of HDF5, undone by the codecs of this project.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// The most bytes that a chunk of `bytes` takes in a file: what is longer is no chunk.
constexpr std::uint64_t longest_stored(std::uint64_t bytes) {
    return 2 * bytes + 65536;
}

}  // namespace sluice::hdf5
