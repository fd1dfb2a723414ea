// Directions of the axes of volumes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/volume.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace sluice {
namespace {

constexpr double same = 1e-6;
// Writers round directions; over half a metre it is half a millimetre.
constexpr double nearly = 1e-3;

}  // namespace

bool is_straight(AxisDirections const& direction) {
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
            if (!(std::abs(direction[a][c] - straight_axes[a][c]) <= same)) return false;
    return true;
}

bool is_oblique(AxisDirections const& direction) {
    std::array<bool, 3> taken{};
    for (auto const& axis : direction)
        for (std::size_t c = 0; c < 3; ++c) {
            double const size = std::abs(axis[c]);
            if (!(size <= nearly || std::abs(size - 1) <= nearly)) return true;
            if (size > nearly && std::exchange(taken[c], true)) return true;
        }
    return false;
}

std::string describe(AxisDirections const& direction, std::size_t axes) {
    std::string text;
    for (std::size_t a = 0; a < axes; ++a) {
        // 0 has no sign.
        auto const [x, y, z] = direction[a];
        text += fmt::format("{}{} along ({:.6g}, {:.6g}, {:.6g})", a > 0 ? ", " : "", "xyz"[a],
                            x + 0.0, y + 0.0, z + 0.0);
    }
    return text;
}

std::array<double, 3> place_of_element(Volume const& v, index element) {
    index const columns = v.image.shape[2], in_plane = columns * v.image.shape[1];
    index const at[3] = {element % columns, element % in_plane / columns, element / in_plane};
    std::array<double, 3> p{v.origin[0], v.origin[1], v.origin[2]};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
            p[c] += static_cast<double>(at[a]) * v.spacing[a] * v.direction[a][c];
    return p;
}

}  // namespace sluice
