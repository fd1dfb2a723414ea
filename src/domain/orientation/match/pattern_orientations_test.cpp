// What competes for single patterns: the map's answers, what they predict, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/match/nearest_zone.h"
#include "domain/orientation/match/test_crystals.h"
#include "sluice/match_orientations.h"

namespace sluice::orient::test {
namespace {

using stem4d::OrientationLibrary;
using stem4d::OrientationMatcher;
using stem4d::OrientationReason;
using stem4d::PatternOrientations;

// Three patterns of one crystal, one of nonsense, one of few disks, one of none, in two rows.
struct SixPatterns {
    TrueCrystal crystal = gold();
    std::vector<Matrix> truth;
    stem4d::BraggVectors vectors;
    stem4d::Calibration calibration;
    OrientationLibrary library;

    explicit SixPatterns(Beam const& beam = {}) : library(library_of()) {
        Patterns patterns(beam, 3, 11);
        truth = {bunge(10, 20, 30), bunge(200, 35, 5), bunge(77, 50, 40)};
        for (Matrix const& one : truth) patterns.add({{&crystal, one}});
        patterns.add_nonsense(20);
        patterns.add_few({&crystal, truth[0]}, 2);
        patterns.add_nonsense(0);
        vectors = patterns.vectors();
        calibration = patterns.calibration();
    }
    OrientationLibrary library_of() const {
        auto const cell = crystal.cell();
        return OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300, .zone_step = 2})
            .value();
    }
    stem4d::CalibratedVectors calibrated() const {
        return stem4d::apply_calibration(vectors, calibration).value();
    }
};

TEST(PatternOrientations, TheFirstIsTheMapsAndTheOthersAreBehind) {
    SixPatterns const six;
    for (index const grains : {1, 2}) {
        stem4d::MatchOptions const options{.grains = grains};
        auto const map = stem4d::orientation(six.calibrated(), six.library, options).value();
        auto const matcher = OrientationMatcher::begin(six.calibrated(), six.library, options);
        ASSERT_TRUE(matcher);
        for (std::size_t p = 0; p < 6; ++p) {
            index const row = static_cast<index>(p) / 3, col = static_cast<index>(p) % 3;
            PatternOrientations const found = matcher->of(row, col).value();
            EXPECT_EQ(found.reason, map.reason[p]);
            EXPECT_EQ(found.disks, map.disks[p]);
            ASSERT_EQ(found.candidates.empty(), map.phase[p] < 0) << p;
            EXPECT_EQ(std::isnan(found.probability), map.phase[p] < 0);
            if (found.candidates.empty()) continue;
            auto const& first = found.candidates.front();
            EXPECT_EQ(found.probability, map.probability[p]);
            EXPECT_EQ(first.orientation.w, map.orientation[p].w);
            EXPECT_EQ(first.orientation.z, map.orientation[p].z);
            if (!std::isnan(map.covariance[p][0])) {
                EXPECT_EQ(first.covariance, map.covariance[p]);
            }
            EXPECT_EQ(first.score, map.score[p]);
            EXPECT_EQ(first.residual, map.residual[p]);
            EXPECT_EQ(first.explained, map.explained[p]);
            if (found.candidates.size() > 1) {
                EXPECT_EQ(found.candidates[1].score, map.second_score[p]);
            }
            for (std::size_t i = 0; i < found.candidates.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    auto const &a = found.candidates[j], &b = found.candidates[i];
                    EXPECT_GE(a.log_odds, b.log_odds);
                    EXPECT_GT(stem4d::disorientation(a.orientation, b.orientation,
                                                     six.library.phases()[0].symmetry),
                              2.99);
                }
        }
        EXPECT_EQ(matcher->of(0, 0)->reason, OrientationReason::indexed);
        EXPECT_EQ(matcher->of(1, 1)->reason, OrientationReason::too_few);
        EXPECT_EQ(matcher->of(1, 2)->reason, OrientationReason::no_disks);
    }
    auto const one = orientation_of_pattern(six.calibrated(), 0, 1, six.library).value();
    EXPECT_LT(degrees_off(euler_of(one.candidates[0].orientation), six.truth[1], six.crystal), 1);
}

