// The words of calibration's enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/crystal_calibration.h"

namespace sluice::stem4d {

constexpr auto words(OriginMethod /*of_this_type*/) {
    return std::to_array<config::Word<OriginMethod>>({{"automatic", OriginMethod::automatic},
                                                      {"direct", OriginMethod::direct},
                                                      {"friedel", OriginMethod::friedel},
                                                      {"mass", OriginMethod::mass}});
}
constexpr auto words(OriginSurface /*of_this_type*/) {
    return std::to_array<config::Word<OriginSurface>>({{"mean", OriginSurface::mean},
                                                       {"plane", OriginSurface::plane},
                                                       {"parabola", OriginSurface::parabola},
                                                       {"bezier", OriginSurface::bezier}});
}
constexpr auto words(CrystalPattern /*of_this_type*/) {
    return std::to_array<config::Word<CrystalPattern>>({{"automatic", CrystalPattern::automatic},
                                                        {"lattice", CrystalPattern::lattice},
                                                        {"rings", CrystalPattern::rings}});
}
constexpr auto words(DistortionModel /*of_this_type*/) {
    return std::to_array<config::Word<DistortionModel>>(
        {{"none", DistortionModel::none},
         {"rectangular", DistortionModel::rectangular},
         {"ellipse", DistortionModel::ellipse}});
}

}  // namespace sluice::stem4d
