// Keeping decoded tiles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/tile_cache.h"

#include <atomic>

namespace sluice::slide {

TileCache::TileCache(std::size_t bytes) : impl_(std::make_unique<Impl>(bytes)) {}
TileCache::~TileCache() = default;

std::shared_ptr<CachedTile const> TileCache::Impl::find(Key const& key) {
    std::lock_guard const lock(mutex_);
    auto const at = by_key_.find(key);
    if (at == by_key_.end()) return nullptr;
    recent_.splice(recent_.begin(), recent_, at->second);
    return recent_.front().second;
}

Buffer TileCache::Impl::add(Key const& key, std::shared_ptr<CachedTile> tile) {
    std::lock_guard const lock(mutex_);
    Buffer free;
    std::size_t const bytes = tile->memory.size();
    if (bytes > limit_ || by_key_.contains(key)) return free;
    recent_.emplace_front(key, std::move(tile));
    by_key_[key] = recent_.begin();
    used_ += bytes;
    while (used_ > limit_) {
        std::shared_ptr<CachedTile> const last = std::move(recent_.back().second);
        used_ -= last->memory.size();
        by_key_.erase(recent_.back().first);
        recent_.pop_back();
        // The cache no longer has it, so its only owner remains the only one.
        if (last.use_count() != 1) continue;
        std::atomic_thread_fence(std::memory_order_acquire);
        free = std::move(last->memory);
    }
    return free;
}

}  // namespace sluice::slide
