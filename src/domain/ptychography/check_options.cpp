// Whether options make sense together.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/check_options.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/constraints/check_constraints.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/start/first_object.h"
#include "domain/ptychography/variable_probe.h"
#include "domain/ptychography/wrong.h"

namespace sluice::ptycho {

using stem4d::Patterns;
using stem4d::PtychographyOptions;

Status check_options(Patterns const& patterns, PtychographyOptions const& options) {
    for (double const length : {patterns.pixel_nm, patterns.wavelength_nm})
        if (!(length >= 0 && std::isfinite(length)))
            return wrong(
                "the pixel's size and the wavelength are numbers above 0, in nm (0: not known)");
    if (options.stages.empty()) return wrong("there is no stage (nothing would be done) add one");
    if (options.modes < 1 || options.modes > 64)
        return wrong(fmt::format("a probe of {} modes (1 to 64 can be had)", options.modes));
    if (options.slices < 1 || options.slices > 1000)
        return wrong(fmt::format("an object of {} slices (1 to 1000 can be had)", options.slices));
    if (options.slices > 1 &&
        !(options.slice_nm > 0 && patterns.wavelength_nm > 0 && patterns.pixel_nm > 0))
        return wrong(
            "slices need their distance, the wavelength and the pixel's size (waves "
            "spread between them) give all three in nm");
    // A millimetre is no specimen, and a wave over more would turn too often to be numbers.
    if (!(std::abs(options.slice_nm) <= 1e6))
        return wrong(fmt::format("slices of {:g} nm (1000000 are the most) give the distance in nm",
                                 options.slice_nm));
    SLUICE_CHECK(check_grid(patterns, options));
    SLUICE_CHECK(check_first_object(patterns, options));
    SLUICE_CHECK(check_refinement(options));
    SLUICE_CHECK(check_variation(patterns.count(), options));
    if (options.checkpoint_every < 0) return wrong("a checkpoint comes every 0 or more iterations");
    for (auto const& stage : options.stages) {
        SLUICE_CHECK(check_constraints(patterns, options, stage));
        if (stage.iterations < 1 || stage.iterations > 100'000'000)
            return wrong("a stage has 1 to 100000000 iterations");
        if (stage.group < 0)
            return wrong("a group has at least one pattern (0: as suits the solver)");
        if (projects(stage) && options.slices > 1)
            return wrong(
                "projections know one slice only (waves are kept behind it) take lsqml, "
                "sgd, adam or an engine of the PIE family");
        if (projects(stage) && stage.refine_positions)
            return wrong(
                "projections do not refine positions (their waves belong to them) take "
                "another solver for that stage");
        if (stage.fix_object && stage.fix_probe && !stage.refine_positions &&
            !stage.refine_descan && !stage.refine_background && !stage.refine_slice_distance &&
            !stage.refine_tilt)
            return wrong("a stage that fixes object and probe changes nothing");
        for (double given : {stage.object_step, stage.probe_step, stage.relaxation,
                             stage.position_step, stage.power_bound})
            if (!std::isfinite(given) || given < 0)
                return wrong("steps, relaxation and bounds are numbers of 0 and more");
        for (double part : {stage.object_regularisation, stage.probe_regularisation})
            if (!(part > 0 && part <= 1))
                return wrong(
                    "a regularisation is above 0 and at most 1 (it keeps dark places from "
                    "being divided by) take 0.05 to 1");
        for (double part : {stage.momentum, stage.momentum_gain, stage.momentum_chance})
            if (!(part >= 0 && part <= 1)) return wrong("momentum, its gain and chance are 0 to 1");
    }
    return {};
}

}  // namespace sluice::ptycho
