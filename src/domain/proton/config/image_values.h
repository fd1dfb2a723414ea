// What the values of an image can be: HU, densities or stopping powers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>

#include "sluice/view.h"

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

/// Why such values are not what they are taken as, and what to do; empty where they may be.
/// `told`: somebody says that they are HU. `key` is what says it.
std::string not_hu(ImageValues const& values, bool told, std::string_view key);
/// The same where nobody says what they are.
std::string untold(ImageValues const& values, std::string_view key);

}  // namespace sluice::proton
