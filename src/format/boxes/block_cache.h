// BlockCache: the blocks used last stay decoded, for frames that share a block. One serves all
// arrays of a dataset, so that many files take no more memory than one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::boxes {

/// What the blocks of a dataset take at most, decoded.
constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 29;

using Block = std::shared_ptr<std::vector<std::byte> const>;

/// The memory of blocks that nobody has any more. New blocks of the same size use it again,
/// because the system clears memory that it hands out.
class SpareBlocks {
  public:
    SpareBlocks() { spare_.reserve(most); }  // so that give() needs no memory

    /// Bytes of any value.
    std::vector<std::byte> take(std::size_t bytes) {
        {
            std::lock_guard lock(mutex_);
            while (!spare_.empty()) {
                std::vector<std::byte> block = std::move(spare_.back());
                spare_.pop_back();
                bytes_ -= block.size();
                if (block.size() == bytes) return block;
            }
        }
        return std::vector<std::byte>(bytes);
    }
    void give(std::vector<std::byte>&& block) {
        std::lock_guard lock(mutex_);
        if (spare_.size() == most || block.size() > most_bytes - bytes_) return;
        bytes_ += block.size();
        spare_.push_back(std::move(block));
    }

  private:
    static constexpr std::size_t most = 64, most_bytes = 64 << 20;
    std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::vector<std::vector<std::byte>> spare_;
};

/// The block used longest ago leaves first. A block that several threads want is made once, while
/// other blocks are made beside it.
class BlockCache {
  public:
    /// Never more bytes than `most`, but for two blocks, and 64 MiB that are spare.
    explicit BlockCache(std::uint64_t most) : most_(most) {}

    /// Makes room for `bytes` more; there is none at first.
    void grow(std::uint64_t bytes) {
        std::lock_guard lock(mutex_);
        room_ = bytes > most_ - room_ ? most_ : room_ + bytes;
    }
    std::uint64_t room() const {
        std::lock_guard lock(mutex_);
        return room_;
    }

    /// Memory for a block that make() fills.
    std::vector<std::byte> take(std::size_t bytes) { return spare_->take(bytes); }

    /// A number for an array, under which its blocks are kept; no other gets it.
    std::uint64_t new_owner() {
        std::lock_guard lock(mutex_);
        return owners_++;
    }

    /// Block `number` of an owner's array, of `bytes` bytes: made by `make()`
    /// -> Result<std::vector<std::byte>> unless it is here.
    template <class Make>
    Result<Block> get(std::uint64_t owner, std::uint64_t number, std::uint64_t bytes, Make make) {
        std::shared_ptr<Entry> const entry = find({owner, number}, bytes);
        std::lock_guard lock(entry->making);
        if (!entry->block) {
            SLUICE_TRY(std::vector<std::byte> made, make());
            entry->block = Block(new std::vector<std::byte>(std::move(made)),
                                 [spare = spare_](std::vector<std::byte>* block) {
                                     spare->give(std::move(*block));
                                     delete block;
                                 });
        }
        return entry->block;
    }

  private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // owner and number
    struct Entry {
        std::mutex making;
        Block block;
    };
    struct Place {
        std::shared_ptr<Entry> entry;
        std::uint64_t bytes = 0;
        std::list<Key>::iterator used;
    };

    std::shared_ptr<Entry> find(Key const& key, std::uint64_t bytes) {
        std::lock_guard lock(mutex_);
        if (auto const found = places_.find(key); found != places_.end()) {
            used_.splice(used_.begin(), used_, found->second.used);
            return found->second.entry;
        }
        while (used_.size() >= 2 && bytes > room_ - std::min(room_, taken_)) {
            auto const oldest = places_.find(used_.back());
            taken_ -= oldest->second.bytes;
            places_.erase(oldest);
            used_.pop_back();
        }
        used_.push_front(key);
        taken_ += bytes;
        auto entry = std::make_shared<Entry>();
        places_[key] = {entry, bytes, used_.begin()};
        return entry;
    }

    std::shared_ptr<SpareBlocks> spare_ = std::make_shared<SpareBlocks>();  // blocks outlive caches
    std::uint64_t most_, room_ = 0, taken_ = 0, owners_ = 0;
    mutable std::mutex mutex_;
    std::list<Key> used_;  // the last used first
    std::map<Key, Place> places_;
};

}  // namespace sluice::boxes
