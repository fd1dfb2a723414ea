// The functions of the scan position that origins are fitted with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

/// Positions go from -1 to 1 over the scan, so that the unknowns are of one size.
class Surface {
  public:
    Surface(stem4d::OriginSurface surface, int order, std::array<index, 2> scan);

    std::size_t size() const { return size_; }
    std::vector<double> functions(double scan_row, double scan_col) const;

  private:
    stem4d::OriginSurface surface_;
    std::array<index, 2> scan_;
    /// Of bezier in each direction; a scan of few rows determines few.
    std::array<int, 2> order_{};
    std::size_t size_ = 0;
};

}  // namespace sluice::crystal
