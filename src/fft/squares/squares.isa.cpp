// Transforms squares of complex numbers in their natural order, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "fft/squares/columns.h"
#include "fft/squares/interleave.h"
#include "fft/squares/rows.h"
#include "fft/squares/squares_kernels.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

template <index N>
void rows_from(Roots const& roots, Tile<N> t, float const* square) {
    rows_forward(roots, t, [&](index row, index column, Floats& re, Floats& im) {
        load_complex(square + 2 * (row * N + column), re, im);
    });
}

template <index N>
void rows_into(Roots const& roots, Tile<N> t, float* square) {
    constexpr float scale = 1 / static_cast<float>(N * N);
    rows_inverse(roots, t, [&](index row, index column, Floats const& re, Floats const& im) {
        save_complex(re * scale, im * scale, square + 2 * (row * N + column));
    });
}

template <index N>
void forward(Roots const& roots, float* tile, float* square) {
    Tile<N> const t{tile};
    rows_from(roots, t, square);
    columns_forward(roots, t, [&](Spot<N> at, Floats const& re, Floats const& im) {
        save_complex(re, im, square + 2 * at.natural());
    });
}

template <index N>
void inverse(Roots const& roots, float* tile, float* square) {
    Tile<N> const t{tile};
    columns_inverse(roots, t, [&](Spot<N> at, Floats& re, Floats& im) {
        load_complex(square + 2 * at.natural(), re, im);
    });
    rows_into(roots, t, square);
}

template <index N>
void filter(Roots const& roots, float* tile, float* square, float const* factors) {
    Tile<N> const t{tile};
    rows_from(roots, t, square);
    columns(roots, t, [&](Spot<N> at, Floats& re, Floats& im) {
        Floats const before = re;
        Floats factor_re, factor_im;
        load_complex(factors + 2 * at.natural(), factor_re, factor_im);
        re = re * factor_re - im * factor_im;
        im = before * factor_im + im * factor_re;
    });
    rows_into(roots, t, square);
}

template <index N>
constexpr SquareKernel kernel_of() {
    return {N, Tile<N>::floats, forward<N>, inverse<N>, filter<N>};
}

}  // namespace

SquareKernels square_kernels() {
    return {{kernel_of<64>(), kernel_of<128>(), kernel_of<192>(), kernel_of<256>()}};
}

}  // namespace sluice::fft::SLUICE_ISA
