// Filling: a Resident that is made unit by unit, and can be looked at before it is whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <span>

#include "store/lent_tiles.h"
#include "store/resident.h"

namespace sluice::store {

/// A tile in the place of one that is not made yet.
struct LentTile {
    index unit = 0;
    std::shared_ptr<std::byte const> tile = {};
};

/// Bytes that a worker takes of the arena at a time, where a tile has `bound` at most: at least two
/// tiles.
std::uint64_t piece_of(std::uint64_t bound);

/// Dataset, plan and options must outlive it. Threads may share it.
class Filling {
  public:
    /// `memory` bytes are the most it may take. Workers are numbered from 0 to `threads` - 1.
    /// With `lends`, borrow() has room for tiles.
    static Result<Filling> begin(Dataset const& dataset, Plan const& plan, Layout layout,
                                 LoadOptions const& options, int threads, std::uint64_t memory,
                                 bool lends = false);
    /// Room for a tile that so_far() shows for a while; null: there is none.
    std::shared_ptr<std::byte> borrow() { return lent_ ? lent_->borrow() : nullptr; }

    /// Makes a unit, each once. A worker is on one thread at a time.
    Status make(index unit, int worker);
    /// [unit], 1: it is made.
    std::vector<std::uint8_t> made() const;
    bool is_made(index unit) const {
        return state_->made[static_cast<std::size_t>(unit)].load(std::memory_order_acquire) != 0;
    }
    std::uint64_t bytes() const { return state_->bytes; }
    /// What was met by the units that are made; while none is being made.
    Tally tally() const;

    /// Those units, as made() told them; frames of the others are zeros. It shares their memory,
    /// and units that are made later do not change it. Of bit planes only.
    /// In the place of others the lent tiles.
    Resident so_far(std::span<std::uint8_t const> made, std::span<LentTile const> lent = {}) const;
    /// Once all units are made.
    Resident finish() &&;

  private:
    struct Worker {
        std::unique_ptr<UnitMaker> maker = {};
        std::byte* next = nullptr;
        std::byte* end = nullptr;
    };
    struct State {
        explicit State(index units) : made(static_cast<std::size_t>(units)) {}
        std::vector<std::atomic<std::uint8_t>> made;
        std::atomic<std::uint64_t> bytes = 0;
    };

    Filling(Dataset const& dataset, Plan const& plan, LoadOptions const& options, Resident resident)
        : dataset_(&dataset), plan_(&plan), options_(&options), resident_(std::move(resident)) {}
    Result<std::byte*> room_for(std::uint64_t bytes, Worker& worker);
    Status make_tile(index unit, Worker& worker);
    Status make_empty_tile();

    Dataset const* dataset_;
    Plan const* plan_;
    LoadOptions const* options_;
    Resident resident_;
    std::uint64_t memory_ = 0;
    std::uint64_t bound_ = 0, piece_ = 0;  // bytes of a tile at most, and of what a worker takes
    std::uint64_t empty_ = 0;              // offset of a tile of zeros
    std::byte* dense_ = nullptr;
    std::optional<LentTiles> lent_ = {};
    std::vector<Worker> workers_ = {};
    std::unique_ptr<State> state_ = {};
};

}  // namespace sluice::store
