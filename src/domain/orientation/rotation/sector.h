// Sector: which directions stand for all that the symmetry of a Laue class makes equal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation.h"

namespace sluice::orient {

/// One to four triangles side by side, each between the pole z and two corners. They are the mirror
/// images of each other; those with even numbers have corner `a` first.
struct Sector {
    double width;        ///< of a triangle about z, in degrees
    int first = 0;       ///< triangle k is between the azimuths k width and (k + 1) width
    int count = 1;       ///< of triangles
    bool cubic = false;  ///< corners are not on the equator, but along 101 and 111

    double middle() const { return (first + count / 2.) * width; }  ///< azimuth
};
Sector sector_of(stem4d::LaueClass laue);

/// Pole, a, b of the triangle 0, in the frame of the class.
std::array<stem4d::Vector3, 3> triangle_corners(Sector const& sector);
/// A direction of triangle 0 in triangle k, and the one of triangle 0 that stands for one of k.
stem4d::Vector3 to_triangle(Sector const& sector, int k, stem4d::Vector3 const& v);
struct Placed {
    int triangle = 0;
    stem4d::Vector3 v{};  ///< in triangle 0
};
Placed from_triangle(Sector const& sector, stem4d::Vector3 const& v);

/// Of a direction in the frame of the class.
bool is_inside(Sector const& sector, stem4d::Vector3 const& v);

/// Of a direction in the frame of the crystal and that of the class, and back.
stem4d::Vector3 into_frame(stem4d::CrystalSymmetry const& s, stem4d::Vector3 const& v);
stem4d::Vector3 out_of_frame(stem4d::CrystalSymmetry const& s, stem4d::Vector3 const& v);

/// The pole, then the others in the order of their azimuths; in the frame of the crystal.
std::vector<stem4d::Vector3> sector_corners(stem4d::CrystalSymmetry const& s);

}  // namespace sluice::orient
