// Bins: what a detector's pixels add up of a spectrum in the order of the passes, where they are
// larger than its numbers or do not reach to its edges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "domain/ptychography/model.h"

namespace sluice::ptycho {

class Bins {
  public:
    Bins() = default;  ///< of a plain detector: none
    explicit Bins(Model const& model);

    bool none() const { return spots_.empty(); }
    /// Of a pattern, and filled up to whole registers.
    index pixels() const { return pixels_; }
    index filled() const { return (pixels_ + 15) / 16 * 16; }

    /// pixels[row][col] of the pattern.
    void add_up(float const* spectrum, float* pixels) const;
    /// Each number of the spectrum becomes its pixel's value; 0 where it has no pixel.
    void spread(float const* pixels, float* spectrum) const;

  private:
    index area_ = 0, pixels_ = 0, of_each_ = 0;
    std::vector<std::int32_t> spots_;  ///< [pixel][of_each], numbers in the order of the passes
};

}  // namespace sluice::ptycho
