// color_of: the colours of inverse pole figures.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/orientation/rotation/sector.h"
#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

// How much of the light the middle of a triangle loses, by its place in the sector. Triangles meet
// at borders, where nothing is lost, so that colours do not jump; neighbours differ most. None is
// white or black, which stand for what has no orientation.
constexpr double darker[4] = {0.12, 0.75, 0.33, 0.54};

// Distances from the opposite edges, each 1 at its own corner: red, green and blue.
std::array<double, 3> parts(std::array<Vector3, 3> const& corners, Vector3 const& v) {
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
        Vector3 const normal = cross(corners[(i + 1) % 3], corners[(i + 2) % 3]);
        out[i] = std::clamp(dot(normal, v) / dot(normal, corners[i]), 0., 1.);
    }
    return out;
}

}  // namespace
}  // namespace sluice::orient

namespace sluice::stem4d {

std::array<double, 3> color_of(Vector3 const& direction, CrystalSymmetry const& symmetry) {
    orient::Sector const sector = orient::sector_of(symmetry.laue);
    auto const [k, v] =
        orient::from_triangle(sector, orient::into_frame(symmetry, in_sector(direction, symmetry)));
    auto const part = orient::parts(orient::triangle_corners(sector), v);
    auto const [least, most] = std::ranges::minmax(part);
    double const light = 1 - orient::darker[k - sector.first] * least / most;
    std::array<double, 3> out{};
    // The root makes what is between two corners lighter: yellow, not olive.
    for (std::size_t i = 0; i < 3; ++i) out[i] = light * std::sqrt(part[i] / most);
    return out;
}

}  // namespace sluice::stem4d
