// Friedel's pairs: the middle of disks on opposite sides of a direct beam that need not be seen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/bragg_vectors.h"
#include "sluice/stem4d.h"

namespace sluice::crystal {

/// About which most disks of most patterns have a partner of like intensity; a sample of patterns
/// votes. `spacing` px is the usual distance of neighbours. Empty: there are no pairs.
std::optional<stem4d::Point> friedel_center(stem4d::BraggVectors const& vectors, double spacing);

struct FriedelOrigin {
    stem4d::Point at;
    double var_row = 0, var_col = 0, cov = 0;
    index pairs = 0;
};
/// Of one pattern: the weighted middle of its pairs whose middles lie within `radius` of a place.
/// Empty: fewer than two pairs.
std::optional<FriedelOrigin> friedel_origin(stem4d::BraggVectors const& vectors, index pattern,
                                            stem4d::Point expected, double radius);

}  // namespace sluice::crystal
