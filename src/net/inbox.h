// Inbox: bytes of a connection that came and were not looked at yet, in memory that frames share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::net {

/// Messages are not copied: who keeps share() keeps the memory that they lie in.
class Inbox {
  public:
    Bytes waiting() const { return {memory_.get() + begin_, end_ - begin_}; }
    std::shared_ptr<void const> share() const { return memory_; }
    /// Bytes that were looked at.
    void pass(std::size_t bytes) { begin_ += bytes; }
    void clear() { begin_ = end_; }

    /// Where what comes next goes. `wanted` bytes of a message are needed in all; what was promised
    /// and has not come takes no more memory than what has.
    std::span<std::byte> room(std::size_t wanted) {
        std::size_t const have = end_ - begin_;
        if (size_ - begin_ < wanted || size_ == end_) {
            std::size_t const size = std::max(usual, std::min(4 * wanted, 4 * have + usual));
            std::shared_ptr<std::byte[]> fresh = memory_of(size);
            std::copy_n(memory_.get() + begin_, have, fresh.get());
            memory_ = std::move(fresh);
            size_ = size, begin_ = 0, end_ = have;
        }
        return {memory_.get() + end_, size_ - end_};
    }
    void came(std::size_t bytes) { end_ += bytes; }

  private:
    static constexpr std::size_t usual = std::size_t{1} << 20;
    // Memory that nobody has any more serves again: of new memory each page is cleared by the
    // system first, which takes longer than receiving into it.
    struct Spare {
        static constexpr std::size_t most = 16;
        std::mutex mutex = {};
        std::vector<std::unique_ptr<std::byte[]>> free = {};
    };

    std::shared_ptr<std::byte[]> memory_of(std::size_t size) {
        if (size != usual) return std::make_shared_for_overwrite<std::byte[]>(size);
        std::unique_ptr<std::byte[]> memory;
        {
            std::lock_guard const lock(spare_->mutex);
            if (!spare_->free.empty()) {
                memory = std::move(spare_->free.back());
                spare_->free.pop_back();
            }
        }
        if (!memory) memory = std::make_unique_for_overwrite<std::byte[]>(size);
        return {memory.release(), [spare = spare_](std::byte* back) {
                    std::unique_ptr<std::byte[]> own(back);
                    std::lock_guard const lock(spare->mutex);
                    if (spare->free.size() < Spare::most) spare->free.push_back(std::move(own));
                }};
    }

    std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
    std::shared_ptr<std::byte[]> memory_ = {};
    std::size_t size_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace sluice::net
