// One energy and one angle of a dense step, compiled per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::proton::dense {

/// A plane [z][x] with empty places around it, which a shift may read.
template <class Real>
struct Padded {
    Real* origin;  ///< of z = 0, x = 0
    index line;
};

/// A shift by whole places and parts of one: what lies at z goes to z + whole, and `part` of it one
/// further.
struct Shift {
    index whole = 0;
    double part = 0;
};

/// A part of a plane's weight goes to another energy's plane.
template <class Real>
struct To {
    Real* plane = nullptr;
    Real part = 0;
    bool assign = false;  ///< else it is added
};

template <class Real>
struct Flight {
    index columns, low, high;  ///< the planes of z that it ends on
    Shift z, x;
    To<Real> to[4];     ///< only the first may be assigned
    int count;          ///< at least 1
    Real energy;        ///< deposited by one
    Real* deposit;      ///< [z][x]
    Real* sum;          ///< [x] of all that lands
    Real const* ahead;  ///< as in Scattering
};

/// The same where the materials differ: weights per place, and lists of several.
template <class Real>
struct Mask {
    Real* plane = nullptr;
    Real part = 0;
    Real const* where = nullptr;  ///< [z][x]: 1 where its material is
};

/// One pass of scattering over lines [low, high) of z of planes [z][x].
template <class Real>
struct Scattering {
    index columns, low, high;
    Real p;             ///< part to each side
    Real const* parts;  ///< multiplies p; null: 1
    Real* below;        ///< the angle before, as it was; becomes `own`
    Real const* own;
    Real const* above;
    Real const* ahead;  ///< lines of a later plane: half as many are brought into the cache
};

template <class Real>
struct Kernels {
    /// out = own + p (below - 2 own + above). sum[x] is what out has.
    void (*scatter)(Scattering<Real> const& scattering, Padded<Real> out, Real* sum);
    /// Shares what lies at a plane between the cells where it lands, and the energies where it is
    /// then.
    void (*fly)(Padded<Real> from, Flight<Real> const& flight);
    /// The same without the energies: to `out` [z][x].
    void (*land)(Padded<Real> from, Flight<Real> const& flight, Real* out);
    /// to += part * where * from over lines [low, high).
    void (*give)(Real const* from, Mask<Real> const& mask, index columns, index low, index high);
};

Kernels<float> const& dense_f32(Isa isa);
Kernels<double> const& dense_f64(Isa isa);

namespace baseline {
Kernels<float> dense_f32();
Kernels<double> dense_f64();
}  // namespace baseline
namespace avx2 {
Kernels<float> dense_f32();
Kernels<double> dense_f64();
}  // namespace avx2
namespace avx512 {
Kernels<float> dense_f32();
Kernels<double> dense_f64();
}  // namespace avx512

}  // namespace sluice::proton::dense
