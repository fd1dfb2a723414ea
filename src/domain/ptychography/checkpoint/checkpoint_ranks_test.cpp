// Checkpoints of several ranks: the bits of a run that was stopped, other numbers of ranks, and
// errors that end all.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "domain/ptychography/test_ranks.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using stem4d::PtychographyStage;
using S = PtychographyStage::Solver;

class RankCheckpoints : public testing::Test {
  protected:
    Truth truth_ = simulate(32, 5, 5, 1e5, true);
    std::string file_ = {};

    void SetUp() override {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::ranges::replace(name, '/', '_');
        file_ = testing::TempDir() + "sluice_rank_checkpoint_" + name + ".h5";
        std::filesystem::remove(file_);
    }
    void TearDown() override { std::filesystem::remove(file_); }

    PtychographyOptions options_of(S solver, index modes = 1) const {
        PtychographyStage stage{.solver = solver, .iterations = 6, .group = 10};
        stage.momentum_chance = 0.3;
        PtychographyOptions options{.stages = {stage}, .modes = modes, .seed = 5};
        options.probe = truth_.probe_as_given();
        options.checkpoint_every = 1;
        options.device = Device::cpu(1);
        return options;
    }

    std::vector<PtychographyResult> run(int ranks, PtychographyOptions const& options,
                                        EachRank const& change = {}) const {
        std::vector<PtychographyResult> results;
        for (auto& result : on_ranks(ranks, truth_.patterns, options, change))
            results.push_back(std::move(result).value());
        return results;
    }
    /// All are stopped within the fourth iteration: the checkpoint has three.
    void run_and_kill(int ranks, PtychographyOptions options, EachRank const& change = {}) const {
        options.checkpoint = file_;
        options.progress = [](std::uint64_t done, std::uint64_t) { return done < 3 * 25 + 10; };
        for (auto const& killed : on_ranks(ranks, truth_.patterns, options, change)) {
            ASSERT_FALSE(killed);
            ASSERT_EQ(killed.error().code, Code::cancelled) << killed.error().text();
        }
    }
    /// The same message on each rank.
    Error refusal(int ranks, PtychographyOptions const& options, EachRank const& change = {}) {
        auto const results = on_ranks(ranks, truth_.patterns, options, change);
        for (auto const& result : results) {
            EXPECT_FALSE(result);
            if (result) return {};
            EXPECT_EQ(result.error().text(), results.front().error().text());
        }
        return results.front().error();
    }
};

void expect_same(PtychographyResult const& a, PtychographyResult const& b) {
    EXPECT_EQ(a.object.values, b.object.values);
    EXPECT_EQ(a.probe.values, b.probe.values);
    EXPECT_EQ(a.opr_weights.values, b.opr_weights.values);
    EXPECT_EQ(a.background.values, b.background.values);
    EXPECT_EQ(a.floor, b.floor);
    EXPECT_EQ(a.notes, b.notes);
    auto const same = [](auto const& p, auto const& q) { return p.row == q.row && p.col == q.col; };
    EXPECT_TRUE(std::ranges::equal(a.positions, b.positions, same));
    EXPECT_TRUE(std::ranges::equal(a.descan, b.descan, same));
    ASSERT_EQ(a.rounds.size(), b.rounds.size());
    for (std::size_t i = 0; i < a.rounds.size(); ++i) EXPECT_EQ(a.rounds[i].r, b.rounds[i].r);
}

struct Recipe {
    char const* name;
    S solver;
    index modes = 1;
    std::function<void(PtychographyStage&)> change = {};
    /// By Poisson's likelihood, which makes more of a rounding, and ranks have other orders of
    /// sums.
    bool in_double = false;
};

class EachRecipe : public RankCheckpoints, public testing::WithParamInterface<Recipe> {};

