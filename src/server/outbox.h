// Outbox: what one client is yet to be sent; within a slot only the newest is kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::server {

/// One WebSocket message, shared by all clients that it goes to.
struct Message {
    std::string bytes;
    bool binary = false;
};
using SharedMessage = std::shared_ptr<Message const>;

class Outbox {
  public:
    /// Queues a message. One of the same slot that still waits is replaced; an empty slot replaces
    /// nothing. Nothing is refused, because a lost answer would be waited for: makers of large
    /// ones look at bytes() first, and senders look at holds_more_than().
    void put(std::string slot, SharedMessage message) {
        std::size_t const size = message->bytes.size();
        for (Entry& e : waiting_) {
            if (slot.empty() || e.slot != slot) continue;
            bytes_ += size - e.message->bytes.size();
            e.message = std::move(message);
            ++replaced_;
            return;
        }
        bytes_ += size;
        waiting_.push_back({std::move(slot), std::move(message)});
    }

    /// The oldest one, out of the queue.
    std::optional<SharedMessage> take() {
        if (waiting_.empty()) return {};
        SharedMessage message = std::move(waiting_.front().message);
        waiting_.pop_front();
        bytes_ -= message->bytes.size();
        return message;
    }

    /// Whether the client is too far behind to be kept: every message counts, also refusals.
    bool holds_more_than(std::size_t bytes, std::size_t messages) const {
        return bytes_ > bytes || waiting_.size() > messages;
    }
    void clear() {
        waiting_.clear();
        bytes_ = 0;
    }
    bool empty() const { return waiting_.empty(); }
    std::size_t bytes() const { return bytes_; }
    std::size_t replaced() const { return replaced_; }

  private:
    struct Entry {
        std::string slot;
        SharedMessage message;
    };
    std::deque<Entry> waiting_;
    std::size_t bytes_ = 0, replaced_ = 0;
};

}  // namespace sluice::server
