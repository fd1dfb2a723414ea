// The simulated detector: its bad pixels, and counts as it writes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/synthetic/options.h"

namespace sluice {

struct BadPixels {
    std::vector<std::uint32_t> mask = {};  ///< [row][col], NXdetector bits; empty without any
    std::vector<std::size_t> at = {};      ///< the pixels set there
};
BadPixels bad_pixels(SyntheticOptions const& options);

/// Saturated, bad pixels marked, little-endian, of the type that the options say.
void store_counts(SyntheticOptions const& options, BadPixels const& bad,
                  std::span<std::uint32_t const> counts, std::span<std::byte> out);

}  // namespace sluice
