// Whole reconstructions: they find a known object, have the same bits for any threads, keep what is
// fixed, and say what is wrong with their input.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {
namespace {

using stem4d::Likelihood;
using stem4d::Patterns;
using stem4d::Position;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using stem4d::PtychographyStage;
using S = PtychographyStage::Solver;

PtychographyOptions options_of(S solver, index iterations, index group) {
    PtychographyStage stage;
    stage.solver = solver;
    stage.iterations = iterations;
    stage.group = group;
    stage.power_bound = 0;
    PtychographyOptions options;
    options.stages = {stage};
    options.margin = 4;
    return options;
}

struct Recipe {
    char const* name;
    S solver;
    index iterations, group;
    double r;  ///< reached at least
    Likelihood likelihood = Likelihood::amplitude;
};

class SolverTest : public testing::TestWithParam<Recipe> {
  protected:
    PtychographyOptions options() const {
        auto options = options_of(GetParam().solver, GetParam().iterations, GetParam().group);
        options.stages[0].likelihood = GetParam().likelihood;
        return options;
    }
};

TEST_P(SolverTest, FindsTheObject) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = this->options();
    // From a probe that is a little wrong.
    auto probe = truth.probe_as_given();
    for (std::size_t i = 0; i < probe.size(); ++i)
        probe[i] *= std::polar(1.0f, 0.002f * static_cast<float>(i % 32));
    options.probe = probe;
    auto const result = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(result.rounds.back().r, GetParam().r);
    EXPECT_LT(result.rounds.back().r, 0.5 * result.rounds.front().r);
    EXPECT_LT(phase_error(result, truth), 0.05);
}

TEST_P(SolverTest, HasTheSameBitsForAnyThreads) {
    Truth const truth = simulate(64, 4, 9, 1e5, true);
    auto options = this->options();
    options.stages[0].iterations = 3;
    options.modes = 2;
    options.device = Device::cpu(1);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    for (int threads : {2, 3, 8}) {
        options.device = Device::cpu(threads);
        auto const more = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(one.object.values, more.object.values);
        EXPECT_EQ(one.probe.values, more.probe.values);
        EXPECT_EQ(one.rounds.back().r, more.rounds.back().r);
    }
}

TEST_P(SolverTest, IsNearTheTwinInDouble) {
    Truth const truth = simulate(64, 4, 9, 1e5, true);
    auto options = this->options();
    options.stages[0].iterations = 4;
    auto const fast = stem4d::ptychography(truth.patterns, options).value();
    options.device = Device::reference();
    auto const twin = stem4d::ptychography(truth.patterns, options).value();
    for (std::size_t i = 0; i < twin.rounds.size(); ++i)
        EXPECT_NEAR(fast.rounds[i].r, twin.rounds[i].r, 1e-4) << i;
}

TEST_P(SolverTest, KeepsTheBitsOfAFixedProbe) {
    Truth const truth = simulate(32, 4, 5, 1e6, false);
    auto options = this->options();
    options.probe = truth.probe_as_given();
    options.stages[0].iterations = 60;
    options.stages[0].fix_probe = true;
    options.device = Device::reference();
    auto const result = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(result.rounds.back().r, 0.3 * result.rounds.front().r);
    EXPECT_EQ(result.probe.values, options.probe);
}

INSTANTIATE_TEST_SUITE_P(
    All, SolverTest,
    testing::Values(Recipe{"epie", S::epie, 60, 1, 0.02},
                    Recipe{"epie_groups", S::epie, 80, 5, 0.02},
                    Recipe{"rpie", S::rpie, 60, 5, 0.01}, Recipe{"mpie", S::mpie, 60, 1, 0.02},
                    Recipe{"ap", S::ap, 80, 0, 0.03}, Recipe{"dm", S::dm, 80, 0, 0.02},
                    Recipe{"raar", S::raar, 80, 0, 0.02}, Recipe{"rrr", S::rrr, 80, 0, 0.03},
                    Recipe{"sdr", S::sdr, 80, 0, 0.03}, Recipe{"lsqml", S::lsqml, 60, 10, 0.01},
                    Recipe{"lsqml_poisson", S::lsqml, 60, 10, 0.02, Likelihood::poisson},
                    Recipe{"sgd", S::sgd, 100, 10, 0.02}, Recipe{"adam", S::adam, 120, 10, 0.04},
                    Recipe{"mlcg", S::mlcg, 40, 20, 0.01},
                    Recipe{"mlcg_poisson", S::mlcg, 40, 20, 0.02, Likelihood::poisson}),
    [](auto const& info) { return info.param.name; });

// Of every likelihood, and where the probe begins to move.
TEST(Ptychography, LossOfConjugateGradientsFalls) {
    Truth const truth = simulate(32, 6, 5, 1e4, true);
    for (auto likelihood : {Likelihood::amplitude, Likelihood::poisson, Likelihood::gaussian}) {
        auto options = options_of(S::mlcg, 25, 7);
        options.stages[0].likelihood = likelihood;
        options.stages[0].probe_from = 4;
        auto const result = stem4d::ptychography(truth.patterns, options).value();
        for (std::size_t i = 1; i < result.rounds.size(); ++i)
            EXPECT_LE(result.rounds[i].loss, result.rounds[i - 1].loss) << i;
        // Of groups no answer depends, but for rounding.
        options.stages[0].group = 36;
        auto const at_once = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_NEAR(at_once.rounds.back().r, result.rounds.back().r, 1e-4);
    }
}

