// Shares squares among threads.
// SPDX-License-Identifier: Apache-2.0
#include "fft/squares/squares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "device/per_isa.h"
#include "device/workers.h"
#include "fft/squares/squares_kernels.h"

namespace sluice::fft {

SLUICE_PER_ISA(SquareKernels, square_kernels)

namespace {

struct Free {
    void operator()(float* p) const { std::free(p); }
};

}  // namespace

Result<Squares> Squares::make(index side, Isa isa) {
    for (SquareKernel const& kernel : square_kernels(isa).of)
        if (kernel.side == side) return Squares(side, kernel, roots_of_square(side));
    return Error{Code::invalid_argument,
                 fmt::format("cannot transform squares of {} a side (there are kernels for {}) use "
                             "one of these sides, or Plan",
                             side, fmt::join(square_sides, ", "))};
}

// work(square, tile), each worker with a tile of its own.
template <class Work>
Status Squares::each(std::span<Complex<float>> squares, int threads, Work const& work) const {
    index const numbers = side_ * side_, count = std::ssize(squares) / numbers;
    expects(count * numbers == std::ssize(squares));
    if (count == 0) return {};
    index const workers = std::clamp<index>(threads, 1, count), tile = kernel_->tile_floats;
    std::unique_ptr<float, Free> const tiles(static_cast<float*>(
        std::aligned_alloc(64, static_cast<std::size_t>(workers * tile) * sizeof(float))));
    if (!tiles) return out_of_memory({side_, side_});
    auto const one = [&](index i, int worker) {
        work(reinterpret_cast<float*>(squares.data() + i * numbers), tiles.get() + worker * tile);
    };
    if (workers > 1)
        parallel_for(count, static_cast<int>(workers), 1, one);
    else
        for (index i = 0; i < count; ++i) one(i, 0);
    return {};
}

Status Squares::forward(std::span<Complex<float>> squares, int threads) const {
    return each(squares, threads,
                [&](float* square, float* tile) { kernel_->forward(*roots_, tile, square); });
}

Status Squares::inverse(std::span<Complex<float>> squares, int threads) const {
    return each(squares, threads,
                [&](float* square, float* tile) { kernel_->inverse(*roots_, tile, square); });
}

Status Squares::filter(std::span<Complex<float>> squares, std::span<Complex<float> const> factors,
                       int threads) const {
    expects(std::ssize(factors) == side_ * side_);
    auto const* const f = reinterpret_cast<float const*>(factors.data());
    return each(squares, threads,
                [&](float* square, float* tile) { kernel_->filter(*roots_, tile, square, f); });
}

}  // namespace sluice::fft