TEST_P(EachRecipe, GoesOnWithTheSameBitsAndOnOtherRanks) {
    auto options = options_of(GetParam().solver, GetParam().modes);
    if (GetParam().change) GetParam().change(options.stages.front());
    if (GetParam().in_double)
        options.device = Device::reference();
    else
        options.stages.front().likelihood = stem4d::Likelihood::amplitude;
    auto const one = run(1, options).front();
    for (int ranks : {1, 2, 4}) {
        auto whole = run(ranks, options);
        run_and_kill(ranks, options);
        for (int others : {1, 2, 4}) {
            auto rest = options;
            rest.resume = file_;
            auto const resumed = run(others, rest);
            for (auto const& other : resumed) expect_same(other, resumed.front());
            if (others == ranks) expect_same(resumed.front(), whole.front());
            EXPECT_LT(apart(resumed.front().object, one.object), 1e-5) << ranks << " " << others;
            EXPECT_LT(apart(resumed.front().probe, one.probe), 1e-5) << ranks << " " << others;
            ASSERT_EQ(resumed.front().rounds.size(), 6u);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(
    Recipes, EachRecipe,
    testing::Values(Recipe{"epie", S::epie, 2},
                    Recipe{"epie_and_tv", S::epie, 1, [](auto& stage) { stage.tv_weight = 0.005; }},
                    Recipe{"mpie", S::mpie}, Recipe{"dm", S::dm}, Recipe{"raar_modes", S::raar, 2},
                    Recipe{"lsqml", S::lsqml, 1, [](auto& s) { s.refine_positions = true; }},
                    Recipe{"adam", S::adam}, Recipe{"mlcg", S::mlcg},
                    Recipe{"opr", S::lsqml, 1,
                           [](auto& s) {
                               s.opr_modes = 2;
                               s.opr_intensity = true;
                           }},
                    Recipe{"detector", S::lsqml, 1,
                           [](auto& s) { s.refine_descan = s.refine_background = true; }},
                    Recipe{"lsqml_poisson", S::lsqml, 1, [](auto& s) { s.refine_positions = true; },
                           true},
                    Recipe{"mlcg_poisson", S::mlcg, 1, {}, true},
                    Recipe{"opr_poisson", S::lsqml, 1,
                           [](auto& s) {
                               s.opr_modes = 2;
                               s.opr_intensity = true;
                           },
                           true}),
    [](auto const& info) { return info.param.name; });

// By the clock, each rank would decide for itself.
TEST_F(RankCheckpoints, TheFirstRankDecidesWhenItIsTime) {
    auto options = options_of(S::raar);
    auto const whole = run(3, options);
    options.checkpoint = file_;
    auto const kept = run(3, options, [](int rank, PtychographyOptions& mine) {
        mine.checkpoint_every = rank == 0 ? 2 : 1;
    });
    expect_same(kept.front(), whole.front());
    EXPECT_TRUE(std::filesystem::exists(file_));
}

// As it is with machines that have their own disks.
TEST_F(RankCheckpoints, AreFilesOfTheFirstRank) {
    auto options = options_of(S::dm, 2);
    auto const elsewhere = [](int rank, PtychographyOptions& mine) {
        if (rank > 0 && !mine.checkpoint.empty()) mine.checkpoint = "/nowhere/mine.h5";
        if (rank > 0 && !mine.resume.empty()) mine.resume = "/nowhere/mine.h5";
    };
    auto const whole = run(2, options);
    run_and_kill(2, options, elsewhere);
    options.resume = file_;
    expect_same(run(2, options, elsewhere).front(), whole.front());
}

TEST_F(RankCheckpoints, AllEndWhereTheFirstCannotWrite) {
    for (S solver : {S::epie, S::dm}) {
        auto options = options_of(solver);
        options.checkpoint = "/nowhere/checkpoint.h5";
        EXPECT_EQ(refusal(3, options).file, options.checkpoint);
    }
}

TEST_F(RankCheckpoints, AllRefuseWhatDoesNotFit) {
    auto options = options_of(S::raar, 2);
    run_and_kill(2, options);
    options.resume = file_;
    auto other = options;
    other.modes = 1;
    EXPECT_NE(refusal(3, other).message.find("modes = 2 and not 1"), std::string::npos);
    other = options;
    other.stages.front().iterations = 2;
    EXPECT_NE(refusal(3, other).message.find("has done 3 iterations"), std::string::npos);
    // Of a count that the last rank has.
    std::get<std::vector<float>>(truth_.patterns.counts).back() += 1;
    EXPECT_NE(refusal(3, options).message.find("other patterns"), std::string::npos);
    std::filesystem::remove(file_);
    EXPECT_EQ(refusal(3, options).code, Code::not_found);
}

TEST_F(RankCheckpoints, AllRefuseADamagedFile) {
    auto options = options_of(S::dm);
    options.stages.front().iterations = 2;
    options.checkpoint = file_;
    run(2, options);
    std::ifstream in(file_, std::ios::binary);
    std::string const good((std::istreambuf_iterator<char>(in)), {});
    options.checkpoint.clear();
    options.resume = file_;
    int refused = 0, tried = 0;
    for (std::size_t at = 11; at < good.size(); at += good.size() / 97, ++tried) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x41);
        std::ofstream(file_, std::ios::binary) << bad;
        auto const found = on_ranks(3, truth_.patterns, options);
        for (auto const& result : found) {
            EXPECT_EQ(result.has_value(), found.front().has_value());
            if (!result && !found.front()) {
                EXPECT_EQ(result.error().text(), found.front().error().text());
            }
        }
        refused += !found.front();
    }
    EXPECT_GT(refused, tried * 2 / 3);
    for (std::size_t size :
         {std::size_t{0}, std::size_t{100}, good.size() / 2, good.size() - 4096}) {
        std::ofstream(file_, std::ios::binary) << good.substr(0, size);
        EXPECT_FALSE(refusal(3, options).message.empty()) << size;
    }
}

}  // namespace
}  // namespace sluice::ptycho