// Disks as the detector has them: turned, exchanged, with descan and an ellipse.
TEST(PatternOrientations, PredictionsLieUnderTheDisksOfTheDetector) {
    SixPatterns six(
        {.most_frequency = 1.4, .place_error = 0.002, .rotation_degrees = 35, .transpose = true});
    stem4d::Distortion const ellipse{.along = 0.02, .across = -0.01};
    auto const [rr, rc, cc] = ellipse.inverse();
    stem4d::Point const middle = six.calibration.center();
    auto& origins = *six.calibration.origins;
    origins.surface = stem4d::OriginSurface::plane;
    auto& v = six.vectors;
    origins.row = {middle.row + 3, 1.5, -2}, origins.col = {middle.col - 4, 0.5, 1};
    origins.covariance.assign(9, 0);
    six.calibration.distortion = ellipse;
    stem4d::Point const center = six.calibration.center();
    for (index p = 0; p < 6; ++p)
        for (index j = v.first[static_cast<std::size_t>(p)];
             j < v.first[static_cast<std::size_t>(p) + 1]; ++j) {
            auto const i = static_cast<std::size_t>(j);
            auto const o = origins.at(p / 3, p % 3);
            double const row = static_cast<double>(v.row[i]) - middle.row,
                         col = static_cast<double>(v.col[i]) - middle.col;
            v.row[i] = static_cast<float>(o.row + rr * row + rc * col);
            v.col[i] = static_cast<float>(o.col + rc * row + cc * col);
        }
    EXPECT_GT(std::abs(center.row - origins.at(0, 0).row), 0.1);
    auto const matcher = OrientationMatcher::begin(six.calibrated(), six.library).value();
    for (index p = 0; p < 3; ++p) {
        auto const found = matcher.of(0, p).value();
        ASSERT_EQ(found.reason, OrientationReason::indexed);
        auto const& spots = found.candidates.front().spots;
        EXPECT_EQ(spots.front().theory.intensity, 1);
        // All but the direct beam, which is the brightest, and what theory leaves out as too weak.
        for (index j = v.first[static_cast<std::size_t>(p)] + 1;
             j < v.first[static_cast<std::size_t>(p) + 1]; ++j) {
            if (v.intensity[static_cast<std::size_t>(j)] < 30) break;
            double least = INFINITY;
            for (auto const& spot : spots)
                least = std::min(
                    least, std::hypot(spot.detector.row -
                                          static_cast<double>(v.row[static_cast<std::size_t>(j)]),
                                      spot.detector.col -
                                          static_cast<double>(v.col[static_cast<std::size_t>(j)])));
            EXPECT_LT(least, 1.5) << p << " " << j;
        }
    }
}

TEST(PatternOrientations, ZonesAreNamedByWhatIsNearest) {
    auto const cell = gold().cell();
    auto const exact = nearest_zone({0.1, 0.2, -0.1}, cell);
    EXPECT_EQ(exact.uvw, (stem4d::Indices{1, 2, -1}));
    EXPECT_NEAR(exact.degrees, 0, 1e-6);
    auto const near = nearest_zone({0.02, 0, 1}, cell);
    EXPECT_EQ(near.uvw, (stem4d::Indices{0, 0, 1}));
    EXPECT_NEAR(near.degrees, std::atan(0.02) / degree, 1e-6);
    // b of a hexagonal cell is 120 degrees from a.
    EXPECT_EQ(
        nearest_zone({std::cos(120 * degree), std::sin(120 * degree), 0}, titanium().cell()).uvw,
        (stem4d::Indices{0, 1, 0}));
}

TEST(PatternOrientations, WhatIsNotThereIsRefused) {
    SixPatterns const six;
    auto const matcher = OrientationMatcher::begin(six.calibrated(), six.library).value();
    for (auto const& [row, col] : {std::pair{2, 0}, {-1, 0}, {0, 3}, {0, -1}}) {
        auto const none = matcher.of(row, col);
        ASSERT_FALSE(none);
        EXPECT_NE(none.error().message.find("2 rows and 3 columns"), std::string::npos);
    }
    auto other = six.calibrated();
    other.calibration.pixel_size = 0;
    EXPECT_FALSE(OrientationMatcher::begin(other, six.library));
    EXPECT_FALSE(orientation_of_pattern(six.calibrated(), 0, 0, six.library, {.candidates = 0}));
}

}  // namespace
}  // namespace sluice::orient::test
