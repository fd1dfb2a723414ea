// What a proton of an energy leaves in water, as sums over depth.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/depth_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/cube/moments.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::cube {
namespace {

/// A curve of base data, linear between its points, with its last value behind them.
class Curve {
  public:
    Curve(std::vector<double> const& depth, std::vector<double> const& value)
        : depth_(depth), value_(value) {}

    // Called with depths that ascend.
    double at(double depth) {
        while (i_ + 2 < depth_.size() && depth_[i_ + 1] < depth) ++i_;
        if (value_.empty()) return 0;
        if (value_.size() == 1) return value_[0];
        double const part =
            std::clamp((depth - depth_[i_]) / (depth_[i_ + 1] - depth_[i_]), 0.0, 1.0);
        return value_[i_] + part * (value_[i_ + 1] - value_[i_]);
    }

  private:
    std::vector<double> const &depth_, &value_;
    std::size_t i_ = 0;
};

}  // namespace

DepthKernel::DepthKernel(Physics const& physics, BaseEnergy const& base, std::array<double, 2> gap)
    : end_(base.depth.back()), range_(physics.range(base.energy)) {
    tabulate(base);
    widen(physics, base, gap);
}

Status DepthKernel::check(BaseEnergy const& b) {
    auto const bad = [&](std::string_view what) {
        return Error{Code::corrupt, fmt::format("the depth kernel of {:g} MeV {}", b.energy, what)};
    };
    std::size_t const n = b.depth.size();
    if (n < 2) return bad("has less than two depths");
    struct Limits {
        char const* name;
        std::vector<double> const& curve;
        double most;
    };
    constexpr double widest = 300;  // mm
    for (Limits const& l :
         {Limits{"a depth", b.depth, 2000}, Limits{"a dose", b.dose, 1e6},
          Limits{"a sigma", b.sigma, widest}, Limits{"a sigma of the halo", b.halo_sigma, widest},
          Limits{"a weight of the halo", b.halo_weight, 1}, Limits{"a LET", b.let, 500}}) {
        // Not all files have LET.
        if (&l.curve == &b.let && b.let.empty()) continue;
        if (l.curve.size() != n) return bad("has curves of different lengths");
        for (double const v : l.curve)
            if (!(v >= 0 && v <= l.most))
                return bad(
                    fmt::format("has {} of {:g}, where 0 to {:g} can be", l.name, v, l.most));
    }
    for (std::size_t i = 1; i < n; ++i)
        if (!(b.depth[i] > b.depth[i - 1])) return bad("has depths that do not ascend");
    return {};
}

double DepthKernel::at(std::vector<double> const& table, double depth) const {
    double const t = std::max(depth, 0.0) / step_;
    auto const last = table.size() - 1;
    if (!(t < static_cast<double>(last))) return table[last];
    auto const i = static_cast<std::size_t>(t);
    return table[i] + (t - static_cast<double>(i)) * (table[i + 1] - table[i]);
}

double DepthKernel::energy_before(double depth) const {
    return (at(core_, depth) + at(halo_, depth)) / gray_mm2;
}

// Each step of the table is cut into a few, so that peaks keep what they have between its points.
void DepthKernel::tabulate(BaseEnergy const& b) {
    Curve dose(b.depth, b.dose), weight(b.depth, b.halo_weight), let(b.depth, b.let);
    constexpr int parts = 4;
    double const cut = step_ / parts;
    double sums[4] = {};
    auto const n = static_cast<index>(std::ceil(end_ / step_)) + 1;
    for (auto* v : {&core_, &halo_, &core_let_, &halo_let_}) v->assign(1, 0.0);
    for (index i = 0; i < n; ++i) {
        for (int k = 0; k < parts; ++k) {
            double const at = (static_cast<double>(i) + (k + 0.5) / parts) * step_;
            // MeV cm2/g as Gy mm2.
            double const d = at < end_ ? dose.at(at) / 10 * gray_mm2 * cut : 0;
            double const wide = d * std::clamp(weight.at(at), 0.0, 1.0), l = let.at(at);
            sums[0] += d - wide;
            sums[1] += wide;
            sums[2] += (d - wide) * l;
            sums[3] += wide * l;
        }
        core_.push_back(sums[0]);
        halo_.push_back(sums[1]);
        core_let_.push_back(sums[2]);
        halo_let_.push_back(sums[3]);
    }
    energy_ = (sums[0] + sums[1]) / gray_mm2;
}

void DepthKernel::widen(Physics const& physics, BaseEnergy const& b, std::array<double, 2> gap) {
    Curve sigma(b.depth, b.sigma), halo(b.depth, b.halo_sigma);
    Material const water;
    Moments m;
    constexpr double least_left = 0.5;  // mm: where protons stop nothing of this is a Gaussian
    for (std::size_t i = 0; i < core_.size(); ++i) {
        double const z = static_cast<double>(i) * step_;
        if (gap[1] > 0 && z >= gap[0]) {
            m = m.after(gap[1], 0);
            gap = {};
        }
        double const left = std::max(range_ - z, least_left);
        double const t = physics.scattering_power(water, physics.energy(left));
        scattering_.push_back(t);
        double const own = sigma.at(z);
        // Both are small at first, and their ratio says nothing.
        double const ratio = m.place > 1e-4 && own > 0.02 ? own * own / m.place : 1;
        widening_.push_back(std::clamp(ratio, 0.5, 2.0));
        halo_variance_.push_back(std::pow(halo.at(z), 2));
        m = m.after(step_, t);
    }
}

DepthKernel::Mean DepthKernel::mean(double from, double past) const {
    // A thin step would lose its digits in the difference of two sums.
    constexpr double least = 0.02;
    if (past - from < least) {
        double const middle = (from + past) / 2;
        from = std::max(0.0, middle - least / 2);
        past = from + least;
    }
    double const by = 1 / (past - from);
    auto const part = [&](std::vector<double> const& sums) {
        return (at(sums, past) - at(sums, from)) * by;
    };
    return {part(core_), part(halo_), part(core_let_), part(halo_let_)};
}

}  // namespace sluice::proton::cube
