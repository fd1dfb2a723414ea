// How media whose edges lie within cells change a beam's way in water.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/media_water.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/way.h"

namespace sluice::proton {
namespace {

/// One line along a beam.
struct Line {
    double x, slope, path;  ///< mm at the surface, mm of x and of way a mm of depth
};

/// What the cells have more than the boxes, mm of water, and the depth that it was followed to.
struct Found {
    double more = 0, depth = 0;
};

class Comparison {
  public:
    Comparison(Phantom const& p, Physics const& physics, std::vector<std::uint16_t> const& below,
               std::vector<Box> const& boxes)
        : p_(p), below_(below), boxes_(boxes), more_(static_cast<std::size_t>(p.planes)) {
        // Ratios to water hardly depend on the energy.
        for (Material const& m : p.materials)
            water_.push_back(physics.relative_stopping_power(m, 100));
        std::vector<std::vector<double>> cuts(more_.size());
        for (Box const& b : boxes)
            for (double const edge : {b.from, b.to}) add_edge(edge, cuts);
        for (index k = 0; k < p.planes; ++k)
            if (auto& all = cuts[static_cast<std::size_t>(k)]; !all.empty()) compare(k, all);
    }

    bool same() const { return same_; }

    /// Down to where `range` mm of water are used up.
    Found along(Line const& line, double range) const {
        Found f;
        double said = 0;
        for (index k = 0; k < p_.planes && said < range; ++k) {
            double const z = (static_cast<double>(k) + 0.5) * p_.dz;
            double const column = std::floor((line.x + line.slope * z - p_.x0) / p_.dx);
            auto const i =
                static_cast<index>(std::clamp(column, 0.0, static_cast<double>(p_.columns - 1)));
            double const laid = line.path * p_.dz * water_[p_.map[place(k, i)]];
            auto const& plane = more_[static_cast<std::size_t>(k)];
            double const more = plane.empty() ? 0 : line.path * plane[static_cast<std::size_t>(i)];
            said += laid - more;
            f.more += more;
            f.depth = z;
        }
        return f;
    }

  private:
    std::size_t place(index k, index i) const {
        return static_cast<std::size_t>(k * p_.columns + i);
    }

    // An edge between planes cuts no cell.
    void add_edge(double edge, std::vector<std::vector<double>>& cuts) const {
        constexpr double tiny = 1e-9;
        double const k = std::floor(edge / p_.dz), top = k * p_.dz;
        bool const inside = edge > top + tiny && edge < top + p_.dz - tiny;
        if (inside && k >= 0 && k < static_cast<double>(p_.planes))
            cuts[static_cast<std::size_t>(k)].push_back(edge);
    }

    void compare(index k, std::vector<double>& cuts) {
        double const top = static_cast<double>(k) * p_.dz, bottom = top + p_.dz;
        cuts.insert(cuts.end(), {top, bottom});
        std::sort(cuts.begin(), cuts.end());
        std::vector<Box> here;
        for (Box const& b : boxes_)
            if (b.from < bottom && b.to > top) here.push_back(b);
        same_ = false;
        auto& more = more_[static_cast<std::size_t>(k)];
        for (index i = 0; i < p_.columns; ++i) {
            double said = 0;
            for (std::size_t n = 1; n < cuts.size(); ++n) {
                double const z = (cuts[n - 1] + cuts[n]) / 2;
                said += (cuts[n] - cuts[n - 1]) * water_[material_at(here, z, k, i)];
            }
            more.push_back(p_.dz * water_[p_.map[place(k, i)]] - said);
        }
    }

    /// The last box wins, as where they are laid.
    std::uint16_t material_at(std::vector<Box> const& boxes, double z, index k, index i) const {
        auto const here = [&](Box const& b) {
            return b.from <= z && z < b.to && b.left <= i && i < b.right;
        };
        auto const box = std::find_if(boxes.rbegin(), boxes.rend(), here);
        if (box != boxes.rend()) return box->material;
        return below_.empty() ? std::uint16_t{0} : below_[place(k, i)];
    }

    Phantom const& p_;
    std::vector<std::uint16_t> const& below_;
    std::vector<Box> const& boxes_;
    std::vector<double> water_;              ///< by material
    std::vector<std::vector<double>> more_;  ///< [plane][column]: mm of water; empty: none
    bool same_ = true;
};

// What of the beam's lines has most, over two sigma to each side.
double most_of(Comparison const& comparison, Beam const& b, double range) {
    Line line{b.x, std::tan(b.angle), 1 / std::cos(b.angle)};
    Found const middle = comparison.along(line, range);
    // Scattering widens beams by some 2 % of their range.
    double const own = guards::sigma_at(b, std::vector<guards::Crossing>{}, middle.depth);
    double const reach = 2 * std::max(b.sigma_x, std::hypot(own, 0.02 * range));
    double worst = middle.more;
    constexpr int lines = 4;  // to each side
    for (int i = -lines; i <= lines; ++i) {
        line.x = b.x + reach * i / lines;
        double const more = comparison.along(line, range).more;
        if (std::abs(more) > std::abs(worst)) worst = more;
    }
    return worst;
}

}  // namespace

double fitting(double step, double origin, std::vector<double> const& edges) {
    for (int n = 1; n <= 20; ++n) {
        double const part = step / n;
        auto const fits = [&](double edge) {
            double const places = (edge - origin) / part;
            return std::abs(places - std::round(places)) * part < 1e-6;
        };
        if (std::ranges::all_of(edges, fits)) return part;
    }
    return 0;
}

std::optional<Guard> of_media_water(Config const& c, std::vector<std::uint16_t> const& below,
                                    std::vector<Box> const& boxes) {
    if (boxes.empty()) return {};
    constexpr double most = 0.1, certain = 1, tiny = 1e-6;
    Physics const physics(c.water);
    Comparison const comparison(c.phantom, physics, below, boxes);
    if (comparison.same()) return {};
    double worst = 0, energy = 0;
    for (Beam const& b : c.beams) {
        double const more = most_of(comparison, b, physics.range(b.energy));
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
    std::vector<double> edges;
    for (Box const& b : boxes) edges.insert(edges.end(), {b.from, b.to});
    if (double const step = fitting(c.phantom.dz, 0, edges); step > 0)
        g.wanted = fmt::format("{:.4g} mm", step);
    else
        g.key = "move the edges of media to multiples of grid.dz";
    return g;
}

}  // namespace sluice::proton
