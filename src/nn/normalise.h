// Normalising: each channel's mean and variance, and their removal together with the activation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "nn/activation.h"
#include "nn/rows.h"
#include "sluice/device.h"

namespace sluice::nn {

/// Of each channel; the variance is the biased one, divided by the number of rows.
struct Moments {
    std::vector<double> mean, variance;
};

/// What a channel's numbers are multiplied by, and what is added then.
struct Affine {
    std::vector<float> scale, shift;
};

// T, From and To are float or Bf16. Results have the same bits whatever the instruction set and the
// number of threads are. Devices are processors: the reference computes in double, in order.

/// The moments of each channel of at least one row. A large mean does not harm the variance: blocks
/// of 64 rows are summed in float as distances from their own mean, and joined in double. Takes 16
/// bytes of memory for each channel and 512 rows.
template <class T>
Moments moments(Device const& device, Rows<T const> x);

/// Of all rows, out of the means and sums of squared distances of pieces, [piece][channel], joined
/// in the order of their rows. Pieces have `piece` rows, the last one what is left.
Moments joined(std::vector<double> const& mean, std::vector<double> const& squares, index rows,
               index piece, index channels);

/// sum = a + b, rounded to T, and the moments of the sum. It may lie where `a` or `b` is.
template <class T>
Moments add(Device const& device, Rows<T const> a, Rows<T const> b, Rows<T> sum);

/// The affine map after which a channel has the mean `beta` and the deviation `gamma`.
/// `epsilon` is added to the variance.
Affine normalising(Moments const& moments, std::span<float const> gamma,
                   std::span<float const> beta, double epsilon);

/// y = activation(x * scale + shift). `y` may lie where `x` is if both have the same type. For gelu
/// the error is at most 2.5e-7 |z|, where z is the activation's argument (normalise_test.cpp
/// measures it). Results of more than 32 MB go past the caches.
template <class From, class To>
void normalise_activate(Device const& device, Rows<From const> x, Affine const& affine,
                        Activation activation, Rows<To> y);

}  // namespace sluice::nn
