// Positions that were wrong are found again: each on its own, by a search, and all by an affine
// map; and right positions are left alone.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "domain/ptychography/refine/affine.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Position;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using stem4d::PtychographyStage;

PtychographyOptions refining(index iterations, Truth const& truth) {
    PtychographyStage stage;
    stage.iterations = iterations;
    stage.group = 13;
    stage.refine_positions = true;
    PtychographyOptions options;
    options.stages = {stage};
    options.probe = truth.probe_as_given();
    return options;
}

bool says(PtychographyResult const& result, std::string const& words) {
    for (auto const& note : result.notes)
        if (note.find(words) != std::string::npos) return true;
    return false;
}

TEST(Positions, NormalDeviatesOfAPixelAreFound) {
    Truth const truth = simulate(Simulation{.places = 8, .step = 4, .counts = 1e7, .jitter = 1});
    EXPECT_GT(apart(truth.patterns.positions, truth.positions), 1.2);
    auto const found = stem4d::ptychography(truth.patterns, refining(60, truth)).value();
    EXPECT_LT(apart(found.positions, truth.positions), 0.1);
    EXPECT_LT(found.rounds.back().r, 0.01);
    EXPECT_TRUE(says(found, "positions moved by 1."));
}

TEST(Positions, NoiseLeavesLessThanAThirdOfAPixel) {
    Truth const truth =
        simulate(Simulation{.places = 8, .step = 4, .counts = 1e4, .noise = true, .jitter = 1});
    auto const found = stem4d::ptychography(truth.patterns, refining(30, truth)).value();
    EXPECT_LT(apart(found.positions, truth.positions), 0.3);
}

TEST(Positions, ASearchFindsWholePixels) {
    Truth truth = simulate(Simulation{.places = 7, .step = 5, .counts = 1e7});
    std::vector<Position> const right = truth.patterns.positions;
    truth.patterns.positions[17].row += 3;
    truth.patterns.positions[31].col -= 2;
    auto options = refining(40, truth);
    options.sub_pixel = false;
    options.stages[0].position_search = 6;
    options.stages[0].position_search_radius = 4;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    for (std::size_t j : {17U, 31U}) {
        EXPECT_NEAR(found.positions[j].row - found.shift.row, right[j].row, 0.5);
        EXPECT_NEAR(found.positions[j].col - found.shift.col, right[j].col, 0.5);
    }
    EXPECT_LT(found.rounds.back().r, 0.02);
}

TEST(Positions, AnAffineMapIsFound) {
    double const angle = std::numbers::pi / 180;
    double const c = 1.02 * std::cos(angle), s = 1.02 * std::sin(angle);
    Truth const truth =
        simulate(Simulation{.places = 9, .step = 5, .counts = 1e7, .affine = {c, -s, s, c}});
    EXPECT_GT(apart(truth.patterns.positions, truth.positions), 0.45);
    auto options = refining(60, truth);
    options.stages[0].group = 20;
    options.stages[0].fix_probe = true;
    options.stages[0].position_model = PtychographyStage::PositionModel::affine;
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(apart(found.positions, truth.positions), 0.1);
    EXPECT_TRUE(says(found, "scales 1.01") || says(found, "scales 1.02"));
    EXPECT_TRUE(says(found, "rotation 0.9") || says(found, "rotation 1.0"));
    // All of it is one map.
    EXPECT_TRUE(says(found, "and 0.000 pixels (root mean square) that no affine map explains"));
}

// Half of the positions by more than two pixels: the raster's step is wrong, not its places.
TEST(Positions, TheyArePutBackWhenTheyMoveFar) {
    Truth truth = simulate(Simulation{.places = 7, .step = 5, .counts = 1e6});
    auto given = truth.patterns.positions;
    for (auto& p : truth.patterns.positions) p = {0.75 * p.row, 0.75 * p.col};
    auto options = refining(80, truth);
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_TRUE(says(found, "all were put back"));
    EXPECT_LT(apart(found.positions, truth.patterns.positions), 1e-9);
}

TEST(Positions, WhatCannotBeRefinedIsRefused) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto const refused = [&](auto const& change, std::string const& word) {
        auto options = refining(2, truth);
        change(options, options.stages[0]);
        auto const result = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(result.has_value()) << word;
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    };
    refused([](auto&, auto& s) { s.position_search = 9; }, "0 to 8");
    refused([](auto&, auto& s) { s.position_search_radius = 0; }, "position_search_radius");
    refused([](auto& o, auto&) { o.sub_pixel = false; }, "no gradient");
    refused(
        [](auto&, auto& s) {
            s.refine_positions = false;
            s.position_search = 2;
        },
        "refine_positions");
    refused(
        [](auto&, auto& s) {
            s.position_model = PtychographyStage::PositionModel::affine;
            s.position_search = 2;
        },
        "position_model each");
}

TEST(Affine, TheBestMapIsThatOfAKnownOne) {
    std::vector<Position> const places = {{0, 0}, {10, 3}, {4, 12}, {15, 15}, {7, 1}};
    std::vector<Quadratic> wanted;
    for (auto const& p : places) {
        double const row = 0.02 * p.row - 0.01 * p.col + 3, col = 0.005 * p.row + 0.04 * p.col - 1;
        // About the displacement: curvature (2, 0.5; 0.5, 1).
        wanted.push_back({{-2 * row - 0.5 * col, -0.5 * row - col}, {2, 0.5, 1}});
    }
    AffineMap const map = best_affine(places, wanted);
    EXPECT_NEAR(map.matrix[0], 0.02, 1e-8);
    EXPECT_NEAR(map.matrix[1], -0.01, 1e-8);
    EXPECT_NEAR(map.matrix[2], 0.005, 1e-8);
    EXPECT_NEAR(map.matrix[3], 0.04, 1e-8);
    // On a line nothing is known across it, and nothing is made up.
    std::vector<Position> const line = {{0, 0}, {1, 1}, {2, 2}};
    std::vector<Quadratic> const pull(3, {{-1, -1}, {1, 0, 1}});
    for (double m : best_affine(line, pull).matrix) EXPECT_NEAR(m, 0, 1e-6);
}

}  // namespace
}  // namespace sluice::ptycho
