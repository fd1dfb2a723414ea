// Shards: files with many chunks, and an index of where they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sluice/source.h"
#include "zarr/layout.h"

namespace sluice::zarr {

/// Offset and size of a chunk that a shard lacks.
inline constexpr std::uint64_t no_chunk = ~std::uint64_t{0};

struct ShardIndex {
    std::uint64_t begin = 0;           ///< of the index in the file
    std::uint64_t first = 0, end = 0;  ///< between them lie the chunks
    std::vector<std::byte> table;      ///< offset and size of each chunk, in C order
};

/// A shard that can be read.
struct Shard {
    std::shared_ptr<Source const> file;
    std::shared_ptr<ShardIndex const> index;
};

/// Shards that were opened, some of them, for as long as their files stay the same: one may have
/// thousands of chunks, and each asks for it. The system reads ahead of a file that stays open. May
/// be called from many threads.
class Shards {
  public:
    Result<Shard> open(std::string const& path, Layout const& layout);

  private:
    struct Kept {
        Shard shard;
        std::string stamp;  ///< of the file
    };

    std::mutex mutex_;
    std::map<std::string, Kept> kept_;
    std::size_t bytes_ = 0;
};

}  // namespace sluice::zarr
