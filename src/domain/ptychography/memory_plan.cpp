// The memory that a reconstruction takes, before it takes it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/memory_plan.h"

#include <fmt/format.h>

#include <cmath>

#include "base/memory.h"
#include "domain/ptychography/check_options.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/job.h"
#include "domain/ptychography/remote/plan.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/start/start.h"
#include "domain/ptychography/variable_probe.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using S = PtychographyStage::Solver;

// Patterns of a group on one rank: groups are random, so some have more than their mean.
std::uint64_t of_group(std::uint64_t group, std::uint64_t ranks) {
    if (ranks == 1) return group;
    auto const mean = static_cast<double>(group) / static_cast<double>(ranks);
    return std::min(group, static_cast<std::uint64_t>(mean + 3 * std::sqrt(mean) + 1));
}

std::uint64_t planned(Patterns const& patterns, PtychographyOptions const& options,
                      Canvas const& canvas, std::uint64_t real) {
    index const window = grid_of(patterns, options).window;
    auto const area = static_cast<std::uint64_t>(window * window);
    auto const place = static_cast<std::uint64_t>(canvas.rows * canvas.cols) *
                       static_cast<std::uint64_t>(options.slices);
    auto const modes = static_cast<std::uint64_t>(options.modes);
    auto const ranks =
        static_cast<std::uint64_t>(options.communicator ? options.communicator->ranks() : 1);
    auto const count = (static_cast<std::uint64_t>(patterns.count()) + ranks - 1) / ranks;
    std::uint64_t most = 0;
    for (auto const& stage : options.stages) {
        auto const slices = static_cast<std::uint64_t>(options.slices);
        std::uint64_t bytes = 0;
        if (projects(stage))
            bytes = count * modes * area * 2 * real;
        else {
            // The plain step adds up so many at once.
            std::uint64_t const group = of_group(
                static_cast<std::uint64_t>(group_size(stage, patterns.count(), options.slices)),
                ranks);
            bytes =
                (stage.solver == S::lsqml || varies(stage) ? group
                                                           : std::min<std::uint64_t>(32, group)) *
                area * (modes + slices) * 2 * real;
            // Planes of a group lie in memory one by one, with gaps that the allocator leaves: from
            // half as much again to as much again (src/planning/plan_test.cpp compares).
            bytes += bytes * 17 / 20;
        }
        // Two sums (one for each half of a group), directions, moments, velocities.
        std::uint64_t canvases =
            stage.solver == S::mpie || stage.solver == S::adam || stage.solver == S::mlcg ? 6 : 2;
        // Where they were, and how fast they move on.
        if (stage.solver == S::lsqml && modes > 1) {
            canvases += 2;
            bytes += modes * area * 4 * real;
        }
        if (stage.tv_weight > 0) canvases += 2;
        if (goes_back(options, stage)) bytes += (place + modes * area) * 4 * real;
        most = std::max(most, bytes + canvases * place * 2 * real);
    }
    // What a thread has of one pattern: waves before each slice and behind it, and some more.
    auto const threads = static_cast<std::uint64_t>(std::max(options.device.threads(), 1));
    std::uint64_t const room =
        threads * area * 2 * real *
        (2 * modes * (static_cast<std::uint64_t>(options.slices) - 1) + 2 * modes + 6);
    return place * 2 * real + modes * area * 2 * real * 4 + room + most;
}

}  // namespace

Result<std::uint64_t> affordable(Patterns const& patterns, PtychographyOptions const& options) {
    SLUICE_TRY(std::uint64_t const bytes, stem4d::ptychography_memory(patterns, options));
    std::uint64_t const limit = options.memory_limit ? options.memory_limit : memory_available();
    if (bytes > limit)
        return Error{
            Code::out_of_memory,
            fmt::format("the reconstruction takes {:.3g} GB and {:.3g} GB are free (projections "
                        "keep every wave, other solvers a group's) take fewer "
                        "modes, a smaller group or another solver (`sluice plan --task "
                        "ptychography` says what fits)",
                        static_cast<double>(bytes) * 1e-9, static_cast<double>(limit) * 1e-9)};
    return bytes;
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<std::uint64_t> ptychography_memory(Patterns const& patterns,
                                          PtychographyOptions const& options) {
    SLUICE_CHECK(ptycho::check_options(patterns, options));
    if (options.device.remote()) {
        SLUICE_CHECK(ptycho::remote::check_known(options));
        return ptycho::remote::planned(patterns, options);
    }
    SLUICE_TRY(auto const canvas,
               ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                   ptycho::grid_of(patterns, options).window, options.margin));
    bool const twice = options.device.kind() == Device::Kind::reference;
    return ptycho::planned(patterns, options, canvas, twice ? sizeof(double) : sizeof(float));
}

}  // namespace sluice::stem4d
