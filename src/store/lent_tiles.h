// LentTiles: room for tiles that are looked at for a while, beside those that stay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "store/arena.h"

namespace sluice::store {

/// In the arena of the other tiles, so that one base leads to all. Threads may share it.
class LentTiles {
  public:
    /// Takes at most `pieces` of `piece` bytes from the arena, each of which has room for tiles of
    /// `bound` bytes.
    LentTiles(std::shared_ptr<Arena> arena, std::uint64_t bound, std::uint64_t piece, index pieces)
        : state_(std::make_shared<State>()) {
        state_->arena = std::move(arena);
        state_->bound = (bound + 63) / 64 * 64, state_->piece = piece, state_->pieces = pieces;
    }

    /// Room for a tile, until nobody has it any more; null: all is lent.
    std::shared_ptr<std::byte> borrow() {
        std::lock_guard const lock(state_->mutex);
        if (state_->free.empty() && !state_->take_piece()) return nullptr;
        std::byte* const room = state_->free.back();
        state_->free.pop_back();
        return {room, [state = state_](std::byte* back) {
                    std::lock_guard const again(state->mutex);
                    state->free.push_back(back);
                }};
    }

  private:
    struct State {
        std::mutex mutex = {};
        std::shared_ptr<Arena> arena = {};
        std::vector<std::byte*> free = {};
        std::uint64_t bound = 0, piece = 0;
        index pieces = 0;

        bool take_piece() {
            std::byte* const begin = pieces > 0 ? arena->take(piece) : nullptr;
            if (!begin) return false;
            --pieces;
            for (std::uint64_t at = 0; at + bound <= piece; at += bound) free.push_back(begin + at);
            return true;
        }
    };
    std::shared_ptr<State> state_;
};

}  // namespace sluice::store
