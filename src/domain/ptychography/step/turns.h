// Turns: threads add their patterns' gradients to the same sums, row by row, each behind those that
// stand before it in the group. So sums have one order, whatever the threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "domain/ptychography/model.h"

namespace sluice::ptycho {

/// Patterns must be begun in the order of the group, as parallel_for() hands them out; each that
/// was begun goes on to its end: so the first one never waits, and the others wait for it.
class Turns {
  public:
    /// For windows of `rows` rows. Patterns i and i + lanes share sums, and others do not: threads
    /// that add to the same rows send each other every line of the caches.
    Turns(std::vector<Place> places, index rows, index lanes)
        : places_(std::move(places)),
          rows_(rows),
          lanes_(lanes),
          done_(std::make_unique<std::atomic<index>[]>(places_.size())) {}

    Place const& place(index i) const { return places_[static_cast<std::size_t>(i)]; }

    /// Until no one before i in its lane adds to the canvas where its rows up to `last` - 1 lie.
    void wait_for_canvas(index i, index last) const {
        Place const& mine = place(i);
        for (index j = oldest_.load(std::memory_order_acquire); j < i; ++j) {
            if ((i - j) % lanes_ != 0) continue;
            Place const& other = place(j);
            index const apart = other.col > mine.col ? other.col - mine.col : mine.col - other.col;
            if (apart < rows_) wait_for(j, std::min(mine.row + last - other.row, rows_));
        }
    }

    /// Until j has done its rows up to `last` - 1.
    void wait_for(index j, index last) const {
        if (j < 0) return;
        auto const& done = done_[static_cast<std::size_t>(j)];
        for (int tries = 0; done.load(std::memory_order_acquire) < last; ++tries)
            if (tries > 2000) std::this_thread::yield();  // its thread may need this processor
    }

    /// i has done its rows up to `last` - 1.
    void pass(index i, index last) {
        done_[static_cast<std::size_t>(i)].store(last, std::memory_order_release);
        if (last < all_done()) return;
        index oldest = oldest_.load(std::memory_order_relaxed);
        while (oldest < std::ssize(places_) && done_[static_cast<std::size_t>(oldest)].load(
                                                   std::memory_order_acquire) >= all_done())
            oldest_.compare_exchange_strong(oldest, oldest + 1, std::memory_order_acq_rel);
    }

    /// What passes when a pattern has done all, its rows and what comes behind them.
    index all_done() const { return rows_ + 1; }

  private:
    std::vector<Place> places_;
    index rows_, lanes_;
    std::unique_ptr<std::atomic<index>[]> done_;  ///< rows of each pattern
    std::atomic<index> oldest_ = 0;               ///< all before it are done
};

}  // namespace sluice::ptycho
