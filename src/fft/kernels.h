// The steps of a transform as functors, for devices: an element is a butterfly or a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/axes.h"

namespace sluice::fft {

/// One pass over arrays [outer][length][width]: element = a butterfly of any of them.
template <class Real>
struct PassOnAll {
    Pass<Real> pass;
    Number<Real> const* from;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        index const k = i % pass.s, q = i / pass.s % pass.m, o = i / pass.s / pass.m;
        index const apart = pass.m * pass.s, first = o * pass.p * apart;
        Number<Real> const* const x = from + first + q * pass.s + k;
        Number<Real>* const y = to + first + pass.p * q * pass.s + k;
        if (pass.p == 4) {
            four(x[0], x[apart], x[2 * apart], x[3 * apart], pass.turns(q), y, pass.s);
        } else if (pass.p == 2) {
            two(x[0], x[apart], pass.roots[q * pass.step], y, pass.s);
        } else {
            for (index r = 0; r < pass.p; ++r) {
                Number<Real> sum{};
                for (index j = 0; j < pass.p; ++j) sum = sum + x[j * apart] * pass.turn(q, r, j);
                y[r * pass.s] = sum;
            }
        }
    }
};

/// Bluestein's: lines [outer][length][width] as lines [outer][width][padded], times the wave.
template <class Real>
struct Spread {
    Number<Real> const* wave;
    index length, width, padded;
    Number<Real> const* from;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        index const k = i % padded, line = i / padded, o = line / width, c = line % width;
        to[i] = k < length ? from[(o * length + k) * width + c] * wave[k] : Number<Real>{};
    }
};

/// Bluestein's: the product of spectra, conjugated.
template <class Real>
struct Convolve {
    Number<Real> const* spectrum;
    index padded;
    Number<Real>* data;

    SLUICE_HD void operator()(index i) const {
        data[i] = (data[i] * spectrum[i % padded]).conjugate();
    }
};

/// Bluestein's: back to lines [outer][length][width].
template <class Real>
struct Collect {
    Number<Real> const* wave;
    index length, width, padded;
    Number<Real> const* from;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        index const c = i % width, k = i / width % length, o = i / width / length;
        to[i] = from[(o * width + c) * padded + k].conjugate() * wave[k];
    }
};

/// Numbers of arrays `step` apart to arrays that touch; conjugated for the way back.
template <class Real>
struct Load {
    Number<Real> const* from;
    index array, step;
    bool is_back;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        Number<Real> const z = from[i / array * step + i % array];
        to[i] = is_back ? z.conjugate() : z;
    }
};

/// The other way; on the way back conjugated and divided.
template <class Real>
struct Store {
    Number<Real> const* from;
    index array, step;
    bool is_back;
    Real scale;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        to[i / array * step + i % array] = is_back ? from[i].conjugate() * scale : from[i];
    }
};

/// Real samples as complex numbers.
template <class Real>
struct LoadSamples {
    Real const* from;
    index array, step;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const { to[i] = {from[i / array * step + i % array], 0}; }
};

/// Element = a number of half a spectrum, out of the whole.
template <class Real>
struct StoreHalf {
    Half half;
    Number<Real> const* from;
    index array, spectrum, step;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        index const a = i / spectrum, k = i % spectrum;
        to[a * step + k] = from[a * array + half.whole(k)];
    }
};

/// Element = a number of the whole spectrum, out of half of it, conjugated for the way back.
template <class Real>
struct LoadHalf {
    Half half;
    Number<Real> const* from;
    index array, step;
    Number<Real>* to;

    SLUICE_HD void operator()(index i) const {
        Half::Spot const spot = half.spot(i % array);
        Number<Real> const z = from[i / array * step + spot.at];
        to[i] = spot.is_conjugate ? z : z.conjugate();
    }
};

/// The real part of the way back.
template <class Real>
struct StoreSamples {
    Number<Real> const* from;
    index array, step;
    Real scale;
    Real* to;

    SLUICE_HD void operator()(index i) const {
        to[i / array * step + i % array] = from[i].re * scale;
    }
};

}  // namespace sluice::fft
