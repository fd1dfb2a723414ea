// Kinematic patterns of known crystals for tests, by plain loops over lattice points. Nothing here
// is shared with what is tested: factors are Doyle and Turner's (10.1107/S0567739468000756).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "sluice/crystal_calibration.h"
#include "sluice/orientation.h"

namespace sluice::orient::test {

using Matrix = std::array<std::array<double, 3>, 3>;

struct TrueCrystal {
    std::string cif;
    Matrix axes;  ///< a, b, c in ångström, x along a, z along c*
    std::vector<std::array<double, 3>> places;
    std::array<double, 4> height, width;  ///< f = sum of height exp(-width g^2 / 4)
    std::vector<Matrix> rotations;

    stem4d::UnitCell cell() const { return stem4d::parse_cif(cif).value(); }
};
TrueCrystal gold();
TrueCrystal titanium();
TrueCrystal austenite();
TrueCrystal ferrite();

/// Takes the sample to the crystal, by Bunge's angles in degrees, as textbooks have it.
Matrix bunge(double phi1, double capital_phi, double phi2);
/// Degrees between orientations, the least of all that the crystal's rotations make equal.
double degrees_between(Matrix const& a, Matrix const& b, TrueCrystal const& crystal);
/// The same for what a map says.
double degrees_off(stem4d::EulerAngles const& is, Matrix const& should, TrueCrystal const& crystal);

struct Beam {
    double kilovolts = 300, sigma = 0.02, most_frequency = 1.6;
    double counts = 1e4;         ///< of a pattern without the direct beam
    double place_error = 0.004;  ///< 1/ångström, in each direction
    double pixel = 0.01;         ///< 1/ångström
    double rotation_degrees = 0;
    bool transpose = false;
    double precession = 0;  ///< radian
};

/// A scan of one row after the other.
class Patterns {
  public:
    Patterns(Beam const& beam, index columns, unsigned seed);

    Matrix any();  ///< a random orientation
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
    /// A pattern of one or more crystals, each with its part of the counts.
    struct Part {
        TrueCrystal const* crystal;
        Matrix orientation;
        double share = 1;
    };
    void add(std::vector<Part> const& parts);
    /// Disks at places that no crystal explains.
    void add_nonsense(int disks);
    /// Without disks but for the direct beam and `disks` of the strongest ones.
    void add_few(Part const& part, std::size_t disks);

    /// The last row must be full.
    stem4d::BraggVectors vectors() const;
    stem4d::Calibration calibration() const;

  private:
    struct Disk {
        double x, y, counts;
    };
    std::vector<Disk> seen(Part const& part);
    void put(std::vector<Disk> disks);
    index out_of_all() const;

    Beam beam_;
    index columns_;
    std::mt19937_64 random_;
    stem4d::BraggVectors v_;
};

}  // namespace sluice::orient::test
