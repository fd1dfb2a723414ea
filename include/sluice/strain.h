// Strain: how the lattice of each pattern differs from a reference, with errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/lattice.h"
#include "sluice/scan_map.h"

namespace sluice::stem4d {

/// Signs and names of the output. `sluice`: F = beta^-T exactly, polar decomposition F = R U; e =
/// U - 1, tensor shear; omega positive from row to column. `py4dstem`: linear in beta, theta =
/// -omega. `pyxem`: the left stretch of the reciprocal lattice, axes x = col, y = row.
enum class StrainConvention : std::uint8_t { sluice, py4dstem, pyxem };

struct StrainOptions {
    /// The unstrained lattice: given, or the median over `region` (empty: over all that is fitted).
    std::optional<LatticeBasis> reference = {};
    std::vector<std::uint8_t> region = {};  ///< [row][col] of the scan, not 0: inside
    double axis_degrees = 0;           ///< of e_xx's axis, from the row axis to the column axis
    double scan_rotation_degrees = 0;  ///< of the scan against the detector; applied before
    bool transpose = false;            ///< the scan's rotation also exchanges rows and columns
    StrainConvention convention = StrainConvention::sluice;
};
struct StrainMaps {
    ScanMap e_xx, e_yy, e_xy;  ///< with errors; not_converged where no lattice is
    ScanMap omega;             ///< in degrees
    LatticeBasis reference;
    Array<double> covariance;        ///< [pattern][4][4] of e_xx, e_yy, e_xy, omega (radian)
    std::vector<std::string> notes;  ///< the convention among them

    std::array<ScanMap const*, 4> maps() const { return {&e_xx, &e_yy, &e_xy, &omega}; }
};
/// Errors: a region in which no lattice is fitted; a collinear reference.
Result<StrainMaps> strain(LatticeFit const& fit, StrainOptions const& options = {});

}  // namespace sluice::stem4d
