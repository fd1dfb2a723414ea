// Orientation: how a crystal lies against the sample; Laue classes and what they make equal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::stem4d {

/// Cartesian. Of a crystal: x along its axis a, z along c*. Of a sample: x along the columns of the
/// scan, y along its rows (down), z = x cross y.
using Vector3 = std::array<double, 3>;

/// A rotation as a unit quaternion w + x i + y j + z k. It takes places of the sample to places of
/// the crystal, as Bunge and orix have it.
struct Orientation {
    double w = 1, x = 0, y = 0, z = 0;

    Orientation inverse() const { return {w, -x, -y, -z}; }
    Vector3 turn(Vector3 const& v) const;
    /// Rows are the axes of the crystal in the sample's frame.
    std::array<Vector3, 3> matrix() const;
};
/// First b, then a.
Orientation operator*(Orientation const& a, Orientation const& b);
/// About an axis (of any length), counter-clockwise if the axis points at the eye: the active
/// rotation of a vector.
Orientation rotation_about(Vector3 const& axis, double degrees);
Orientation from_matrix(std::array<Vector3, 3> const& matrix);

/// Bunge's phi1, Phi, phi2 in degrees: turns of the sample's frame about z, x', z''. phi1 and phi2
/// are within 0 to 360, Phi within 0 to 180; where Phi is 0 or 180, phi2 is 0.
using EulerAngles = std::array<double, 3>;
EulerAngles euler_of(Orientation const& g);
Orientation orientation_of(EulerAngles const& degrees);

/// In the order of the International Tables.
enum class LaueClass : std::uint8_t {
    triclinic,       ///< -1
    monoclinic,      ///< 2/m
    orthorhombic,    ///< mmm
    tetragonal_low,  ///< 4/m
    tetragonal,      ///< 4/mmm
    trigonal_low,    ///< -3
    trigonal,        ///< -3m
    hexagonal_low,   ///< 6/m
    hexagonal,       ///< 6/mmm
    cubic_low,       ///< m-3
    cubic            ///< m-3m
};
inline constexpr std::size_t laue_classes = 11;
/// As in "m-3m".
std::string_view name_of(LaueClass laue);

/// The symmetry of a crystal's patterns, in its Cartesian frame.
struct CrystalSymmetry {
    LaueClass laue = LaueClass::triclinic;
    std::vector<Orientation> rotations;  ///< proper ones, the identity first; 1 to 24
    /// x, y, z of the usual triangle of the class: z along its main axis, x along one of the second
    /// kind. They are those of the crystal unless its setting is an unusual one.
    std::array<Vector3, 3> frame{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

/// The least rotation that takes one crystal to the other, of all that symmetry makes equal, in
/// degrees. Of two phases with `b`'s symmetry for the second.
double disorientation(Orientation const& one, Orientation const& two, CrystalSymmetry const& a,
                      CrystalSymmetry const& b);
double disorientation(Orientation const& one, Orientation const& two, CrystalSymmetry const& s);

/// The equal direction that lies in the usual triangle (as of 001, 101 and 111), upper hemisphere;
/// of length 1. Opposite directions are equal.
Vector3 in_sector(Vector3 const& direction, CrystalSymmetry const& symmetry);
/// Directions of the sector, its corners among them, at most about `step` degrees apart. At least
/// one.
Result<std::vector<Vector3>> sector_directions(CrystalSymmetry const& symmetry, double step);
/// Red, green and blue, 0 to 1, of a direction of the crystal: the corners of its class's triangle
/// are pure colours, and colours do not jump where symmetry makes directions equal.
std::array<double, 3> color_of(Vector3 const& direction, CrystalSymmetry const& symmetry);

}  // namespace sluice::stem4d
