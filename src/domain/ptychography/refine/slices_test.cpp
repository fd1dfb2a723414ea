// The distance of slices and the specimen's tilt are found.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;

Simulation two_slices() {
    return {.places = 7,
            .step = 4,
            .slices = 2,
            .slice_nm = 12,
            .wavelength_nm = 0.0025,
            .pixel_nm = 0.03};
}

PtychographyOptions refining_slices(Truth const& truth) {
    PtychographyStage stage;
    stage.iterations = 60;
    stage.group = 10;
    stage.fix_probe = true;
    PtychographyOptions options;
    options.stages = {stage};
    options.probe = truth.probe_as_given();
    options.slices = 2;
    options.slice_nm = 12;
    return options;
}

TEST(Slices, AWrongDistanceIsFound) {
    Truth const truth = simulate(two_slices());
    auto options = refining_slices(truth);
    options.slice_nm = 8;
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].refine_slice_distance = true;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(kept.slice_nm, 8);
    EXPECT_NEAR(found.slice_nm, 12, 0.6);
    EXPECT_LT(found.rounds.back().r, kept.rounds.back().r);
}

TEST(Slices, ATiltIsFound) {
    // Slices that are alike: of free ones a shear makes the same patterns as a tilt.
    auto simulation = two_slices();
    simulation.wish.object = [](double y, double x) {
        return std::polar(1.0, 0.3 * std::sin(0.47 * x - 0.31 * y) * std::cos(0.23 * x + 0.36 * y));
    };
    simulation.tilt_rad = {0.002, -0.0015};
    Truth const truth = simulate(simulation);
    auto options = refining_slices(truth);
    options.stages[0].slice_blur = 2;
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].refine_tilt = true;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_NEAR(found.tilt_row_mrad, 2, 0.3);
    EXPECT_NEAR(found.tilt_col_mrad, -1.5, 0.3);
    EXPECT_LT(found.rounds.back().r, kept.rounds.back().r);
}

}  // namespace
}  // namespace sluice::ptycho
