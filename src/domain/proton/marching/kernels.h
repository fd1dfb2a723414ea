// The operators of a step on one plane, compiled per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::proton::marching {

/// What windows of x are multiples of: all registers' widths are parts of it.
inline constexpr index lanes = 16;

/// The protons of a plane by residual range and direction, or a window of them: f[row][angle][x], x
/// contiguous. Rows ascend with the range.
template <class Real>
struct Sheet {
    Real* values;
    index angles, width;  ///< the width is a multiple of 16, so that no kernel needs a remainder
    index line, row;      ///< from one angle, and from one row, to the next
    Real* at(index i, index angle) const { return values + i * row + angle * line; }
};

/// What leaves the angles' window at each side, summed over x: one number per place, so that the
/// order of the sum is that of x on every device.
struct Leak {
    double low = 0, high = 0;
};

/// Per x: what a material is, as multiples of water.
template <class Real>
struct Columns {
    Real const* shift;  ///< rows that a straight step takes from the range, at the row's bend 0
    Real const* bend;   ///< and what Rows::bend multiplies (Bethe's logarithm)
    Real const* straggling;
    Real const* nuclear;
};

/// Per row: water's numbers for a straight step.
template <class Real>
struct Rows {
    Real const* energy;  ///< of the row, MeV
    Real const* after;   ///< and when the step is done: rows come nearer to the end of range, too
    Real const* drop;    ///< what Cut::dropped whole rows and this take, with all its digits
    Real const* bend;
    Real const* up;  ///< part that straggling moves up one row in one of its passes
    Real const* down;
    Real const* far;   ///< and `fall` rows down
    Real const* loss;  ///< part lost to nuclear collisions
    index fall = 0;    ///< 0: none fall so far
};

/// How a step is cut so that every part of it moves between 0 and 1.
struct Cut {
    index whole = 0;  ///< rows that all go down
    int slowing = 1;  ///< passes of the rest
    int straggling = 1;
    double carried = 0;  ///< rows that the rows themselves come nearer
    index dropped = 0;   ///< the fewest whole rows that any direction goes
};

/// What a step did to the protons of one direction, per x; energies in MeV.
struct Tallies {
    double* deposit;  ///< by slowing down, and of those that stop
    double* stopped;  ///< weight
    double* nuclear_energy;
    double* nuclear_weight;
};

/// The weight that leaves a cell when all content moves by the part a of one: parts of the cell and
/// of two at each side, [4] the farthest ahead. They are those of the fifth-degree polynomial
/// through the sums of cells up to six faces, so that mean and variance (and two moments more) move
/// just as they must.
std::array<double, 5> leaving_parts(double a);

template <class Real>
struct Kernels {
    /// Angular diffusion of one row: `passes` times the part p[x] goes to each neighbour. sum[x]
    /// becomes what the row has then.
    void (*scatter)(Sheet<Real> const& sheet, index row, Real const* p, int passes, Real* sum,
                    Leak& leak);
    /// Moves lines, which are `step` apart, by `shift` places of x, of any sign and size, into
    /// `lines`, which are `stride` apart and may be the same; leaks[line] is what leaves at each
    /// side. `scratch` has 2 * width + 6 places.
    void (*drift)(Real const* from, index step, Real* lines, index count, index stride, index width,
                  double shift, Leak* leaks, Real* scratch);
    /// Nuclear loss, straggling and slowing down of one direction's lines [rows][stride], for a
    /// path of `factor` straight steps.
    void (*slow)(Real* lines, index rows, index stride, Real factor, Cut const& cut,
                 Columns<Real> const& columns, Rows<Real> const& water, Tallies const& tallies);
    /// Copies lines to where `step` is from one to the next; sum[x] becomes their sum.
    void (*store)(Real const* lines, index count, index stride, Real* to, index step, Real* sum);
};

Kernels<float> const& kernels_f32(Isa isa);
Kernels<double> const& kernels_f64(Isa isa);

/// Those of a device's instruction set, or the reference.
template <class Real>
Kernels<Real> const& kernels_of(Device const& device);
template <>
Kernels<float> const& kernels_of(Device const& device);
template <>
Kernels<double> const& kernels_of(Device const& device);

namespace baseline {
Kernels<float> kernels_f32();
Kernels<double> kernels_f64();
}  // namespace baseline
namespace avx2 {
Kernels<float> kernels_f32();
Kernels<double> kernels_f64();
}  // namespace avx2
namespace avx512 {
Kernels<float> kernels_f32();
Kernels<double> kernels_f64();
}  // namespace avx512

}  // namespace sluice::proton::marching
