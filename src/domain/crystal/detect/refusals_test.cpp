// Tests of what is no disk: hot pixels, empty and odd patterns, and what lies at the edge.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "device/isa.h"
#include "domain/crystal/test_scene.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskReason;
using stem4d::DiskSetup;
using stem4d::find_disks;

DiskSetup setup_of(double radius = 6) {
    DiskSetup setup;
    setup.probe.radius = radius;
    return setup;
}

// One disk on a flat background.
Array<double> one_disk(index rows, index cols, double row, double col, double height,
                       double under = 1, double radius = 6) {
    auto image = Array<double>::zeros({rows, cols});
    for (index i = 0; i < rows * cols; ++i) {
        double const r =
            std::hypot(static_cast<double>(i / cols) - row, static_cast<double>(i % cols) - col);
        image.values[static_cast<std::size_t>(i)] =
            under + height / (1 + std::exp(4 * (r - radius)));
    }
    return image;
}

BraggVectors found_in(Array<double> const& image, DiskSetup const& setup = setup_of(),
                      std::span<std::uint8_t const> bad = {},
                      Device const& device = Device::cpu()) {
    auto found = find_disks(image, bad, setup, device);
    EXPECT_TRUE(found) << found.error().text();
    EXPECT_TRUE(check_vectors(*found));
    return std::move(found).value();
}

Array<double> flat_noise(double mean, unsigned seed) {
    auto image = Array<double>::zeros({96, 96});
    std::mt19937 random(seed);
    for (double& v : image.values)
        v = static_cast<double>(std::poisson_distribution<int>(mean)(random));
    return image;
}

TEST(FindDisks, NoisePatternsHaveNone) {
    index found = 0;
    for (unsigned seed = 0; seed < 20; ++seed)
        for (double const mean : {0.05, 2.0}) found += found_in(flat_noise(mean, seed)).size();
    EXPECT_LE(found, 1);
}

TEST(FindDisks, HotPixelsAreNoDisks) {
    auto image = flat_noise(1, 3);
    for (std::size_t const hot : {1000UL, 5000UL, 5101UL, 7777UL}) image.values[hot] = 1e3;
    BraggVectors const v = found_in(image);
    EXPECT_EQ(v.size(), 0);
    EXPECT_EQ(v.reason[0], DiskReason::hot_pixels);
}

TEST(FindDisks, EmptyPatternsSayWhy) {
    auto image = Array<double>::zeros({96, 96});
    EXPECT_EQ(found_in(image).reason[0], DiskReason::no_counts);
    std::ranges::fill(image.values, 3);
    EXPECT_EQ(found_in(image).reason[0], DiskReason::no_candidate);
    std::ranges::fill(image.values, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(found_in(image).reason[0], DiskReason::no_counts);
}

TEST(FindDisks, NanNegativeAndHugeValuesDoNoHarm) {
    auto image = one_disk(96, 96, 40.3, 50.7, 20);
    BraggVectors const clean = found_in(image);
    ASSERT_EQ(clean.size(), 1);
    image.values[38 * 96 + 52] = std::numeric_limits<double>::quiet_NaN();
    image.values[44 * 96 + 49] = std::numeric_limits<double>::infinity();
    image.values[36 * 96 + 47] = -1e30;
    image.values[10 * 96 + 10] = -5;
    BraggVectors const v = found_in(image);
    ASSERT_EQ(v.size(), 1);
    EXPECT_NEAR(v.row[0], 40.3, 0.002);
    EXPECT_NEAR(v.col[0], 50.7, 0.002);
    EXPECT_GT(v.var_row[0], clean.var_row[0]);
}

TEST(FindDisks, DisksAtTheEdgeAreFoundWhereHalfIsSeen) {
    for (double const row : {0.7, 3.2, 94.6}) {
        BraggVectors const v = found_in(one_disk(96, 96, row, 47.4, 30));
        ASSERT_EQ(v.size(), 1) << row;
        EXPECT_NEAR(v.row[0], row, 0.01);
        EXPECT_NEAR(v.col[0], 47.4, 0.01);
    }
    EXPECT_EQ(found_in(one_disk(96, 96, -3.5, 47.4, 30)).size(), 0);
}

TEST(FindDisks, BadPixelsWeighNothing) {
    auto image = one_disk(96, 96, 40.3, 50.7, 20);
    std::vector<std::uint8_t> bad(96 * 96);
    for (std::size_t i = 0; i < bad.size(); ++i)
        if (i % 96 < 49 && i / 96 > 36 && i / 96 < 44) bad[i] = 1, image.values[i] = 1e4;
    BraggVectors const v = found_in(image, setup_of(), bad);
    ASSERT_EQ(v.size(), 1);
    EXPECT_NEAR(v.row[0], 40.3, 0.005);
    EXPECT_NEAR(v.col[0], 50.7, 0.005);
}

TEST(FindDisks, AnyShapeOfDetectorWorks) {
    for (auto const& [rows, cols] : {std::array<index, 2>{33, 97}, {120, 50}, {600, 530}}) {
        double const row = static_cast<double>(rows) / 2 + 0.3,
                     col = static_cast<double>(cols) / 2 - 0.2;
        BraggVectors const v = found_in(one_disk(rows, cols, row, col, 20));
        ASSERT_EQ(v.size(), 1) << rows << "x" << cols;
        EXPECT_NEAR(v.row[0], row, 0.002);
        EXPECT_NEAR(v.col[0], col, 0.002);
        EXPECT_EQ(v.detector_shape, (std::array{rows, cols}));
    }
}

TEST(FindDisks, EveryDeviceFindsTheSame) {
    Scene const scene({.side = 128, .most = 20, .counts = 2e4});
    auto const image = Scene::draw(scene.pattern(1), 1);
    BraggVectors const reference = found_in(image, scene.setup(), {}, Device::reference());
    ASSERT_GE(reference.size(), 10);
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        BraggVectors const v = found_in(image, scene.setup(), {}, Device::cpu(1, isa));
        ASSERT_EQ(v.size(), reference.size());
        for (std::size_t i = 0; i < v.row.size(); ++i) {
            EXPECT_NEAR(v.row[i], reference.row[i], 2e-3F);
            EXPECT_NEAR(v.col[i], reference.col[i], 2e-3F);
            EXPECT_NEAR(v.score[i] / reference.score[i], 1, 1e-3F);
        }
    }
}

TEST(FindDisks, WhatMakesNoSenseIsRefused) {
    auto const image = one_disk(96, 96, 40, 50, 20);
    EXPECT_FALSE(find_disks({{96}, std::vector<double>(96)}, {}, setup_of()));
    EXPECT_FALSE(find_disks(image, std::vector<std::uint8_t>(5), setup_of()));
    EXPECT_FALSE(find_disks(image, {}, setup_of(-1)));
    EXPECT_FALSE(find_disks(image, {}, setup_of(60)));
    auto setup = setup_of();
    setup.background = Array<double>::zeros({95, 96});
    EXPECT_FALSE(find_disks(image, {}, setup));
    setup = setup_of();
    setup.options.bin = 3;
    EXPECT_FALSE(find_disks(image, {}, setup));
    setup.options = {.fit_radius = 5};
    EXPECT_FALSE(find_disks(image, {}, setup));
}

}  // namespace
}  // namespace sluice::crystal
