// Settings that devices know, and the plan of their memory.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/ptychography/grid.h"
#include "domain/ptychography/job.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho::remote {

namespace {

Error unknown(std::string_view setting) {
    return {Code::unsupported, fmt::format("{} runs on processors only (devices do not support it "
                                           "yet) take --device cpu, or leave it out",
                                           setting)};
}

Status check_stage(PtychographyStage const& stage) {
    struct {
        bool wanted;
        char const* name;
    } const settings[] = {
        {stage.solver == PtychographyStage::Solver::mlcg, "solver mlcg"},
        {stage.grouping == PtychographyStage::Grouping::coloured, "grouping coloured"},
        {stage.position_search > 0, "position_search"},
        {stage.opr_modes > 0, "opr_modes"},
        {stage.opr_intensity, "opr_intensity"},
        {stage.refine_descan, "refine_descan"},
        {stage.refine_background, "refine_background"},
        {stage.refine_slice_distance, "refine_slice_distance"},
        {stage.refine_tilt, "refine_tilt"},
    };
    for (auto const& setting : settings)
        if (setting.wanted) return unknown(setting.name);
    return {};
}

double gigabytes(std::uint64_t bytes) {
    return static_cast<double>(bytes) * 1e-9;
}

}  // namespace

Status check_known(stem4d::PtychographyOptions const& options) {
    if (options.communicator && options.communicator->ranks() > 1)
        return unknown("one reconstruction by several ranks");
    if (options.detector_blur > 0) return unknown("detector_blur");
    for (auto const& stage : options.stages) SLUICE_CHECK(check_stage(stage));
    return {};
}

Sizes sizes_of(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options,
               PtychographyStage const& stage, ptycho::Canvas const& canvas, index most_waves) {
    index const count = patterns.count();
    index const group = projects(stage) ? count : group_size(stage, count, options.slices);
    Sizes sizes;
    sizes.canvas = {canvas.rows, canvas.cols, options.slices};
    sizes.pixels = {grid_of(patterns, options).window, patterns.size, options.detector_bin,
                    options.propagation == Propagation::near};
    sizes.modes = options.modes;
    sizes.patterns = count;
    // As random_groups() cuts them.
    sizes.groups = (count + group - 1) / group;
    sizes.group = (count + sizes.groups - 1) / sizes.groups;
    index const most = std::max<index>(1, most_waves / sizes.probe());
    index const pieces = (sizes.group + most - 1) / most;
    sizes.piece = (sizes.group + pieces - 1) / pieces;
    for (Corner const& corner : corners_of(canvas.corners, options.sub_pixel))
        sizes.moves = sizes.moves || corner.row_part != 0 || corner.col_part != 0;
    // Also after an earlier stage that refined them: then they have parts of pixels.
    for (auto const& each : options.stages) sizes.moves = sizes.moves || each.refine_positions;
    sizes.projects = projects(stage);
    // Waves that are kept are those of whole pixels.
    sizes.moves = sizes.moves && !sizes.projects;
    sizes.refines_positions = stage.refine_positions;
    sizes.goes_back = goes_back(options, stage);
    sizes.solver = stage.solver;
    return sizes;
}

Result<std::uint64_t> planned(stem4d::Patterns const& patterns,
                              stem4d::PtychographyOptions const& options, index most_waves) {
    SLUICE_TRY(auto canvas, make_canvas(positions_on_grid(patterns, options),
                                        grid_of(patterns, options).window, options.margin));
    // They may have parts of pixels where those have none.
    if (!options.positions.empty()) canvas.corners = options.positions;
    index most = 0;
    for (auto const& stage : options.stages)
        most = std::max(most, bytes_of(sizes_of(patterns, options, stage, canvas, most_waves)));
    return static_cast<std::uint64_t>(most);
}

Result<index> waves_that_fit(Queue& queue, stem4d::Patterns const& patterns,
                             stem4d::PtychographyOptions const& options) {
    auto limit = queue.backend()->available();
    if (options.memory_limit > 0)
        limit = std::min(limit.value_or(options.memory_limit), options.memory_limit);
    auto const counts = static_cast<std::uint64_t>(RemotePatterns::bytes_of(patterns));
    for (index waves = usual_waves;; waves /= 4) {
        SLUICE_TRY(std::uint64_t const stages, planned(patterns, options, waves));
        std::uint64_t const bytes = stages + counts;
        if (!limit || bytes <= *limit) return waves;
        if (waves <= 1)
            return Error{Code::out_of_memory,
                         fmt::format("the reconstruction takes {:.3f} GB on the device {} and "
                                     "{:.3f} GB are free there (the patterns alone take {:.3f} GB; "
                                     "lsqml keeps a group's gradients) take fewer modes, a smaller "
                                     "group, or --device cpu",
                                     gigabytes(bytes), queue.device().name(), gigabytes(*limit),
                                     gigabytes(counts))};
    }
}

}  // namespace sluice::ptycho::remote
