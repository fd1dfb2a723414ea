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
                "the pixel's size and the wavelength must be numbers above 0, in nm (0 means that "
                "they are not known)");
    if (options.stages.empty())
        return wrong("there is no stage (the reconstruction would do nothing) add one");
    if (options.modes < 1 || options.modes > 64)
        return wrong(fmt::format("the probe has {} modes (1 to 64 are possible)", options.modes));
    if (options.slices < 1 || options.slices > 1000)
        return wrong(
            fmt::format("the object has {} slices (1 to 1000 are possible)", options.slices));
    if (options.slices > 1 &&
        !(options.slice_nm > 0 && patterns.wavelength_nm > 0 && patterns.pixel_nm > 0))
        return wrong(
            "slices need their distance, the wavelength and the pixel's size (waves "
            "spread between them) give all three in nm");
    // No specimen is a millimetre thick, and over longer distances a wave's phase overflows.
    if (!(std::abs(options.slice_nm) <= 1e6))
        return wrong(fmt::format(
            "slices are {:g} nm apart (at most 1000000 nm are possible) give the distance in nm",
            options.slice_nm));
    SLUICE_CHECK(check_grid(patterns, options));
    SLUICE_CHECK(check_first_object(patterns, options));
    SLUICE_CHECK(check_refinement(options));
    SLUICE_CHECK(check_variation(patterns.count(), options));
    if (options.checkpoint_every < 0) return wrong("checkpoint_every must be 0 or more iterations");
    for (auto const& stage : options.stages) {
        SLUICE_CHECK(check_constraints(patterns, options, stage));
        if (stage.iterations < 1 || stage.iterations > 100'000'000)
            return wrong("a stage must have 1 to 100000000 iterations");
        if (stage.group < 0)
            return wrong("a group must have at least one pattern (0 means the solver's own size)");
        if (projects(stage) && options.slices > 1)
            return wrong(
                "projections take one slice only (they keep the waves behind it) take lsqml, "
                "sgd, adam or an engine of the PIE family");
        if (projects(stage) && stage.refine_positions)
            return wrong(
                "projections do not refine positions (the waves that they keep belong to "
                "positions) take "
                "another solver for that stage");
        if (stage.fix_object && stage.fix_probe && !stage.refine_positions &&
            !stage.refine_descan && !stage.refine_background && !stage.refine_slice_distance &&
            !stage.refine_tilt)
            return wrong("a stage that fixes object and probe changes nothing");
        for (double given : {stage.object_step, stage.probe_step, stage.relaxation,
                             stage.position_step, stage.power_bound})
            if (!std::isfinite(given) || given < 0)
                return wrong("steps, relaxation and bounds must be numbers of 0 or more");
        for (double part : {stage.object_regularisation, stage.probe_regularisation})
            if (!(part > 0 && part <= 1))
                return wrong(
                    "a regularisation must be above 0 and at most 1 (the solver divides by it in "
                    "dark places) take 0.05 to 1");
        for (double part : {stage.momentum, stage.momentum_gain, stage.momentum_chance})
            if (!(part >= 0 && part <= 1))
                return wrong("momentum, its gain and its chance must be 0 to 1");
    }
    return {};
}

}  // namespace sluice::ptycho
