// Disks and annuli found row by row are those that are found pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/round_runs.h"

#include <gtest/gtest.h>

#include <random>

#include "domain/stem4d/compiled.h"

namespace sluice::stem4d {
namespace {

void expect_same(Compiled const& a, Compiled const& b) {
    auto const same_run = [](dense::Run const& x, dense::Run const& y) {
        return x.row == y.row && x.col == y.col && x.count == y.count;
    };
    auto const same_word = [](planes::MaskWord const& x, planes::MaskWord const& y) {
        return x.bits == y.bits && x.block == y.block;
    };
    EXPECT_TRUE(std::ranges::equal(a.runs, b.runs, same_run));
    EXPECT_TRUE(std::ranges::equal(a.words, b.words, same_word));
    EXPECT_TRUE(std::ranges::equal(a.partial, b.partial, same_word));
    EXPECT_EQ(a.is_whole, b.is_whole);
    EXPECT_EQ(a.valid, b.valid);
    EXPECT_FALSE(a.weighted || b.weighted);
}

// Radii and centres on pixels, between them and beside the detector, also where edges meet pixels
// exactly.
TEST(RoundRuns, AreThoseOfEveryPixel) {
    std::mt19937 random(11);
    auto const one_of = [&](double most) {
        double const v = std::uniform_real_distribution<>(-0.2 * most, 1.2 * most)(random);
        return random() % 3 == 0 ? v : random() % 2 ? std::round(v) : std::round(10 * v) / 10;
    };
    int covered = 0;
    for (int i = 0; i < 3000; ++i) {
        std::array<index, 2> const shape = {1 + static_cast<index>(random() % 40),
                                            1 + static_cast<index>(random() % 40)};
        Detector d;
        d.shape = random() % 2 ? Detector::Shape::disk : Detector::Shape::annulus;
        if (random() % 4 == 0) d.unit = Detector::Unit::disk_radii;
        d.center =
            Point{one_of(static_cast<double>(shape[0])), one_of(static_cast<double>(shape[1]))};
        d.outer = std::abs(one_of(20)), d.inner = std::abs(one_of(20));
        Disk const disk{{3, 4}, 1.5, {}};
        std::vector<std::uint8_t> bad;
        if (random() % 2)
            for (index p = 0; p < shape[0] * shape[1]; ++p) bad.push_back(random() % 9 == 0);
        auto const runs = round_runs(d, shape, disk);
        auto const right = rasterize(d, shape, disk);
        if (!right) {
            EXPECT_TRUE(runs.empty());
            continue;
        }
        ++covered;
        expect_same(compile(runs, {shape[0], shape[1]}, bad), compile(*right, bad));
    }
    EXPECT_GT(covered, 1000);
}

TEST(RoundRuns, OfACentreThatIsNoNumberAreNone) {
    Detector d;
    d.shape = Detector::Shape::disk;
    d.outer = 5;
    d.center = Point{std::nan(""), 3};
    EXPECT_TRUE(round_runs(d, {8, 8}, {}).empty());
    d.center = Point{3, std::nan("")};
    EXPECT_TRUE(round_runs(d, {8, 8}, {}).empty());
}

}  // namespace
}  // namespace sluice::stem4d
