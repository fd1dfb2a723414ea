// Orientations in parts, on threads, and by the twin: the same answer.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/match/test_crystals.h"
#include "sluice/match_orientations.h"

namespace sluice::orient::test {
namespace {

using stem4d::OrientationLibrary;
using stem4d::OrientationMap;
using stem4d::OrientationParts;

struct Scan {
    TrueCrystal crystal = gold();
    stem4d::BraggVectors vectors;
    stem4d::Calibration calibration;

    Scan(index rows, index columns, unsigned seed, bool two = true) {
        Patterns patterns({.counts = 2e4}, columns, seed);
        for (index i = 0; i < rows * columns; ++i) {
            Matrix const a = patterns.any(), b = patterns.any();
            if (two)
                patterns.add({{&crystal, a, 0.6}, {&crystal, b, 0.4}});
            else
                patterns.add({{&crystal, a}});
        }
        vectors = patterns.vectors();
        calibration = patterns.calibration();
    }
    OrientationLibrary library(Device const& device = Device::cpu(1)) const {
        auto const cell = crystal.cell();
        return OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300, .zone_step = 3},
                                         {.device = device})
            .value();
    }
};

void expect_same(OrientationMap const& a, OrientationMap const& b) {
    ASSERT_EQ(a.phase, b.phase);
    ASSERT_EQ(a.reason, b.reason);
    ASSERT_EQ(a.notes, b.notes);
    ASSERT_TRUE(a.common_factor == b.common_factor || std::isnan(a.common_factor));
    for (std::size_t p = 0; p < a.phase.size(); ++p) {
        ASSERT_EQ(a.orientation[p].w, b.orientation[p].w) << p;
        ASSERT_EQ(a.orientation[p].x, b.orientation[p].x) << p;
        if (a.phase[p] < 0) continue;
        ASSERT_EQ(a.covariance[p], b.covariance[p]) << p;
        ASSERT_EQ(a.score[p], b.score[p]) << p;
        ASSERT_EQ(a.second_score[p], b.second_score[p]) << p;
        ASSERT_EQ(a.residual[p], b.residual[p]) << p;
        ASSERT_EQ(a.explained[p], b.explained[p]) << p;
        ASSERT_EQ(a.disks[p], b.disks[p]) << p;
    }
    ASSERT_EQ(a.overlapping.size(), b.overlapping.size());
    for (std::size_t i = 0; i < a.overlapping.size(); ++i)
        expect_same(a.overlapping[i], b.overlapping[i]);
}

TEST(OrientationParts, ThreadsAndPartsChangeNoBit) {
    Scan const scan(40, 33, 21);
    auto const library = scan.library();
    stem4d::MatchOptions const options{.grains = 2, .candidates = 3};
    auto const with = [&](int threads) {
        return orientation(scan.vectors, scan.calibration, library, options,
                           {.device = Device::cpu(threads)})
            .value();
    };
    auto const one = with(1);
    expect_same(one, with(3));
    auto const calibrated = apply_calibration(scan.vectors, scan.calibration).value();
    auto all = OrientationParts::begin(calibrated, library, options).value();
    ASSERT_EQ(all.groups(), 3);
    auto helper = OrientationParts::begin(calibrated, library, options).value();
    auto const last = helper.part(1, 2).value(), first = all.part(0, 1).value();
    ASSERT_TRUE(all.add(last));
    ASSERT_TRUE(all.add(first));
    EXPECT_FALSE(all.add(first));
    auto damaged = last;
    damaged[damaged.size() / 2] ^= std::byte{1};
    EXPECT_FALSE(all.add(damaged));
    expect_same(one, std::move(all).finish().value());
}

TEST(OrientationParts, MissingGroupsAreAnError) {
    Scan const scan(20, 33, 22, false);
    auto const library = scan.library();
    auto parts =
        OrientationParts::begin(apply_calibration(scan.vectors, scan.calibration).value(), library)
            .value();
    ASSERT_TRUE(parts.add(parts.part(0, 1).value()));
    EXPECT_FALSE(parts.part(1, 2));
    EXPECT_FALSE(std::move(parts).finish());
}

TEST(OrientationParts, TheReferenceAgrees) {
    Scan const scan(2, 16, 23, false);
    auto const fast = orientation(scan.vectors, scan.calibration, scan.library()).value();
    auto const slow = orientation(scan.vectors, scan.calibration, scan.library(Device::reference()),
                                  {}, {.device = Device::reference()})
                          .value();
    for (std::size_t p = 0; p < fast.phase.size(); ++p) {
        if (fast.reason[p] != stem4d::OrientationReason::indexed) continue;
        EXPECT_EQ(slow.reason[p], fast.reason[p]);
        double const same = std::abs(fast.orientation[p].w * slow.orientation[p].w +
                                     fast.orientation[p].x * slow.orientation[p].x +
                                     fast.orientation[p].y * slow.orientation[p].y +
                                     fast.orientation[p].z * slow.orientation[p].z);
        // Another start of an equal orientation gives another of the equal ones.
        if (same < 0.99) continue;
        EXPECT_LT(2 * std::acos(std::min(1.0, same)), 1e-3) << p;
        EXPECT_NEAR(fast.score[p], slow.score[p], 3e-3);
    }
}

TEST(OrientationParts, ItCanBeStopped) {
    Scan const scan(33, 33, 24, false);
    auto const library = scan.library();
    auto const map = orientation(
        scan.vectors, scan.calibration, library, {},
        {.progress = [](std::uint64_t done, std::uint64_t all) { return done < all / 2; }});
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, Code::cancelled);
    std::uint64_t last = 0;
    ASSERT_TRUE(orientation(scan.vectors, scan.calibration, library, {},
                            {.progress = [&](std::uint64_t done, std::uint64_t) {
                                last = done;
                                return true;
                            }}));
    EXPECT_EQ(last, 33U * 33U);
}

// What the coarse search chooses holds what all zones hold.
TEST(OrientationParts, CoarseToFineFindsWhatAllZonesHave) {
    Scan const scan(16, 32, 25, false);
    auto const cell = scan.crystal.cell();
    auto const library = OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300}).value();
    auto const some = orientation(scan.vectors, scan.calibration, library).value();
    auto const all =
        orientation(scan.vectors, scan.calibration, library, {.exhaustive = true}).value();
    int same = 0;
    for (std::size_t p = 0; p < some.phase.size(); ++p)
        same += std::abs(some.score[p] - all.score[p]) < 0.01F;
    EXPECT_GE(same, 507);
}

}  // namespace
}  // namespace sluice::orient::test
