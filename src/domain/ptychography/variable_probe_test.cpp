// A probe that tilts and dims over the scan is found, with its weights.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using S = stem4d::PtychographyStage::Solver;

constexpr index places = 8;

// From -1 to 1 over the scan, and something else.
double drift_of(index j) {
    return 2 * static_cast<double>(j) / (places * places - 1) - 1;
}
double brightness_of(index j) {
    return 1 + 0.25 * std::sin(0.9 * static_cast<double>(j));
}

Truth drifting(bool tilts, bool dims) {
    Wish wish;
    wish.probe = [=](index j, double, double x) {
        return std::polar(dims ? brightness_of(j) : 1, tilts ? 0.1 * drift_of(j) * x : 0);
    };
    return simulate(32, places, 5, 1e6, false, wish);
}

PtychographyOptions recipe(S solver, Truth const& truth) {
    PtychographyOptions options;
    options.margin = 4;
    options.probe = truth.probe_as_given();
    options.stages[0].solver = solver;
    options.stages[0].iterations = 60;
    options.stages[0].group = 13;
    return options;
}

double correlation(PtychographyResult const& result, std::size_t m, double (*of)(index)) {
    auto const columns = static_cast<std::size_t>(result.opr_weights.shape[1]);
    double const n = places * places;
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (index j = 0; j < places * places; ++j) {
        double const x = result.opr_weights.values[static_cast<std::size_t>(j) * columns + m];
        double const y = of(j);
        a += x / n;
        b += y / n;
        aa += x * x / n;
        bb += y * y / n;
        ab += x * y / n;
    }
    return (ab - a * b) / std::sqrt((aa - a * a) * (bb - b * b));
}

class VariableProbeTest : public testing::TestWithParam<S> {};

TEST_P(VariableProbeTest, IsFoundWhereItTilts) {
    Truth const truth = drifting(true, false);
    auto options = recipe(GetParam(), truth);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_TRUE(one.opr_weights.values.empty());
    options.stages[0].opr_modes = 1;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.4 * one.rounds.back().r);
    EXPECT_LT(phase_error(found, truth), 0.7 * phase_error(one, truth));
    EXPECT_GT(std::abs(correlation(found, 1, drift_of)), 0.97);
    // Modes are as bright as a pattern.
    double power = 0;
    for (auto const& z : found.opr_modes.values) power += std::norm(z);
    double mean = 0;
    for (float v : std::get<std::vector<float>>(truth.patterns.counts)) mean += v;
    EXPECT_NEAR(power / (mean / (places * places)), 1, 0.02);
}

TEST_P(VariableProbeTest, IsFoundWhereItDims) {
    Truth const truth = drifting(false, true);
    auto options = recipe(GetParam(), truth);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].opr_intensity = true;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.4 * one.rounds.back().r);
    EXPECT_LT(phase_error(found, truth), 0.6 * phase_error(one, truth));
    EXPECT_GT(correlation(found, 0, brightness_of), 0.85);
}

INSTANTIATE_TEST_SUITE_P(All, VariableProbeTest, testing::Values(S::lsqml, S::epie, S::rpie),
                         [](auto const& info) {
                             return info.param == S::lsqml  ? "lsqml"
                                    : info.param == S::epie ? "epie"
                                                            : "rpie";
                         });

// Squares of 64 have kernels: parts of pixels and whole ones, two modes that vary.
TEST(VariableProbe, HasTheSameBitsForAnyThreadsAndIsNearTheTwin) {
    for (bool parts : {false, true}) {
        Truth truth = simulate(64, 4, 9, 1e5, true);
        if (parts)
            for (auto& p : truth.patterns.positions) p.row += 0.3 * std::sin(p.col);
        auto options = recipe(S::lsqml, truth);
        options.modes = 2;
        options.stages[0].iterations = 4;
        options.stages[0].group = 5;
        options.stages[0].opr_modes = 2;
        options.stages[0].opr_intensity = true;
        options.device = Device::cpu(1);
        auto const one = stem4d::ptychography(truth.patterns, options).value();
        options.device = Device::cpu(3);
        auto const three = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(one.object.values, three.object.values);
        EXPECT_EQ(one.opr_modes.values, three.opr_modes.values);
        EXPECT_EQ(one.opr_weights.values, three.opr_weights.values);
        options.device = Device::reference();
        auto const twin = stem4d::ptychography(truth.patterns, options).value();
        for (std::size_t i = 0; i < twin.rounds.size(); ++i)
            EXPECT_NEAR(one.rounds[i].r, twin.rounds[i].r, 2e-4) << i;
        EXPECT_LT(one.rounds.back().r, one.rounds[1].r);
    }
}

TEST(VariableProbe, RefusesWhatKnowsOneProbe) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto const refused = [&](PtychographyOptions const& options, char const* word) {
        auto const result = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(result.has_value()) << word;
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    };
    auto options = recipe(S::adam, truth);
    options.stages[0].opr_modes = 1;
    refused(options, "needs lsqml");
    options.stages[0].solver = S::lsqml;
    options.stages.push_back({.solver = S::dm});
    refused(options, "needs lsqml");
    options.stages.pop_back();
    options.stages[0].group = 1;
    refused(options, "groups of at least 2");
    options.stages[0].opr_modes = 99;
    refused(options, "opr_modes is 99");
}

}  // namespace
}  // namespace sluice::ptycho
