// Reconstructions on several ranks: the answer of one rank but for rounding, the same bits on each
// rank, only a part of the patterns on each, and errors that end all.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/share.h"
#include "domain/ptychography/test_ranks.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;
using S = PtychographyStage::Solver;

struct Recipe {
    char const* name;
    S solver;
    index group;
    index side = 64;
    index modes = 1;
    bool positions = false;
    bool in_double = false;
};

PtychographyOptions options_of(Recipe const& recipe, Truth const& truth) {
    PtychographyStage stage;
    stage.solver = recipe.solver;
    stage.group = recipe.group;
    stage.iterations = 10;
    stage.refine_positions = recipe.positions;
    // Poisson's likelihood makes much of a rounding where the model is dark. Sums of ranks have
    // other orders, so that its fits are compared in double.
    if (!recipe.in_double) stage.likelihood = stem4d::Likelihood::amplitude;
    PtychographyOptions options;
    options.stages = {stage};
    options.modes = recipe.modes;
    options.margin = 4;
    options.device = recipe.in_double ? Device::reference() : Device::cpu(1);
    options.probe = truth.probe_as_given();
    for (std::size_t i = 0; i < options.probe.size(); ++i)
        options.probe[i] *=
            std::polar(1.0f, 0.002f * static_cast<float>(i % static_cast<std::size_t>(truth.side)));
    return options;
}

class RanksTest : public testing::TestWithParam<Recipe> {};

