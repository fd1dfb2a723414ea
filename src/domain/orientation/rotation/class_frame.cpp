// Finds the frame of a Laue class by its axes of rotation, in any setting.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/rotation/class_frame.h"

#include <cmath>

#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalSymmetry;
using stem4d::LaueClass;
using stem4d::Orientation;

constexpr double same_axes = 1e-6;
constexpr Vector3 x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};
using Frame = std::array<Vector3, 3>;

// Axes that a rotation by 360 / order degrees is about; each stands with its opposite.
std::vector<Vector3> axes_of_order(CrystalSymmetry const& s, int order) {
    std::vector<Vector3> out;
    double const wanted = std::cos(180. / order * degree);
    for (Orientation const& r : s.rotations) {
        if (std::abs(std::abs(r.w) - wanted) > 1e-4 || length({r.x, r.y, r.z}) < 0.1) continue;
        Vector3 const axis = unit({r.x, r.y, r.z});
        out.push_back(axis);
        out.push_back(scaled(axis, -1));
    }
    return out;
}

// The one nearest to a direction; of several, that nearest to y, then to z and x.
Vector3 nearest(std::vector<Vector3> const& axes, Vector3 const& to) {
    Vector3 best = axes.front();
    for (Vector3 const& axis : axes)
        for (Vector3 const& by : {to, y_axis, z_axis, x_axis}) {
            double const more = dot(axis, by) - dot(best, by);
            if (more > same_axes) best = axis;
            if (std::abs(more) > same_axes) break;
        }
    return best;
}
std::vector<Vector3> across(std::vector<Vector3> axes, Vector3 const& z) {
    std::erase_if(axes, [&](Vector3 const& axis) { return std::abs(dot(axis, z)) > 1e-3; });
    return axes;
}

Frame about(Vector3 const& z, Vector3 const& towards_x) {
    Vector3 const x = unit(sum(towards_x, scaled(z, -dot(z, towards_x))));
    return {x, cross(z, x), z};
}
// Where x is along z, y takes its place.
Frame about(Vector3 const& z) {
    return about(z, std::abs(z[0]) > 1 - same_axes ? y_axis : x_axis);
}
// z along an axis of one order, x along one of another that stands on it.
Frame by_axes(CrystalSymmetry const& s, int main, int second) {
    Vector3 const z = nearest(axes_of_order(s, main), z_axis);
    return about(z, nearest(across(axes_of_order(s, second), z), x_axis));
}

// Of rhombohedral axes x is along a - b, the a of the hexagonal axes (obverse): a crystal has the
// same colours in both.
Frame trigonal(CrystalSymmetry const& s) {
    Vector3 const z = nearest(axes_of_order(s, 3), z_axis);
    double const along = std::abs(z[0]);
    if (along > 1e-3 && along < 1 - 1e-3)
        return about(z, sum(x_axis, scaled(stem4d::rotation_about(z, 120).turn(x_axis), -1)));
    return s.laue == LaueClass::trigonal ? by_axes(s, 3, 2) : about(z);
}

Frame monoclinic(CrystalSymmetry const& s) {
    Vector3 const y = nearest(axes_of_order(s, 2), y_axis);
    if (std::abs(y[2]) > 1 - same_axes) return {x_axis, y_axis, z_axis};
    Vector3 const z = unit(sum(z_axis, scaled(y, -y[2])));
    return {cross(y, z), y, z};
}

}  // namespace

Frame class_frame(CrystalSymmetry const& s) {
    auto const main_axis = [&](int order) { return nearest(axes_of_order(s, order), z_axis); };
    switch (s.laue) {
        case LaueClass::monoclinic:
            return monoclinic(s);
        case LaueClass::orthorhombic:
        case LaueClass::cubic_low:
            return by_axes(s, 2, 2);
        case LaueClass::tetragonal_low:
            return about(main_axis(4));
        case LaueClass::tetragonal:
            return by_axes(s, 4, 2);
        case LaueClass::trigonal_low:
        case LaueClass::trigonal:
            return trigonal(s);
        case LaueClass::hexagonal_low:
            return about(main_axis(6));
        case LaueClass::hexagonal:
            return by_axes(s, 6, 2);
        case LaueClass::cubic:
            return by_axes(s, 4, 4);
        case LaueClass::triclinic:
            break;
    }
    return {x_axis, y_axis, z_axis};
}

}  // namespace sluice::orient
