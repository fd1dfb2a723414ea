// Pencils of a plane added to it, row by row, compiled per instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/spread.h"

#include <algorithm>

namespace sluice::proton::cube::SLUICE_ISA {
namespace {

/// Rows of Gaussians [0 .. reach][columns], with `reach` zeros at both sides.
struct Row {
    float* gaussians;
    index stride, reach;
    float* at(index d) const { return gaussians + d * stride + reach; }
};

// A row is the last one times `by`, which falls by `square`; both have room for a row.
void gaussians(Row const& row, float const* narrow, index columns, float* by, float* square) {
    for (index d = 0; d <= row.reach; ++d) {
        float* const g = row.at(d);
        for (index i = 1; i <= row.reach; ++i) g[-i] = g[columns - 1 + i] = 0;
    }
    float* const first = row.at(0);
    for (index x = 0; x < columns; ++x) {
        first[x] = 1;
        by[x] = exp_below(-narrow[x]);
        square[x] = by[x] * by[x];
    }
    for (index d = 1; d <= row.reach; ++d) {
        float const* const last = row.at(d - 1);
        float* const g = row.at(d);
        for (index x = 0; x < columns; ++x) {
            g[x] = last[x] * by[x];
            by[x] *= square[x];
        }
    }
}

// sum[X], from `reach` places before the first column on: what all pencils of a row give there.
void across(Row const& row, float const* weights, float* sum, index columns) {
    constexpr index block = 32;
    index const all = columns + 2 * row.reach;
    for (index first = 0; first < all; first += block) {
        index const n = std::min(block, all - first);
        float acc[block] = {};
        for (index d = -row.reach; d <= row.reach; ++d) {
            // The pencil `d` places before X.
            index const from = first - row.reach - d;
            index const low = std::max<index>(0, -row.reach - from);
            index const high = std::min(n, columns + row.reach - from);
            float const *const g = row.at(d < 0 ? -d : d) + from, *const w = weights + from;
            if (low == 0 && high == block)
                for (index i = 0; i < block; ++i) acc[i] += w[i] * g[i];
            else
                for (index i = low; i < high; ++i) acc[i] += w[i] * g[i];
        }
        std::copy_n(acc, n, sum + first);
    }
}

void spread(Pencils const& p, SpreadScratch& scratch) {
    for (index y = 0; y < p.rows; ++y) {
        index const reach = p.reach[y];
        if (reach < 0) continue;
        // Columns without pencils are left out.
        index low = p.columns, high = 0;
        for (int c = 0; c < p.channels; ++c)
            for (index x = 0; x < p.columns; ++x)
                if (p.weight[c][y * p.line + x] != 0) {
                    low = std::min(low, x);
                    high = std::max(high, x + 1);
                }
        if (low >= high) continue;
        index const columns = high - low, stride = columns + 2 * reach;
        Row const x_row{scratch.gaussians.data(), stride, reach};
        Row const y_row{x_row.gaussians + stride * (reach + 1), stride, reach};
        float *const by = scratch.row.data(), *const square = scratch.sum.data();
        gaussians(x_row, p.narrow[0] + y * p.line + low, columns, by, square);
        gaussians(y_row, p.narrow[1] + y * p.line + low, columns, by, square);
        float* const weights = scratch.row.data() + reach;
        std::fill_n(scratch.row.data(), reach, 0.0F);
        std::fill_n(weights + columns, reach, 0.0F);
        for (int c = 0; c < p.channels; ++c)
            for (index d = 0; d <= reach; ++d) {
                float const *const own = p.weight[c] + y * p.line + low, *const g = y_row.at(d);
                for (index x = 0; x < columns; ++x) weights[x] = own[x] * g[x];
                across(x_row, weights, scratch.sum.data(), columns);
                float const* const sum = scratch.sum.data();
                index const at = p.margin + low - reach;
                for (int side = 0; side < (d == 0 ? 1 : 2); ++side) {
                    index const to = y + p.margin + (side == 0 ? d : -d);
                    float* const out = p.out[c] + to * p.out_line() + at;
                    for (index x = 0; x < stride; ++x) out[x] += sum[x];
                }
            }
    }
}

}  // namespace

SpreadKernels spread_kernels() {
    return {spread};
}

}  // namespace sluice::proton::cube::SLUICE_ISA
