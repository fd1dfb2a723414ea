// Sampled values beside a twin that follows the definition, and what two images differ by.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sluice/proton_volume.h"

namespace sluice::proton {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

Volume random_volume(std::vector<index> shape, std::vector<double> spacing,
                     std::vector<double> origin, unsigned seed) {
    Volume v{Array<float>::zeros(std::move(shape)), std::move(spacing), std::move(origin)};
    std::mt19937 random(seed);
    for (float& x : v.image.values) x = std::uniform_real_distribution<float>(-3, 9)(random);
    return v;
}

// The sum over all elements, each with the product of its hats: slow, and without any case.
double twin(Volume const& v, Place const& p) {
    Lattice const l = lattice_of(v);
    double sum = 0;
    for (index e = 0; e < v.image.size(); ++e) {
        index const i[] = {e % l.sides[0], e / l.sides[0] % l.sides[1],
                           e / l.sides[0] / l.sides[1]};
        double weight = 1;
        for (std::size_t a = 0; a < static_cast<std::size_t>(l.axes); ++a) {
            double const t = (p[a] - l.origin[a]) / l.spacing[a];
            auto const last = static_cast<double>(l.sides[a] - 1);
            if (t < -0.5 || t > last + 0.5) return std::nan("");
            double const inside = std::min(std::max(t, 0.0), last);
            weight *= std::max(0.0, 1 - std::abs(inside - static_cast<double>(i[a])));
        }
        sum += weight * static_cast<double>(v.image.values[static_cast<std::size_t>(e)]);
    }
    return sum;
}

void expect_same(double got, double want) {
    if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << got;
    } else {
        EXPECT_NEAR(got, want, 1e-5);
    }
}

TEST(ProtonVolume, SamplesAreThoseOfTheTwin) {
    Volume const volumes[] = {random_volume({4, 5, 6}, {1.5, 2, 0.7}, {-3, 10, 2}, 1),
                              random_volume({4, 5}, {0.5, 0.5}, {-1, 0.25}, 2),
                              random_volume({1, 3, 1}, {2, 2, 2}, {0, 0, 0}, 3),
                              random_volume({3, 4, 2}, {}, {}, 4)};
    std::mt19937 random(7);
    for (Volume const& v : volumes) {
        Lattice const l = lattice_of(v);
        for (int n = 0; n < 500; ++n) {
            Place p{};
            for (std::size_t a = 0; a < 3; ++a)
                p[a] =
                    l.origin[a] + l.spacing[a] * std::uniform_real_distribution<double>(
                                                     -1, static_cast<double>(l.sides[a]))(random);
            expect_same(sample(v, p), twin(v, p));
        }
    }
}

TEST(ProtonVolume, OwnMiddlesGiveOwnValuesWhateverStandsBesideThem) {
    Volume v = random_volume({3, 4, 5}, {0.1, 0.3, 0.7}, {-0.7, 1e3, 0.1}, 5);
    v.image.values[30] = nan_value;
    Lattice const l = lattice_of(v);
    for (index z = 0, e = 0; z < 3; ++z)
        for (index y = 0; y < 4; ++y)
            for (index x = 0; x < 5; ++x, ++e) {
                double const got = sample(v, {l.middle(0, x), l.middle(1, y), l.middle(2, z)});
                if (e == 30) {
                    EXPECT_TRUE(std::isnan(got));
                } else {
                    EXPECT_EQ(static_cast<float>(got), v.image.values[static_cast<std::size_t>(e)]);
                }
            }
    // Between it and its neighbour nothing is made up.
    EXPECT_TRUE(std::isnan(sample(v, {l.middle(0, 0) + 0.01, l.middle(1, 2), l.middle(2, 1)})));
}

TEST(ProtonVolume, PlanesAndLinesAreSamples) {
    Volume const base = random_volume({4, 5, 6}, {1.5, 2, 0.7}, {-3, 10, 2}, 1);
    Volume const other = random_volume({7, 3, 4}, {1.1, 3, 0.5}, {-2, 11, 1}, 2);
    Lattice const l = lattice_of(base);
    for (int across = 0; across < 3; ++across)
        for (int down = 0; down < 3; ++down) {
            if (across == down) continue;
            for (bool const back : {false, true}) {
                Plane const plane = plane_of(l, across, !back, down, back, 3.2);
                auto const image = sample_plane(other, plane);
                ASSERT_EQ(image.shape, (std::vector<index>{plane.rows, plane.columns}));
                for (index r = 0; r < plane.rows; ++r)
                    for (index c = 0; c < plane.columns; ++c) {
                        Place p{3.2, 3.2, 3.2};
                        auto const a = static_cast<std::size_t>(across);
                        auto const d = static_cast<std::size_t>(down);
                        p[a] = l.middle(across, back ? c : plane.columns - 1 - c);
                        p[d] = l.middle(down, back ? plane.rows - 1 - r : r);
                        expect_same(
                            static_cast<double>(
                                image.values[static_cast<std::size_t>(r * plane.columns + c)]),
                            twin(other, p));
                    }
            }
        }
    std::vector<double> const at{-5, -2, 0.3, 1, 900};
    auto const line = sample_line(other, 0, {0, 12, 2.5}, at);
    for (std::size_t i = 0; i < at.size(); ++i)
        expect_same(static_cast<double>(line[i]), twin(other, {at[i], 12, 2.5}));
}

