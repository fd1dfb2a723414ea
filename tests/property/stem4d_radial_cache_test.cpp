// Annuli of the radial cache are those of virtual images.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

TEST(RadialCache, AnnuliAreThoseOfVirtualImages) {
    Counts const c = random_counts(5, 7, 40, 33, 21);
    Scan const scan = loaded(c);
    for (Point const center : {Point{20, 16}, {19.5, 16.5}, {12.3, 20.7}, {0, 0}, {-3, 50.25}}) {
        auto const cache = RadialCache::build(scan, center);
        ASSERT_TRUE(cache) << cache.error().text();
        int const most = cache->largest_radius();
        for (auto const& [inner, outer] : {std::pair{0, 5},
                                           {5, 10},
                                           {5, 5},
                                           {3, 13},
                                           {13, 25},
                                           {0, most},
                                           {10, most},
                                           {0, 1000}}) {
            SCOPED_TRACE(testing::Message()
                         << center.row << ":" << center.col << " " << inner << ".." << outer);
            Detector d;
            d.shape = Detector::Shape::annulus;
            d.center = center;
            d.inner = inner, d.outer = outer;
            auto const direct = virtual_image(scan, std::vector{d});
            Array<double> const from_cache = cache->annulus(inner, outer);
            EXPECT_EQ(from_cache.shape, (std::vector<index>{5, 7}));
            // An error means that no pixel lies there.
            EXPECT_EQ(from_cache.values, direct ? direct->values.values : std::vector<double>(35));
        }
        EXPECT_EQ(cache->annulus(10, 5).values, std::vector<double>(35));
        EXPECT_EQ(cache->annulus(most + 1, 1000).values, std::vector<double>(35));
        Array<double> const all = cache->annulus(0, most);
        double const total = std::accumulate(c.values.begin(), c.values.end(), 0.0);
        EXPECT_EQ(std::accumulate(all.values.begin(), all.values.end(), 0.0), total);
    }
}

// A pixel of the middle that was not measured lacks in its own ring, and not in those around it.
TEST(RadialCache, WhatWasNotMeasuredLacksWhereItIs) {
    Counts c = random_counts(3, 3, 20, 20, 23);
    for (index f = 0; f < 9; ++f)
        if (f != 4) c.at(f, 10, 10) = std::nan("");
    for (index p = 0; p < 400; ++p) c.at(7, p / 20, p % 20) = std::nan("");
    Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values));
    RadialCache const cache = RadialCache::build(scan, {10, 10}).value();
    for (auto const& [inner, outer] : {std::pair{0, 0}, {0, 5}, {3, 8}, {0, 30}}) {
        Detector d;
        d.shape = Detector::Shape::annulus;
        d.center = Point{10, 10};
        d.inner = inner, d.outer = outer;
        auto const direct = image(images_of(scan, {d}), 0);
        Array<double> const found = cache.annulus(inner, outer);
        for (std::size_t f = 0; f < 9; ++f)
            EXPECT_TRUE(found.values[f] == direct[f] ||
                        (std::isnan(found.values[f]) && std::isnan(direct[f])))
                << inner << ".." << outer << ": " << found.values[f] << ", not " << direct[f];
    }
}

// The edges belong to both of two neighbours, so a ring of one radius is what they share.
TEST(RadialCache, EdgesBelongToBothSides) {
    Scan const scan = loaded(random_counts(4, 4, 41, 41, 22));
    RadialCache const cache = RadialCache::build(scan, {20, 20}).value();
    auto const a = cache.annulus(0, 5), b = cache.annulus(5, 10), both = cache.annulus(0, 10),
               edge = cache.annulus(5, 5);
    for (std::size_t f = 0; f < 16; ++f)
        EXPECT_EQ(a.values[f] + b.values[f] - edge.values[f], both.values[f]);
}

}  // namespace
}  // namespace sluice::stem4d
