// Tests of how near disks are to the truth: over the Cramer-Rao bound, and without noise.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/test_scene.h"

namespace sluice::crystal {
namespace {

constexpr double fit_radius = 11.9;

// Some patterns of a scene, found and judged.
Judge judged(Scene const& scene, stem4d::DiskSetup const& setup, unsigned patterns) {
    Judge judge({3, 7, 15});
    for (unsigned i = 0; i < patterns; ++i) {
        auto const truth = scene.pattern(i);
        auto const found = stem4d::find_disks(Scene::draw(truth, i), {}, setup);
        EXPECT_TRUE(found);
        if (found) judge.add(scene, truth, *found, fit_radius);
    }
    return judge;
}

// Of n disks, an rms of two components each is known to 1 / (2 sqrt n).
void expect_at_most(Score const& s, double limit) {
    double const own_error = 0.5 / std::sqrt(static_cast<double>(s.disks));
    EXPECT_LT(s.over_bound, limit + 2 * own_error) << "of " << s.disks << " disks";
}

TEST(DiskAccuracy, ReachesTheBoundAtEveryDose) {
    for (double const counts : {2e5, 2e4, 2e3}) {
        SCOPED_TRACE(counts);
        Scene const scene({.counts = counts});
        Judge const judge = judged(scene, scene.setup(), 24);
        expect_at_most(judge.score(2), 1.05);
        expect_at_most(judge.score(1), 1.2);
        EXPECT_LE(judge.extra(), 2);
        for (std::size_t const k : {std::size_t{1}, std::size_t{2}}) {
            double const own_error = std::sqrt(1 / static_cast<double>(judge.score(k).disks));
            EXPECT_NEAR(judge.score(k).chi2, 1, 0.12 + 2 * own_error);
        }
    }
}

TEST(DiskAccuracy, SmallAndSoftDisksReachItToo) {
    for (auto const& [radius, width] : {std::array{7.0, 1.5}, {4.0, 1.0}}) {
        SCOPED_TRACE(radius);
        Scene const scene({.side = 128,
                           .radius = radius,
                           .edge_width = width,
                           .pitch = 3 * radius,
                           .most = 44,
                           .counts = 3e4,
                           .seed = 3});
        Judge const judge = judged(scene, scene.setup(), 24);
        expect_at_most(judge.score(2), 1.05);
        expect_at_most(judge.score(1), 1.2);
    }
}

TEST(DiskAccuracy, APlaneIsNearlyAsGoodAsTheShape) {
    Scene const scene({.counts = 2e4});
    auto setup = scene.setup();
    setup.background = {};
    Judge const judge = judged(scene, setup, 24);
    expect_at_most(judge.score(2), 1.08);
    expect_at_most(judge.score(1), 1.25);
}

double median_without_noise(bool plane) {
    Scene const scene({.counts = 1e6});
    auto setup = scene.setup();
    if (plane) setup.background = {};
    auto const truth = scene.pattern(0);
    auto const found = stem4d::find_disks(truth.mean, {}, setup);
    EXPECT_TRUE(found);
    std::vector<double> errors;
    for (TrueDisk const& t : truth.disks) {
        double least = 99;
        for (std::size_t k = 0; k < found->row.size(); ++k)
            least = std::min(least, std::hypot(static_cast<double>(found->row[k]) - t.row,
                                               static_cast<double>(found->col[k]) - t.col));
        errors.push_back(least);
    }
    std::ranges::sort(errors);
    return errors[errors.size() / 2];
}

TEST(DiskAccuracy, WithoutNoiseTheErrorIsThatOfTheTables) {
    EXPECT_LT(median_without_noise(false), 0.0005);
    EXPECT_LT(median_without_noise(true), 0.001);
}

}  // namespace
}  // namespace sluice::crystal
