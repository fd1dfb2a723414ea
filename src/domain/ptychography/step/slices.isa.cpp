// The passes between slices, for one instruction set: rows go back, through the object and forward
// again in registers, and columns through the propagator.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/slice_kernels.h"
#include "domain/ptychography/step/window_lanes.h"
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
            Floats const h = load(propagator + at.pair()), i = load(propagator + at.pair() + 16);
            if constexpr (keep) {
                save(re, exit + at.pair());
                save(im, exit + at.pair() + 16);
            }
            Floats const before = re;
            re = fused_less(im, i, re * h);
            im = fused(im, h, before * i);
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
            Floats const h = load(propagator + at.pair()), i = load(propagator + at.pair() + 16);
            Floats const before = re;
            re = fused(im, i, re * h);
            im = fused_less(before, i, im * h);
        });
}

[[gnu::always_inline]] inline float sum_of(Floats const& all) {
    float sum = 0;
    for (index l = 0; l < lanes; ++l) sum += all[l];
    return sum;
}

template <index N>
RateSums propagate_back_and_sum(Roots const& roots, float* tile, float const* propagator,
                                float const* exit, float const* rates) {
    Floats power{}, slope[3] = {}, mean[3] = {}, square[3] = {};
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const h = load(propagator + at.pair()), i = load(propagator + at.pair() + 16);
            Floats const x = load(exit + at.pair()), y = load(exit + at.pair() + 16);
            Floats const before = re;
            re = fused(im, i, re * h);
            im = fused_less(before, i, im * h);
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

template <index N>
float next(Roots const& roots, float* tile, Window object, float* entry) {
    Floats largest{};
    some_rows(
        roots, Tile<N>{tile}, 0,
        N, [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(object, row, column)), i = load(im_of(object, row, column));
            float* const own = entry + row * 2 * N + column;
            save(re, own);
            save(im, own + N);
            Floats const before = re;
            re = fused_less(im, i, re * o);
            im = fused(im, o, before * i);
            Floats const power = fused(o, o, i * i);
            largest = power > largest ? power : largest;
        });
    return largest_of(largest);
}

template <index N, bool with_before, bool add_object>
void leave_as(Roots const& roots, float* tile, Leaving const& given, index first, index last) {
    Leaving const to = given;
    some_rows(
        roots, Tile<N>{tile}, first, last,
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(to.object, row, column));
            Floats const i = load(im_of(to.object, row, column));
            Floats const p = load(re_of(to.probe, row, column));
            Floats const q = load(im_of(to.probe, row, column));
            index const own = row * 2 * N + column;
            Floats object_re = p * re, object_im = p * im;
            if constexpr (with_before) {
                object_re = fused(p, re, load(to.before + own));
                object_im = fused(p, im, load(to.before + own + N));
            }
            object_re = fused(q, im, object_re);
            object_im = fused_less(q, re, object_im);
            float* const at = to.of_object + row * 2 * to.object_half + column;
            save(add_object ? load(at) + object_re : object_re, at);
            save(add_object ? load(at + to.object_half) + object_im : object_im,
                 at + to.object_half);
            Floats const before = re;
            re = fused(i, im, o * re);
            im = fused_less(i, before, o * im);
        });
}

template <index N>
void leave(Roots const& roots, float* tile, Leaving const& to, index first, index last) {
    using Leave = void (*)(Roots const&, float*, Leaving const&, index, index);
    constexpr Leave all[2][2] = {{leave_as<N, false, false>, leave_as<N, false, true>},
                                 {leave_as<N, true, false>, leave_as<N, true, true>}};
    all[to.before ? 1 : 0][to.add_object ? 1 : 0](roots, tile, to, first, last);
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
