// What the detector adds is found: shifts of patterns, a background, bins, blur; and near fields.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Position;
using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;

PtychographyOptions usual(index iterations, Truth const& truth) {
    PtychographyStage stage;
    stage.iterations = iterations;
    stage.group = 10;
    PtychographyOptions options;
    options.stages = {stage};
    options.probe = truth.probe_as_given();
    return options;
}

TEST(Detector, ARampOfDescanIsFound) {
    Simulation const simulation{.places = 7, .step = 5, .descan = {0, -0.8, 0.8, 0}};
    Truth const truth = simulate(simulation);
    auto options = usual(60, truth);
    // A turn of the shifts: a ramp that points outwards is a curvature of probe and object, too.
    options.stages[0].fix_probe = true;
    auto const without = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].refine_descan = true;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.2 * without.rounds.back().r);
    std::vector<Position> right;
    for (auto const& p : truth.positions) {
        double const y = p.row / 17.5 - 1, x = p.col / 17.5 - 1;
        right.push_back({-0.8 * x, 0.8 * y});
    }
    EXPECT_GT(apart(std::vector<Position>(right.size()), right), 0.35);
    EXPECT_LT(apart(found.descan, right), 0.05);
}

TEST(Detector, ABackgroundIsFound) {
    // 1e6 counts in a pattern, and a background of 200 in a pixel of its middle.
    Simulation const simulation{.places = 7, .step = 5, .background = 200};
    Truth const truth = simulate(simulation);
    auto const right = background_of(simulation);
    auto options = usual(80, truth);
    auto const without = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].refine_background = true;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.5 * without.rounds.back().r);
    double error = 0, all = 0;
    for (std::size_t q = 0; q < right.size(); ++q) {
        error += std::abs(static_cast<double>(found.background.values[q]) - right[q]);
        all += right[q];
    }
    EXPECT_LT(error, 0.15 * all);
}

TEST(Detector, BinsHoldAWindowTwiceAsWide) {
    Simulation const simulation{.side = 24, .places = 7, .step = 5, .bin = 2};
    Truth const truth = simulate(simulation);
    auto options = usual(60, truth);
    options.detector_bin = 2;
    auto const grid = stem4d::ptychography_grid(truth.patterns, options).value();
    EXPECT_EQ(grid.window, 48);
    EXPECT_EQ(grid.position_scale, 1);
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(found.probe.shape[1], 48);
    EXPECT_LT(found.rounds.back().r, 0.02);
    EXPECT_LT(phase_error(found, truth), 0.05);
    // From the patterns alone.
    options.probe.clear();
    EXPECT_EQ(stem4d::ptychography(truth.patterns, options).value().probe.shape[1], 48);
}

// The outer frequencies are cut off, and the larger window asks for none of them.
TEST(Detector, AWindowBeyondTheDetectorHasFinerPixels) {
    Truth const truth = simulate(48, 6, 7, 1e6, false);
    stem4d::Patterns cut;
    cut.size = 32;
    cut.pixel_nm = 0.3;
    for (auto const& p : truth.patterns.positions)
        cut.positions.push_back({p.row * 32 / 48, p.col * 32 / 48});
    std::vector<float> counts;
    auto const& all = std::get<std::vector<float>>(truth.patterns.counts);
    for (index j = 0; j < cut.count(); ++j)
        for (index r = 0; r < 32; ++r)
            for (index c = 0; c < 32; ++c) {
                index const y = r < 16 ? r : r + 16, x = c < 16 ? c : c + 16;
                counts.push_back(all[static_cast<std::size_t>((j * 48 + y) * 48 + x)]);
            }
    cut.counts = counts;
    auto options = usual(60, truth);
    options.window = 48;
    auto const grid = stem4d::ptychography_grid(cut, options).value();
    EXPECT_DOUBLE_EQ(grid.position_scale, 1.5);
    EXPECT_DOUBLE_EQ(grid.pixel_nm, 0.2);
    auto const found = stem4d::ptychography(cut, options).value();
    EXPECT_DOUBLE_EQ(found.pixel_nm, 0.2);
    EXPECT_LT(found.rounds.back().r, 0.02);
    EXPECT_LT(phase_error(found, truth), 0.1);
    EXPECT_GT(stem4d::ptychography_memory(cut, options).value(),
              2 * stem4d::ptychography_memory(cut, usual(60, truth)).value() - 100000);
}

TEST(Detector, ABlurIsUndone) {
    Truth truth = simulate(32, 7, 5, 1e6, false);
    // A box of three pixels, which has the variance 2/3.
    auto& counts = std::get<std::vector<float>>(truth.patterns.counts);
    auto const sharp = counts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::size_t const pattern = i / 1024 * 1024, r = i / 32 % 32, c = i % 32;
        float sum = 0;
        for (std::size_t dr : {31U, 0U, 1U})
            for (std::size_t dc : {31U, 0U, 1U})
                sum += sharp[pattern + (r + dr) % 32 * 32 + (c + dc) % 32];
        counts[i] = sum / 9;
    }
    auto options = usual(60, truth);
    options.stages[0].fix_probe = true;
    auto const without = stem4d::ptychography(truth.patterns, options).value();
    options.detector_blur = std::sqrt(2.0 / 3);
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.3 * without.rounds.back().r);
    EXPECT_LT(phase_error(found, truth), 0.5 * phase_error(without, truth));
}

TEST(Detector, ANearFieldIsReconstructed) {
    Simulation const simulation{
        .side = 48, .places = 7, .step = 5, .wavelength_nm = 0.1, .pixel_nm = 50, .near_nm = 4e5};
    Truth const truth = simulate(simulation);
    auto options = usual(80, truth);
    options.propagation = stem4d::Propagation::near;
    options.distance_mm = 0.4;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(found.rounds.back().r, 0.02);
    EXPECT_LT(phase_error(found, truth), 0.1);
    options.distance_mm = 2;
    auto const wrong = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(wrong.rounds.back().r, 2 * found.rounds.back().r);
}

TEST(Detector, WhatMakesNoSenseIsRefused) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto const refused = [&](auto const& change, std::string const& word) {
        auto options = usual(2, truth);
        options.probe.clear();
        change(options, options.stages[0]);
        auto const result = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(result.has_value()) << word;
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    };
    refused([](auto& o, auto&) { o.detector_bin = 0; }, "detector_bin");
    refused([](auto& o, auto&) { o.detector_blur = -1; }, "blur");
    refused([](auto& o, auto&) { o.window = 30; }, "window has 30");
    refused([](auto& o, auto&) { o.window = 41; }, "even");
    refused([](auto& o, auto&) { o.propagation = stem4d::Propagation::near; }, "near field needs");
    refused([](auto& o, auto&) { o.distance_mm = 3; }, "belongs to the near field");
    refused([](auto& o, auto&) { o.tilt_row_mrad = 3; }, "tilt needs several slices");
    refused([](auto&, auto& s) { s.refine_tilt = true; }, "one slice");
    refused(
        [](auto& o, auto& s) {
            s.solver = PtychographyStage::Solver::dm;
            o.detector_bin = 2;
        },
        "projections take patterns as they are");
}

}  // namespace
}  // namespace sluice::ptycho
