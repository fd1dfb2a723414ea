// The fast step's passes, for one instruction set: what the transforms load and store is computed
// in their registers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_kernels.h"
#include "domain/ptychography/step/residual_simd.h"
#include "domain/ptychography/step/window_simd.h"
#include "fft/squares/columns.h"
#include "fft/squares/rows.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

using fft::Roots;
using fft::Spot;
using fft::Tile;
using namespace fft::SLUICE_ISA;

template <index N, bool ramped>
float enter_as(Roots const& roots, float* tile, Window object, Window probe, float const* ramp) {
    Floats largest{};
    rows_forward<true>(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(object, row, column)), i = load(im_of(object, row, column));
            Floats const p = load(re_of(probe, row, column)), q = load(im_of(probe, row, column));
            re = fused_less(i, q, o * p);
            im = fused(i, p, o * q);
            if constexpr (ramped) turn(factor_at<N>(ramp, row, column), re, im);
            Floats const power = fused(o, o, i * i);
            largest = power > largest ? power : largest;
        },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(object, row, column);
            prefetch_of(probe, row, column);
        });
    return largest_of(largest);
}

template <index N>
float enter(Roots const& roots, float* tile, Window object, Window probe, float const* ramp) {
    return (ramp ? enter_as<N, true> : enter_as<N, false>)(roots, tile, object, probe, ramp);
}

template <index N, bool plain, class Counts>
PixelSums weigh_as(Roots const& roots, float* tile, Pixels const& pixels, Counts const* counts) {
    Residual<plain> residual(pixels, N);
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            index const i = at.number();
            Floats const w = residual.weight(fused(re, re, im * im), load_counts(counts + i), i);
            re = re * w;
            im = im * w;
        });
    return residual.sums();
}

template <index N>
PixelSums weigh(Roots const& roots, float* tile, Pixels const& pixels) {
    return with_residual(pixels, [&](auto plain, auto const* counts) {
        return weigh_as<N, plain.value>(roots, tile, pixels, counts);
    });
}

template <index N>
void to_detector(Roots const& roots, float* tile, bool first, float* intensity) {
    Tile<N> const t{tile};
    columns_forward(
        roots,
        t, [&](Spot<N> at, Floats const& re, Floats const& im) __attribute__((always_inline)) {
            save(re, t.at(at));
            save(im, t.at(at) + 16);
            float* const sum = intensity + at.number();
            Floats const power = fused(re, re, im * im);
            save(first ? power : power + load(sum), sum);
        });
}

template <index N, bool plain, class Counts>
PixelSums weigh_sum_as(float* intensity, index count, Pixels const& pixels, Counts const* counts) {
    Residual<plain> residual(pixels, N);
    for (index i = 0; i < count; i += lanes)
        save(residual.weight(load(intensity + i), load_counts(counts + i), i), intensity + i);
    return residual.sums();
}

template <index N>
PixelSums weigh_sum(float* intensity, index count, Pixels const& pixels) {
    return with_residual(pixels, [&](auto plain, auto const* counts) {
        return weigh_sum_as<N, plain.value>(intensity, count, pixels, counts);
    });
}

template <index N>
void from_detector(Roots const& roots, float* tile, float const* weights) {
    Tile<N> const t{tile};
    columns_inverse(
        roots, t, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const w = load(weights + at.number());
            re = load(t.at(at)) * w;
            im = load(t.at(at) + 16) * w;
        });
}