TEST(ProtonVolume, StationsAreThoseOfAllOnce) {
    Volume const a = random_volume({1, 4}, {1, 1}, {0, 0}, 1);
    Volume const b = random_volume({1, 3}, {0.5, 1}, {1 + 1e-9, 0}, 2);
    Lattice const both[] = {lattice_of(a), lattice_of(b)};
    std::vector<double> const want{0, 1, 1.5, 2, 3};
    auto const got = stations(both, 0);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-8);
    EXPECT_TRUE(stations(both, 2).empty());
}

TEST(ProtonVolume, DifferencesAreWhatOneCountsByHand) {
    Volume const a{{{2, 3}, {1, 2, 3, 4, 5, nan_value}}, {1, 2}, {0, 0}};
    Volume b = a;
    b.image.values = {1, 0, 3, 9, 5, 1};
    auto const d = difference(a, b);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->points, 5);
    EXPECT_DOUBLE_EQ(d->mean, (2.0 - 5) / 5);
    EXPECT_DOUBLE_EQ(d->mean_size, 7.0 / 5);
    EXPECT_EQ(d->most, 2);
    EXPECT_EQ(d->most_at, (Place{1, 0, 0}));
    EXPECT_EQ(d->least, -5);
    EXPECT_EQ(d->least_at, (Place{0, 2, 0}));

    // Half a column to the side: the other one is interpolated, and ends earlier.
    b.origin = {0.5, 0};
    b.image.values = {1, 1, 1, 1, 1, 1};
    EXPECT_EQ(difference(a, b)->points, 5);
    b.origin = {100, 0};
    auto const apart = difference(a, b);
    EXPECT_EQ(apart->points, 0);
    EXPECT_TRUE(std::isnan(apart->mean) && std::isnan(apart->most));
    auto const stopped = difference(a, b, [](std::uint64_t, std::uint64_t) { return false; });
    EXPECT_EQ(stopped.error().code, Code::cancelled);
}

TEST(ProtonVolume, SaysWhatDoesNotLieInOneSpace) {
    Volume const a = random_volume({2, 3}, {1, 1}, {0, 0}, 1);
    auto const why = [&](Volume const& b) {
        auto const s = comparable(a, b);
        return s ? std::string() : s.error().message;
    };
    EXPECT_EQ(why(random_volume({5, 4}, {2, 2}, {0, 0}, 1)), "");
    EXPECT_NE(why(random_volume({2, 2, 3}, {1, 1, 1}, {0, 0, 0}, 1)).find("two axes"),
              std::string::npos);
    EXPECT_NE(why(random_volume({2, 3}, {}, {}, 1)).find("spacing"), std::string::npos);
    Volume turned = a;
    turned.direction[1][1] = -1;
    EXPECT_NE(why(turned).find("mirrored or oblique"), std::string::npos);
    Volume const bare = random_volume({2, 3}, {}, {}, 1);
    EXPECT_TRUE(comparable(bare, bare));
    EXPECT_FALSE(comparable(bare, random_volume({3, 2}, {}, {}, 1)));
}

TEST(ProtonVolume, RangesLeaveOutWhatIsNoNumber) {
    Volume const v{
        {{2, 2}, {nan_value, -1, 7, std::numeric_limits<float>::infinity()}}, {2, 3}, {10, 20}};
    ValueRange const r = value_range(v);
    EXPECT_EQ(r.least, -1);
    EXPECT_EQ(r.most, 7);
    EXPECT_EQ(r.most_at, (Place{10, 23, 0}));
    EXPECT_EQ(r.not_finite, 2);
    EXPECT_TRUE(std::isnan(value_range({{{1, 1}, {nan_value}}, {}, {}}).most));
}

}  // namespace
}  // namespace sluice::proton
