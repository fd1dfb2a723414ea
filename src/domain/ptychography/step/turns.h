// Turns: threads add their patterns' gradients to the same sums, part by part and row by row, each
// behind those that stand before it in the group. So sums have one order, whatever the threads.
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
    /// For windows of `rows` rows on each of `parts` canvases, one after the other. Patterns i and
    /// i + lanes share sums, and others do not: threads that add to the same rows send each other
    /// every line of the caches.
    Turns(std::vector<WindowPlace> places, index rows, index parts, index lanes)
        : places_(std::move(places)),
          rows_(rows),
          parts_(parts),
          lanes_(lanes),
          done_(std::make_unique<std::atomic<index>[]>(places_.size())) {}

    WindowPlace const& place(index i) const { return places_[static_cast<std::size_t>(i)]; }

    /// Until no one before i in its lane adds to the part's canvas where its rows up to `last` - 1
    /// lie.
    void wait_for_canvas(index i, index part, index last) const {
        WindowPlace const& mine = place(i);
        for (index j = oldest_.load(std::memory_order_acquire); j < i; ++j) {
            if ((i - j) % lanes_ != 0) continue;
            WindowPlace const& other = place(j);
            index const apart = other.col > mine.col ? other.col - mine.col : mine.col - other.col;
            if (apart < rows_) wait_for(j, part, std::min(mine.row + last - other.row, rows_));
        }
    }

    /// Until j has done its rows up to `last` - 1 of a part.
    void wait_for(index j, index part, index last) const { wait_until(j, part * rows_ + last); }
    /// Until j has done all.
    void wait_for_all(index j) const { wait_until(j, all_done()); }

    /// i has done its rows up to `last` - 1 of a part.
    void pass(index i, index part, index last) { reach(i, part * rows_ + last); }
    /// i has done all, its rows and what comes behind them.
    void pass_all(index i) {
        reach(i, all_done());
        index oldest = oldest_.load(std::memory_order_relaxed);
        while (oldest < std::ssize(places_) && done_[static_cast<std::size_t>(oldest)].load(
                                                   std::memory_order_acquire) >= all_done())
            oldest_.compare_exchange_strong(oldest, oldest + 1, std::memory_order_acq_rel);
    }

  private:
    index all_done() const { return parts_ * rows_ + 1; }

    void wait_until(index j, index rows) const {
        if (j < 0) return;
        auto const& done = done_[static_cast<std::size_t>(j)];
        for (int tries = 0; done.load(std::memory_order_acquire) < rows; ++tries)
            if (tries > 2000) std::this_thread::yield();  // its thread may need this processor
    }
    void reach(index i, index rows) {
        done_[static_cast<std::size_t>(i)].store(rows, std::memory_order_release);
    }

    std::vector<WindowPlace> places_;
    index rows_, parts_, lanes_;
    std::unique_ptr<std::atomic<index>[]> done_;  ///< rows of each pattern, of all its parts
    std::atomic<index> oldest_ = 0;               ///< all before it are done
};

}  // namespace sluice::ptycho
