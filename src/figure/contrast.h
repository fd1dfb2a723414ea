// Contrast: which value becomes black, which white, and what lies between.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sluice::figure {

enum class Scale : std::uint8_t { linear, log, power };

/// The values that are drawn darkest and brightest.
struct Limits {
    double low = 0, high = 1;
};

/// The `low`-th and `high`-th percentile (0 to 100) of the finite values, interpolated as NumPy
/// does; with `positive`, of those above 0. {0, 1} when there is no such value.
Limits percentiles(std::span<float const> values, double low, double high, bool positive = false);

/// Takes values to 0 to 1. A logarithmic scale spans 6 decades at most and shows values that are
/// not positive as 0; a power scale raises the linear fraction to `power`. Limits that are not
/// finite are taken for 0 and 1, equal ones are spread, swapped ones swapped back.
class Tone {
  public:
    Tone(Scale scale, Limits limits, double power = 0.5);
    Limits limits() const { return limits_; }
    Scale scale() const { return scale_; }
    /// NaN stays NaN; infinities are the ends.
    double operator()(double value) const;

  private:
    Scale scale_;
    Limits limits_;
    double power_;
};

}  // namespace sluice::figure
