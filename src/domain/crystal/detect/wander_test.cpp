// Tests of the plane through origins: it is found again, whatever part of the scan the sample is
// of. SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/wander.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::crystal {
namespace {

stem4d::Point origin_at(double row, double col) {
    return {63.7 + 0.01 * row - 0.004 * col, 64.1 - 0.002 * row + 0.02 * col};
}

TEST(Wander, IsThePlaneWithoutItsOutliers) {
    std::vector<SeenOrigin> seen;
    for (int i = 0; i < 200; ++i) {
        double const row = i * 37 % 101, col = i * 53 % 97;
        seen.push_back({row, col, origin_at(row, col)});
        if (i % 10 == 0) seen.back().at.row += 14;
    }
    Wander const w = plane_of(seen);
    EXPECT_NEAR(w.first.row, 63.7, 1e-4);
    EXPECT_NEAR(w.by_row.row, 0.01, 1e-6);
    EXPECT_NEAR(w.by_col.col, 0.02, 1e-6);
    EXPECT_LT(w.typical, 1e-4);
}

// As of a scan of 256 columns, where every 256th pattern is of the sample.
TEST(Wander, OfASampleInOneColumnOrRowIsALine) {
    for (double const same : {0.0, 128.0, 4000.0}) {
        std::vector<SeenOrigin> column, row;
        for (int i = 0; i < 256; ++i) {
            column.push_back({1.0 * i, same, origin_at(i, same)});
            row.push_back({same, 1.0 * i, origin_at(same, i)});
        }
        Wander const down = plane_of(column), across = plane_of(row);
        EXPECT_LT(down.typical, 1e-4) << same;
        EXPECT_NEAR(down.by_row.row, 0.01, 1e-6);
        EXPECT_NEAR(down.by_col.row, 0, 1e-9);
        EXPECT_LT(across.typical, 1e-4) << same;
        EXPECT_NEAR(across.by_col.col, 0.02, 1e-6);
    }
}

}  // namespace
}  // namespace sluice::crystal
