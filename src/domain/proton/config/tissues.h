// Tissues out of an image's values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/proton/config/hu_table.h"
#include "sluice/proton_dose.h"

namespace sluice::proton {

/// Materials by value, each made once: HU are rounded to whole ones, other values to thousandths.
class Tissues {
  public:
    /// Adds to `materials`, which outlives it, as do the tables.
    Tissues(WaterTable water, HuTable const& stopping, HuTable const& density,
            std::vector<Material>& materials);

    /// The number of the material; none where there are too many.
    std::optional<std::uint16_t> number(ImageQuantity quantity, double value);
    /// Another one that is the same, with a number of its own.
    std::optional<std::uint16_t> another(ImageQuantity quantity, double value);

  private:
    Physics physics_;
    HuTable const &stopping_, &density_;
    std::vector<Material>& materials_;
    std::unordered_map<long long, std::uint16_t> made_ = {};

    Material make(ImageQuantity quantity, double value) const;
};

/// HU beyond a table: they are taken as its ends, and counted.
class BeyondTable {
  public:
    explicit BeyondTable(HuTable const& table);

    double nearest(double hu);
    /// What is to be said of them among `all`, which are called `cells`; none where there are none.
    std::optional<Guard> guard(index all, std::string_view cells) const;
    bool above() const { return most_ > high_; }

  private:
    double low_, high_;
    index count_ = 0;
    double least_ = 0, most_ = 0;
};

/// What a reader of results has to know of where tissues come from.
std::string tissues_note(ImageQuantity quantity, HuTable const& stopping, HuTable const& density);

}  // namespace sluice::proton
