// Origins: measured and fitted ones against simulations whose descan is known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/crystal/calibrate/test_patterns.h"
#include "domain/crystal/calibrate/window.h"
#include "format/synthetic/crystal.h"
#include "sluice/open_options.h"

namespace sluice::crystal::test {
namespace {

using stem4d::OriginMethod;
using stem4d::OriginReason;
using stem4d::OriginSurface;

constexpr std::array<double, 4> usual{24, 2, -3, 27};

PatternPlan tilted() {
    PatternPlan plan;
    plan.scan = {12, 20};
    // Over the scan it moves by more than half of a lattice vector.
    plan.origin = [](double row, double col) {
        return std::array{120 + 0.9 * row - 0.3 * col, 131 - 0.4 * row + 0.7 * col};
    };
    return plan;
}

stem4d::BraggVectors crystal_of(PatternPlan const& plan, unsigned seed, double blinded = 0) {
    Vectors draw(plan, seed);
    for (index p = 0; p < plan.scan[0] * plan.scan[1]; ++p) {
        auto disks = lattice_disks(usual, 90, draw);
        // Somewhere a reflection is brighter than the direct beam.
        if (draw.uniform(0, 1) < blinded) disks[draw.v.first.size() % disks.size()].intensity = 50;
        draw.add(std::move(disks));
    }
    return draw.v;
}

double worst(stem4d::OriginFit const& fit, PatternPlan const& plan) {
    double most = 0;
    for (index r = 0; r < plan.scan[0]; ++r)
        for (index c = 0; c < plan.scan[1]; ++c) {
            auto const truth = plan.origin(static_cast<double>(r), static_cast<double>(c));
            auto const at = fit.at(r, c);
            most = std::max(most, std::hypot(at.row - truth[0], at.col - truth[1]));
        }
    return most;
}

TEST(Origins, ADescanLargerThanHalfAVectorIsFollowedPastBrightReflections) {
    PatternPlan const plan = tilted();
    auto const v = crystal_of(plan, 1, 0.2);
    auto const origins = stem4d::measure_origins(v);
    ASSERT_TRUE(origins) << origins.error().text();
    EXPECT_EQ(origins->method, OriginMethod::direct);
    auto const fit = stem4d::fit_origins(*origins);
    ASSERT_TRUE(fit) << fit.error().text();
    EXPECT_LT(worst(*fit, plan), 0.03);
    EXPECT_EQ(fit->used, 240);
    EXPECT_NEAR(fit->sigma_row, 0.05, 0.01);
    EXPECT_NEAR(fit->sigma_col, 0.05, 0.01);
}

TEST(Origins, ErrorsOfTheSurfaceAreThoseOfItsScatterOverSeeds) {
    PatternPlan const plan = tilted();
    double sum = 0, n = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        auto const fit =
            stem4d::fit_origins(stem4d::measure_origins(crystal_of(plan, seed)).value());
        ASSERT_TRUE(fit);
        for (auto const& [r, c] : {std::array<index, 2>{0, 0}, {6, 10}, {11, 19}}) {
            auto const truth = plan.origin(static_cast<double>(r), static_cast<double>(c));
            auto const at = fit->at(r, c), e = fit->error_at(r, c);
            sum +=
                std::pow((at.row - truth[0]) / e.row, 2) + std::pow((at.col - truth[1]) / e.col, 2);
            n += 2;
        }
    }
    EXPECT_NEAR(sum / n, 1, 0.35);
}

TEST(Origins, WrongOriginsAreLeftOutAndCounted) {
    PatternPlan const plan = tilted();
    auto origins = stem4d::measure_origins(crystal_of(plan, 2)).value();
    for (std::size_t p = 0; p < 240; p += 5) origins.values.values[2 * p] += 27;
    origins.values.values[6] = NAN;
    origins.reason[11] = OriginReason::no_disks;
    auto const fit = stem4d::fit_origins(origins);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->left_out, 48);
    EXPECT_EQ(fit->used, 190);
    EXPECT_LT(worst(*fit, plan), 0.03);
}

TEST(Origins, BentDescanNeedsABentSurface) {
    PatternPlan plan;
    plan.scan = {16, 16};
    plan.origin = [](double row, double col) {
        double const y = row / 15 - 0.5, x = col / 15 - 0.5;
        return std::array{127 + 4 * y * y - 3 * x * y, 128 + 2 * x - 5 * x * x};
    };
    auto const origins = stem4d::measure_origins(crystal_of(plan, 3)).value();
    auto const flat = stem4d::fit_origins(origins).value();
    auto const bent = stem4d::fit_origins(origins, {.surface = OriginSurface::parabola}).value();
    auto const bezier = stem4d::fit_origins(origins, {.surface = OriginSurface::bezier}).value();
    EXPECT_GT(worst(flat, plan), 0.5);
    EXPECT_LT(worst(bent, plan), 0.05);
    EXPECT_LT(worst(bezier, plan), 0.08);
    EXPECT_EQ(bezier.row.size(), 9u);
}

