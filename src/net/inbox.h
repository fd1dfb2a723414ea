// Inbox: bytes of a connection that came and were not looked at yet, in memory that frames share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <span>

#include "net/slabs.h"
#include "sluice/view.h"

namespace sluice::net {

/// Messages are not copied: who keeps share() keeps the memory that they lie in. Where nobody does,
/// what comes next goes to the same place, which the processor's cache still has.
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
        if (begin_ == end_ && is_ours()) begin_ = end_ = 0;
        if (size_ - begin_ < wanted || size_ == end_) begin_anew(wanted);
        return {memory_.get() + end_, size_ - end_};
    }
    void came(std::size_t bytes) { end_ += bytes; }

  private:
    // What others did with it is done: they gave it back before.
    bool is_ours() const {
        if (memory_.use_count() != 1) return false;
        std::atomic_thread_fence(std::memory_order_acquire);
        return true;
    }

    void begin_anew(std::size_t wanted) {
        std::size_t const have = end_ - begin_;
        bool const ours = !memory_ || is_ours();
        Slabs const& slabs = ours ? own_ : shared_;
        std::size_t const usual = slabs.bytes();
        std::size_t const size = std::max(usual, std::min(4 * wanted, 4 * have + usual));
        if (size <= size_ && ours) {
            std::copy(memory_.get() + begin_, memory_.get() + end_, memory_.get());
        } else {
            auto fresh =
                size == usual ? slabs.take() : std::make_shared_for_overwrite<std::byte[]>(size);
            std::copy_n(memory_.get() + begin_, have, fresh.get());
            memory_ = std::move(fresh);
            size_ = size;
        }
        begin_ = 0, end_ = have;
    }

    // What is looked at here is not to leave the second-level cache before. Where others keep the
    // memory, the beginning of a message that moves to the next piece costs more.
    Slabs own_{std::size_t{384} << 10}, shared_{std::size_t{1} << 20};
    std::shared_ptr<std::byte[]> memory_ = {};
    std::size_t size_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace sluice::net
