// What the values of an image can be: HU, densities or stopping powers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/image_values.h"

#include <fmt/format.h>

namespace sluice::proton {
namespace {

// As HU, an image of stopping powers or densities would be water everywhere. Most of its pixels
// tell: a few may be metal, or below 0 after it was resampled.
std::string untold(ImageValues const& s, std::string_view key) {
    double const part = static_cast<double>(s.small) / static_cast<double>(s.all);
    constexpr double bulk = 0.9, air = -200;
    if (part < bulk || s.least < air || (s.least == 0 && s.most == 0)) return {};
    return fmt::format(
        "the image goes from {:g} to {:g}, and {:.3g} % of its values are small: they may be "
        "stopping powers, densities or HU; give {} = \"rsp\", \"density\" or \"HU\"",
        s.least, s.most, 100 * part, key);
}

// HU of tissue lie around 0, and air below -200. Values around 1000 without any air are those of a
// scanner whose intercept (-1024, say) was lost, kg/m3, or stopping powers times 1000. What lies
// outside the image's field has one value, often the least, and tells nothing.
std::string not_hu(ImageValues const& s, bool told, std::string_view key) {
    // Below HU of air it is padding; air itself may have one value, too. 0 is what other units
    // have outside, unless it is said to be water.
    constexpr double padding = -1015;
    bool const padded = s.least < padding || (s.least == 0 && !told);
    index all = s.all, air = s.air;
    if (padded && s.least != s.most) {
        all -= s.lowest;
        if (s.least < -200) air -= s.lowest;
    }
    auto const of_all = [&](double part) { return part * static_cast<double>(all); };
    // Bone and metal fill half of no slice; a tenth may be those of a head.
    double const limit = told ? 0.5 : 0.1;
    if (static_cast<double>(air) >= of_all(1e-3) || static_cast<double>(s.dense) <= of_all(limit))
        return {};
    return fmt::format(
        "the image goes from {:g} to {:g}: {:.3g} % of its values{} are above 500 and hardly any "
        "are "
        "air (below -200), so they are no HU, but may be HU plus 1024 (its rescale intercept was "
        "lost: add it), kg/m3 (divide by 1000 and give {} = \"density\") or stopping "
        "powers times 1000 (divide by 1000 and give \"rsp\"){}",
        s.least, s.most, 100.0 * static_cast<double>(s.dense) / static_cast<double>(all),
        padded ? " but the least" : "", key,
        told ? "; lay dense parts of a phantom by [[medium]]"
             : fmt::format("; if they are HU, give {} = \"HU\"", key));
}

}  // namespace

std::string why_not(ImageValues const& s, std::optional<ImageQuantity> quantity,
                    std::string_view key) {
    if (!quantity)
        if (std::string why = untold(s, key); !why.empty()) return why;
    ImageQuantity const taken = quantity.value_or(ImageQuantity::hu);
    if (taken == ImageQuantity::hu) return not_hu(s, quantity.has_value(), key);
    if (s.least >= 0 && s.most <= 30) return {};
    return fmt::format(
        "the image goes from {:g} to {:g}, and cannot be a {} (0 to 30); is it HU?", s.least,
        s.most, taken == ImageQuantity::density ? "density in g/cm3" : "relative stopping power");
}

}  // namespace sluice::proton
