// Depth doses between those of two energies: their depths stretched to one range, then mixed.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/kernel.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton {
namespace {

// Linear between depths, and the values at the ends beyond them.
double value_at(std::vector<double> const& depth, std::vector<double> const& value, double at) {
    if (at <= depth.front()) return value.front();
    if (at >= depth.back()) return value.back();
    auto const i = static_cast<std::size_t>(std::ranges::upper_bound(depth, at) - depth.begin());
    double const part = (at - depth[i - 1]) / (depth[i] - depth[i - 1]);
    return value[i - 1] + part * (value[i] - value[i - 1]);
}

/// A kernel as if its range was another.
class Stretched {
  public:
    Stretched(BaseEnergy const& of, double range, double energy)
        : of_(of), stretch_(range / of.range), dose_(energy / of.energy / stretch_) {}

    double stretch() const { return stretch_; }
    // Behind the last depth there is none.
    double dose(double depth) const {
        double const at = depth / stretch_;
        return at > of_.depth.back() ? 0 : dose_ * value_at(of_.depth, of_.dose, at);
    }
    // Scattering widens beams by a part of their range.
    double width(std::vector<double> const& values, double depth) const {
        return stretch_ * value_at(of_.depth, values, depth / stretch_);
    }
    double plain(std::vector<double> const& values, double depth) const {
        return value_at(of_.depth, values, depth / stretch_);
    }

  private:
    BaseEnergy const& of_;
    double stretch_, dose_;
};

}  // namespace

BaseEnergy kernel_between(BaseEnergy const& below, BaseEnergy const& above, double energy) {
    double const log_part = std::log(energy / below.energy) / std::log(above.energy / below.energy);
    double const range = below.range * std::pow(above.range / below.range, log_part);
    double const part = (energy - below.energy) / (above.energy - below.energy);
    Stretched const a(below, range, energy), b(above, range, energy);
    auto const mix = [part](double x, double y) { return x + part * (y - x); };
    BaseEnergy k;
    k.energy = energy;
    k.energy_spread = mix(below.energy_spread, above.energy_spread);
    k.peak = mix(below.peak * a.stretch(), above.peak * b.stretch());
    k.range = range;
    bool const let = !below.let.empty() && !above.let.empty();
    for (double const depth : below.depth) {
        double const d = depth * a.stretch();
        k.depth.push_back(d);
        k.dose.push_back(mix(a.dose(d), b.dose(d)));
        k.sigma.push_back(mix(a.width(below.sigma, d), b.width(above.sigma, d)));
        k.halo_sigma.push_back(mix(a.width(below.halo_sigma, d), b.width(above.halo_sigma, d)));
        k.halo_weight.push_back(mix(a.plain(below.halo_weight, d), b.plain(above.halo_weight, d)));
        if (let) k.let.push_back(mix(a.plain(below.let, d), b.plain(above.let, d)));
    }
    return k;
}

std::optional<double> range_of(BaseEnergy const& k) {
    auto const peak = std::ranges::max_element(k.dose);
    double const level = 0.8 * *peak;
    for (auto i = static_cast<std::size_t>(peak - k.dose.begin()) + 1; i < k.dose.size(); ++i) {
        if (k.dose[i] > level) continue;
        double const part = (k.dose[i - 1] - level) / (k.dose[i - 1] - k.dose[i]);
        return k.depth[i - 1] + part * (k.depth[i] - k.depth[i - 1]);
    }
    return {};
}

}  // namespace sluice::proton
