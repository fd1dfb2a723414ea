// Smoothing of the object: over neighbours in a slice, and over slices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"

namespace sluice::ptycho {

/// A step against half the gradient of sum |difference of neighbours|^2 (A. N. Tikhonov's): each
/// pixel moves by `length` times the sum of its differences from four neighbours. A wave of
/// frequency (k, l) cycles a pixel is multiplied by 1 - 4 length (sin^2 pi k + sin^2 pi l):
/// lengths up to 1/8 change no wave's sign.
template <class Real>
void smooth_neighbours(std::vector<Planar<Real>>& object, double length, int threads);

/// Each slice becomes the mean of all, weighted by exp(-d^2 / (2 sigma^2)), d slices apart. Slices
/// beyond the ends do not count.
template <class Real>
void smooth_slices(std::vector<Planar<Real>>& object, double sigma, int threads);

}  // namespace sluice::ptycho
