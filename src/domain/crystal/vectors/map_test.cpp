// Tests of vector_map: weights are shared, the centres of bins, and what is off the detector.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "domain/crystal/vectors/columns.h"

namespace sluice::crystal {
namespace {

BraggVectors at(std::vector<std::array<float, 3>> const& disks) {
    BraggVectors v;
    v.scan_shape = {1, 1};
    v.detector_shape = {4, 6};
    v.first = {0, std::ssize(disks)};
    v.reason = {DiskReason::found};
    for (Column const& c : columns) (v.*c.values).assign(disks.size(), 0);
    for (std::size_t i = 0; i < disks.size(); ++i)
        v.row[i] = disks[i][0], v.col[i] = disks[i][1], v.intensity[i] = disks[i][2];
    return v;
}

TEST(VectorMap, SharesADiskAmongFourBins) {
    auto const map = stem4d::vector_map(at({{1.25f, 2.5f, 8}, {3, 5, 1}})).value();
    EXPECT_EQ(map.shape, (std::vector<index>{4, 6}));
    EXPECT_EQ(map.values[1 * 6 + 2], 3);
    EXPECT_EQ(map.values[1 * 6 + 3], 3);
    EXPECT_EQ(map.values[2 * 6 + 2], 1);
    EXPECT_EQ(map.values[2 * 6 + 3], 1);
    EXPECT_EQ(map.values[3 * 6 + 5], 1);
    auto const counts = stem4d::vector_map(at({{1.25f, 2.5f, 8}, {3, 5, 1}}), 1, false).value();
    EXPECT_EQ(std::accumulate(counts.values.begin(), counts.values.end(), 0.0), 2);
}

TEST(VectorMap, FinerBinsLieAroundThePixelsCentre) {
    auto const map = stem4d::vector_map(at({{1, 2, 1}}), 3).value();
    EXPECT_EQ(map.shape, (std::vector<index>{12, 18}));
    EXPECT_EQ(map.values[4 * 18 + 7], 1);
    auto const even = stem4d::vector_map(at({{1, 2, 1}}), 2).value();
    for (int r : {2, 3})
        for (int c : {4, 5}) EXPECT_EQ(even.values[static_cast<std::size_t>(r * 12 + c)], 0.25);
}

TEST(VectorMap, LosesWhatIsOffTheDetector) {
    auto const map =
        stem4d::vector_map(at({{-0.5f, 0, 2}, {-1, 0, 1}, {1e9f, 3, 1}, {3.5f, 5, 4}})).value();
    EXPECT_EQ(map.values[0], 1);
    EXPECT_EQ(std::accumulate(map.values.begin(), map.values.end(), 0.0), 3);
}

TEST(VectorMap, RefusesWhatHasNoPlace) {
    EXPECT_FALSE(stem4d::vector_map(at({{NAN, 0, 2}})));
    EXPECT_FALSE(stem4d::vector_map(at({{1, 0, INFINITY}})));
    EXPECT_FALSE(stem4d::vector_map(at({}), 0));
    EXPECT_FALSE(stem4d::vector_map(at({}), 65));
    auto wide = at({});
    wide.detector_shape = {1 << 20, 1 << 20};
    EXPECT_FALSE(stem4d::vector_map(wide));
}

}  // namespace
}  // namespace sluice::crystal
