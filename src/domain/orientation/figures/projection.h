// Projections of a hemisphere onto the disk of radius 1: right, down, and towards the eye.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/orientation/vectors.h"
#include "sluice/orientation_figures.h"

namespace sluice::orient {

struct DiskPlace {
    double right = 0, down = 0;
};

/// Of a direction of length 1 or its opposite, whichever looks at the eye.
inline DiskPlace on_disk(stem4d::PoleProjection projection, Vector3 v) {
    if (v[2] < 0) v = scaled(v, -1);
    double const factor =
        projection == stem4d::PoleProjection::equal_area ? 1 / std::sqrt(1 + v[2]) : 1 / (1 + v[2]);
    return {v[0] * factor, v[1] * factor};
}
/// Nothing outside the disk.
inline std::optional<Vector3> from_disk(stem4d::PoleProjection projection, DiskPlace const& p) {
    double const r2 = p.right * p.right + p.down * p.down;
    if (!(r2 <= 1)) return {};
    if (projection == stem4d::PoleProjection::equal_area) {
        double const factor = std::sqrt(2 - r2);
        return Vector3{p.right * factor, p.down * factor, 1 - r2};
    }
    return Vector3{2 * p.right / (1 + r2), 2 * p.down / (1 + r2), (1 - r2) / (1 + r2)};
}

}  // namespace sluice::orient
