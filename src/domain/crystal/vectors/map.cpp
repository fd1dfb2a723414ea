// vector_map: where all disks of a scan lie on the detector.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sluice/bragg_vectors.h"

namespace sluice::stem4d {
namespace {

constexpr int most_sampling = 64;
constexpr index most_bins = index{1} << 31;

/// Bins as pixels have them: their centres are at whole numbers.
struct Bins {
    index rows, cols;
    std::vector<double>& values;

    void add(index row, index col, double weight) const {
        if (weight == 0 || row < 0 || col < 0 || row >= rows || col >= cols) return;
        values[static_cast<std::size_t>(row * cols + col)] += weight;
    }
    /// Shared by the four bins around a place; what falls off the detector is lost.
    void share(double row, double col, double weight) const {
        bool const near = row > -1 && col > -1 && row < static_cast<double>(rows) &&
                          col < static_cast<double>(cols);
        if (!near) return;
        double const r = std::floor(row), c = std::floor(col), down = row - r, right = col - c;
        auto const y = static_cast<index>(r), x = static_cast<index>(c);
        add(y, x, weight * (1 - down) * (1 - right));
        add(y, x + 1, weight * (1 - down) * right);
        add(y + 1, x, weight * down * (1 - right));
        add(y + 1, x + 1, weight * down * right);
    }
};

}  // namespace

Result<Array<double>> vector_map(BraggVectors const& v, int sampling, bool weighted) {
    SLUICE_CHECK(check_vectors(v));
    if (sampling < 1 || sampling > most_sampling)
        return Error{
            Code::invalid_argument,
            fmt::format("a sampling of {} bins a pixel (1 to {} can be); choose one of these",
                        sampling, most_sampling)};
    index const rows = v.detector_shape[0] * sampling, cols = v.detector_shape[1] * sampling;
    if (rows > most_bins / cols)
        return Error{
            Code::invalid_argument,
            fmt::format("a map of {}x{} bins (at most 2^31 can be); take a smaller sampling", rows,
                        cols)};
    auto map = Array<double>::zeros({rows, cols});
    Bins const bins{rows, cols, map.values};
    double const s = sampling;
    for (std::size_t i = 0; i < v.row.size(); ++i) {
        // The bins of a pixel lie around its centre.
        double const row = (static_cast<double>(v.row[i]) + 0.5) * s - 0.5;
        double const col = (static_cast<double>(v.col[i]) + 0.5) * s - 0.5;
        double const weight = weighted ? static_cast<double>(v.intensity[i]) : 1;
        if (!std::isfinite(row) || !std::isfinite(col) || !std::isfinite(weight))
            return Error{
                Code::invalid_argument,
                fmt::format("disk {} of the vectors has a position or intensity that is no "
                            "number; leave it out",
                            i)};
        bins.share(row, col, weight);
    }
    return map;
}

}  // namespace sluice::stem4d
