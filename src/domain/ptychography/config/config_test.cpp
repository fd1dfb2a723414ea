// Settings by name and out of TOML.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sluice/ptychography_settings.h"

namespace sluice::stem4d {
namespace {

using Solver = PtychographyStage::Solver;

std::string complaint(std::string const& text) {
    auto const options = parse_ptychography(text, "job.toml");
    return options ? "none" : options.error().message;
}

TEST(PtychographySettings, OptionsAndStagesAreReadByTheirNames) {
    auto const options = parse_ptychography(
        "modes = 3\nseed = 7\nsub_pixel = false\nslice_nm = 2\n"
        "[[stage]]\nsolver = \"epie\"\ngroup = 16\niterations = 5\n"
        "[[stage]]\nlikelihood = \"poisson\"\nobject_step = 0.125\nfix_probe = true\n",
        "job.toml");
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->modes, 3);
    EXPECT_EQ(options->seed, 7u);
    EXPECT_FALSE(options->sub_pixel);
    EXPECT_EQ(options->slice_nm, 2);
    ASSERT_EQ(options->stages.size(), 2u);
    EXPECT_EQ(options->stages[0].solver, Solver::epie);
    EXPECT_EQ(options->stages[0].group, 16);
    EXPECT_EQ(options->stages[1].solver, Solver::lsqml);
    EXPECT_EQ(options->stages[1].likelihood, Likelihood::poisson);
    EXPECT_EQ(options->stages[1].object_step, 0.125);
    EXPECT_TRUE(options->stages[1].fix_probe);
}

TEST(PtychographySettings, ErrorsNameTheLineAndTheWay) {
    EXPECT_EQ(complaint("modes = 2\n"), "line 1: there is no stage; begin each with [[stage]]");
    EXPECT_EQ(complaint("[[stage]]\nsolvr = \"epie\"\n"),
              "line 2: there is no key 'stage.solvr'; did you mean 'solver'?");
    EXPECT_EQ(complaint("[[stage]]\n\niterations = 2.5\n"),
              "line 3: stage.iterations is '2.5' (it has no such value) give a whole number");
    EXPECT_EQ(
        complaint("[[stage]]\nlikelihood = \"normal\"\n"),
        "line 2: stage.likelihood is 'normal' (it has no such value) give one of auto, amplitude, "
        "poisson, gaussian");
    EXPECT_EQ(complaint("[stage]\nsolver = \"epie\"\n"),
              "line 1: 'stage' is a list of tables; begin each with [[stage]]");
    EXPECT_NE(complaint("modes = \n").find("is not TOML"), std::string::npos);
    EXPECT_EQ(complaint("[[stage]]\nobject_step = inf\n"),
              "line 2: stage.object_step is 'inf' (it has no such value) give a finite number");
}

TEST(PtychographySettings, TextsGiveTheSameBits) {
    PtychographyStage stage;
    stage.solver = Solver::raar;
    stage.object_step = 0.1 + 0.2;
    stage.momentum = 1e-300;
    stage.iterations = 1234567890123;
    stage.refine_positions = true;
    PtychographyStage again;
    for (auto const& [name, value] : settings_of(stage)) ASSERT_TRUE(set(again, name, value));
    EXPECT_EQ(again.solver, stage.solver);
    EXPECT_EQ(again.object_step, stage.object_step);
    EXPECT_EQ(again.momentum, stage.momentum);
    EXPECT_EQ(again.iterations, stage.iterations);
    EXPECT_EQ(again.refine_positions, stage.refine_positions);
}

TEST(PtychographySettings, AllStagesTakeTheirSettings) {
    PtychographyOptions options;
    options.stages.resize(2);
    ASSERT_TRUE(set(options, "iterations", "3"));
    ASSERT_TRUE(set(options, "modes", "4"));
    EXPECT_EQ(options.stages[0].iterations, 3);
    EXPECT_EQ(options.stages[1].iterations, 3);
    EXPECT_EQ(options.modes, 4);
    auto const unknown = set(options, "iteration", "3");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message,
              "there is no setting 'iteration'; did you mean 'iterations'?");
}

}  // namespace
}  // namespace sluice::stem4d
