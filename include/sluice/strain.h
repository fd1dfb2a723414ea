// Strain: how the lattice of each pattern differs from a reference, with errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/lattice.h"
#include "sluice/scan_map.h"

namespace sluice::stem4d {

/// Signs and names of the output. `sluice`: F = beta^-T exactly, polar decomposition F = R U; e =
/// U - 1, tensor shear; omega positive from row to column. `py4dstem`: linear in beta, theta =
/// -omega. `pyxem`: beta^T = R V, e_ii = 1 / V_ii - 1, e_xy = V_xy, theta = -omega; x = col, y =
/// row.
enum class StrainConvention : std::uint8_t { sluice, py4dstem, pyxem };

struct StrainOptions {
    /// The unstrained lattice: given, or the median over `region` (empty: over all that is fitted).
    /// One that is given may have other vectors of the same lattice than the fit.
    std::optional<LatticeBasis> reference = {};
    std::vector<std::uint8_t> region = {};  ///< [row][col] of the scan, not 0: inside
    double axis_degrees = 0;  ///< by which both axes are turned from the row to the column axis
    /// How the detector lies against the scan, as in Rotation: `transpose` exchanges rows and
    /// columns of its vectors, which are then turned. The axes are the scan's.
    double scan_rotation_degrees = 0;
    bool transpose = false;
    StrainConvention convention = StrainConvention::sluice;
};
struct StrainMaps {
    /// Numbers without a unit, with errors; not_converged where no lattice is. The errors take the
    /// reference as exact; a note says how well a median is known.
    ScanMap e_xx, e_yy, e_xy;
    ScanMap omega;  ///< in degrees
    LatticeBasis reference;
    Array<double> covariance;        ///< [pattern][4][4] of e_xx, e_yy, e_xy, omega (radian)
    std::vector<std::string> notes;  ///< the convention among them

    std::array<ScanMap const*, 4> maps() const { return {&e_xx, &e_yy, &e_xy, &omega}; }
};
/// Errors: a region in which no lattice is fitted; a collinear reference, or one of another hand.
Result<StrainMaps> strain(LatticeFit const& fit, StrainOptions const& options = {},
                          Options const& run = {});

/// What theory says of a lattice.
struct LatticeSpacings {
    double a = 0, b = 0;  ///< spacings of the planes in ångström: vectors are 1/a and 1/b long
    double angle_degrees = 90;  ///< between the vectors
    double pixel_size = 0;      ///< of a detector pixel, in 1/ångström
};
/// The lattice of theory in pixels, as a reference: the strain from it is absolute. It is turned to
/// where it fits `like` best, which also says its hand and its origin.
Result<LatticeBasis> theoretical_basis(LatticeSpacings const& spacings, LatticeBasis const& like);

}  // namespace sluice::stem4d