// What `way` says of before, add_object and add_probe is known when this is compiled; with a ramp,
// nothing is.
template <index N, int way>
void leave_as(Roots const& roots, float* tile, Leaving const& given, index first, index last) {
    constexpr bool ramped = way == 8;
    Leaving const to = given;
    bool const with_before = ramped ? to.before != nullptr : way / 4 != 0;
    bool const add_object = ramped ? to.add_object : way / 2 % 2 != 0;
    bool const add_probe = ramped ? to.add_probe : way % 2 != 0;
    Shift<N> shift;
    some_rows_inverse(
        roots, Tile<N>{tile}, first, last,
        [&](index row, index column, Floats const& given_re, Floats const& given_im)
            __attribute__((always_inline)) {
                Floats re = given_re, im = given_im;
                if constexpr (ramped) turn_back(factor_at<N>(to.ramp, row, column), re, im);
                Floats const o = load(re_of(to.object, row, column));
                Floats const i = load(im_of(to.object, row, column));
                Floats const p = load(re_of(to.probe, row, column));
                Floats const q = load(im_of(to.probe, row, column));
                index const own = row * 2 * N + column;
                Floats probe_re = fused(i, im, o * re), probe_im = fused_less(i, re, o * im);
                if constexpr (ramped) shift.add(row, column, p, q, probe_re, probe_im);
                if (add_probe) {
                    probe_re = load(to.of_probe + own) + probe_re;
                    probe_im = load(to.of_probe + own + N) + probe_im;
                }
                save(probe_re, to.of_probe + own);
                save(probe_im, to.of_probe + own + N);
                Floats object_re = p * re, object_im = p * im;
                if (with_before) {
                    object_re = fused(p, re, load(to.before + own));
                    object_im = fused(p, im, load(to.before + own + N));
                }
                object_re = fused(q, im, object_re);
                object_im = fused_less(q, re, object_im);
                float* const at = to.of_object + row * 2 * to.object_half + column;
                // Added after it was rounded: so the sum has the bits of planes added up.
                save(add_object ? load(at) + object_re : object_re, at);
                save(add_object ? load(at + to.object_half) + object_im : object_im,
                     at + to.object_half);
            },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(to.object, row, column);
            prefetch_of(to.probe, row, column);
            prefetch_of<1>({to.of_object, to.object_half}, row, column);
            prefetch_of<1>({to.of_probe, N}, row, column);
        });
    if constexpr (ramped) shift.give(to.descan);
}

template <index N>
void leave(Roots const& roots, float* tile, Leaving const& to, index first, index last) {
    using Leave = void (*)(Roots const&, float*, Leaving const&, index, index);
    constexpr Leave all[9] = {leave_as<N, 0>, leave_as<N, 1>, leave_as<N, 2>,
                              leave_as<N, 3>, leave_as<N, 4>, leave_as<N, 5>,
                              leave_as<N, 6>, leave_as<N, 7>, leave_as<N, 8>};
    int const way = (to.before ? 4 : 0) + (to.add_object ? 2 : 0) + (to.add_probe ? 1 : 0);
    all[to.ramp ? 8 : way](roots, tile, to, first, last);
}

template <index N>
void spectrum(Roots const& roots, float* tile, Window from, float* to) {
    Tile<N> const t{tile};
    rows_forward(
        roots,
        t, [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            re = load(re_of(from, row, column));
            im = load(im_of(from, row, column));
        });
    columns_forward(
        roots,
        t, [&](Spot<N> at, Floats const& re, Floats const& im) __attribute__((always_inline)) {
            save(re, to + at.number());
            save(im, to + N * N + at.number());
        });
}

template <index N>
void moved(Roots const& roots, float* tile, float const* from, float const* factors, float* to) {
    Tile<N> const t{tile};
    constexpr float scale = 1 / static_cast<float>(N * N);
    columns_inverse(
        roots, t, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            Number const turned = factor_at<N>(factors, at.row(), at.column());
            Floats const a = load(from + at.number()), b = load(from + N * N + at.number());
            re = fused_less(b, turned.im, a * turned.re);
            im = fused(b, turned.re, a * turned.im);
        });
    rows_inverse(
        roots, t,
        [&](index row, index column, Floats const& re, Floats const& im)
            __attribute__((always_inline)) {
                save(re * scale, to + row * 2 * N + column);
                save(im * scale, to + row * 2 * N + N + column);
            });
}

template <index N>
void add_turned(float const* spectrum, float const* factors, float* to) {
    for (index i = 0; i < N * N; i += lanes) {
        index const slot = i / 16 % N;
        index const row = slot / (N / 16) + slot % (N / 16) * 16;
        Number const turned = factor_at<N>(factors, row, i / 16 / N * 16 + i % 16);
        Floats const a = load(spectrum + i), b = load(spectrum + N * N + i);
        save(load(to + i) + fused_less(b, turned.im, a * turned.re), to + i);
        save(load(to + N * N + i) + fused(b, turned.re, a * turned.im), to + N * N + i);
    }
}

template <index N>
constexpr FastKernel kernel_of() {
    return {N,
            Tile<N>::floats,
            enter<N>,
            weigh<N>,
            to_detector<N>,
            weigh_sum<N>,
            from_detector<N>,
            leave<N>,
            spectrum<N>,
            moved<N>,
            add_turned<N>};
}

}  // namespace

FastKernels fast_kernels() {
    return {{kernel_of<64>(), kernel_of<128>(), kernel_of<192>(), kernel_of<256>()}};
}

}  // namespace sluice::ptycho::SLUICE_ISA
