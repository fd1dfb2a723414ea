// What the functions of fields [row][col] share: their check, and the mean that NaN takes no part
// in. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Both components are images of one shape with at least one position.
Status check_field(Array<double> const& row, Array<double> const& col);

/// Whether there is a vector at a position.
inline bool is_known(double row, double col) {
    return std::isfinite(row) && std::isfinite(col);
}

struct FieldMean {
    Point mean;  ///< 0 where nothing is known
    index known = 0;
};
FieldMean mean_of(Array<double> const& row, Array<double> const& col);

/// rms curl over rms divergence of the inner positions after a rotation, or NaN.
double curl_over_divergence(Array<double> const& row, Array<double> const& col,
                            Rotation const& rotation);

}  // namespace sluice::stem4d
