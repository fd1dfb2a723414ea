// The fast step's passes, for one instruction set: what the transforms load and store is computed
// in their registers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_kernels.h"
#include "domain/ptychography/step/residual_lanes.h"
#include "domain/ptychography/step/window_lanes.h"
#include "fft/squares/columns.h"
#include "fft/squares/rows.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

using fft::Roots;
using fft::Spot;
using fft::Tile;
using namespace fft::SLUICE_ISA;

template <index N>
float enter(Roots const& roots, float* tile, Window object, Window probe) {
    Floats largest{};
    rows_forward(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(object, row, column)), i = load(im_of(object, row, column));
            Floats const p = load(re_of(probe, row, column)), q = load(im_of(probe, row, column));
            re = fused_less(i, q, o * p);
            im = fused(i, p, o * q);
            Floats const power = fused(o, o, i * i);
            largest = power > largest ? power : largest;
        });
    return largest_of(largest);
}

template <index N, class Counts>
PixelSums weigh_as(Roots const& roots, float* tile, Pixels const& pixels, Counts const* counts) {
    Residual residual(pixels.likelihood, N);
    float const* const valid = pixels.valid;
    columns(
        roots,
        Tile<N>{tile}, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            index const i = at.number();
            Floats const w = residual.weight(fused(re, re, im * im), load_counts(counts + i),
                                             valid ? load(valid + i) : all_of(1));
            re = re * w;
            im = im * w;
        });
    return residual.sums();
}

template <index N>
PixelSums weigh(Roots const& roots, float* tile, Pixels const& pixels) {
    return std::visit([&](auto const* counts) { return weigh_as<N>(roots, tile, pixels, counts); },
                      pixels.counts);
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

template <index N, class Counts>
PixelSums weigh_sum_as(float* intensity, Pixels const& pixels, Counts const* counts) {
    Residual residual(pixels.likelihood, N);
    for (index i = 0; i < N * N; i += lanes)
        save(residual.weight(load(intensity + i), load_counts(counts + i),
                             pixels.valid ? load(pixels.valid + i) : all_of(1)),
             intensity + i);
    return residual.sums();
}

template <index N>
PixelSums weigh_sum(float* intensity, Pixels const& pixels) {
    return std::visit(
        [&](auto const* counts) { return weigh_sum_as<N>(intensity, pixels, counts); },
        pixels.counts);
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

template <index N, bool with_before, bool add_object, bool add_probe>
void leave_as(Roots const& roots, float* tile, Leaving const& given, index first, index last) {
    Leaving const to = given;
    some_rows_inverse(
        roots, Tile<N>{tile}, first, last,
        [&](index row, index column, Floats const& re, Floats const& im)
            __attribute__((always_inline)) {
                Floats const o = load(re_of(to.object, row, column));
                Floats const i = load(im_of(to.object, row, column));
                Floats const p = load(re_of(to.probe, row, column));
                Floats const q = load(im_of(to.probe, row, column));
                index const own = row * 2 * N + column;
                Floats probe_re = fused(i, im, o * re), probe_im = fused_less(i, re, o * im);
                if constexpr (add_probe) {
                    probe_re = load(to.of_probe + own) + probe_re;
                    probe_im = load(to.of_probe + own + N) + probe_im;
                }
                save(probe_re, to.of_probe + own);
                save(probe_im, to.of_probe + own + N);
                Floats object_re = p * re, object_im = p * im;
                if constexpr (with_before) {
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
            });
}

template <index N>
void leave(Roots const& roots, float* tile, Leaving const& to, index first, index last) {
    using Leave = void (*)(Roots const&, float*, Leaving const&, index, index);
    constexpr Leave all[2][2][2] = {
        {{leave_as<N, false, false, false>, leave_as<N, false, false, true>},
         {leave_as<N, false, true, false>, leave_as<N, false, true, true>}},
        {{leave_as<N, true, false, false>, leave_as<N, true, false, true>},
         {leave_as<N, true, true, false>, leave_as<N, true, true, true>}}};
    all[to.before ? 1 : 0][to.add_object ? 1 : 0][to.add_probe ? 1 : 0](roots, tile, to, first,
                                                                        last);
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
            float const* const column = factors + N + at.column();
            Floats const row_re = all_of(factors[at.row()]),
                         row_im = all_of(factors[2 * N + at.row()]);
            Floats const col_re = load(column), col_im = load(column + 2 * N);
            Floats const turn_re = fused_less(row_im, col_im, row_re * col_re);
            Floats const turn_im = fused(row_im, col_re, row_re * col_im);
            Floats const a = load(from + at.number()), b = load(from + N * N + at.number());
            re = fused_less(b, turn_im, a * turn_re);
            im = fused(b, turn_re, a * turn_im);
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
        float const* const column = factors + N + i / 16 / N * 16 + i % 16;
        Floats const row_re = all_of(factors[row]), row_im = all_of(factors[2 * N + row]);
        Floats const col_re = load(column), col_im = load(column + 2 * N);
        Floats const turn_re = fused_less(row_im, col_im, row_re * col_re);
        Floats const turn_im = fused(row_im, col_re, row_re * col_im);
        Floats const a = load(spectrum + i), b = load(spectrum + N * N + i);
        save(load(to + i) + fused_less(b, turn_im, a * turn_re), to + i);
        save(load(to + N * N + i) + fused(b, turn_re, a * turn_im), to + N * N + i);
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
