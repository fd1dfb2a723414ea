// Tests of check_vectors: columns that do not agree are refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sluice/bragg_vectors.h"

namespace sluice::stem4d {
namespace {

BraggVectors two_patterns() {
    BraggVectors v;
    v.scan_shape = {1, 2};
    v.detector_shape = {8, 8};
    v.first = {0, 1, 3};
    v.reason.assign(2, DiskReason::found);
    for (auto* column : {&v.row, &v.col, &v.intensity, &v.background, &v.var_row, &v.var_col,
                         &v.cov_row_col, &v.intensity_error, &v.score})
        column->assign(3, 1);
    return v;
}

TEST(CheckVectors, ColumnsAndOffsetsAgree) {
    EXPECT_TRUE(check_vectors(two_patterns()));
    EXPECT_EQ(two_patterns().count(1), 2);
    auto v = two_patterns();
    v.score.pop_back();
    EXPECT_FALSE(check_vectors(v));
    v = two_patterns();
    v.first = {0, 3, 1};
    EXPECT_FALSE(check_vectors(v));
    v = two_patterns();
    v.first = {0, 1};
    EXPECT_FALSE(check_vectors(v));
    v = two_patterns();
    v.scan_shape = {0, 2};
    EXPECT_FALSE(check_vectors(v));
    // Their product is 0 in 64 bits.
    v = {};
    v.detector_shape = {8, 8};
    v.scan_shape = {index{1} << 32, index{1} << 32};
    v.first = {0};
    EXPECT_FALSE(check_vectors(v));
}

}  // namespace
}  // namespace sluice::stem4d
