// What the values of an image can be: HU, densities or stopping powers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "sluice/proton_dose.h"

namespace sluice::proton {

/// What tells one kind of value from another.
struct ImageValues {
    double least = 0, most = 0;
    index all = 0;
    index lowest = 0;  ///< that are the least
    index small = 0;   ///< as stopping powers and densities are
    index air = 0;     ///< as air and lung in HU
    index dense = 0;   ///< as dense bone and metal in HU
};

template <std::ranges::forward_range Values>
ImageValues image_values(Values const& values) {
    ImageValues s;
    auto const [least, most] = std::ranges::minmax_element(values);
    s.least = static_cast<double>(*least);
    s.most = static_cast<double>(*most);
    for (auto const value : values) {
        auto const v = static_cast<double>(value);
        ++s.all;
        s.lowest += v == s.least;
        s.small += v > -1 && v <= 30;
        s.air += v < -200;
        s.dense += v > 500;
    }
    return s;
}

/// Why such values cannot be the quantity, and what to do; empty where they may be. Nobody says
/// what they are: HU. `key` is what would say it.
std::string why_not(ImageValues const& values, std::optional<ImageQuantity> quantity,
                    std::string_view key);

}  // namespace sluice::proton
