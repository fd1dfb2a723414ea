// The centre of mass and its noise, within detectors and where there is nothing.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

// Electrons spread evenly over a disk of radius R: each coordinate has the variance R^2 / 4.
TEST(CenterOfMass, NoiseIsThatOfTheCounts) {
    for (double const radius : {8.0, 15.0})
        for (int const electrons : {50, 800}) {
            Counts c{32, 64, 40, 48, std::vector<double>(std::size_t{32} * 64 * 40 * 48)};
            std::mt19937 random(17);
            std::uniform_real_distribution<double> even(-radius, radius);
            double squares = 0;  // of a pixel's distance: the disk is one of pixels
            for (index f = 0; f < c.frames(); ++f)
                for (int e = 0; e < electrons;) {
                    double const row = std::round(even(random)), col = std::round(even(random));
                    if (row * row + col * col > radius * radius) continue;
                    c.at(f, 20 + static_cast<index>(row), 24 + static_cast<index>(col)) += 1;
                    squares += (row * row + col * col) / 2;
                    ++e;
                }
            auto const com = center_of_mass(loaded(c));
            ASSERT_TRUE(com) << com.error().text();
            auto const frames = static_cast<double>(c.frames());
            auto const spread = [&](std::vector<double> const& v) {
                double s = 0, s2 = 0;
                for (double x : v) s += x, s2 += x * x;
                return std::sqrt(s2 / frames - s / frames * (s / frames));
            };
            double const by_pixels = std::sqrt(squares / (frames * electrons) / electrons);
            double const expected = radius / (2 * std::sqrt(electrons));
            EXPECT_NEAR(by_pixels, expected, 0.06 * expected);
            // The spread of 2048 frames is known to 1.6 %.
            EXPECT_NEAR(spread(com->row.values), by_pixels, 0.05 * by_pixels);
            EXPECT_NEAR(spread(com->col.values), by_pixels, 0.05 * by_pixels);
            EXPECT_NEAR(com->reference.row, 20, 5 * by_pixels / std::sqrt(frames));
            EXPECT_NEAR(com->reference.col, 24, 5 * by_pixels / std::sqrt(frames));
            for (double n : com->sum.values) ASSERT_EQ(n, electrons);
        }
}

TEST(CenterOfMass, ReferenceMagnitudeAndEmptyFrames) {
    Counts c{2, 2, 16, 16, std::vector<double>(4 * 256)};
    c.at(0, 3, 4) = 10;
    c.at(1, 3, 4) = 1, c.at(1, 3, 8) = 3;
    c.at(3, 9, 4) = 60000;
    auto const com = center_of_mass(loaded(c));
    ASSERT_TRUE(com) << com.error().text();
    double const nan = std::numeric_limits<double>::quiet_NaN();
    double const rows[] = {3, 3, nan, 9}, cols[] = {4, 7, nan, 4}, sums[] = {10, 4, 0, 60000};
    EXPECT_DOUBLE_EQ(com->reference.row, 5);
    EXPECT_DOUBLE_EQ(com->reference.col, 5);
    std::string names;
    for (ScanMap const* map : com->maps()) names += map->name + " " + map->unit + ", ";
    EXPECT_EQ(names, "com_row px, com_col px, com_magnitude px, com_sum counts, ");
    for (std::size_t f = 0; f < 4; ++f) {
        EXPECT_EQ(com->sum.values[f], sums[f]);
        EXPECT_EQ(com->row.reason[f], f == 2 ? Missing::no_counts : Missing::no);
        if (f == 2) {
            EXPECT_TRUE(std::isnan(com->row.values[f]) && std::isnan(com->col.values[f]));
            EXPECT_TRUE(std::isnan(com->magnitude.values[f]));
            continue;
        }
        EXPECT_DOUBLE_EQ(com->row.values[f], rows[f]);
        EXPECT_DOUBLE_EQ(com->col.values[f], cols[f]);
        EXPECT_DOUBLE_EQ(com->magnitude.values[f], std::hypot(rows[f] - 5, cols[f] - 5));
    }
}

