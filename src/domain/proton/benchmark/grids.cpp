// Solvers on the grids of the benchmark.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/benchmark/grids.h"

#include <fmt/format.h>

namespace sluice::proton {
namespace {

constexpr double extent = 80;  // mm, deep and wide: cells of 2 mm in the largest

// The operators of that code: no straggling, no reactions, energies as far apart from each other.
DenseOptions options_of(BenchmarkGrid const& grid, BenchmarkRun const& run) {
    DenseOptions o;
    o.spacing = EnergySpacing::uniform;
    o.energies = grid.energies;
    o.energy_max = 200;
    o.angles = grid.angles;
    o.step = 1;
    o.straggling = o.nuclear = o.out_of_plane = false;
    o.splitting = Splitting::first_order;
    o.precision = run.precision;
    o.device = run.device;
    return o;
}

// A state that has something everywhere, the same every time.
std::vector<double> everywhere(std::size_t cells) {
    std::vector<double> psi(cells);
    std::uint32_t state = 1;
    for (double& v : psi) {
        state = state * 1664525U + 1013904223U;
        v = (0.5 + static_cast<double>(state >> 8) / (1 << 24)) / static_cast<double>(cells);
    }
    return psi;
}

}  // namespace

std::string BenchmarkGrid::name() const {
    return fmt::format("{}x{}x{}x{}", energies, angles, planes, columns);
}

Phantom phantom_of(BenchmarkGrid const& grid) {
    Phantom p;
    p.materials = {material("water").value()};
    p.planes = grid.planes;
    p.columns = grid.columns;
    p.dz = extent / static_cast<double>(grid.planes);
    p.dx = extent / static_cast<double>(grid.columns);
    p.x0 = -extent / 2;
    return p;
}

Result<DenseSolver> populated(Physics const& physics, BenchmarkGrid const& grid,
                              BenchmarkRun const& run) {
    DenseOptions o = options_of(grid, run);
    // No direction is refused and nothing is dropped, so that every cell is computed.
    o.backward = Backward::cap;
    o.angle_cap = 4;
    o.threshold = 0;
    Beam beam;
    beam.energy = 180;
    SLUICE_TRY(auto solver, DenseSolver::create(physics, phantom_of(grid), beam, o));
    SLUICE_CHECK(solver.set_state(everywhere(static_cast<std::size_t>(grid.cells()))));
    return solver;
}

Result<DenseSolver> from_a_point(Physics const& physics, BenchmarkGrid const& grid,
                                 BenchmarkRun const& run) {
    Beam beam;
    beam.energy = 70;
    SLUICE_TRY(auto solver,
               DenseSolver::create(physics, phantom_of(grid), beam, options_of(grid, run)));
    SLUICE_CHECK(solver.step());
    return solver;
}

}  // namespace sluice::proton
