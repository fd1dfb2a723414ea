// Tilt: the straight wave that is strongest in a plane of complex numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <span>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::ptycho {

/// sum z(r, c) exp(-i (row r + col c)) is `sum`, and no larger for others.
struct Tilt {
    double row = 0, col = 0;  ///< rad from one number to the next
    std::complex<double> sum;
};

/// `most` bounds row * rows / 2 pi and col * cols / 2 pi. To about 1e-6 of a bin: by a transform,
/// then by parabolas, then by Newton's steps.
Result<Tilt> strongest_tilt(std::span<std::complex<double> const> z, index rows, index cols,
                            std::array<double, 2> most);

}  // namespace sluice::ptycho