TEST(CenterOfMass, WithinADetector) {
    Counts const c = random_counts(4, 5, 40, 40, 23);
    auto const masks = detectors(
        {"rectangle:rows=5..9,cols=0..39", "polygon:3:3/3:20/20:3", "disk:r=4,center=10:30"});
    for (Detector const& mask : masks) {
        auto const com = center_of_mass(loaded(c), mask);
        ASSERT_TRUE(com) << com.error().text();
        Array<float> const inside = rasterize(mask, {40, 40}, {}).value();
        for (index f = 0; f < 20; ++f) {
            double sum = 0, row = 0;
            for (index r = 0; r < 40; ++r)
                for (index k = 0; k < 40; ++k)
                    if (inside.values[static_cast<std::size_t>(r * 40 + k)] != 0)
                        sum += c.at(f, r, k), row += static_cast<double>(r) * c.at(f, r, k);
            EXPECT_EQ(com->sum.values[static_cast<std::size_t>(f)], sum);
            if (sum == 0) continue;
            EXPECT_DOUBLE_EQ(com->row.values[static_cast<std::size_t>(f)], row / sum);
        }
    }
}

// A detector that says where it is needs no disk, and so none has to be there.
TEST(CenterOfMass, WithinADetectorThatNeedsNoDisk) {
    Counts c{3, 4, 24, 24, std::vector<double>(std::size_t{12} * 24 * 24, 3)};
    Scan const scan = loaded(c);
    for (char const* text :
         {"disk:r=3,center=9:9", "rectangle:rows=2..5,cols=3..9", "polygon:3:3/3:20/20:3"}) {
        auto const d = detectors({text});
        EXPECT_TRUE(virtual_image(scan, d)) << text;
        auto const com = center_of_mass(scan, d[0]);
        EXPECT_TRUE(com) << text << ": " << com.error().text();
    }
    EXPECT_FALSE(center_of_mass(scan, detectors({"bf"})[0]));
}

TEST(CenterOfMass, CountsWhatIsEmpty) {
    Counts c{2, 2, 16, 16, std::vector<double>(4 * 256)};
    auto const com = center_of_mass(loaded(c));
    ASSERT_TRUE(com);
    EXPECT_NE(com->notes.back().find("4 of 4 positions have no counts"), std::string::npos);
}

// Of a subtracted background are left sums near 0, and centres thousands of pixels away.
TEST(CenterOfMass, OfNegativeSumsIsNone) {
    Counts c{1, 4, 16, 16, std::vector<double>(4 * 256)};
    for (index f = 0; f < 4; ++f) c.at(f, 8, 9) = 5;
    c.at(1, 2, 2) = -5.01;  // just below nothing
    c.at(2, 2, 2) = -4.99;  // just above
    c.at(3, 2, 2) = -5;
    auto const com = center_of_mass(loaded(make_dataset(c, DType::f32, Encoding::values)));
    ASSERT_TRUE(com) << com.error().text();
    EXPECT_EQ(com->row.values[0], 8);
    EXPECT_EQ(com->col.values[0], 9);
    EXPECT_TRUE(std::isnan(com->row.values[1]));
    EXPECT_TRUE(std::isnan(com->col.values[1]));
    EXPECT_GT(com->row.values[2], 1000);
    EXPECT_TRUE(std::isnan(com->row.values[3]));
    std::string notes;
    for (auto const& n : com->notes) notes += n + "\n";
    EXPECT_NE(notes.find("2 of 4 positions have no counts"), std::string::npos) << notes;
    EXPECT_NE(notes.find("1 of 4 positions have their centre of mass outside"), std::string::npos)
        << notes;
}

}  // namespace
}  // namespace sluice::stem4d
