// What is done to rows of numbers, for each type; compiled for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::ptycho {

/// to[i] becomes to[i] plus something, for n numbers that do not overlap with others.
template <class Real>
struct RowLoops {
    /// from[i].
    void (*add)(Real const* from, index n, Real* to);
    /// by * from[i].
    void (*add_scaled)(Real const* from, Real by, index n, Real* to);
    /// by * from[i] / (slope * weight[i] + floor).
    void (*add_shared)(Real const* from, Real const* weight, Real by, Real slope, Real floor,
                       index n, Real* to);
    /// by * from[i] / sqrt(weight[i]^2 + damping^2).
    void (*add_damped)(Real const* from, Real const* weight, Real by, Real damping, index n,
                       Real* to);
    /// re[i]^2 + im[i]^2.
    void (*add_power)(Real const* re, Real const* im, index n, Real* to);
};

/// For floats by instruction set, for double the plain loops.
template <class Real>
RowLoops<Real> const& row_loops(Isa isa);
template <>
RowLoops<float> const& row_loops(Isa isa);
template <>
RowLoops<double> const& row_loops(Isa isa);

namespace baseline {
RowLoops<float> row_loops_of();
}
namespace avx2 {
RowLoops<float> row_loops_of();
}
namespace avx512 {
RowLoops<float> row_loops_of();
}

}  // namespace sluice::ptycho
