// sector_directions: a grid over the triangles of a sector.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/rotation/sector.h"
#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalSymmetry;

constexpr double most_directions = 1e6;
constexpr double same_node = 1e-7;

// A part of the way from one direction to another, on the great circle.
Vector3 between(Vector3 const& a, Vector3 const& b, double part) {
    double const angle = angle_between(a, b);
    if (angle < same_node) return a;
    return unit(sum(scaled(a, std::sin((1 - part) * angle)), scaled(b, std::sin(part * angle))));
}

struct Node {
    Vector3 v;
    bool border;  ///< on an edge of the triangle, where equal ones may lie in another
};

// Rows from the pole to the opposite edge; edges have the same nodes in neighbouring triangles.
std::vector<Node> nodes_of(std::array<Vector3, 3> const& corners, double step) {
    auto const& [pole, a, b] = corners;
    double const longest = std::max(angle_between(pole, a), angle_between(pole, b));
    auto const rows = static_cast<int>(std::ceil(longest / step - same_node));
    std::vector<Node> out{{pole, true}};
    for (int i = 1; i <= rows; ++i) {
        double const part = static_cast<double>(i) / rows;
        Vector3 const from = between(pole, a, part), to = between(pole, b, part);
        int const n =
            std::max(1, static_cast<int>(std::ceil(angle_between(from, to) / step - same_node)));
        for (int j = 0; j <= n; ++j)
            out.push_back(
                {between(from, to, static_cast<double>(j) / n), i == rows || j == 0 || j == n});
    }
    return out;
}

bool is_there(std::vector<Vector3> const& all, Vector3 const& v) {
    return std::ranges::any_of(all, [&](Vector3 const& other) {
        return std::abs(other[0] - v[0]) < same_node && std::abs(other[1] - v[1]) < same_node &&
               std::abs(other[2] - v[2]) < same_node;
    });
}

}  // namespace
}  // namespace sluice::orient

namespace sluice::stem4d {

Result<std::vector<Vector3>> sector_directions(CrystalSymmetry const& symmetry, double step) {
    orient::Sector const sector = orient::sector_of(symmetry.laue);
    double const rows = 90 / step;
    if (!(step > 0 && step <= 90) || rows * rows * sector.count > orient::most_directions)
        return Error{Code::invalid_argument,
                     fmt::format("directions at {:g} degrees (their steps are up to 90, and not so "
                                 "small that there are more than a million); give another step",
                                 step)};
    auto const nodes = orient::nodes_of(orient::triangle_corners(sector), step * orient::degree);
    std::vector<Vector3> out, border;
    for (int k = sector.first; k < sector.first + sector.count; ++k)
        for (auto const& [v, on_border] : nodes) {
            Vector3 const at = orient::out_of_frame(symmetry, orient::to_triangle(sector, k, v));
            if (!on_border) {
                out.push_back(at);
                continue;
            }
            Vector3 const known = in_sector(at, symmetry);
            if (orient::is_there(border, known)) continue;
            border.push_back(known);
            out.push_back(known);
        }
    return out;
}

}  // namespace sluice::stem4d