TEST(Origins, AHiddenDirectBeamIsFoundByPairs) {
    PatternPlan plan = tilted();
    plan.direct = 0;
    auto const origins = stem4d::measure_origins(crystal_of(plan, 4));
    ASSERT_TRUE(origins) << origins.error().text();
    EXPECT_EQ(origins->method, OriginMethod::friedel);
    auto const fit = stem4d::fit_origins(*origins);
    ASSERT_TRUE(fit);
    EXPECT_LT(worst(*fit, plan), 0.05);
}

TEST(Origins, OneReflectionThatOutshinesAllInEachPatternIsNotTheDirectBeam) {
    PatternPlan plan = tilted();
    plan.direct = 0;
    Vectors draw(plan, 5);
    for (index p = 0; p < 240; ++p) {
        auto disks = lattice_disks(usual, 90, draw);
        for (auto& d : disks)
            if (std::hypot(d.row - usual[0], d.col - usual[1]) < 1) d.intensity = 30;
        draw.add(std::move(disks));
    }
    auto const origins = stem4d::measure_origins(draw.v);
    ASSERT_TRUE(origins) << origins.error().text();
    EXPECT_EQ(origins->method, OriginMethod::friedel);
    EXPECT_LT(worst(stem4d::fit_origins(*origins).value(), plan), 0.05);
}

TEST(Origins, WhatHasNoOriginSaysWhy) {
    PatternPlan plan;
    plan.scan = {1, 6};
    Vectors draw(plan, 6);
    for (int p = 0; p < 4; ++p) draw.add(lattice_disks(usual, 90, draw));
    draw.v.row[0] = NAN;
    plan.direct = 0;
    auto far = lattice_disks(usual, 90, draw);
    std::erase_if(far, [](OneDisk const& d) { return std::hypot(d.row, d.col) < 60; });
    draw.add(far);
    draw.v.first.push_back(draw.v.size());  // a pattern without disks
    draw.v.reason.push_back(stem4d::DiskReason::no_counts);
    // The fifth pattern's direct beam was added by the plan that the collector copied.
    auto const origins = stem4d::measure_origins(draw.v, {.guess = stem4d::Point{127, 128}});
    ASSERT_TRUE(origins) << origins.error().text();
    EXPECT_EQ(origins->reason[0], OriginReason::not_near);
    EXPECT_EQ(origins->reason[1], OriginReason::measured);
    EXPECT_EQ(origins->reason[5], OriginReason::no_disks);
    EXPECT_TRUE(std::isnan(origins->values.values[0]));
    auto const none = stem4d::measure_origins(draw.v, {.guess = stem4d::Point{3, 3}});
    ASSERT_FALSE(none);
    EXPECT_FALSE(stem4d::measure_origins(draw.v, {.guess = stem4d::Point{NAN, 3}}));
    EXPECT_FALSE(stem4d::measure_origins(draw.v, {.radius = -1}));
}

TEST(Origins, ASurfaceWithMoreUnknownsThanOriginsIsRefused) {
    PatternPlan plan;
    plan.scan = {1, 2};
    auto const origins = stem4d::measure_origins(crystal_of(plan, 7)).value();
    EXPECT_TRUE(stem4d::fit_origins(origins, {.surface = OriginSurface::bezier}));
    auto all_bad = origins;
    all_bad.reason[0] = OriginReason::no_disks;
    EXPECT_FALSE(stem4d::fit_origins(all_bad));
    EXPECT_FALSE(stem4d::fit_origins(origins, {.order = 9}));
    EXPECT_FALSE(stem4d::fit_origins(origins, {.cut = NAN}));
}

// A disk with a soft edge on a background that falls off from it, each pixel a mean of 5 x 5
// points.
std::vector<double> beam(index rows, index cols, double row, double col, double radius,
                         double counts, double background) {
    std::vector<double> frame;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            double sum = 0;
            for (int i = 0; i < 5; ++i)
                for (int j = 0; j < 5; ++j) {
                    double const d = std::hypot(static_cast<double>(r) + 0.2 * i - 0.4 - row,
                                                static_cast<double>(c) + 0.2 * j - 0.4 - col);
                    sum +=
                        counts / (1 + std::exp(4 * (d - radius))) + background / (1 + d * d / 400);
                }
            frame.push_back(sum / 25);
        }
    return frame;
}

