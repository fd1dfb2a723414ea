// The passes between slices, for one instruction set: rows go back, through the object and forward
// again in registers, and columns through the propagator.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/slice_kernels.h"
#include "domain/ptychography/step/window_simd.h"
#include "fft/squares/columns.h"
#include "fft/squares/rows.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

using fft::Roots;
using fft::Spot;
using fft::Tile;
using namespace fft::SLUICE_ISA;

template <index N, bool keep>
void propagate_as(Roots const& roots, float* tile, float const* propagator, float* exit) {
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            if constexpr (keep) {
                save(re, exit + at.pair());
                save(im, exit + at.pair() + 16);
            }
            turn({load(propagator + at.pair()), load(propagator + at.pair() + 16)}, re, im);
        });
}
template <index N>
void propagate(Roots const& roots, float* tile, float const* propagator, float* exit) {
    (exit ? propagate_as<N, true> : propagate_as<N, false>)(roots, tile, propagator, exit);
}

template <index N>
void propagate_back(Roots const& roots, float* tile, float const* propagator) {
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            turn_back({load(propagator + at.pair()), load(propagator + at.pair() + 16)}, re, im);
        });
}

template <index N>
RateSums propagate_back_and_sum(Roots const& roots, float* tile, float const* propagator,
                                float const* exit, float const* rates) {
    Floats power{}, slope[3] = {}, mean[3] = {}, square[3] = {};
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const x = load(exit + at.pair()), y = load(exit + at.pair() + 16);
            turn_back({load(propagator + at.pair()), load(propagator + at.pair() + 16)}, re, im);
            // The gradient before the propagator, beside the wave there.
            Floats const turned = fused_less(re, y, im * x), here = fused(x, x, y * y);
            power = power + here;
            for (int k = 0; k < 3; ++k) {
                Floats const rate = load(rates + k * N * N + at.number());
                Floats const weighted = here * rate;
                slope[k] = fused(turned * 2, rate, slope[k]);
                mean[k] = mean[k] + weighted;
                square[k] = fused(weighted, rate, square[k]);
            }
        });
    RateSums sums;
    sums.power = sum_of(power);
    for (int k = 0; k < 3; ++k) {
        sums.slope[k] = sum_of(slope[k]);
        sums.mean[k] = sum_of(mean[k]);
        sums.square[k] = sum_of(square[k]);
    }
    return sums;
}

template <index N, bool ramped>
float next_as(Roots const& roots, float* tile, Window object, float* entry, float const* ramp) {
    Floats largest{};
    some_rows(
        roots, Tile<N>{tile}, 0, N,
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(object, row, column)), i = load(im_of(object, row, column));
            float* const own = entry + row * 2 * N + column;
            save(re, own);
            save(im, own + N);
            turn({o, i}, re, im);
            if constexpr (ramped) turn(factor_at<N>(ramp, row, column), re, im);
            Floats const power = fused(o, o, i * i);
            largest = power > largest ? power : largest;
        },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(object, row, column);
            prefetch_of<1>({entry, N}, row, column);
        });
    return largest_of(largest);
}

template <index N>
float next(Roots const& roots, float* tile, Window object, float* entry, float const* ramp) {
    return (ramp ? next_as<N, true> : next_as<N, false>)(roots, tile, object, entry, ramp);
}

// What `way` says of before and add_object is known when this is compiled; with a ramp, nothing is.
template <index N, int way>
void leave_as(Roots const& roots, float* tile, Leaving const& given, index first, index last) {
    constexpr bool ramped = way == 4;
    Leaving const to = given;
    bool const with_before = ramped ? to.before != nullptr : way / 2 != 0;
    bool const add_object = ramped ? to.add_object : way % 2 != 0;
    Shift<N> shift;
    some_rows(
        roots, Tile<N>{tile}, first, last,
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            if constexpr (ramped) turn_back(factor_at<N>(to.ramp, row, column), re, im);
            Floats const o = load(re_of(to.object, row, column));
            Floats const i = load(im_of(to.object, row, column));
            Floats const p = load(re_of(to.probe, row, column));
            Floats const q = load(im_of(to.probe, row, column));
            index const own = row * 2 * N + column;
            Floats object_re = p * re, object_im = p * im;
            if (with_before) {
                object_re = fused(p, re, load(to.before + own));
                object_im = fused(p, im, load(to.before + own + N));
            }
            object_re = fused(q, im, object_re);
            object_im = fused_less(q, re, object_im);
            float* const at = to.of_object + row * 2 * to.object_half + column;
            save(add_object ? load(at) + object_re : object_re, at);
            save(add_object ? load(at + to.object_half) + object_im : object_im,
                 at + to.object_half);
            turn_back({o, i}, re, im);
            if constexpr (ramped) shift.add(row, column, p, q, re, im);
        },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(to.object, row, column);
            prefetch_of(to.probe, row, column);
            prefetch_of<1>({to.of_object, to.object_half}, row, column);
        });
    if constexpr (ramped) shift.give(to.descan);
}

template <index N>
void leave(Roots const& roots, float* tile, Leaving const& to, index first, index last) {
    using Leave = void (*)(Roots const&, float*, Leaving const&, index, index);
    constexpr Leave all[5] = {leave_as<N, 0>, leave_as<N, 1>, leave_as<N, 2>, leave_as<N, 3>,
                              leave_as<N, 4>};
    all[to.ramp ? 4 : (to.before ? 2 : 0) + (to.add_object ? 1 : 0)](roots, tile, to, first, last);
}

template <index N>
constexpr SliceKernel kernel_of() {
    return {N, propagate<N>, next<N>, leave<N>, propagate_back<N>, propagate_back_and_sum<N>};
}

}  // namespace

SliceKernels slice_kernels() {
    return {{kernel_of<64>(), kernel_of<128>(), kernel_of<192>(), kernel_of<256>()}};
}

}  // namespace sluice::ptycho::SLUICE_ISA
