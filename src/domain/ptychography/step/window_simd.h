// Windows, and factors of what is in them, a register at a time; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "domain/ptychography/step/fast_kernels.h"
#include "fft/squares/lanes.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

using fft::SLUICE_ISA::all_of;
using fft::SLUICE_ISA::Floats;
using fft::SLUICE_ISA::fused;
using fft::SLUICE_ISA::fused_less;
using fft::SLUICE_ISA::lanes;
using fft::SLUICE_ISA::load;

// Windows come from Planar, whose rows begin anywhere on a canvas.
[[gnu::always_inline, maybe_unused]] inline float const* re_of(Window w, index row, index column) {
    return w.first + row * 2 * w.half + column;
}
[[gnu::always_inline, maybe_unused]] inline float const* im_of(Window w, index row, index column) {
    return re_of(w, row, column) + w.half;
}

/// Sixteen numbers of a row, soon to be read, or changed where `write` is 1.
template <int write = 0>
[[gnu::always_inline]] inline void prefetch_of(Window w, index row, index column) {
    __builtin_prefetch(re_of(w, row, column), write);
    __builtin_prefetch(im_of(w, row, column), write);
}

[[gnu::always_inline, maybe_unused]] inline float largest_of(Floats const& all) {
    float peak = 0;
    for (index l = 0; l < lanes; ++l) peak = all[l] > peak ? all[l] : peak;
    return peak;
}
[[gnu::always_inline, maybe_unused]] inline float sum_of(Floats const& all) {
    float sum = 0;
    for (index l = 0; l < lanes; ++l) sum += all[l];
    return sum;
}

struct Number {
    Floats re, im;
};

/// factors[row] * factors[N + column], each [2 N] re, then im.
template <index N>
[[gnu::always_inline]] inline Number factor_at(float const* factors, index row, index column) {
    Floats const row_re = all_of(factors[row]), row_im = all_of(factors[2 * N + row]);
    Floats const col_re = load(factors + N + column), col_im = load(factors + 3 * N + column);
    return {fused_less(row_im, col_im, row_re * col_re), fused(row_im, col_re, row_re * col_im)};
}
/// re, im times the factor, or its conjugate.
[[gnu::always_inline, maybe_unused]] inline void turn(Number const& by, Floats& re, Floats& im) {
    Floats const before = re;
    re = fused_less(im, by.im, re * by.re);
    im = fused(im, by.re, before * by.im);
}
[[gnu::always_inline, maybe_unused]] inline void turn_back(Number const& by, Floats& re,
                                                           Floats& im) {
    Floats const before = re;
    re = fused(im, by.im, re * by.re);
    im = fused_less(before, by.im, im * by.re);
}

/// What a gradient says of a pattern's shift d: dL/dd = 4 pi / N sum of r Im(conj(wave) gradient).
/// The sum without r is zero, so that r may begin in the middle.
template <index N>
class Shift {
  public:
    /// Im(conj(wave) gradient), where conj(object) gradient is (re, im) and (p, q) what entered.
    [[gnu::always_inline]] void add(index row, index column, Floats const& p, Floats const& q,
                                    Floats const& re, Floats const& im) {
        Floats const turned = fused_less(q, re, p * im);
        by_row_ = fused(turned, all_of(static_cast<float>(row - N / 2)), by_row_);
        by_col_ = fused(turned, all_of(static_cast<float>(column - N / 2)), by_col_);
        by_lane_ = by_lane_ + turned;
    }
    [[gnu::always_inline]] void give(double* sums) const {
        constexpr double unit = 4 * std::numbers::pi / static_cast<double>(N);
        if (!sums) return;
        float across = sum_of(by_col_);
        for (index l = 0; l < lanes; ++l) across += static_cast<float>(l) * by_lane_[l];
        sums[0] += unit * static_cast<double>(sum_of(by_row_));
        sums[1] += unit * static_cast<double>(across);
    }

  private:
    Floats by_row_{}, by_col_{}, by_lane_{};
};

}  // namespace
}  // namespace sluice::ptycho::SLUICE_ISA
