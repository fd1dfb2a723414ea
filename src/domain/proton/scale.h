// What weights of a state are multiplied by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::proton {

/// So that weights in far tails do
/// not become denormal numbers, which are slow.
template <class Real>
inline constexpr double scale = 1;
template <>
inline constexpr double scale<float> = 0x1p100;

}  // namespace sluice::proton
