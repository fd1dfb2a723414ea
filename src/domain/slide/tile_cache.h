// Decoded tiles that may be needed again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <mutex>

#include "domain/slide/pixels.h"

namespace sluice::slide {

struct CachedTile {
    Buffer memory;
    Pixels pixels;            ///< refers to `memory`
    bool attachment = false;  ///< the sub-block has one, which may be a mask
};

/// Least recently used tiles go first. Keyed by the slide too, so that several may share one.
struct TileCache::Impl {
    struct Key {
        std::uint64_t slide;  ///< unique among the slides of this process
        std::int32_t tile;
        int reduction;
        auto operator<=>(Key const&) const = default;
    };
    explicit Impl(std::size_t limit) : limit_(limit) {}
    std::shared_ptr<CachedTile const> find(Key const& key);
    /// Tiles larger than the limit are not kept. Returns the memory of an evicted tile, or empty:
    /// the next tile reuses it, since the allocator would keep pieces of both.
    Buffer add(Key const& key, std::shared_ptr<CachedTile> tile);

  private:
    using List = std::list<std::pair<Key, std::shared_ptr<CachedTile>>>;
    std::mutex mutex_;
    std::size_t limit_, used_ = 0;
    List recent_;
    std::map<Key, List::iterator> by_key_;
};

}  // namespace sluice::slide
