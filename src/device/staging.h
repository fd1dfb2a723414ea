// Staging: a block of memory that small copies pass through, so that none of them waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "sluice/view.h"

namespace sluice {

class Staging {
  public:
    /// The caller owns the block.
    explicit Staging(std::span<std::byte> block) : block_(block) {}

    /// Bytes that nobody else gets before deliver(); empty where there are not so many left.
    std::span<std::byte> room(std::size_t bytes) {
        if (bytes > block_.size() - used_) return {};
        auto const room = block_.subspan(used_, bytes);
        used_ += std::min((bytes + line - 1) / line * line, block_.size() - used_);
        return room;
    }
    /// deliver() copies what is then in `room` to `to`.
    void expect(std::span<std::byte> to, std::span<std::byte const> room) {
        expected_.push_back({to, room.data()});
    }
    /// To be called when all copies into rooms and out of them are done.
    void deliver() {
        for (auto const& [to, from] : expected_) std::memcpy(to.data(), from, to.size());
        clear();
    }
    /// Gives all rooms back without copying anything.
    void clear() {
        expected_.clear();
        used_ = 0;
    }

  private:
    static constexpr std::size_t line = 64;
    struct Expected {
        std::span<std::byte> to;
        std::byte const* from;
    };
    std::span<std::byte> block_;
    std::size_t used_ = 0;
    std::vector<Expected> expected_;
};

}  // namespace sluice
