// Tests of checkpoints: the bits of a reconstruction that was stopped, and files that do not fit.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "domain/ptychography/test_simulate.h"
#include "sluice/optics.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyStage;
using S = PtychographyStage::Solver;

class Checkpoints : public testing::Test {
  protected:
    std::string file_ = {};
    Truth truth_ = simulate(32, 5, 5, 1e5, true);

    void SetUp() override {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::ranges::replace(name, '/', '_');
        file_ = testing::TempDir() + "sluice_checkpoint_" + name + ".h5";
        std::filesystem::remove(file_);
    }
    void TearDown() override { std::filesystem::remove(file_); }

    Result<stem4d::PtychographyResult> run(stem4d::PtychographyOptions options) const {
        options.device = Device::cpu(2);
        return stem4d::ptychography(truth_.patterns, options);
    }
    /// Stops for good when `patterns` patterns were used.
    void run_and_kill(stem4d::PtychographyOptions options, std::uint64_t patterns) const {
        options.checkpoint = file_;
        options.progress = [patterns](std::uint64_t done, std::uint64_t) {
            return done < patterns;
        };
        auto const killed = run(options);
        ASSERT_FALSE(killed);
        ASSERT_EQ(killed.error().code, Code::cancelled);
    }
    Error refusal(stem4d::PtychographyOptions options) const {
        options.resume = file_;
        auto const found = run(options);
        EXPECT_FALSE(found);
        return found ? Error{} : found.error();
    }
};

stem4d::PtychographyOptions options_of(S solver, index iterations) {
    PtychographyStage stage{.solver = solver, .iterations = iterations, .group = 5};
    stage.momentum_chance = 0.3;
    stage.refine_positions = solver == S::lsqml;
    stage.tv_weight = solver == S::epie ? 0.005 : 0;
    return {.stages = {stage}, .modes = 2, .seed = 5, .checkpoint_every = 1};
}

void expect_same(stem4d::PtychographyResult const& a, stem4d::PtychographyResult const& b) {
    EXPECT_EQ(a.object.values, b.object.values);
    EXPECT_EQ(a.probe.values, b.probe.values);
    EXPECT_EQ(a.mode_powers, b.mode_powers);
    EXPECT_EQ(a.floor, b.floor);
    EXPECT_EQ(a.notes, b.notes);
    ASSERT_EQ(a.positions.size(), b.positions.size());
    for (std::size_t j = 0; j < a.positions.size(); ++j) {
        EXPECT_EQ(a.positions[j].row, b.positions[j].row);
        EXPECT_EQ(a.positions[j].col, b.positions[j].col);
    }
    ASSERT_EQ(a.rounds.size(), b.rounds.size());
    for (std::size_t i = 0; i < a.rounds.size(); ++i) EXPECT_EQ(a.rounds[i].r, b.rounds[i].r);
}

class EachSolver : public Checkpoints, public testing::WithParamInterface<S> {};

TEST_P(EachSolver, GoesOnWithTheSameBits) {
    auto options = options_of(GetParam(), 6);
    auto const whole = run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    // Stopped within the fourth iteration: the checkpoint has three.
    run_and_kill(options, 3 * 25 + 10);
    options.resume = file_;
    auto const resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
}
INSTANTIATE_TEST_SUITE_P(Solvers, EachSolver,
                         testing::Values(S::epie, S::mpie, S::dm, S::lsqml, S::adam, S::mlcg));

// It sets in after some iterations.
TEST_F(Checkpoints, TheMomentumOfModesGoesOnToo) {
    auto options = options_of(S::lsqml, 11);
    auto const whole = run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    run_and_kill(options, 8 * 25 + 10);
    options.resume = file_;
    auto const resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
}

TEST_F(Checkpoints, WhatIsRefinedGoesOnToo) {
    auto options = options_of(S::lsqml, 6);
    auto& stage = options.stages.front();
    stage.refine_positions = stage.refine_descan = stage.refine_background = true;
    auto const whole = run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    run_and_kill(options, 3 * 25 + 10);
    options.resume = file_;
    auto const resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
    EXPECT_EQ(whole->background.values, resumed->background.values);
    ASSERT_EQ(whole->descan.size(), 25u);
    for (std::size_t j = 0; j < 25; ++j) EXPECT_EQ(whole->descan[j].row, resumed->descan[j].row);
    stage.refine_descan = stage.refine_background = false;
    stage.position_model = stem4d::PtychographyStage::PositionModel::affine;
    options.resume.clear();
    auto const map = run(options);
    ASSERT_TRUE(map) << map.error().text();
    run_and_kill(options, 3 * 25 + 10);
    options.resume = file_;
    auto const again = run(options);
    ASSERT_TRUE(again) << again.error().text();
    expect_same(*map, *again);
}

TEST_F(Checkpoints, StagesFollowAndGrow) {
    auto options = options_of(S::dm, 3);
    options.stages.push_back(options_of(S::adam, 4).stages.front());
    options.stages.push_back(options_of(S::lsqml, 2).stages.front());
    auto const whole = run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    run_and_kill(options, 5 * 25 + 10);
    options.resume = options.checkpoint = file_;
    auto resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
    // What is finished goes on, when it is told so.
    options.stages.back().iterations = 5;
    resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    options.resume.clear();
    options.checkpoint.clear();
    auto const longer = run(options);
    ASSERT_TRUE(longer);
    expect_same(*longer, *resumed);
}

