// What is believed of crystals simulated by code that shares nothing with the library.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "domain/orientation/believe/evidence.h"
#include "domain/orientation/match/test_crystals.h"
#include "sluice/match_orientations.h"

namespace sluice::orient::test {
namespace {

using stem4d::OrientationReason;

stem4d::OrientationMap map_with(Patterns const& patterns, TrueCrystal const& crystal) {
    auto const cell = crystal.cell();
    auto const library =
        stem4d::OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300, .zone_step = 2})
            .value();
    return orientation(patterns.vectors(), patterns.calibration(), library).value();
}

TEST(Believe, ProbabilitiesAreFrequencies) {
    TrueCrystal const crystal = gold();
    Patterns patterns({.counts = 5e3, .place_error = 0.006}, 32, 41);
    std::vector<Matrix> truth;
    for (int i = 0; i < 192; ++i) {
        truth.push_back(patterns.any());
        patterns.add({{&crystal, truth.back()}});
    }
    auto const map = map_with(patterns, crystal);
    double said = 0, right = 0, indexed = 0, wrong = 0;
    for (std::size_t p = 0; p < truth.size(); ++p) {
        if (map.phase[p] < 0) continue;
        bool const is = degrees_off(euler_of(map.orientation[p]), truth[p], crystal) < 3;
        said += static_cast<double>(map.probability[p]);
        right += is;
        if (map.reason[p] != OrientationReason::indexed) continue;
        EXPECT_GE(map.probability[p], 0.9F);
        indexed += 1, wrong += !is;
    }
    EXPECT_NEAR(said / right, 1, 0.15);
    EXPECT_GT(indexed, 96);
    EXPECT_LE(wrong, 0.02 * indexed);
}

TEST(Believe, StrangersAreNotIndexed) {
    TrueCrystal const stranger = titanium();
    Patterns patterns({}, 16, 42);
    for (int i = 0; i < 64; ++i) patterns.add({{&stranger, patterns.any()}});
    auto const map = map_with(patterns, gold());
    EXPECT_EQ(indexed_patterns(map), 0);
}

Evidence clear() {
    Evidence e;
    e.log_odds = 80, e.explained = 0.98F;
    e.disks = e.matched = e.visible = 12;
    e.place_chi2 = 24, e.intensity_chi2 = 12;
    e.tilt_error = 0.002F;
    e.score = 0.9F, e.second_score = 0.6F;
    e.others_log_odds = e.second_log_odds = 40;
    e.place_rms = 0.006F, e.tolerance = 0.04F;
    return e;
}

TEST(Believe, WhatAnotherExplainsAsWellIsAmbiguous) {
    Evidence e = clear();
    EXPECT_EQ(believe(e).reason, OrientationReason::indexed);
    e.second_log_odds = e.others_log_odds = 80;
    EXPECT_EQ(believe(e).reason, OrientationReason::ambiguous);
}

// Evidence that gets worse and worse is believed less and less.
void falls(std::function<void(Evidence&, float)> const& worsen) {
    float before = believe(clear()).probability;
    for (int i = 1; i < 20; ++i) {
        Evidence e = clear();
        worsen(e, static_cast<float>(i) / 20);
        EXPECT_LE(believe(e).probability, before) << i;
        before = believe(e).probability;
    }
    EXPECT_LT(before, believe(clear()).probability);
}

TEST(Believe, LessSupportIsLessProbable) {
    falls(
        [](Evidence& e, float by) { e.others_log_odds += by * (e.log_odds - e.others_log_odds); });
    falls([](Evidence& e, float by) { e.log_odds -= by * 60, e.others_log_odds -= by * 60; });
    falls([](Evidence& e, float by) { e.second_score += by * (e.score - e.second_score); });
    falls([](Evidence& e, float by) { e.disks += static_cast<std::int32_t>(20 * by); });
    falls([](Evidence& e, float by) { e.intensity_chi2 += 100 * by; });
    falls([](Evidence& e, float by) { e.place_rms += 0.02F * by; });
    falls([](Evidence& e, float by) { e.tilt_error += 0.1F * by; });
}

TEST(Believe, PlacesAsNearAsByChanceAreNoMatch) {
    Evidence e = clear();
    e.place_rms = 0.7F * e.tolerance;
    EXPECT_EQ(believe(e).reason, OrientationReason::no_match);
}

TEST(Believe, AnUnknownTiltIsUnreliable) {
    Evidence vague = clear();
    vague.tilt_error = 0.1F;
    EXPECT_EQ(believe(vague).reason, OrientationReason::unreliable);
    EXPECT_EQ(believe(clear(), 1).reason, OrientationReason::unreliable);
}

}  // namespace
}  // namespace sluice::orient::test
