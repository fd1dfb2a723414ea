// What media that lie between cells change of a beam's way in water.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/media_water.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice::proton {
namespace {

/// One line along a beam.
struct Line {
    double x, slope, path;  ///< mm at the surface, mm of x and of way a mm of depth
};

class Comparison {
  public:
    Comparison(Phantom const& p, Physics const& physics, std::vector<std::uint16_t> const& below,
               std::vector<Box> const& boxes)
        : p_(p), below_(below), boxes_(boxes) {
        // Ratios to water hardly depend on the energy.
        for (Material const& m : p.materials)
            water_.push_back(physics.relative_stopping_power(m, 100));
    }

    /// mm of water that the cells have more than the boxes where `range` mm of water are used up.
    double more_water(Line const& line, double range) const {
        double said = 0, laid = 0;
        for (index k = 0; k < p_.planes && said < range; ++k) {
            double const z = (static_cast<double>(k) + 0.5) * p_.dz;
            double const column = std::floor((line.x + line.slope * z - p_.x0) / p_.dx);
            auto const i =
                static_cast<index>(std::clamp(column, 0.0, static_cast<double>(p_.columns - 1)));
            said += line.path * said_in(k, i);
            laid += line.path * p_.dz * water_[p_.map[place(k, i)]];
        }
        return laid - said;
    }

  private:
    std::size_t place(index k, index i) const {
        return static_cast<std::size_t>(k * p_.columns + i);
    }

    double said_in(index k, index i) const {
        double const top = static_cast<double>(k) * p_.dz, bottom = top + p_.dz;
        std::vector<double> cuts = {top, bottom};
        for (Box const& b : boxes_)
            for (double const edge : {b.from, b.to})
                if (edge > top && edge < bottom) cuts.push_back(edge);
        std::sort(cuts.begin(), cuts.end());
        double water = 0;
        for (std::size_t n = 1; n < cuts.size(); ++n)
            water +=
                (cuts[n] - cuts[n - 1]) * water_[material_at((cuts[n - 1] + cuts[n]) / 2, k, i)];
        return water;
    }

    /// The last box wins, as where they are laid.
    std::uint16_t material_at(double z, index k, index i) const {
        auto const here = [&](Box const& b) {
            return b.from <= z && z < b.to && b.left <= i && i < b.right;
        };
        auto const box = std::find_if(boxes_.rbegin(), boxes_.rend(), here);
        if (box != boxes_.rend()) return box->material;
        return below_.empty() ? std::uint16_t{0} : below_[place(k, i)];
    }

    Phantom const& p_;
    std::vector<std::uint16_t> const& below_;
    std::vector<Box> const& boxes_;
    std::vector<double> water_;  ///< by material
};

// The step that has all edges between its cells, or 0.
double fitting(double dz, std::vector<Box> const& boxes) {
    for (int n = 1; n <= 20; ++n) {
        double const step = dz / n;
        auto const fits = [&](double edge) {
            return std::abs(edge / step - std::round(edge / step)) * step < 1e-6;
        };
        if (std::ranges::all_of(boxes, [&](Box const& b) { return fits(b.from) && fits(b.to); }))
            return step;
    }
    return 0;
}

}  // namespace

std::optional<Guard> of_media_water(Config const& c, std::vector<std::uint16_t> const& below,
                                    std::vector<Box> const& boxes) {
    if (boxes.empty()) return {};
    constexpr double most = 0.1, certain = 1, tiny = 1e-6;
    Physics const physics(c.water);
    Comparison const comparison(c.phantom, physics, below, boxes);
    double worst = 0, energy = 0;
    for (Beam const& b : c.beams)
        for (double const beside : {0.0, -b.sigma_x, b.sigma_x}) {
            Line const line{b.x + beside, std::tan(b.angle), 1 / std::cos(b.angle)};
            double const more = comparison.more_water(line, physics.range(b.energy));
            if (std::abs(more) <= std::abs(worst)) continue;
            worst = more;
            energy = b.energy;
        }
    if (!(std::abs(worst) > most + tiny)) return {};
    Guard g{.name = "media_water", .value = std::abs(worst), .limit = most, .unit = "mm"};
    g.severity = g.value > certain ? Severity::refusal : Severity::warning;
    g.text = fmt::format(
        "media that lie between cells put {:.2g} mm of water {} into the way of a beam of {:g} "
        "MeV, which moves its range",
        g.value, worst > 0 ? "too much" : "too little", energy);
    g.key = "grid.dz";
    if (double const step = fitting(c.phantom.dz, boxes); step > 0)
        g.wanted = fmt::format("{:.4g} mm", step);
    else
        g.key = "move the edges of media to multiples of grid.dz";
    return g;
}

}  // namespace sluice::proton