TEST_P(RanksTest, FindWhatOneFinds) {
    Truth const truth = simulate(GetParam().side, 5, 7, 1e5, true);
    auto const options = options_of(GetParam(), truth);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    for (int ranks : {2, 3, 4}) {
        auto results = on_ranks(ranks, truth.patterns, options);
        auto const first = std::move(results.front()).value();
        EXPECT_LT(apart(first.object, one.object), 1e-5) << ranks;
        EXPECT_LT(apart(first.probe, one.probe), 1e-5) << ranks;
        for (std::size_t i = 0; i < one.rounds.size(); ++i)
            EXPECT_NEAR(first.rounds[i].r, one.rounds[i].r, 1e-5 * one.rounds[i].r) << i;
        EXPECT_NEAR(first.floor, one.floor, 1e-4 * one.floor);
        for (std::size_t j = 0; j < one.positions.size(); ++j)
            EXPECT_NEAR(first.positions[j].row, one.positions[j].row, 1e-4);
        // All have the same bits, so that they stay together.
        for (std::size_t r = 1; r < results.size(); ++r) {
            auto const other = std::move(results[r]).value();
            EXPECT_EQ(other.object.values, first.object.values) << r;
            EXPECT_EQ(other.probe.values, first.probe.values) << r;
            EXPECT_EQ(other.rounds.back().r, first.rounds.back().r) << r;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, RanksTest,
    testing::Values(Recipe{"epie", S::epie, 8}, Recipe{"epie_alone", S::epie, 1},
                    Recipe{"rpie", S::rpie, 8, 32}, Recipe{"rpie_modes", S::rpie, 8, 64, 2},
                    Recipe{"mpie", S::mpie, 5, 32}, Recipe{"lsqml", S::lsqml, 10},
                    Recipe{"lsqml_modes", S::lsqml, 10, 32, 2},
                    Recipe{"lsqml_positions", S::lsqml, 10, 32, 1, true},
                    Recipe{"sgd", S::sgd, 10, 32}, Recipe{"mlcg", S::mlcg, 10, 32},
                    Recipe{"lsqml_poisson", S::lsqml, 10, 64, 1, false, true},
                    Recipe{"lsqml_positions_poisson", S::lsqml, 10, 32, 1, true, true},
                    Recipe{"sgd_poisson", S::sgd, 10, 32, 1, false, true},
                    Recipe{"mlcg_poisson", S::mlcg, 10, 32, 1, false, true},
                    Recipe{"adam_poisson", S::adam, 10, 32, 1, false, true},
                    Recipe{"adam", S::adam, 10}, Recipe{"dm", S::dm, 0, 32},
                    // Here a rounding decides which pattern counts as noise, for float.
                    Recipe{"dm_in_double", S::dm, 0, 64, 1, false, true},
                    Recipe{"raar64", S::raar, 0, 64, 2}, Recipe{"raar", S::raar, 0, 32, 2},
                    Recipe{"ap", S::ap, 0, 32}),
    [](auto const& info) { return info.param.name; });

TEST(Ranks, HaveTheSameBitsInEachRunAndForAnyThreads) {
    Truth const truth = simulate(32, 5, 5, 1e5, true);
    auto options = options_of({"", S::lsqml, 10, 32}, truth);
    auto const first = std::move(on_ranks(3, truth.patterns, options).front()).value();
    options.device = Device::cpu(2);
    auto const again = std::move(on_ranks(3, truth.patterns, options).front()).value();
    EXPECT_EQ(first.object.values, again.object.values);
    EXPECT_EQ(first.probe.values, again.probe.values);
}

TEST(Ranks, ReconstructInDoubleAndThroughSlices) {
    Truth truth = simulate(32, 4, 5, 1e5, true);
    truth.patterns.wavelength_nm = 0.002;
    truth.patterns.pixel_nm = 0.02;
    auto options = options_of({"", S::rpie, 4, 32}, truth);
    options.slices = 2;
    options.slice_nm = 0.2;
    options.device = Device::reference();
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    auto const two = std::move(on_ranks(2, truth.patterns, options).front()).value();
    EXPECT_LT(apart(two.object, one.object), 1e-6);
    EXPECT_LT(apart(two.probe, one.probe), 1e-6);
}

// Whatever a stage refines beside object and probe. In double, where a rounding decides about no
// place that is searched.
TEST(Ranks, RefineWhatOneRefines) {
    Truth truth = simulate(32, 5, 5, 1e5, true);
    truth.patterns.wavelength_nm = 0.002;
    truth.patterns.pixel_nm = 0.02;
    using Change = std::function<void(PtychographyOptions&)>;
    std::pair<char const*, Change> const changes[] = {
        {"opr", [](auto& o) { o.stages[0].opr_modes = 2; }},
        {"opr of epie",
         [](auto& o) {
             o.stages[0].solver = S::epie;
             o.stages[0].opr_modes = 1;
             o.stages[0].opr_intensity = true;
         }},
        {"descan and background",
         [](auto& o) { o.stages[0].refine_descan = o.stages[0].refine_background = true; }},
        {"search",
         [](auto& o) {
             o.stages[0].refine_positions = true;
             o.stages[0].position_search = 3;
         }},
        {"slices", [](auto& o) {
             o.slices = 2;
             o.slice_nm = 0.2;
             o.stages[0].refine_slice_distance = o.stages[0].refine_tilt = true;
         }}};
    for (auto const& [name, change] : changes) {
        auto options = options_of({"", S::lsqml, 10, 32, 1, false, true}, truth);
        options.stages[0].iterations = 6;
        auto const plain = stem4d::ptychography(truth.patterns, options).value();
        change(options);
        auto const one = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_GT(apart(plain.object, one.object), 1e-4) << name;  // it does something
        for (int ranks : {2, 3}) {
            auto results = on_ranks(ranks, truth.patterns, options);
            auto const first = std::move(results.front()).value();
            EXPECT_LT(apart(first.object, one.object), 1e-6) << name;
            EXPECT_LT(apart(first.probe, one.probe), 1e-6) << name;
            EXPECT_NEAR(first.slice_nm, one.slice_nm, 1e-9) << name;
            EXPECT_NEAR(first.tilt_row_mrad, one.tilt_row_mrad, 1e-6) << name;
            for (std::size_t j = 0; j < one.positions.size(); ++j)
                EXPECT_NEAR(first.positions[j].row, one.positions[j].row, 1e-6) << name;
            for (std::size_t j = 0; j < one.descan.size(); ++j)
                EXPECT_NEAR(first.descan[j].row, one.descan[j].row, 1e-6) << name;
            for (std::size_t i = 0; i < one.opr_weights.values.size(); ++i)
                EXPECT_NEAR(first.opr_weights.values[i], one.opr_weights.values[i], 1e-6) << name;
            for (std::size_t q = 0; q < one.background.values.size(); ++q)
                EXPECT_NEAR(first.background.values[q], one.background.values[q], 1e-4) << name;
            auto const second = std::move(results[1]).value();
            EXPECT_EQ(second.object.values, first.object.values) << name;
            EXPECT_EQ(second.opr_weights.values, first.opr_weights.values) << name;
        }
    }
}

// As one rank does: the notes and the rounds that stay say so.
TEST(Ranks, GoBackTogether) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = options_of({"", S::epie, 7, 32}, truth);
    options.stages[0].iterations = 40;
    options.stages[0].object_step = options.stages[0].probe_step = 6;
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    auto results = on_ranks(3, truth.patterns, options);
    auto const first = std::move(results[0]).value(), second = std::move(results[1]).value();
    auto const went_back = [](std::string const& note) {
        return note.find("half the steps") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(first.notes, went_back));
    EXPECT_EQ(first.rounds.size(), one.rounds.size());
    EXPECT_EQ(first.object.values, second.object.values);
    // One rank is the first to meet NaN, and all try again with half the steps.
    options.stages[0].object_step = 1e30;
    std::uint64_t met[2] = {0, 0};
    for (bool again : {false, true}) {
        options.restore_best = again;
        for (auto const &lost :
             on_ranks(3, truth.patterns, options, [&](int rank, PtychographyOptions&mine) {
                 if (rank == 0)
                     mine.progress = [&](std::uint64_t, std::uint64_t) { return ++met[again]; };
             })) {
            ASSERT_FALSE(lost.has_value());
            EXPECT_NE(lost.error().message.find("became NaN or infinite"), std::string::npos);
        }
    }
    EXPECT_GT(met[1], met[0]);
}

TEST(Ranks, TakeTheirPart) {
    Truth const truth = simulate(32, 5, 5, 1e4, true);
    for (bool parted : {false, true})
        run_ranks(4, [&](Communicator& ranks) {
            auto patterns = truth.patterns;
            auto& counts = std::get<std::vector<float>>(patterns.counts);
            auto const all = counts;
            index const first = ranks.rank() * 25 / 4, end = (ranks.rank() + 1) * 25 / 4;
            if (parted) {
                counts.assign(all.begin() + first * 1024, all.begin() + end * 1024);
                patterns.first = first;
            }
            auto const share = share_out(patterns, &ranks).value();
            EXPECT_EQ(share.first(), first);
            EXPECT_EQ(share.count(), end - first);
            EXPECT_EQ(std::ssize(counts), (end - first) * 1024);
            EXPECT_EQ(counts.front(), all[static_cast<std::size_t>(first * 1024)]);
            EXPECT_EQ(share.has(end), false);
            EXPECT_EQ(share.own(std::vector<index>{end - 1, 99, first}),
                      (std::vector<index>{end - 1, first}));
        });
}

// What one rank alone knows to be wrong.
void all_refuse(Truth const& truth, PtychographyOptions const& options, char const* word,
                std::function<void(Patterns&, PtychographyOptions&)> const& on_rank_1) {
    run_ranks(3, [&](Communicator& ranks) {
        auto patterns = truth.patterns;
        auto mine = options;
        mine.communicator = &ranks;
        if (ranks.rank() == 1) on_rank_1(patterns, mine);
        auto const result = stem4d::ptychography(std::move(patterns), mine);
        ASSERT_FALSE(result.has_value()) << word;
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    });
}

TEST(Ranks, EndTogetherWhereOneFails) {
    Truth const truth = simulate(32, 5, 5, 1e4, true);
    auto const options = options_of({"", S::epie, 5, 32}, truth);
    auto const counts = [](Patterns & p) -> auto& {
        return std::get<std::vector<float>>(p.counts);
    };
    all_refuse(truth, options, "pattern 9 holds counts that are negative",
               [&](Patterns& p, auto&) { counts(p)[9 * 1024 + 5] = -1; });
    all_refuse(truth, options, "1e-06 GB",
               [](Patterns&, PtychographyOptions& o) { o.memory_limit = 1000; });
    all_refuse(truth, options, "do not belong together",
               [](Patterns& p, auto&) { p.positions[3].row += 0.5; });
    all_refuse(truth, options, "do not belong together",
               [&](Patterns& p, auto&) { counts(p).resize(3 * 1024); });
    all_refuse(truth, options, "stopped", [](Patterns&, PtychographyOptions& o) {
        o.progress = [](std::uint64_t done, std::uint64_t) { return done < 60; };
    });
    auto dm = options;
    dm.stages[0].solver = S::dm;
    all_refuse(truth, dm, "stopped", [](Patterns&, PtychographyOptions& o) {
        o.progress = [](std::uint64_t done, std::uint64_t) { return done < 60; };
    });
    auto wild = options;
    wild.stages[0].object_step = 1e30;
    all_refuse(truth, wild, "became NaN or infinite", [](auto&, auto&) {});
}

}  // namespace
}  // namespace sluice::ptycho
