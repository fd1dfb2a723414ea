// The phase of a weak object out of interferences of the direct beam with diffracted ones: the
// single side band.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/counts.h"
#include "domain/ptychography/share.h"
#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// What a wave of the object's phase, of one radian at each of the window's frequencies Q
/// ([row][col]), changes in a pattern: S(Q) = sum over K of w(K) |conj(p(K)) p(K - Q) - p(K)
/// conj(p(K + Q))|^2, where p is the probe's spectrum and w a weight of each pixel.
std::vector<double> side_band_power(std::vector<std::complex<double>> const& spectrum,
                                    std::vector<double> const& weights, index n, int threads);

/// [row][col] of the canvas, in rad: least squares over all patterns, for a scan that is dense and
/// an object that is weak (J. M. Rodenburg, B. C. McCallum and P. D. Nellist,
/// 10.1016/0304-3991(93)90105-7). Positions are rounded to whole pixels. Noise is Poisson's, and
/// phases are expected to be some 0.3 rad.
template <class Real>
Result<std::vector<double>> single_side_band(Measured const& measured, Share const& share,
                                             Canvas const& canvas, Planar<Real> const& probe,
                                             int threads);

}  // namespace sluice::ptycho
