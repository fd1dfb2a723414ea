// Wanted: whether anybody still waits for what threads compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "device/workers.h"
#include "sluice/result.h"

namespace sluice {

/// Threads look at it between pieces of work; only the thread that made it asks, so that who is
/// asked hears of one thread. After a no the pieces that are left are skipped: what they would
/// have written means nothing, and status() says so.
class Wanted {
  public:
    /// Empty: always wanted.
    explicit Wanted(std::function<bool()> ask = {}) : ask_(std::move(ask)) {}

    bool still() {
        if (ask_ && there_.load(std::memory_order_relaxed) &&
            std::this_thread::get_id() == asking_ && !ask_())
            there_.store(false, std::memory_order_relaxed);
        return there_.load(std::memory_order_relaxed);
    }
    Status status() {
        if (still()) return {};
        return Error{Code::cancelled, "stopped"};
    }

  private:
    std::function<bool()> ask_;
    std::thread::id asking_ = std::this_thread::get_id();
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
