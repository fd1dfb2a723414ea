// Percentiles and tone curves.
// SPDX-License-Identifier: Apache-2.0
#include "figure/contrast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sluice::figure {
namespace {

constexpr double most_decades = 1e6;

double percentile(std::vector<float>& values, double percent) {
    double const at =
        std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(values.size() - 1);
    auto const i = static_cast<std::ptrdiff_t>(at);
    auto const nth = values.begin() + i;
    std::nth_element(values.begin(), nth, values.end());
    double const below = *nth;
    double const part = at - static_cast<double>(i);
    if (part == 0) return below;
    double const above = *std::min_element(nth + 1, values.end());
    return below + part * (above - below);
}

}  // namespace

Limits percentiles(std::span<float const> values, double low, double high, bool positive) {
    std::vector<float> used;
    used.reserve(values.size());
    for (float v : values)
        if (std::isfinite(v) && (!positive || v > 0)) used.push_back(v);
    if (used.empty()) return {};
    double const lowest = percentile(used, low);
    return {lowest, percentile(used, high)};
}

Tone::Tone(Scale scale, Limits limits, double power)
    : scale_(scale), limits_(limits), power_(power) {
    if (!std::isfinite(limits_.high - limits_.low)) limits_ = {};
    if (limits_.high < limits_.low) std::swap(limits_.low, limits_.high);
    if (scale == Scale::log) {
        if (limits_.high <= 0) limits_ = {0.1, 1};
        limits_.low = std::max(limits_.low, limits_.high / most_decades);
        if (limits_.high == limits_.low) limits_.low = limits_.high / 10;
    } else if (limits_.high == limits_.low) {
        limits_.high += std::max(1.0, std::abs(limits_.high) * 1e-6);
    }
    if (!(power_ > 0)) power_ = 1;
}

double Tone::operator()(double value) const {
    auto const [low, high] = limits_;
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
    if (value <= low) return 0;
    if (value >= high) return 1;
    if (scale_ == Scale::log) return std::log(value / low) / std::log(high / low);
    double const part = (value - low) / (high - low);
    return scale_ == Scale::power ? std::pow(part, power_) : part;
}

}  // namespace sluice::figure
