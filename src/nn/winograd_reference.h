// The slow twin of Winograd's convolution: the sum as it is defined, in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/winograd.h"

namespace sluice::nn {

/// `weights` are in the order of weight_at().
template <class T>
Moments convolve_directly(float const* weights, index in, index height, index width,
                          std::span<Source<T> const> sources, bool adds, Rows<T> y);

}  // namespace sluice::nn
