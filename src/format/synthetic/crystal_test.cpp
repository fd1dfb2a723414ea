// Synthetic crystals: the truth is what the options say, and the patterns are of it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "format/frame_source.h"
#include "format/synthetic/crystal_pattern.h"
#include "format/synthetic/synthetic.h"

namespace sluice::synthetic {
namespace {

double sum_of(std::vector<double> const& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

TEST(SyntheticCrystal, OptionsInThePathAreUsed) {
    auto const o = parse_crystal(
        "synthetic:crystal?scan=3x5&detector=70x90&dose=12.5&disk_radius=4&g1=30,-2&g2=1.5,28&"
        "field=step&strain=0.01,0.02,-0.03,1.5&grains=3&grain_turn=7&edge=1.5&decades=3&direct=9&"
        "background=0.5&background_width=12&stop=6&seed=99&masked=0&wobble=0&dtype=u8&sentinel=0");
    ASSERT_TRUE(o) << o.error().text();
    EXPECT_EQ(o->g1, (Vector{30, -2}));
    EXPECT_EQ(o->g2, (Vector{1.5, 28}));
    EXPECT_EQ(o->strain, (std::array<double, 4>{0.01, 0.02, -0.03, 1.5}));
    EXPECT_EQ(o->field, StrainField::step);
    EXPECT_EQ(o->grains, 3);
    EXPECT_EQ(o->common.dtype, DType::u8);
    auto const d = sluice::open("synthetic:crystal?scan=3x5&detector=70x90&stop=6");
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 15);
    EXPECT_EQ(d->cols, 90);
    EXPECT_EQ(d->pixel_mask[35 * 90 + 45] & 0x100, 0x100u);
    EXPECT_TRUE(d->sentinel);
}

TEST(SyntheticCrystal, WhatCannotBeMadeIsSaid) {
    for (char const* const bad : {"g1=1",
                                  "g1=1,2,3",
                                  "g1=20,0&g2=40,1",
                                  "g1=0,0",
                                  "g1=nan,1",
                                  "field=none",
                                  "grains=0",
                                  "strain=0.5,0,0,0",
                                  "strain=0,0,0,90",
                                  "edge=0",
                                  "decades=9",
                                  "background=1.5",
                                  "background_width=0",
                                  "stop=-1",
                                  "direct=-1",
                                  "lattice=12",
                                  "scan=0x1",
                                  "dose=-1",
                                  "g1=1,0&g2=0,1",
                                  "g1"})
        EXPECT_FALSE(parse_crystal(std::string("synthetic:crystal?") + bad)) << bad;
    EXPECT_FALSE(sluice::open("synthetic:nothing"));
}

// F = beta^-T and its polar decomposition, by formulas of two dimensions.
TEST(SyntheticCrystal, TheLatticeHasTheStrain) {
    for (char const* const field : {"uniform", "gradient", "step"}) {
        auto const o = parse_crystal(std::string("synthetic:crystal?scan=4x9&strain=0.03,-0.02,"
                                                 "0.01,2&field=") +
                                     field)
                           .value();
        for (index col : {0, 3, 4, 8}) {
            CrystalTruth const t = crystal_truth(o, 2, col);
            double const det0 = o.g1[0] * o.g2[1] - o.g2[0] * o.g1[1];
            // beta: columns g1, g2 times the inverse of the unstrained ones.
            double const b00 = (t.g1[0] * o.g2[1] - t.g2[0] * o.g1[1]) / det0;
            double const b01 = (-t.g1[0] * o.g2[0] + t.g2[0] * o.g1[0]) / det0;
            double const b10 = (t.g1[1] * o.g2[1] - t.g2[1] * o.g1[1]) / det0;
            double const b11 = (-t.g1[1] * o.g2[0] + t.g2[1] * o.g1[0]) / det0;
            double const det = b00 * b11 - b01 * b10;
            double const f00 = b11 / det, f01 = -b10 / det, f10 = -b01 / det, f11 = b00 / det;
            double const omega = std::atan2(f10 - f01, f00 + f11);
            double const c = std::cos(omega), s = std::sin(omega);
            double const factor = std::string(field) == "uniform" ? 1
                                  : std::string(field) == "step"
                                      ? (col >= 5 ? 1 : 0)
                                      : static_cast<double>(col) / 8 - 0.5;
            EXPECT_NEAR(t.factor, factor, 1e-15);
            EXPECT_NEAR(omega * 180 / std::numbers::pi, 2 * factor, 1e-10);
            EXPECT_NEAR(c * f00 + s * f10 - 1, 0.03 * factor, 1e-12);
            EXPECT_NEAR(c * f11 - s * f01 - 1, -0.02 * factor, 1e-12);
            EXPECT_NEAR(c * f01 + s * f11, 0.01 * factor, 1e-12);
        }
    }
}

TEST(SyntheticCrystal, GrainsAreTurnedAndTheFirstIsNot) {
    auto const o = parse_crystal("synthetic:crystal?scan=24x24&grains=4&grain_turn=15").value();
    std::array<int, 4> seen{};
    for (index r = 0; r < 24; ++r)
        for (index c = 0; c < 24; ++c) {
            CrystalTruth const t = crystal_truth(o, r, c);
            ++seen[static_cast<std::size_t>(t.grain)];
            EXPECT_LE(std::fabs(t.grain_degrees), 15);
            EXPECT_EQ(t.grain == 0, t.grain_degrees == 0);
        }
    EXPECT_GT(*std::ranges::min_element(seen), 0);
}

TEST(SyntheticCrystal, ElectronsAreWhereTheDisksAre) {
    auto const o =
        parse_crystal("synthetic:crystal?scan=1x1&background=0&g1=40,3&g2=-2,41&masked=0&dose=5e4")
            .value();
    CrystalSimulator const simulator(o);
    auto const mean = simulator.expected(0);
    EXPECT_NEAR(sum_of(mean), 5e4, 2500);
    CrystalDisk const brightest = crystal_disks(o, 0, 0).front();
    EXPECT_EQ(brightest.h, 0);
    EXPECT_EQ(brightest.k, 0);
    double sum = 0, row = 0, col = 0;
    for (index r = 45; r < 85; ++r)
        for (index c = 45; c < 85; ++c) {
            double const v = mean[static_cast<std::size_t>(r * 128 + c)];
            if (std::hypot(static_cast<double>(r) - brightest.row,
                           static_cast<double>(c) - brightest.col) > 19)
                continue;
            sum += v, row += v * static_cast<double>(r), col += v * static_cast<double>(c);
        }
    EXPECT_NEAR(row / sum, brightest.row, 2e-3);
    EXPECT_NEAR(col / sum, brightest.col, 2e-3);
    EXPECT_NEAR(sum / (std::numbers::pi * o.radius() * o.radius()), brightest.height,
                0.01 * brightest.height);
}

TEST(SyntheticCrystal, CountsArePoissonAndTheSameInAnyOrder) {
    auto const o = parse_crystal(
                       "synthetic:crystal?scan=20x20&detector=48x40&stop=4&masked=0&"
                       "strain=0,0,0,0&wobble=0&disk_radius=4")
                       .value();
    CrystalSimulator const simulator(o);
    auto const mean = simulator.expected(7);
    EXPECT_EQ(mean[24 * 40 + 20], 0);
    std::vector<std::uint32_t> counts(mean.size()), again(mean.size());
    double chi = 0, sum = 0;
    for (index f = 0; f < 400; ++f) {
        simulator.counts(f, counts);
        for (std::size_t i = 0; i < mean.size(); ++i)
            if (mean[i] > 0) chi += (counts[i] - mean[i]) * (counts[i] - mean[i]) / mean[i], ++sum;
    }
    EXPECT_NEAR(chi / sum, 1, 0.02);
    simulator.counts(7, again);
    CrystalSimulator(o).counts(7, counts);
    EXPECT_EQ(again, counts);
}

TEST(SyntheticCrystal, IntensitiesSpanTheDecades) {
    auto const o = parse_crystal("synthetic:crystal?detector=256x256&decades=3").value();
    auto const disks = crystal_disks(o, 0, 0);
    EXPECT_GT(disks.size(), 100u);
    EXPECT_GT(disks[1].height / disks.back().height, 1e2);
    EXPECT_TRUE(std::ranges::is_sorted(disks, std::greater<>(), &CrystalDisk::height));
}

}  // namespace
}  // namespace sluice::synthetic
