// Correlation coefficients of two images at every whole shift, over the points that both have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Of an image against a reference of the same shape (Padfield, IEEE Trans. Image Process. 21,
/// 2706, 2012, doi:10.1109/TIP.2011.2181402). NaN takes no part.
struct Correlogram {
    index most_rows = 0, most_cols = 0;  ///< shifts reach from -most to most
    std::vector<double> value;           ///< [shift]; NaN where too little overlaps, or is flat
    std::vector<double> points;          ///< [shift] points that overlap
    double all = 0;                      ///< the most that overlap

    index at(index row, index col) const {
        return (row + most_rows) * (2 * most_cols + 1) + col + most_cols;
    }
    bool has(index row, index col) const {
        return std::abs(row) <= most_rows && std::abs(col) <= most_cols;
    }
};
/// `least_part` of the most that overlap is the least. Fails when memory is short.
Result<Correlogram> correlate(Array<double> const& reference, Array<double> const& image,
                              index most_rows, index most_cols, double least_part);
/// The same by sums over points; for tests.
Correlogram correlate_slowly(Array<double> const& reference, Array<double> const& image,
                             index most_rows, index most_cols, double least_part);

}  // namespace sluice::stem4d
