// The layers of a TFC-TDF U-Net as their definitions say them: plain loops in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/music/forward/settings.h"
#include "domain/music/twin/slow_map.h"

namespace sluice::music {

/// Weights [out][in][height][width]; a kernel of three that moves by one sees zeros beyond the
/// edges.
SlowMap slow_convolution(SlowMap const& x, std::span<double const> weights, index out, index height,
                         index width, std::array<index, 2> stride);
/// Weights [in][out][height][width]; the stride is the kernel's size.
SlowMap slow_transposed(SlowMap const& x, std::span<double const> weights, index out,
                        std::array<index, 2> scale);
/// Weights [out][bins], along the frequency.
SlowMap slow_linear(SlowMap const& x, std::span<double const> weights, index out);

/// gamma * (x - mean) / sqrt(variance + 1e-5) + beta, where mean and variance are given or those
/// of each group of channels.
SlowMap slow_norm(SlowMap const& x, NormKind kind, std::span<double const> gamma,
                  std::span<double const> beta, std::span<double const> mean,
                  std::span<double const> variance);
SlowMap slow_activation(SlowMap x, nn::Activation activation);

SlowMap slow_sum(SlowMap x, SlowMap const& y);
SlowMap slow_product(SlowMap x, SlowMap const& y);
/// The channels of x, then those of y.
SlowMap slow_joined(SlowMap const& x, SlowMap const& y);

}  // namespace sluice::music
