// Memory that a worker needs for one tile, kept for the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "sluice/slide.h"

namespace sluice::slide {

struct Scratch {
    Buffer in, out;
    std::vector<std::span<std::byte>> pieces;
    std::shared_ptr<void const> held;  ///< a cached tile that is being placed
};

/// As many as were ever used at once. The lock is taken once per worker and read, not per tile.
class ScratchPool {
  public:
    std::unique_ptr<Scratch> take() {
        std::lock_guard const lock(mutex_);
        if (free_.empty()) return std::make_unique<Scratch>();
        auto s = std::move(free_.back());
        free_.pop_back();
        return s;
    }
    void give(std::unique_ptr<Scratch> s) {
        std::lock_guard const lock(mutex_);
        s->held.reset();
        free_.push_back(std::move(s));
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace sluice::slide
