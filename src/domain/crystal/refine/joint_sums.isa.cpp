// The sums of a joint fit, a register of pixels at a time, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/joint_kernels.h"
#include "fft/squares/lane_math.h"

namespace sluice::crystal::SLUICE_ISA {
namespace {

using namespace fft::SLUICE_ISA;

// Rows of crops are eights of floats; what registers a processor has for them is its own affair.
typedef float Eight __attribute__((vector_size(32)));
typedef double Four __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Eight eight_at(float const* p) {
    Eight v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline]] inline void put(Eight const& v, float* p) {
    std::memcpy(p, &v, sizeof v);
}
[[gnu::always_inline]] inline Four four_at(double const* p) {
    Four v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline]] inline double sum_of(Eight const& v) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += v[i];
    return static_cast<double>(sum);
}
[[gnu::always_inline]] inline double sum_of_lanes(Floats const& v) {
    return static_cast<double>(total_of(v));
}

void add(JointPictures const& all, JointDisk const& given, float* own) {
    JointDisk const d = given;
    index const side = d.side, pixels = side * side;
    float* const slopes[6] = {all.slopes[0], all.slopes[1], all.slopes[2],
                              all.slopes[3], all.slopes[4], all.slopes[5]};
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; c += 8) {
            float const* const t = d.table + r * side + c;
            index const at = d.at + r * all.pitch + c;
            Eight const by_row = eight_at(t + pixels), by_col = eight_at(t + 2 * pixels);
            Eight const value = eight_at(t) + d.d_row * by_row + d.d_col * by_col;
            put(value, own + r * 2 * side + c);
            put(Eight{}, own + r * 2 * side + side + c);
            put(eight_at(all.lambda + at) + d.height * value, all.lambda + at);
            Eight const y = d.height * by_row, x = d.height * by_col;
            put(eight_at(slopes[0] + at) + y, slopes[0] + at);
            put(eight_at(slopes[1] + at) + x, slopes[1] + at);
            put(eight_at(slopes[2] + at) + d.h * y, slopes[2] + at);
            put(eight_at(slopes[3] + at) + d.h * x, slopes[3] + at);
            put(eight_at(slopes[4] + at) + d.k * y, slopes[4] + at);
            put(eight_at(slopes[5] + at) + d.k * x, slopes[5] + at);
        }
}

void lattice_of_row(JointPictures const& all, JointRow const& row, JointSums& sums) {
    Floats slopes[6] = {}, fisher[21] = {};
    for (index at = row.at; at < row.at + row.count; at += lanes) {
        Floats const ok = load(row.weights + at),
                     lambda = larger(all_of(row.floor) * load(row.shapes[0] + at),
                                     load(all.lambda + at)),
                     over = inverse(lambda);
        Floats const w = ok * over, e = fused_less(ok, all_of(1), w * load(row.counts + at));
        std::memcpy(all.weights + at, &w, sizeof w);
        std::memcpy(all.rests + at, &e, sizeof e);
        Floats d[6];
        for (int a = 0; a < 6; ++a) d[a] = load(all.slopes[a] + at);
        int k = 0;
#pragma GCC unroll 6
        for (int a = 0; a < 6; ++a) {
            slopes[a] = fused(e, d[a], slopes[a]);
            Floats const part = w * d[a];
#pragma GCC unroll 6
            for (int b = 0; b <= a; ++b, ++k) fisher[k] = fused(part, d[b], fisher[k]);
        }
    }
    std::size_t k = 0;
    for (std::size_t a = 0; a < 6; ++a) {
        sums.slopes[a] += sum_of_lanes(slopes[a]);
        for (std::size_t b = 0; b <= a; ++b, ++k) sums.fisher[a][b] += sum_of_lanes(fisher[k]);
    }
}

// With the lattice and with the backgrounds up to its own.
void background_of_row(JointPictures const& all, JointRow const& row, int which, JointSums& sums) {
    Floats slope{}, fisher[9] = {};
    float const* const own = row.shapes[which];
    for (index at = row.at; at < row.at + row.count; at += lanes) {
        Floats const shape = load(own + at), part = load(all.weights + at) * shape;
        slope = fused(load(all.rests + at), shape, slope);
        for (int a = 0; a < 6; ++a) fisher[a] = fused(part, load(all.slopes[a] + at), fisher[a]);
        for (int b = 0; b <= which; ++b)
            fisher[6 + b] = fused(part, load(row.shapes[b] + at), fisher[6 + b]);
    }
    auto const n = static_cast<std::size_t>(6 + which);
    sums.slopes[n] += sum_of_lanes(slope);
    for (std::size_t a = 0; a <= n; ++a) sums.fisher[n][a] += sum_of_lanes(fisher[a]);
}

void row(JointPictures const& all, JointRow const& given, JointSums& sums) {
    lattice_of_row(all, given, sums);
    for (int b = 0; b < given.backgrounds; ++b) background_of_row(all, given, b, sums);
}

JointHeight height(JointPictures const& all, JointRow const& row, index side, index first,
                   float const* own, float* weighted) {
    Eight slope{}, fisher[9] = {};
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; c += 8) {
            index const at = first + r * all.pitch + c, to = r * 2 * side + c;
            Eight const value = eight_at(own + to), w = value * eight_at(all.weights + at);
            put(w, weighted + to);
            put(Eight{}, weighted + to + side);
            slope += value * eight_at(all.rests + at);
            for (int a = 0; a < 6; ++a) fisher[a] += w * eight_at(all.slopes[a] + at);
            for (int b = 0; b < row.backgrounds; ++b)
                fisher[6 + b] += w * eight_at(row.shapes[b] + at);
        }
    JointHeight sums{.slope = sum_of(slope)};
    for (std::size_t a = 0; a < 9; ++a) sums.fisher[a] = sum_of(fisher[a]);
    return sums;
}

// What is behind a row's end is 0 in both.
double overlap(float const* a, float const* b, index side, index rows, index cols) {
    index const first = rows < 0 ? -rows : 0, last = rows > 0 ? side - rows : side;
    index const left = cols < 0 ? -cols : 0, right = cols > 0 ? side - cols : side;
    Eight sum{};
    for (index r = first; r < last; ++r) {
        float const* const p = a + r * 2 * side;
        float const* const q = b + (r + rows) * 2 * side + cols;
        for (index c = left; c < right; c += 8) sum += eight_at(p + c) * eight_at(q + c);
    }
    return sum_of(sum);
}

bool decompose(double* m, index size, index pitch, index const* first) {
    for (index i = 0; i < size; ++i) {
        double* const row = m + i * pitch;
        for (index j = first[i]; j <= i; ++j) {
            double const* const other = m + j * pitch;
            index k = first[i] > first[j] ? first[i] : first[j];
            Four all{};
            for (; k + 4 <= j; k += 4) all += four_at(row + k) * four_at(other + k);
            double s = row[j] - (all[0] + all[1] + all[2] + all[3]);
            for (; k < j; ++k) s -= row[k] * other[k];
            if (i == j && !(s > 1e-7 * row[i])) return false;
            row[j] = i == j ? __builtin_sqrt(s) : s / other[j];
        }
    }
    return true;
}

}  // namespace

JointKernels joint_kernels() {
    return {add, row, height, overlap, decompose};
}

}  // namespace sluice::crystal::SLUICE_ISA
