// Few counts, where amplitudes are biased: it is said.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Likelihood;
using S = stem4d::PtychographyStage::Solver;

stem4d::PtychographyResult run(Truth const& truth, S solver, Likelihood likelihood) {
    stem4d::PtychographyStage stage;
    stage.solver = solver;
    stage.likelihood = likelihood;
    stage.iterations = 2;
    stem4d::PtychographyOptions options;
    options.stages = {stage};
    options.margin = 4;
    options.probe = truth.probe_as_given();
    return stem4d::ptychography(truth.patterns, options).value();
}

bool warned(stem4d::PtychographyResult const& result) {
    for (std::string const& note : result.notes)
        if (note.find("amplitudes are biased") != std::string::npos) return true;
    return false;
}

TEST(FewCounts, AmplitudesAreWarnedOf) {
    Truth const few = simulate(32, 7, 5, 60, true), many = simulate(32, 7, 5, 1e8, true);
    EXPECT_TRUE(warned(run(few, S::lsqml, Likelihood::amplitude)));
    EXPECT_FALSE(warned(run(few, S::lsqml, Likelihood::poisson)));
    EXPECT_TRUE(warned(run(few, S::epie, Likelihood::poisson)));  // it always fits amplitudes
    EXPECT_FALSE(warned(run(many, S::lsqml, Likelihood::amplitude)));
}

}  // namespace
}  // namespace sluice::ptycho
