// The indexes of shards: where the chunks in them are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "zarr/layout.h"

namespace sluice::zarr {

/// Offset and size of a chunk that a shard lacks.
inline constexpr std::uint64_t no_chunk = ~std::uint64_t{0};

struct ShardIndex {
    std::uint64_t file_size = 0;
    std::string stamp;                 ///< of the file
    std::uint64_t begin = 0;           ///< of the index in the file
    std::uint64_t first = 0, end = 0;  ///< between them lie the chunks
    std::vector<std::byte> table;      ///< offset and size of each chunk, in C order
};

/// Indexes that were read, for as long as their files stay the same: a shard may have thousands of
/// chunks, and each asks for it. May be called from many threads.
class ShardIndexes {
  public:
    Result<std::shared_ptr<ShardIndex const>> read(std::string const& path, Layout const& layout);

  private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<ShardIndex const>> kept_;
    std::size_t bytes_ = 0;
};

}  // namespace sluice::zarr
