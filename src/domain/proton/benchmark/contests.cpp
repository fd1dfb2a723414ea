// Steps and beams as contestants.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/benchmark/contests.h"

#include <memory>

namespace sluice::proton {
namespace {

using bench::Contestant;
using bench::Json;

// Steps of the beam from a point, until it has all but stopped.
constexpr int point_steps = 40;

double bytes_of(BenchmarkGrid const& grid, BenchmarkRun const& run) {
    return static_cast<double>(grid.cells()) * (run.precision == Precision::f64 ? 8 : 4);
}

Contestant named(char const* contest, BenchmarkGrid const& grid, BenchmarkRun const& run) {
    Contestant who;
    who.contest = contest;
    who.name = grid.name();
    who.threads = run.device.threads();
    return who;
}

Contestant point_contestant(Physics const& physics, BenchmarkGrid const& grid,
                            BenchmarkRun const& run) {
    Contestant who = named("step of a beam from a point", grid, run);
    who.items = point_steps;
    // The solver is a new one for every round: the beam of the last one has stopped.
    auto const solver = std::make_shared<std::unique_ptr<DenseSolver>>();
    who.prepare = [=, &physics]() -> Status {
        solver->reset();
        SLUICE_TRY(DenseSolver fresh, from_a_point(physics, grid, run));
        *solver = std::make_unique<DenseSolver>(std::move(fresh));
        return {};
    };
    who.run = bench::timed([=]() -> Status {
        for (int k = 0; k < point_steps; ++k) SLUICE_CHECK((*solver)->step());
        return {};
    });
    who.tell = [=]() -> Json {
        Result<MarchResult> const r = (*solver)->result();
        if (!r) return Json::object();
        return {{"cells", static_cast<double>(r->cells) / static_cast<double>((*solver)->steps())}};
    };
    return who;
}

Contestant march_contestant(Physics const& physics, Contestant who, Phantom phantom, Beam beam,
                            MarchOptions options, BenchmarkRun const& run) {
    options.threads = run.device.threads();
    options.device = run.device;
    options.precision = run.precision;
    auto const cells = std::make_shared<double>(0);
    who.run = bench::timed([=, &physics, phantom = std::move(phantom)]() -> Status {
        SLUICE_TRY(auto const r, march(physics, phantom, beam, options));
        *cells = static_cast<double>(r.cells);
        return {};
    });
    who.tell = [cells]() -> Json { return {{"cells", *cells}}; };
    return who;
}

}  // namespace

Contestant step_contestant(std::shared_ptr<DenseSolver> const& solver, BenchmarkGrid const& grid,
                           BenchmarkRun const& run) {
    Contestant who = named("dense step", grid, run);
    double const state = bytes_of(grid, run);
    // A step cannot do less than read and write the state once.
    who.bytes = 2 * state;
    who.details = {{"cells", grid.cells()},
                   {"memory_arrays", static_cast<double>(solver->bytes()) / state},
                   {"told_s", grid.told_s}};
    who.run = bench::timed([solver] { return solver->step(); });
    return who;
}

Result<std::vector<Contestant>> grid_contestants(Physics const& physics, BenchmarkGrid const& grid,
                                                 BenchmarkRun const& run) {
    SLUICE_TRY(DenseSolver solver, populated(physics, grid, run));
    Beam beam;
    beam.energy = 70;
    beam.sigma_x = 3;
    MarchOptions o;
    o.angle_step = 2 * o.angle_window / static_cast<double>(grid.angles);
    return std::vector{step_contestant(std::make_shared<DenseSolver>(std::move(solver)), grid, run),
                       point_contestant(physics, grid, run),
                       march_contestant(physics, named("marched beam of 70 MeV", grid, run),
                                        phantom_of(grid), beam, o, run)};
}

Result<Contestant> beam_contestant(Physics const& physics, BenchmarkRun const& run) {
    Phantom water;
    SLUICE_TRY(water.materials.emplace_back(), material("water"));
    water.planes = 360;
    water.columns = 100;
    water.x0 = -25;
    Beam beam;
    beam.energy = 150;
    beam.sigma_x = 3;
    MarchOptions o;
    o.let_map = true;
    Contestant who;
    who.contest = "marched beam of 150 MeV";
    who.name = "usual grid";
    who.threads = run.device.threads();
    return march_contestant(physics, std::move(who), std::move(water), beam, o, run);
}

}  // namespace sluice::proton
