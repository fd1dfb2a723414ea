// Which ring is which: one scale that explains all radii together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

struct Scale {
    double pixel_size = 0;              ///< 1/ångström
    std::vector<std::ptrdiff_t> rings;  ///< [radius] of the known ones, or -1
    std::vector<stem4d::SizeFit::Alternative> alternatives;
};
/// `radii` in px; `blur` is the part of a radius that it may be wrong by. Errors: no scale explains
/// most of them, or any would.
Result<Scale> scale_of(std::span<double const> radii, std::span<stem4d::KnownRing const> known,
                       double blur, double stated);

}  // namespace sluice::crystal
