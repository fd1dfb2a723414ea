// Tests of the ways to fit disks, against simulations and their Cramer-Rao bounds.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/crystal/test_scene.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskMode;

Judge judge_of(Scene const& scene, DiskMode mode, int patterns, double fit_radius) {
    auto setup = scene.setup();
    setup.options.mode = mode;
    Judge judge({3, 7, 15});
    for (int n = 0; n < patterns; ++n) {
        auto const truth = scene.pattern(static_cast<unsigned>(n));
        auto const drawn = Scene::draw(truth, 77U + static_cast<unsigned>(n));
        auto const found = stem4d::find_disks(drawn, {}, setup);
        EXPECT_TRUE(found);
        judge.add(scene, truth, *found, fit_radius);
    }
    return judge;
}

void expect_below(Judge const& judge, double strong, double weak) {
    EXPECT_GT(judge.score(2).disks, 20);
    EXPECT_LT(judge.score(2).over_bound, strong);
    EXPECT_LT(judge.score(1).over_bound, weak);
    EXPECT_LE(judge.extra(), 2);
}

TEST(DiskModes, TouchingDisksAreFittedBesideEachOther) {
    for (double const counts : {2e5, 2e4}) {
        SCOPED_TRACE(counts);
        Scene const tight(
            {.side = 128, .radius = 8, .pitch = 17.5, .most = 41, .counts = counts, .seed = 2});
        Judge const judge = judge_of(tight, DiskMode::touching, 30, 11.9);
        expect_below(judge, 1.06, 1.25);
        EXPECT_NEAR(judge.score(2).chi2, 1, 0.15);
        EXPECT_GT(judge_of(tight, DiskMode::isolated, 10, 11.9).score(2).over_bound, 1.3);
    }
    expect_below(judge_of(Scene({.counts = 2e5}), DiskMode::touching, 20, 11.9), 1.05, 1.2);
}

// An even template is drawn to the bright side of a fringe.
TEST(DiskModes, FringesAreLeftOutByTheEdge) {
    Scene const fringes({.counts = 2e5, .fringes = true});
    expect_below(judge_of(fringes, DiskMode::fringes, 20, 11.9), 1.9, 1.6);
    EXPECT_GT(judge_of(fringes, DiskMode::isolated, 20, 11.9).score(2).over_bound, 2.8);
    // What it costs where disks are even.
    expect_below(judge_of(Scene({.counts = 2e5}), DiskMode::fringes, 20, 11.9), 1.25, 1.5);
}

TEST(DiskModes, SpotsAreSmallDisks) {
    for (double const counts : {2e5, 2e3})
        for (auto const& [radius, width] : {std::array{2.0, 1.0}, {1.5, 0.8}, {1.0, 1.0}}) {
            SCOPED_TRACE(radius);
            Scene const spots({.side = 128,
                               .radius = radius,
                               .edge_width = width,
                               .pitch = 12,
                               .most = 60,
                               .counts = counts,
                               .seed = 4});
            Judge const judge = judge_of(spots, DiskMode::isolated, 30, radius + 3.9);
            expect_below(judge, 1.2, 1.2);
        }
}

}  // namespace
}  // namespace sluice::crystal
