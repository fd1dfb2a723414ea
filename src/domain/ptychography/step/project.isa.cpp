// The passes of a projection, for one instruction set: waves are mixed while rows are transformed.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/project_kernels.h"
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

// Probe times object.
[[gnu::always_inline]] inline Number view_at(Window object, Window probe, index row, index column) {
    Floats const o = load(re_of(object, row, column)), i = load(im_of(object, row, column));
    Floats const p = load(re_of(probe, row, column)), q = load(im_of(probe, row, column));
    return {fused_less(i, q, o * p), fused(i, p, o * q)};
}

template <index N>
void mix(Roots const& roots, float* tile, Window object, Window probe, float const* wave,
         Mixture const& given) {
    Mixture const by = given;
    rows_forward<true>(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Number const view = view_at(object, probe, row, column);
            float const* const own = wave + row * 2 * N + column;
            re = fused(view.re, all_of(by.view), by.wave * load(own));
            im = fused(view.im, all_of(by.view), by.wave * load(own + N));
        },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(object, row, column);
            prefetch_of(probe, row, column);
            prefetch_of<1>({wave, N}, row, column);
        });
}

template <index N, bool plain, class Counts>
PixelSums compare_as(Roots const& roots, float* tile, Pixels const& pixels, Counts const* counts,
                     float const* next) {
    Residual<plain> residual(pixels, N);
    columns_forward(
        roots, Tile<N>{tile},
        [&](Spot<N> at, Floats const& re, Floats const& im) __attribute__((always_inline)) {
            index const i = at.number();
            if (at.lane == 0) prefetch(next + 2 * i);
            residual.weight(fused(re, re, im * im), load_counts(counts + i), i);
        });
    return residual.sums();
}

template <index N>
PixelSums compare(Roots const& roots, float* tile, Pixels const& pixels, float const* next) {
    return with_residual(pixels, [&](auto plain, auto const* counts) {
        return compare_as<N, plain.value>(roots, tile, pixels, counts, next);
    });
}

template <index N>
void update(Roots const& roots, float* tile, Window object, Window probe, float* wave,
            Mixture const& given) {
    Mixture const by = given;
    rows_inverse(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats const& re, Floats const& im)
            __attribute__((always_inline)) {
                Number const view = view_at(object, probe, row, column);
                float* const own = wave + row * 2 * N + column;
                Floats const own_re = fused(view.re, all_of(by.view), by.wave * load(own));
                Floats const own_im = fused(view.im, all_of(by.view), by.wave * load(own + N));
                save(fused(re, all_of(by.gradient), own_re), own);
                save(fused(im, all_of(by.gradient), own_im), own + N);
            },
        [&](index row, index column) __attribute__((always_inline)) {
            prefetch_of(object, row, column);
            prefetch_of(probe, row, column);
            prefetch_of<1>({wave, N}, row, column);
        });
}

template <index N>
constexpr ProjectKernel projecting() {
    return {N, mix<N>, compare<N>, update<N>};
}

}  // namespace

ProjectKernels project_kernels() {
    return {{projecting<64>(), projecting<128>(), projecting<192>(), projecting<256>()}};
}

}  // namespace sluice::ptycho::SLUICE_ISA
