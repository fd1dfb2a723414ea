// The passes of a loss along a line, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/line_kernels.h"
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

template <index N>
void enter_two(Roots const& roots, float* tile, Window const (&objects)[2],
               Window const (&probes)[2], float const* ramp) {
    rows_forward(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const o = load(re_of(objects[0], row, column));
            Floats const i = load(im_of(objects[0], row, column));
            Floats const p = load(re_of(probes[0], row, column));
            Floats const q = load(im_of(probes[0], row, column));
            Floats const u = load(re_of(objects[1], row, column));
            Floats const v = load(im_of(objects[1], row, column));
            Floats const x = load(re_of(probes[1], row, column));
            Floats const y = load(im_of(probes[1], row, column));
            re = fused_less(v, y, fused(u, x, fused_less(i, q, o * p)));
            im = fused(v, x, fused(u, y, fused(i, p, o * q)));
            if (ramp) turn(factor_at<N>(ramp, row, column), re, im);
        });
}

template <index N>
void leave(Roots const& roots, float* tile, float* window) {
    rows_inverse(
        roots, Tile<N>{tile},
        [&](index row, index column, Floats const& re, Floats const& im)
            __attribute__((always_inline)) {
                save(re, window + row * 2 * N + column);
                save(im, window + row * 2 * N + N + column);
            });
}

template <index N>
void meet(Roots const& roots, float* const (&tiles)[3], bool first, float* linear,
          float* quadratic) {
    Tile<N> const a{tiles[0]}, b{tiles[1]};
    columns_forward(
        roots, Tile<N>{tiles[2]},
        [&](Spot<N> at, Floats const& re, Floats const& im) __attribute__((always_inline)) {
            Floats const x = load(a.at(at)), y = load(a.at(at) + 16);
            Floats const both = fused(x, load(b.at(at)), y * load(b.at(at) + 16)) * 2;
            Floats const bent = fused(x, re, y * im) * 2;
            float* const to = linear + at.number();
            save(first ? both : both + load(to), to);
            save(load(quadratic + at.number()) + bent, quadratic + at.number());
        });
}

// dL/dM, half the second derivative where that is not negative, and the weight of M's own
// curvature: as pattern_line.cpp says.
struct Slopes {
    Floats first, half_second, weight;
};
[[gnu::always_inline]] inline Slopes slopes_of(Pixels const& pixels, Floats const& model,
                                               Floats const& counts) {
    constexpr float dark = 1e-9f, nothing = 1e-20f;  // as in Residual
    Floats const one = all_of(1), m = model + dark;
    if (pixels.likelihood == stem4d::Likelihood::gaussian) {
        Floats const by = 1 / (counts + 1), slope = 2 * (model - counts) * by;
        return {slope, by, slope > 0 ? slope : Floats{}};
    }
    if (pixels.likelihood == stem4d::Likelihood::poisson) {
        PoissonLanes const p(model, counts, pixels.count);
        Floats const x = p.i / p.m, most = x < one ? x : one;
        return {p.weight(), most / (2 * p.m), one - most};
    }
    Floats const c = counts + nothing;
    Floats const x = c * inverse_root(c * m);
    Floats const most = x < one ? x : one;
    return {one - x, most / (4 * m), one - most};
}

template <index N, class Counts>
LineSums sum_as(float const* const (&powers)[3], Pixels const& pixels, Counts const* counts) {
    constexpr float scale = 1 / static_cast<float>(N * N);
    LineSums sums;
    // Floats add up a block, doubles the blocks.
    for (index block = 0; block < N * N; block += 16 * N) {
        Floats slope{}, curvature{};
        for (index i = block; i < block + 16 * N; i += lanes) {
            Slopes const l =
                slopes_of(pixels, load(powers[0] + i) * scale, load_counts(counts + i));
            Floats const valid = pixels.valid ? load(pixels.valid + i) : all_of(1);
            Floats const linear = load(powers[1] + i) * scale * valid;
            Floats const quadratic = load(powers[2] + i) * scale * valid;
            slope = fused(l.first, linear, slope);
            curvature =
                fused(l.weight, quadratic, fused(l.half_second * linear, linear, curvature));
        }
        sums.slope += static_cast<double>(sum_of(slope));
        sums.curvature += static_cast<double>(sum_of(curvature));
    }
    return sums;
}

template <index N>
LineSums sum(float const* const (&powers)[3], Pixels const& pixels) {
    return std::visit([&](auto const* counts) { return sum_as<N>(powers, pixels, counts); },
                      pixels.counts);
}

template <index N>
constexpr LineKernel kernel_of() {
    return {N, enter_two<N>, leave<N>, meet<N>, sum<N>};
}

}  // namespace

LineKernels line_kernels() {
    return {{kernel_of<64>(), kernel_of<128>(), kernel_of<192>(), kernel_of<256>()}};
}

}  // namespace sluice::ptycho::SLUICE_ISA
