// From an image to the tissues of a phantom's cells.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "domain/proton/config/ct.h"
#include "domain/proton/physics/tissue.h"

namespace sluice::proton {
namespace {

/// Tissues by value, each made once.
class Tissues {
  public:
    Tissues(Ct const& ct, Config& c) : ct_(ct), c_(c), physics_(c.water) {}

    /// The number of the material; none where there are too many.
    std::optional<std::uint16_t> number(double value) {
        auto const key = std::llround(value * steps());
        auto const found = made_.find(key);
        if (found != made_.end()) return found->second;
        auto& materials = c_.phantom.materials;
        if (materials.size() > std::numeric_limits<std::uint16_t>::max()) return {};
        auto const number = static_cast<std::uint16_t>(materials.size());
        materials.push_back(make(static_cast<double>(key) / steps()));
        made_.emplace(key, number);
        return number;
    }

  private:
    Ct const& ct_;
    Config& c_;
    Physics physics_;
    std::unordered_map<long long, std::uint16_t> made_;

    // Of a HU; of a g/cm3 or a relative stopping power.
    double steps() const { return ct_.quantity == ImageQuantity::hu ? 1 : 1000; }

    Material make(double value) const {
        switch (ct_.quantity) {
            case ImageQuantity::hu:
                return tissue(physics_, fmt::format("{} HU", value), ct_.density.at(value),
                              ct_.stopping.at(value));
            case ImageQuantity::density:
                return tissue(physics_, fmt::format("{} g/cm3", value), value);
            case ImageQuantity::stopping:
                break;
        }
        return tissue(physics_, fmt::format("rsp {}", value), tissue_density(physics_, value),
                      value);
    }
};

// The middles of all cells lie in the image.
Status check_size(Table const& table, CtPlane const& image, Phantom const& p) {
    if (p.depth() - p.dz / 2 <= image.depth() && p.width() - p.dx <= image.width()) return {};
    return table.error(fmt::format(
        "the phantom is {:g} mm deep and {:g} mm wide, and the image {:g} and {:g} mm; make "
        "grid.depth and grid.width smaller, or leave them out",
        p.depth(), p.width(), image.depth(), image.width()));
}

/// Values beyond a table, and the nearest values in it.
struct Outside {
    index count = 0;
    double least = 0, most = 0;

    double nearest(Ct const& ct, double value) {
        if (ct.quantity != ImageQuantity::hu) return value;
        double const inside = std::clamp(value, ct.stopping.hu.front(), ct.stopping.hu.back());
        if (inside == value) return value;
        ++count;
        least = std::min(least, value);
        most = std::max(most, value);
        return inside;
    }
};

void warn(Ct const& ct, Outside const& outside, Config& c) {
    Phantom const& p = c.phantom;
    double const cells = static_cast<double>(p.planes * p.columns);
    if (outside.count > 0) {
        Guard g{.name = "hu_outside", .value = 100 * static_cast<double>(outside.count) / cells};
        g.unit = "%";
        g.text = fmt::format(
            "{} of {} cells have HU beyond the table of stopping powers ({:g} to {:g}), {:g} to "
            "{:g}; they are taken as its ends",
            outside.count, p.planes * p.columns, ct.stopping.hu.front(), ct.stopping.hu.back(),
            outside.least, outside.most);
        c.guards.push_back(std::move(g));
    }
    // Pixels that are near no cell's middle have no effect.
    if (p.dz > 1.5 * ct.plane.dz || p.dx > 1.5 * ct.plane.dx) {
        Guard g{.name = "pixels_skipped",
                .value = std::max(p.dz / ct.plane.dz, p.dx / ct.plane.dx),
                .limit = 1.5};
        g.text = fmt::format("cells of {:g} x {:g} mm skip pixels of {:g} x {:g} mm", p.dz, p.dx,
                             ct.plane.dz, ct.plane.dx);
        g.key = "make grid.dz and grid.dx smaller";
        c.guards.push_back(std::move(g));
    }
}

}  // namespace

Status lay_ct(Table const& table, Ct const& ct, Config& c) {
    Phantom& p = c.phantom;
    SLUICE_CHECK(check_size(table, ct.plane, p));
    p.map.resize(static_cast<std::size_t>(p.planes * p.columns));
    Tissues tissues(ct, c);
    Outside outside;
    for (index k = 0; k < p.planes; ++k) {
        double const z = (static_cast<double>(k) + 0.5) * p.dz;
        for (index i = 0; i < p.columns; ++i) {
            double const x = p.x0 + (static_cast<double>(i) + 0.5) * p.dx;
            auto const number = tissues.number(outside.nearest(ct, ct.plane.at(z, x)));
            if (!number)
                return table.error("the image has more than 65000 different values; is it HU?");
            p.map[static_cast<std::size_t>(k * p.columns + i)] = *number;
        }
    }
    warn(ct, outside, c);
    c.assumed.insert(c.assumed.end(), ct.assumed.begin(), ct.assumed.end());
    return {};
}

}  // namespace sluice::proton
