// Pencils of a plane, each a Gaussian of its own, added to the plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "device/isa.h"
#include "sluice/device.h"
#include "sluice/view.h"

namespace sluice::proton::cube {

/// Pencils [row][column] of one plane. Each gives `weight` times exp(-a (places from it)^2), along
/// x and y, to its neighbours.
struct Pencils {
    index rows = 0, columns = 0, line = 0;  ///< from one row to the next
    int channels = 1;
    float const* weight[2] = {};  ///< of each channel
    float const* narrow[2] = {};  ///< a, along x and y
    int const* reach =
        nullptr;         ///< [row]: places that its Gaussians go, at most `margin`; -1: none
    float* out[2] = {};  ///< of each channel, [rows + 2 margin][columns + 2 margin]
    index margin = 0;

    index out_line() const { return columns + 2 * margin; }
};

/// Memory of a worker, for planes of so many columns and so far a reach.
struct SpreadScratch {
    std::vector<float> gaussians, row, sum;
    void make_room(index columns, index reach);
};

/// e to the x for x up to 0, within 5e-6 of it: the same bits on every instruction set.
[[gnu::always_inline]] inline float exp_below(float x) {
    x = (x < -80.0F ? -80.0F : x) * 1.44269504F;
    float const whole = std::floor(x + 0.5F), r = x - whole;
    float const p =
        1.0F +
        r * (0.69314718F +
             r * (0.24022651F +
                  r * (0.05550411F + r * (0.00961813F + r * (0.00133336F + r * 0.00015404F)))));
    auto const exponent = (static_cast<std::int32_t>(whole) + 127) << 23;
    return p * std::bit_cast<float>(exponent);
}

/// exp(-a d^2) for d = 0, 1, 2 and so on: each is the last one times what falls by the square of
/// exp(-a).
struct Falling {
    float value = 1, by, square;

    explicit Falling(float a) : by(exp_below(-a)), square(by * by) {}
    void next() {
        value *= by;
        by *= square;
    }
};

using Spread = void (*)(Pencils const& pencils, SpreadScratch& scratch);
struct SpreadKernels {
    Spread spread = nullptr;
};

SpreadKernels const& spread_kernels(Isa isa);
SpreadKernels const& spread_kernels(Device const& device);
/// The definition, in loops.
void spread_slowly(Pencils const& pencils, SpreadScratch& scratch);

namespace baseline {
SpreadKernels spread_kernels();
}
namespace avx2 {
SpreadKernels spread_kernels();
}
namespace avx512 {
SpreadKernels spread_kernels();
}

}  // namespace sluice::proton::cube
