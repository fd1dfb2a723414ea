// Overlay: one object laid on another, up to what patterns cannot determine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography_compare.h"

namespace sluice::ptycho {

using Plane = std::vector<std::complex<double>>;  ///< [row][col]

/// Without its mean under a Hann window, and times that window.
Plane windowed(Array<std::complex<float>> const& object);

/// stem4d::align() with a bound on the translation, in pixels.
Result<stem4d::Alignment> overlay(Array<std::complex<float>> const& found,
                                  Array<std::complex<float>> const& truth,
                                  std::vector<std::uint8_t> const& region,
                                  std::array<double, 2> most);

}  // namespace sluice::ptycho