TEST(Window, TheCentreOfMassRestsOnTheBeamWhereOnePassDoesNot) {
    WindowSetup const setup{
        .shape = {64, 72}, .bad = {}, .radius = 9, .least = 6, .start = stem4d::Point{30, 35}};
    auto const frame = beam(64, 72, 33.3, 37.6, 6, 100, 8);
    double sum = 0, row = 0;
    for (index r = 0; r < 64; ++r)
        for (index c = 0; c < 72; ++c)
            if (std::hypot(static_cast<double>(r) - 30, static_cast<double>(c) - 35) <= 9) {
                sum += frame[static_cast<std::size_t>(72 * r + c)];
                row += static_cast<double>(r) * frame[static_cast<std::size_t>(72 * r + c)];
            }
    EXPECT_GT(std::abs(row / sum - 33.3), 0.5);
    auto const found = settle(setup, frame);
    ASSERT_EQ(found.reason, OriginReason::measured);
    EXPECT_NEAR(found.at.row, 33.3, 0.005);
    EXPECT_NEAR(found.at.col, 37.6, 0.005);
}

TEST(Window, VariancesAreThoseOfPoissonCounts) {
    WindowSetup const setup{.shape = {48, 48}, .bad = {}, .radius = 9, .least = 6, .start = {}};
    auto const mean = beam(48, 48, 23.4, 24.2, 6, 3, 0.5);
    std::mt19937 random(3);
    double sum = 0, n = 0;
    for (int i = 0; i < 400; ++i) {
        auto counts = mean;
        for (double& v : counts) v = std::poisson_distribution<int>(v)(random);
        auto const found = settle(setup, counts);
        ASSERT_EQ(found.reason, OriginReason::measured);
        sum += std::pow(found.at.row - 23.4, 2) / found.covariance[0] +
               std::pow(found.at.col - 24.2, 2) / found.covariance[1];
        n += 2;
    }
    EXPECT_NEAR(sum / n, 1, 0.15);
}

TEST(Window, BadPixelsAndNanDoNotPullAndABeamAtTheEdgeIsSaid) {
    WindowSetup setup{.shape = {48, 48}, .bad = {}, .radius = 9, .least = 6, .start = {}};
    auto frame = beam(48, 48, 23.5, 24.0, 6, 100, 1);
    frame[48 * 20 + 26] = NAN;
    std::vector<std::uint8_t> bad(48 * 48);
    for (std::size_t c = 20; c < 25; ++c) bad[48 * 22 + c] = 1, frame[48 * 22 + c] = 4e9;
    setup.bad = bad;
    auto const found = settle(setup, frame);
    ASSERT_EQ(found.reason, OriginReason::measured);
    EXPECT_NEAR(found.at.row, 23.5, 0.1);
    EXPECT_NEAR(found.at.col, 24.0, 0.1);
    setup.bad = {};
    EXPECT_EQ(settle(setup, beam(48, 48, 2, 24, 6, 100, 1)).reason, OriginReason::off_detector);
    EXPECT_EQ(settle(setup, std::vector<double>(48 * 48)).reason, OriginReason::no_counts);
    EXPECT_EQ(settle(setup, std::vector<double>(48 * 48, NAN)).reason, OriginReason::no_counts);
}

TEST(Window, OriginsOfAScanAreItsTruth) {
    constexpr char const* path =
        "synthetic:crystal?scan=5x7&dose=200000&wobble=2&g1=30,3&g2=-4,29&masked=0";
    auto const truth = synthetic::parse_crystal(path).value();
    for (char const* residency : {"memory", "stream"}) {
        LoadOptions load;
        if (residency[0] == 's') load.residency = Residency::stream;
        auto const scan = Scan::load(sluice::open(path).value(), load);
        ASSERT_TRUE(scan) << scan.error().text();
        auto const origins = stem4d::measure_origins(*scan);
        ASSERT_TRUE(origins) << origins.error().text();
        double chi2 = 0;
        for (index p = 0; p < 35; ++p) {
            auto const i = static_cast<std::size_t>(p);
            ASSERT_EQ(origins->reason[i], OriginReason::measured);
            auto const t = synthetic::crystal_truth(truth, p / 7, p % 7);
            for (std::size_t k = 0; k < 2; ++k) {
                double const off = origins->values.values[2 * i + k] - t.origin[k];
                EXPECT_LT(std::abs(off), 0.1);
                chi2 += off * off / origins->covariance.values[3 * i + k] / 70;
            }
        }
        EXPECT_NEAR(chi2, 1, 0.5);
    }
}

}  // namespace
}  // namespace sluice::crystal::test
