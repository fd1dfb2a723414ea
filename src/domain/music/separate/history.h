// History: the last samples of two channels, by their place in the song.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::music {

/// The memory is as large as what is kept and one addition.
class History {
  public:
    /// How many samples came.
    index end() const { return first_ + std::ssize(channels_[0]); }
    index first() const { return first_; }

    /// Equally many of both channels.
    void add(std::span<float const> left, std::span<float const> right) {
        channels_[0].insert(channels_[0].end(), left.begin(), left.end());
        channels_[1].insert(channels_[1].end(), right.begin(), right.end());
    }
    /// Forgets what is before a sample.
    void forget(index before) {
        index const n = std::min(before, end()) - first_;
        // Moving the kept samples costs as much as there are: not for a few.
        if (n <= 0 || n < std::ssize(channels_[0]) / 4) return;
        for (auto& c : channels_) c.erase(c.begin(), c.begin() + n);
        first_ += n;
    }
    float at(int channel, index sample) const {
        return channels_[static_cast<std::size_t>(channel)]
                        [static_cast<std::size_t>(sample - first_)];
    }
    /// `n` samples from one on, all of which are kept.
    std::span<float const> run(int channel, index sample, index n) const {
        return std::span(channels_[static_cast<std::size_t>(channel)])
            .subspan(static_cast<std::size_t>(sample - first_), static_cast<std::size_t>(n));
    }

  private:
    std::array<std::vector<float>, 2> channels_;
    index first_ = 0;
};

}  // namespace sluice::music
