// Squares: Fourier transforms of many small squares of floats, of the sides that have kernels of
// their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "device/isa.h"
#include "fft/engine.h"

namespace sluice::fft {

struct SquareKernel;
struct Roots;

/// Transforms squares of 64, 128, 192 or 256 complex numbers a side; for others there is Plan. Made
/// once, used by any number of threads at a time. Each square is transformed by one thread: its
/// bits depend on the instruction set, and on nothing else. Other work on squares or spectra
/// is fastest within the passes (rows.h, columns.h), in a *.isa.cpp file of the caller's.
///
/// forward: X(k, l) = sum over r, c of x(r, c) exp(-2 pi i (k r + l c) / side).
/// inverse: the same with +2 pi i, divided by side * side: it undoes forward, as Plan does.
class Squares {
  public:
    static Result<Squares> make(index side, Isa isa = chosen_isa());

    /// Any number of squares, one after the other, in place. Fails only when memory is short, and
    /// then nothing is transformed.
    Status forward(std::span<Complex<float>> squares, int threads = 1) const;
    Status inverse(std::span<Complex<float>> squares, int threads = 1) const;
    /// Forward, times factors (as many as a square has), and inverse, in one.
    Status filter(std::span<Complex<float>> squares, std::span<Complex<float> const> factors,
                  int threads = 1) const;

    index side() const { return side_; }

  private:
    Squares(index side, SquareKernel const& kernel, Roots const& roots)
        : side_(side), kernel_(&kernel), roots_(&roots) {}

    template <class Work>
    Status each(std::span<Complex<float>> squares, int threads, Work const& work) const;

    index side_;
    SquareKernel const* kernel_;
    Roots const* roots_;
};

}  // namespace sluice::fft
