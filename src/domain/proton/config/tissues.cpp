// Tissues out of an image's values.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/tissues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/proton/physics/tissue.h"

namespace sluice::proton {
namespace {

double steps_of(ImageQuantity quantity) {
    return quantity == ImageQuantity::hu ? 1 : 1000;
}

}  // namespace

Tissues::Tissues(WaterTable water, HuTable const& stopping, HuTable const& density,
                 std::vector<Material>& materials)
    : physics_(water), stopping_(stopping), density_(density), materials_(materials) {}

std::optional<std::uint16_t> Tissues::number(ImageQuantity quantity, double value) {
    double const steps = steps_of(quantity);
    long long const whole = std::llround(value * steps);
    // Three quantities, so that none meets another's values.
    auto const key = whole * 3 + static_cast<long long>(quantity);
    auto const found = made_.find(key);
    if (found != made_.end()) return found->second;
    auto const fresh = another(quantity, static_cast<double>(whole) / steps);
    if (fresh) made_.emplace(key, *fresh);
    return fresh;
}

std::optional<std::uint16_t> Tissues::another(ImageQuantity quantity, double value) {
    if (materials_.size() > std::numeric_limits<std::uint16_t>::max()) return {};
    materials_.push_back(make(quantity, value));
    return static_cast<std::uint16_t>(materials_.size() - 1);
}

Material Tissues::make(ImageQuantity quantity, double value) const {
    switch (quantity) {
        case ImageQuantity::hu:
            return tissue(physics_, fmt::format("{} HU", value), density_.at(value),
                          stopping_.at(value));
        case ImageQuantity::density:
            return tissue(physics_, fmt::format("{} g/cm3", value), value);
        case ImageQuantity::stopping:
            break;
    }
    return tissue(physics_, fmt::format("rsp {}", value), tissue_density(physics_, value), value);
}

BeyondTable::BeyondTable(HuTable const& table) : low_(table.hu.front()), high_(table.hu.back()) {}

double BeyondTable::nearest(double hu) {
    double const inside = std::clamp(hu, low_, high_);
    if (inside == hu) return hu;
    ++count_;
    least_ = std::min(least_, hu);
    most_ = std::max(most_, hu);
    return inside;
}

std::optional<Guard> BeyondTable::guard(index all, std::string_view cells) const {
    if (count_ == 0) return {};
    Guard g{.name = "hu_outside",
            .value = 100 * static_cast<double>(count_) / static_cast<double>(all)};
    g.unit = "%";
    g.text = fmt::format(
        "{} of {} {} have HU beyond the table of stopping powers ({:g} to {:g}), {:g} to {:g}; "
        "they are taken as its ends",
        count_, all, cells, low_, high_, least_, most_);
    return g;
}

std::string tissues_note(ImageQuantity quantity, HuTable const& stopping, HuTable const& density) {
    std::string const mixtures =
        "mixtures by volume of air, lung, adipose tissue, muscle and cortical bone";
    if (quantity == ImageQuantity::hu)
        return fmt::format(
            "tissues: stopping power by {}, density by {}; all else as in {} of that density",
            stopping.name, density.name, mixtures);
    return "tissues: " + mixtures +
           (quantity == ImageQuantity::density ? " of the image's density"
                                               : " of the image's stopping power");
}

}  // namespace sluice::proton
