// The sectors of the eleven Laue classes, and which direction in them stands for another.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/rotation/sector.h"

#include <algorithm>
#include <cmath>

#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalSymmetry;
using stem4d::LaueClass;
using stem4d::Orientation;

// Directions nearer than this are one: those on borders have several equal ones in the sector.
constexpr double same_direction = 1e-9;

Vector3 at_azimuth(double degrees) {
    return {std::cos(degrees * degree), std::sin(degrees * degree), 0};
}
Vector3 about_pole(Vector3 const& v, double degrees) {
    double const c = std::cos(degrees * degree), s = std::sin(degrees * degree);
    return {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
}
bool is_odd(int k) {
    return k % 2 != 0;
}

// The sector is the Dirichlet cell of a direction next to the pole, towards the middle azimuth: of
// equal directions the one nearest to the pole, then to the middle.
struct Order {
    std::array<Vector3, 3> by;

    bool before(Vector3 const& a, Vector3 const& b) const {
        for (Vector3 const& key : by) {
            double const more = dot(a, key) - dot(b, key);
            if (std::abs(more) > same_direction) return more > 0;
        }
        return false;
    }
};

}  // namespace

Sector sector_of(LaueClass laue) {
    switch (laue) {
        case LaueClass::triclinic:
            return {90, -2, 4};
        case LaueClass::monoclinic:
            return {90, 0, 2};
        case LaueClass::orthorhombic:
            return {90};
        case LaueClass::tetragonal_low:
            return {45, 0, 2};
        case LaueClass::tetragonal:
            return {45};
        case LaueClass::trigonal_low:
            return {30, 0, 4};
        case LaueClass::trigonal:
            return {30, -1, 2};
        case LaueClass::hexagonal_low:
            return {30, 0, 2};
        case LaueClass::hexagonal:
            return {30};
        case LaueClass::cubic_low:
            return {45, 0, 2, true};
        case LaueClass::cubic:
            break;
    }
    return {45, 0, 1, true};
}

std::array<Vector3, 3> triangle_corners(Sector const& sector) {
    if (sector.cubic) return {Vector3{0, 0, 1}, unit({1, 0, 1}), unit({1, 1, 1})};
    return {Vector3{0, 0, 1}, {1, 0, 0}, at_azimuth(sector.width)};
}

Vector3 to_triangle(Sector const& sector, int k, Vector3 const& v) {
    // An odd one is a mirror image: its azimuths run the other way.
    if (!is_odd(k)) return about_pole(v, k * sector.width);
    return about_pole({v[0], -v[1], v[2]}, (k + 1) * sector.width);
}

Placed from_triangle(Sector const& sector, Vector3 const& v) {
    double const azimuth = std::atan2(v[1], v[0]) / degree;
    int const k = std::clamp(static_cast<int>(std::floor(azimuth / sector.width)), sector.first,
                             sector.first + sector.count - 1);
    if (!is_odd(k)) return {k, about_pole(v, -k * sector.width)};
    Vector3 const back = about_pole(v, -(k + 1) * sector.width);
    return {k, {back[0], -back[1], back[2]}};
}

bool is_inside(Sector const& sector, Vector3 const& v) {
    Vector3 const there = from_triangle(sector, v).v;
    auto const corners = triangle_corners(sector);
    for (std::size_t i = 0; i < 3; ++i) {
        Vector3 const normal = cross(corners[(i + 1) % 3], corners[(i + 2) % 3]);
        if (dot(normal, there) < -same_direction) return false;
    }
    return true;
}

Vector3 into_frame(CrystalSymmetry const& s, Vector3 const& v) {
    return {dot(s.frame[0], v), dot(s.frame[1], v), dot(s.frame[2], v)};
}
Vector3 out_of_frame(CrystalSymmetry const& s, Vector3 const& v) {
    return sum(sum(scaled(s.frame[0], v[0]), scaled(s.frame[1], v[1])), scaled(s.frame[2], v[2]));
}

std::vector<Vector3> sector_corners(CrystalSymmetry const& s) {
    Sector const sector = sector_of(s.laue);
    auto const [pole, a, b] = triangle_corners(sector);
    std::vector<Vector3> out{out_of_frame(s, pole)};
    for (int k = sector.first; k <= sector.first + sector.count; ++k) {
        int const triangle = std::min(k, sector.first + sector.count - 1);
        out.push_back(out_of_frame(s, to_triangle(sector, triangle, is_odd(k) ? b : a)));
    }
    return out;
}

}  // namespace sluice::orient

namespace sluice::stem4d {

Vector3 in_sector(Vector3 const& direction, CrystalSymmetry const& symmetry) {
    Vector3 const middle = orient::out_of_frame(
        symmetry, orient::at_azimuth(orient::sector_of(symmetry.laue).middle()));
    Vector3 const& pole = symmetry.frame[2];
    orient::Order const order{{pole, middle, orient::cross(middle, pole)}};
    Vector3 const v = orient::unit(direction);
    Vector3 best = v;
    for (Orientation const& r : symmetry.rotations) {
        Vector3 const turned = r.turn(v), opposite = orient::scaled(turned, -1);
        for (Vector3 const& equal : {turned, opposite})
            if (order.before(equal, best)) best = equal;
    }
    return best;
}

}  // namespace sluice::stem4d
