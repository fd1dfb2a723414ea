// The sums over a crop in double, pixel by pixel: obviously correct.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/fit/fit_kernels.h"

namespace sluice::crystal {
namespace {

struct Pixel {
    double counts, weight, shape, table;
    double disk = 0, by_row = 0, by_col = 0, row = 0, col = 0, near = 0, height = 0, lambda = 0;
    std::array<double, 4> around{};
};

Pixel pixel(Crop const& crop, Model const& m, index i) {
    auto const at = [i](float const* p) { return static_cast<double>(p[i]); };
    Pixel p{at(crop.counts), at(crop.weights), crop.shape ? at(crop.shape) : 1.0, at(crop.table)};
    p.by_row = at(crop.table + crop.pixels);
    p.by_col = at(crop.table + 2 * crop.pixels);
    p.row = at(crop.rows);
    p.col = at(crop.cols);
    p.near = crop.near ? at(crop.near) : 0;
    p.height = m.height;
    if (crop.around) {
        for (index k = 0; k < 4; ++k) {
            auto const n = static_cast<std::size_t>(k);
            p.around[n] = at(crop.around + k * crop.pixels);
            p.height += m.around[n] * p.around[n];
        }
        p.height = std::max(p.height, m.height / 20);
    }
    p.disk = p.table + m.d_row * p.by_row + m.d_col * p.by_col;
    double under = m.background * p.shape;
    double const least = under / 20;
    if (!crop.shape) under += m.slope_row * p.row + m.slope_col * p.col;
    p.lambda = p.near + std::max(least, under + p.height * p.disk);
    return p;
}

ScoreSums score_plainly(Crop const& crop, Model const& m) {
    int const n = unknowns_of(crop);
    ScoreSums sums = {};
    for (index i = 0; i < crop.pixels; ++i) {
        Pixel const p = pixel(crop, m, i);
        double d[ScoreSums::most] = {p.shape, p.disk, p.height * p.by_row, p.height * p.by_col,
                                     p.row,   p.col};
        if (crop.around)
            for (std::size_t k = 0; k < 4; ++k)
                d[static_cast<std::size_t>(n) - 4 + k] = p.disk * p.around[k];
        for (int a = 0, k = 0; a < n; ++a) {
            sums.slopes[a] += p.weight * (p.counts / p.lambda - 1) * d[a];
            for (int b = 0; b <= a; ++b, ++k) sums.fisher[k] += p.weight * d[a] * d[b] / p.lambda;
        }
    }
    return sums;
}

CutSums cut_plainly(Cut const& c) {
    CutSums sums;
    for (CropSpan const& s : c.spans)
        for (index i = 0; i < s.count; ++i) {
            index const from = s.row * c.pitch + s.col + i, to = s.at + i,
                        square = s.row * c.side + s.col + i;
            c.to_counts[to] = c.counts[from];
            if (c.shape) c.to_shape[to] = c.shape[from];
            if (c.near) c.to_near[to] = c.near[from];
            if (!c.weights) continue;
            c.to_weights[to] = c.weights[from] * c.inside[square];
            sums.weights += static_cast<double>(c.to_weights[to]);
            sums.table +=
                static_cast<double>(c.to_weights[to]) * static_cast<double>(c.table[square]);
        }
    return sums;
}

FlatSums flat_plainly(Crop const& crop) {
    FlatSums sums;
    for (index i = 0; i < crop.pixels; ++i) {
        Pixel const p = pixel(crop, {}, i);
        sums.counts += p.weight * (p.counts - p.near);
        sums.shape += p.weight * p.shape;
    }
    return sums;
}

double gain_plainly(Crop const& crop, Model const& model, Model const& without) {
    double sum = 0;
    for (index i = 0; i < crop.pixels; ++i) {
        Pixel const p = pixel(crop, model, i), q = pixel(crop, without, i);
        sum += p.weight * (p.counts * std::log(p.lambda / q.lambda) - (p.lambda - q.lambda));
    }
    return sum;
}

KernelSums correlate_plainly(Crop const& crop, double mean) {
    KernelSums sums;
    for (index i = 0; i < crop.pixels; ++i) {
        Pixel const p = pixel(crop, {}, i);
        double const k = p.weight * (p.table - mean);
        sums.counts += k * p.counts;
        sums.variance += k * k * p.counts;
        sums.squares += k * p.counts * k * p.counts;
        sums.norm += k * p.table;
        if (crop.table[i] >= 0.02F) continue;
        sums.ring += p.weight * p.counts;
        sums.ring_shape += p.weight * p.shape;
    }
    return sums;
}

}  // namespace

FitKernels const& fit_twin() {
    static constexpr FitKernels twin = {cut_plainly, flat_plainly, score_plainly, gain_plainly,
                                        correlate_plainly};
    return twin;
}

}  // namespace sluice::crystal
