// BlockCache: the blocks used last stay decoded, for frames that share a block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::boxes {

using Block = std::shared_ptr<std::vector<std::byte> const>;

/// At most `most` blocks, the one used longest ago leaving first. A block that several threads want
/// is made once, while other blocks are made beside it.
class BlockCache {
  public:
    explicit BlockCache(std::size_t most) : most_(most) {}

    /// Block `number`, made by `make()` -> Result<std::vector<std::byte>> unless it is here.
    template <class Make>
    Result<Block> get(std::uint64_t number, Make make) {
        std::shared_ptr<Entry> const entry = find(number);
        std::lock_guard lock(entry->making);
        if (!entry->block) {
            SLUICE_TRY(std::vector<std::byte> bytes, make());
            entry->block = std::make_shared<std::vector<std::byte> const>(std::move(bytes));
        }
        return entry->block;
    }

  private:
    struct Entry {
        std::mutex making;
        Block block;
    };
    struct Place {
        std::shared_ptr<Entry> entry;
        std::list<std::uint64_t>::iterator used;
    };

    std::shared_ptr<Entry> find(std::uint64_t number) {
        std::lock_guard lock(mutex_);
        if (auto const found = places_.find(number); found != places_.end()) {
            used_.splice(used_.begin(), used_, found->second.used);
            return found->second.entry;
        }
        if (places_.size() >= most_) {
            places_.erase(used_.back());
            used_.pop_back();
        }
        used_.push_front(number);
        auto entry = std::make_shared<Entry>();
        places_[number] = {entry, used_.begin()};
        return entry;
    }

    std::size_t most_;
    std::mutex mutex_;
    std::list<std::uint64_t> used_;  // the last used first
    std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace sluice::boxes
