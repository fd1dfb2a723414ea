// What is done to rows of numbers, for each type; compiled for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::ptycho {

/// A row of complex numbers.
template <class Real>
struct Row {
    Real const *re, *im;
};

/// What a row gives to the sums of a least-squares step along directions dO and dP.
template <class Real>
struct StepSums {
    Real oo = 0;        ///< |dO P|^2
    Real pp = 0;        ///< |dP O|^2
    Real op = 0;        ///< Re dO P (dP O)*
    Real o = 0, p = 0;  ///< Re dO* G_O and Re dP* G_P
};

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
    /// As add_scaled and add_shared; from[i] becomes zero.
    void (*take_scaled)(Real* from, Real by, index n, Real* to);
    void (*take_shared)(Real* from, Real const* weight, Real by, Real slope, Real floor, index n,
                        Real* to);
    /// by * from[i] / sqrt(weight[i]^2 + damping^2).
    void (*add_damped)(Real const* from, Real const* weight, Real by, Real damping, index n,
                       Real* to);
    /// re[i]^2 + im[i]^2.
    void (*add_power)(Real const* re, Real const* im, index n, Real* to);
    /// conj(of[i]) * with[i], its real part to re[i] and its imaginary one to im[i].
    void (*add_conjugate)(Row<Real> of, Row<Real> with, index n, Real* re, Real* im);
    /// Of a row: directions and gradients of object and probe beside these; n is a multiple of 16
    /// or rows are filled up with zeros to one.
    StepSums<Real> (*step_sums)(Row<Real> object, Row<Real> object_way, Row<Real> object_gradient,
                                Row<Real> probe, Row<Real> probe_way, Row<Real> probe_gradient,
                                index n);
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
