// Wanted: whether anybody still waits for what threads compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "device/workers.h"
#include "sluice/result.h"

namespace sluice {

/// Threads look at it between pieces of work, and one at a time asks. After a no the pieces that
/// are left are skipped: what they would have written means nothing, and status() says so.
class Wanted {
  public:
    /// Empty: always wanted.
    explicit Wanted(std::function<bool()> ask = {}) : ask_(std::move(ask)) {}

    bool still() {
        bool const there = there_.load(std::memory_order_relaxed);
        if (!there || !ask_) return there;
        std::unique_lock const lock(asking_, std::try_to_lock);
        if (lock && there_.load(std::memory_order_relaxed) && !ask_())
            there_.store(false, std::memory_order_relaxed);
        return there_.load(std::memory_order_relaxed);
    }
    Status status() {
        if (still()) return {};
        return Error{Code::cancelled, "stopped"};
    }

  private:
    std::function<bool()> ask_;
    std::mutex asking_;
    std::atomic<bool> there_ = true;
};

/// parallel_for() with one number at a time, as long as it is wanted; null: to the end.
template <class Work>
void share_out(index n, int threads, Wanted* wanted, Work const& work) {
    parallel_for(n, threads, 1, [&](index i, int worker) {
        if (!wanted || wanted->still()) work(i, worker);
    });
}

}  // namespace sluice
