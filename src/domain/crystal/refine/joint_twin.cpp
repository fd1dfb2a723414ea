// The sums of a joint fit in double, pixel by pixel: obviously correct.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/refine/joint_kernels.h"

namespace sluice::crystal {
namespace {

double number(float const* p, index i) {
    return static_cast<double>(p[i]);
}

void add_plainly(JointPictures const& all, JointDisk const& d, float* own) {
    index const side = d.side, pixels = side * side;
    float const parts[3] = {1, d.h, d.k};
    for (index i = 0; i < pixels; ++i) {
        index const r = i / side, c = i % side, at = d.at + r * all.pitch + c;
        float const by_row = d.table[pixels + i], by_col = d.table[2 * pixels + i];
        float const value = d.table[i] + d.d_row * by_row + d.d_col * by_col;
        own[r * 2 * side + c] = value;
        own[r * 2 * side + side + c] = 0;
        all.lambda[at] += d.height * value;
        for (std::size_t n = 0; n < 3; ++n) {
            all.slopes[2 * n][at] += parts[n] * d.height * by_row;
            all.slopes[2 * n + 1][at] += parts[n] * d.height * by_col;
        }
    }
}

// The slopes of lambda at a pixel: by the lattice, then by the backgrounds.
std::array<double, 9> slopes_at(JointPictures const& all, JointRow const& row, index at) {
    std::array<double, 9> d{};
    for (std::size_t a = 0; a < 6; ++a) d[a] = number(all.slopes[a], at);
    for (std::size_t b = 0; b < static_cast<std::size_t>(row.backgrounds); ++b)
        d[6 + b] = number(row.shapes[b], at);
    return d;
}

void row_plainly(JointPictures const& all, JointRow const& row, JointSums& sums) {
    for (index at = row.at; at < row.at + row.count; ++at) {
        double const ok = number(row.weights, at),
                     lambda = std::max(number(all.lambda, at),
                                       static_cast<double>(row.floor) * number(row.shapes[0], at));
        all.weights[at] = static_cast<float>(ok / lambda);
        all.rests[at] = static_cast<float>(ok * (number(row.counts, at) / lambda - 1));
        auto const d = slopes_at(all, row, at);
        for (std::size_t a = 0; a < 9; ++a) {
            sums.slopes[a] += number(all.rests, at) * d[a];
            for (std::size_t b = 0; b <= a; ++b)
                sums.fisher[a][b] += number(all.weights, at) * d[a] * d[b];
        }
    }
}

JointHeight height_plainly(JointPictures const& all, JointRow const& row, index side, index first,
                           float const* own, float* weighted) {
    JointHeight sums;
    for (index i = 0; i < side * side; ++i) {
        index const r = i / side, c = i % side, at = first + r * all.pitch + c;
        index const to = r * 2 * side + c;
        double const w = number(own, to) * number(all.weights, at);
        weighted[to] = static_cast<float>(w);
        weighted[to + side] = 0;
        sums.slope += number(own, to) * number(all.rests, at);
        auto const d = slopes_at(all, row, at);
        for (std::size_t a = 0; a < 9; ++a) sums.fisher[a] += w * d[a];
    }
    return sums;
}

double overlap_plainly(float const* a, float const* b, index side, index rows, index cols) {
    double sum = 0;
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) {
            bool const in = r + rows >= 0 && r + rows < side && c + cols >= 0 && c + cols < side;
            if (in)
                sum += number(a, r * 2 * side + c) * number(b, (r + rows) * 2 * side + c + cols);
        }
    return sum;
}

bool decompose_plainly(double* m, index size, index pitch, index const*) {
    for (index i = 0; i < size; ++i)
        for (index j = 0; j <= i; ++j) {
            double s = m[i * pitch + j];
            for (index k = 0; k < j; ++k) s -= m[i * pitch + k] * m[j * pitch + k];
            if (i == j && !(s > 1e-7 * m[i * pitch + i])) return false;
            m[i * pitch + j] = i == j ? std::sqrt(s) : s / m[j * pitch + j];
        }
    return true;
}

}  // namespace

JointKernels const& joint_twin() {
    static constexpr JointKernels twin = {add_plainly, row_plainly, height_plainly, overlap_plainly,
                                          decompose_plainly};
    return twin;
}

}  // namespace sluice::crystal
