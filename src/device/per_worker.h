// PerWorker: what each worker of parallel_for() keeps from one number to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace sluice {

/// One T for each worker, as memory that is used again. It belongs to a run, and goes with it. A
/// parallel_for() inside another one runs as worker 0, so that each caller has its own.
template <class T>
class PerWorker {
  public:
    explicit PerWorker(int threads) : slots_(static_cast<std::size_t>(std::max(1, threads))) {}

    T& operator[](int worker) { return slots_[static_cast<std::size_t>(worker)].value; }

  private:
    // No two workers write into one line of the caches.
    struct alignas(64) Slot {
        T value = {};
    };
    std::vector<Slot> slots_;
};

}  // namespace sluice