TEST_F(Checkpoints, InDoubleToo) {
    auto options = options_of(S::adam, 3);
    auto const double_run = [&](stem4d::PtychographyOptions o) {
        o.device = Device::reference();
        return stem4d::ptychography(truth_.patterns, o);
    };
    auto const whole = double_run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    auto first = options;
    first.checkpoint = file_;
    first.stages.front().iterations = 2;
    ASSERT_TRUE(double_run(first));
    options.resume = file_;
    auto const resumed = double_run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
    // In floats it goes on as well.
    auto const floats = run(options);
    ASSERT_TRUE(floats) << floats.error().text();
    EXPECT_NEAR(floats->rounds.back().r, whole->rounds.back().r, 1e-4);
}

TEST_F(Checkpoints, WhatDoesNotFitIsRefused) {
    auto options = options_of(S::mpie, 4);
    run_and_kill(options, 2 * 25 + 5);
    auto other = options;
    other.modes = 3;
    EXPECT_NE(refusal(other).message.find("was made with modes = 2 and not 3"), std::string::npos)
        << refusal(other).text();
    other = options;
    other.stages.front().momentum = 0.5;
    EXPECT_NE(refusal(other).message.find("stage 1 momentum"), std::string::npos);
    other = options;
    other.stages.front().iterations = 1;
    EXPECT_NE(refusal(other).message.find("has done 2 iterations"), std::string::npos);
    truth_.patterns.positions[3].row += 0.25;
    EXPECT_NE(refusal(options).message.find("other positions"), std::string::npos);
    truth_.patterns.positions[3].row -= 0.25;
    std::get<std::vector<float>>(truth_.patterns.counts)[77] += 1;
    EXPECT_NE(refusal(options).message.find("other patterns"), std::string::npos);
    std::filesystem::remove(file_);
    EXPECT_EQ(refusal(options).code, Code::not_found);
    std::ofstream(file_) << "no HDF5";
    EXPECT_FALSE(refusal(options).message.empty());
}

// What only decides how it begins decides about what is done, too: another defocus is another run.
TEST_F(Checkpoints, AnotherBeginningIsRefused) {
    truth_.patterns.wavelength_nm = 0.002;
    truth_.patterns.pixel_nm = 0.02;
    auto const probe = [](double defocus_nm) {
        auto wave =
            optics::probe_of({.semiangle_mrad = 20, .defocus_nm = defocus_nm}, 32, 0.02, 0.002)
                .value();
        for (auto& z : wave) z *= 316;
        return wave;
    };
    auto options = options_of(S::lsqml, 4);
    options.probe = probe(10);
    auto const whole = run(options);
    ASSERT_TRUE(whole) << whole.error().text();
    run_and_kill(options, 2 * 25 + 5);
    auto const refused = [&](auto const& change, std::string const& word) {
        auto other = options;
        change(other);
        EXPECT_NE(refusal(other).message.find(word), std::string::npos) << refusal(other).text();
    };
    refused([&](auto& o) { o.probe = probe(10.02); },
            "began with another probe (it comes from semi");
    refused([](auto& o) { o.probe.clear(); }, "began with another probe");
    refused(
        [&](auto& o) { o.object.assign(whole->object.values.begin(), whole->object.values.end()); },
        "began with another object");
    refused([&](auto& o) { o.positions = whole->positions; }, "began with other positions");
    truth_.patterns.wavelength_nm = 0.0021;
    refused([](auto&) {}, "began with another wavelength_nm");
    truth_.patterns.wavelength_nm = 0.002;
    truth_.patterns.pixel_nm = 0.03;
    refused([](auto&) {}, "began with another pixel_nm");
    truth_.patterns.pixel_nm = 0.02;
    // Another machine rounds in another way.
    options.probe[5] *= 1 + 1e-7F;
    options.resume = file_;
    auto const resumed = run(options);
    ASSERT_TRUE(resumed) << resumed.error().text();
    expect_same(*whole, *resumed);
}

// A byte that changed anywhere is found, or changes nothing.
TEST_F(Checkpoints, DamageIsFound) {
    auto options = options_of(S::lsqml, 2);
    options.checkpoint = file_;
    auto const whole = run(options);
    ASSERT_TRUE(whole);
    std::ifstream in(file_, std::ios::binary);
    std::string const good((std::istreambuf_iterator<char>(in)), {});
    options.checkpoint.clear();
    options.resume = file_;
    int refused = 0, tried = 0;
    for (std::size_t at = 11; at < good.size(); at += good.size() / 97, ++tried) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x41);
        std::ofstream(file_, std::ios::binary) << bad;
        auto const found = run(options);
        if (found) {
            EXPECT_EQ(found->object.values, whole->object.values) << at;
            EXPECT_EQ(found->probe.values, whole->probe.values) << at;
        } else {
            ++refused;
            EXPECT_EQ(found.error().file, file_) << found.error().text();
        }
    }
    EXPECT_GT(refused, tried * 2 / 3);  // the others hit what holds no array
    for (std::size_t size :
         {std::size_t{0}, std::size_t{100}, good.size() / 2, good.size() - 4096}) {
        std::ofstream(file_, std::ios::binary) << good.substr(0, size);
        EXPECT_FALSE(run(options)) << size;
    }
}

TEST_F(Checkpoints, AMissingFolderIsAnError) {
    auto options = options_of(S::epie, 2);
    options.checkpoint = "/nowhere/checkpoint.h5";
    auto const found = run(options);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().file, options.checkpoint);
}

}  // namespace
}  // namespace sluice::ptycho
