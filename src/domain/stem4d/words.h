// The words of 4D-STEM's enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

constexpr auto words(Detector::Shape /*of_this_type*/) {
    using Shape = Detector::Shape;
    return std::to_array<config::Word<Shape>>({{"point", Shape::point},
                                               {"disk", Shape::disk},
                                               {"annulus", Shape::annulus},
                                               {"square", Shape::square},
                                               {"rectangle", Shape::rectangle},
                                               {"polygon", Shape::polygon},
                                               {"mask", Shape::mask},
                                               {"weights", Shape::weights}});
}
constexpr auto words(Detector::Unit /*of_this_type*/) {
    using Unit = Detector::Unit;
    return std::to_array<config::Word<Unit>>(
        {{"pixels", Unit::pixels}, {"disk_radii", Unit::disk_radii}, {"mrad", Unit::mrad}});
}
constexpr auto words(Descan /*of_this_type*/) {
    return std::to_array<config::Word<Descan>>({{"mean", Descan::mean}, {"plane", Descan::plane}});
}
constexpr auto words(Pattern /*of_this_type*/) {
    return std::to_array<config::Word<Pattern>>({{"sum", Pattern::sum},
                                                 {"mean", Pattern::mean},
                                                 {"max", Pattern::max},
                                                 {"variance", Pattern::variance}});
}

}  // namespace sluice::stem4d
