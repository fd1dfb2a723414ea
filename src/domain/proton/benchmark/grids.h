// The grids that proton transport is timed on: sizes of which another project told its times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "sluice/proton_dense.h"

namespace sluice::proton {

/// Columns, planes, angles and energies of Smatrix_2D's table of sizes (docs/PERFORMANCE.md there),
/// with the seconds of a step that it tells.
struct BenchmarkGrid {
    index columns, planes, angles, energies;
    double told_s;

    index cells() const { return columns * planes * angles * energies; }
    /// Energies, angles, planes and columns.
    std::string name() const;
};
inline constexpr std::array benchmark_grids = {
    BenchmarkGrid{40, 40, 72, 200, 9.99}, BenchmarkGrid{40, 40, 36, 200, 4.71},
    BenchmarkGrid{30, 30, 72, 140, 3.35}, BenchmarkGrid{30, 30, 48, 140, 2.16},
    BenchmarkGrid{25, 25, 36, 120, 1.26}};

/// Where and how it is computed.
struct BenchmarkRun {
    Device device = Device::cpu();
    Precision precision = Precision::f32;
};

/// 80 mm of water, deep and wide.
Phantom phantom_of(BenchmarkGrid const& grid);

/// A solver whose every cell has weight and whose every direction may fly, so that each of its
/// steps computes all cells. `physics` must live as long.
Result<DenseSolver> populated(Physics const& physics, BenchmarkGrid const& grid,
                              BenchmarkRun const& run);

/// A beam of 70 MeV that begins in a point, as that project's does: only cells that have something
/// are computed. One step is done.
Result<DenseSolver> from_a_point(Physics const& physics, BenchmarkGrid const& grid,
                                 BenchmarkRun const& run);

}  // namespace sluice::proton