TEST(Ptychography, FindsPositions) {
    Truth truth = simulate(32, 8, 4, 1e7, false);
    std::vector<Position> const right = truth.patterns.positions;
    std::uint64_t at = 1;
    for (auto& p : truth.patterns.positions) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        p.row += static_cast<double>(at >> 40) * 0x1p-24 - 0.5;
        at = at * 6364136223846793005u + 1442695040888963407u;
        p.col += static_cast<double>(at >> 40) * 0x1p-24 - 0.5;
    }
    auto options = options_of(S::lsqml, 150, 13);
    options.probe = truth.probe_as_given();
    auto const error = [&](PtychographyResult const& result) {
        double mean[2] = {}, sum = 0;
        auto const n = static_cast<double>(right.size());
        for (std::size_t j = 0; j < right.size(); ++j) {
            mean[0] += (result.positions[j].row - right[j].row) / n;
            mean[1] += (result.positions[j].col - right[j].col) / n;
        }
        for (std::size_t j = 0; j < right.size(); ++j)
            sum += std::pow(result.positions[j].row - right[j].row - mean[0], 2) +
                   std::pow(result.positions[j].col - right[j].col - mean[1], 2);
        return std::sqrt(sum / n);
    };
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].refine_positions = true;
    auto const moved = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(error(kept), 0.3);
    EXPECT_LT(error(moved), 0.1);
    EXPECT_LT(moved.rounds.back().r, 0.5 * kept.rounds.back().r);
}

TEST(Ptychography, KnowsTheFloorThatCountingSets) {
    Truth const truth = simulate(32, 7, 5, 3e3, true);
    auto options = options_of(S::lsqml, 60, 10);
    options.probe = truth.probe_as_given();
    auto const result = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(result.floor, 0.05);
    EXPECT_GT(result.rounds.back().r, 0.6 * result.floor);
    EXPECT_LT(result.rounds.back().r, 1.5 * result.floor);
}

void refused(Patterns patterns, PtychographyOptions const& options, std::string const& word) {
    auto const result = stem4d::ptychography(std::move(patterns), options);
    ASSERT_FALSE(result.has_value()) << word;
    EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
}

TEST(Ptychography, SaysWhatIsWrongWithItsInput) {
    Patterns const good = simulate(32, 4, 5, 1e4, true).patterns;
    PtychographyOptions const options = options_of(S::epie, 2, 1);
    auto few = stem4d::part_of(good, {0, 1, 2}).value();
    refused(few, options, "too few");
    few.positions.push_back(few.positions.front());
    refused(few, options, "3 patterns of 32x32 pixels and 4 positions");
    few.positions.resize(1);
    EXPECT_NE(stem4d::ptychography_memory(few, options).error().text().find("1 pattern is too few"),
              std::string::npos);
    auto metres = good;
    for (auto& p : metres.positions) p = {p.row * 1e-9, p.col * 1e-9};
    refused(metres, options, "metres");
    auto apart = good;
    for (auto& p : apart.positions) p = {p.row * 40, p.col * 40};
    refused(apart, options, "do not overlap");
    auto negative = good;
    std::get<std::vector<float>>(negative.counts)[77] = -1;
    refused(negative, options, "pattern 0 holds counts that are negative");
    auto empty = good;
    for (auto& v : std::get<std::vector<float>>(empty.counts)) v = 0;
    refused(empty, options, "empty");
    auto lost = good;
    lost.positions[2].row = NAN;
    refused(lost, options, "position 2");
    auto short_of = good;
    short_of.positions.push_back({0, 0});
    refused(short_of, options, "there are");
    auto thick = options;
    thick.slices = 2;
    refused(good, thick, "wavelength");
    auto many = options;
    many.modes = 900;
    refused(good, many, "modes");
    auto sized = good;
    sized.pixel_nm = NAN;
    refused(sized, options, "numbers above 0");
    auto grouped = options;
    grouped.stages[0].group = -1;
    refused(good, grouped, "at least one pattern");
    auto endless = options;
    endless.stages[0].iterations = std::numeric_limits<index>::max();
    refused(good, endless, "1 to 100000000 iterations");
    auto narrow = options;
    narrow.modes = 8;
    narrow.probe.resize(32 * 32);
    narrow.probe[16 * 32 + 16] = 1;
    refused(good, narrow, "too small for 8 modes");
    auto tight = options;
    tight.memory_limit = 1000;
    refused(good, tight, "GB");
    auto wild = options;
    wild.stages[0].object_step = 1e30;
    refused(good, wild, "became NaN or infinite");
    auto given = options;
    given.probe.resize(10);
    refused(good, given, "the probe has 10 pixels");
}

TEST(Ptychography, StopsWhenAsked) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto options = options_of(S::epie, 50, 1);
    options.progress = [](std::uint64_t done, std::uint64_t) { return done < 40; };
    auto const result = stem4d::ptychography(truth.patterns, options);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, Code::cancelled);
}

TEST(Ptychography, ReconstructsThroughSlices) {
    Truth truth = simulate(32, 6, 5, 1e6, false);
    truth.patterns.wavelength_nm = 0.002;
    truth.patterns.pixel_nm = 0.02;
    auto options = options_of(S::lsqml, 60, 8);
    options.probe = truth.probe_as_given();
    options.slices = 2;
    options.slice_nm = 0.2;
    auto const result = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(result.object.shape[0], 2);
    EXPECT_LT(result.rounds.back().r, 0.02);
}

}  // namespace
}  // namespace sluice::ptycho
