// LastCounts: what the last few masks counted, for masks that differ from them by few pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "kernel/planes/kernels.h"

namespace sluice {

/// A detector that is dragged differs from its last place by the pixels at its edge: what these
/// count is added and taken away. Numbers are exact: whole sums (uint32_t), or moments. Any thread
/// may ask.
template <class Number>
class LastCounts {
  public:
    struct Counts {
        std::vector<planes::MaskWord> words = {};  ///< of the mask, ascending blocks
        std::vector<Number> of_frames = {};
    };
    using Kept = std::shared_ptr<Counts const>;

    /// Those whose mask differs least; null: all of them differ by more pixels.
    Kept nearest(std::span<planes::MaskWord const> words, index most_pixels) const;
    /// Keeps counts. They take the place of `before`, from which they were made, or of the oldest;
    /// where all would take more than `most_bytes`, older ones go first.
    void keep(Kept counts, Kept const& before, std::uint64_t most_bytes);
    std::uint64_t bytes() const;
    /// How many masks had a near one.
    index found() const;

    /// As many as are dragged side by side; a set of more serves no drag.
    static constexpr std::size_t most = 4;

  private:
    mutable std::mutex mutex_ = {};
    std::vector<Kept> kept_ = {};  ///< the newest last
    mutable index found_ = 0;
};

/// How many pixels are in one of two masks only.
index pixels_between(std::span<planes::MaskWord const> a, std::span<planes::MaskWord const> b);

}  // namespace sluice
