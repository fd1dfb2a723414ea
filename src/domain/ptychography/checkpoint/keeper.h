// Keeper: when it is time for a checkpoint.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "domain/ptychography/share.h"

namespace sluice::ptycho {

class Keeper {
  public:
    /// `every` iterations; 0: so many that writing takes less than a tenth of the time.
    Keeper(std::string path, index every) : path_(std::move(path)), every_(every) {}

    /// Calls save(path) if it is time after this iteration, the `last` one of its stage or not: on
    /// all ranks, by the clock of the first.
    template <class Save>
    Status keep(Share const& share, bool last, Save const& save) {
        ++since_;
        if (path_.empty() || !(last || share.first_says(due()))) return {};
        auto const start = Clock::now();
        SLUICE_CHECK(save(path_));
        ended_ = Clock::now();
        took_ = ended_ - start;
        since_ = 0;
        return {};
    }

  private:
    using Clock = std::chrono::steady_clock;
    bool due() const { return every_ > 0 ? since_ >= every_ : Clock::now() - ended_ >= 10 * took_; }
    std::string path_;
    index every_, since_ = 0;
    Clock::time_point ended_ = {};
    Clock::duration took_ = {};
};

}  // namespace sluice::ptycho
